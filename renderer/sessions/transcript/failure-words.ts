import { capital } from '../../../app/words/capital.ts';
import { turnFailureWords } from '../../../app/words/turn-failure.ts';
import { withoutSpeaker } from '../../../app/words/without-speaker.ts';
import type { Turn } from '../state/conversation.ts';
import type { TranscriptActions } from './transcript-actions.ts';

export type FailureAction = keyof Pick<
  TranscriptActions,
  | 'tryAgain'
  | 'tryAgainWithModel'
  | 'goOn'
  | 'compactAndTryAgain'
  | 'forkEarlier'
  | 'changePrompt'
  | 'showSettings'
  | 'chooseAgent'
  | 'copyReport'
>;

export interface FailureButton {
  action: FailureAction;
  label?: string;
}

export interface FailureWords {
  what: string;
  why: string;
  kept: string | null;
  buttons: readonly FailureButton[];
  /** What `Continue` does. */
  note: string | null;
}

const edits = 'Edits made before the error are kept.';
const goesOn = (title: string): string =>
  `Continue starts ${title} again with this conversation and sends “Go on where you stopped.” It counts as a user request.`;

const tryAgain: readonly FailureButton[] = [{ action: 'tryAgain' }];
const buttonsOf: Readonly<Record<string, readonly FailureButton[]>> = {
  refused: [{ action: 'tryAgain' }, { action: 'tryAgainWithModel' }],
  'no-connection': tryAgain,
  cut: [{ action: 'goOn' }],
  'context-full': [{ action: 'compactAndTryAgain' }, { action: 'forkEarlier' }],
  limit: [{ action: 'goOn', label: 'Go on' }, { action: 'showSettings' }],
  declined: [{ action: 'changePrompt' }],
  'stopped-early': [{ action: 'goOn' }],
  'agent-ended': [{ action: 'goOn' }, { action: 'tryAgain', label: 'Send the prompt again' }, { action: 'copyReport' }],
  'not-started': [{ action: 'tryAgain' }, { action: 'chooseAgent' }],
  'agent-missing': [{ action: 'tryAgain' }, { action: 'chooseAgent' }],
};
const unknown: readonly FailureButton[] = [{ action: 'tryAgain' }, { action: 'copyReport' }];

/**
 * What is said of a turn that failed, and what can be done about it.
 * @param title the agent's: `Claude Code`
 */
export function failureOf({ problem, state }: Pick<Turn, 'problem' | 'state'>, title: string): FailureWords {
  const code = problem?.code ?? 'failed';
  const told = problem?.text ?? '';
  const plain = withoutSpeaker(told);
  const text = plain === told ? told : capital(plain);
  const kept = code === 'refused' || code === 'limit' || buttonsOf[code] === undefined ? edits : null;
  const note = code === 'agent-ended' ? goesOn(title) : null;
  const buttons = buttonsOf[code] ?? unknown;
  // From before facts were kept: the text says all.
  const own = problem?.facts === undefined ? null : turnFailureWords(code, problem.facts, title);
  return { ...(own ?? saidBy(code, state, { title, text, mend: problem?.mend ?? '' })), kept, buttons, note };
}

function saidBy(
  code: string,
  state: Turn['state'],
  { title, text, mend }: { title: string; text: string; mend: string },
): Pick<FailureWords, 'what' | 'why'> {
  switch (code) {
    case 'refused':
      return { what: 'Copilot refused a request of this turn.', why: text };
    case 'not-started':
    case 'agent-missing':
      return { what: `${title} couldn’t start.`, why: text };
    case 'agent-ended':
    case 'limit':
    case 'declined':
      return { what: text, why: '' };
    case 'stopped-early':
      return { what: text, why: mend };
    default:
      return { what: state === 'interrupted' ? 'This turn was cut off.' : 'This turn failed.', why: text };
  }
}
