import type { Turn } from '../state/model.ts';
import type { TranscriptActions } from './transcript-actions.ts';

export type FailureAction = keyof Pick<
  TranscriptActions,
  | 'tryAgain'
  | 'tryAgainWithModel'
  | 'goOn'
  | 'compactAndTryAgain'
  | 'changePrompt'
  | 'showSettings'
  | 'chooseAgent'
  | 'copyReport'
>;

export interface FailureWords {
  what: string;
  why: string;
  kept: string | null;
  buttons: readonly { action: FailureAction; label?: string }[];
  /** What `Continue` does. */
  note: string | null;
}

const kept = 'Edits made before the error are kept.';
const goesOn =
  'Continue starts Claude Code again with this conversation and sends “Go on where you stopped.” It counts as a user request.';

/** What is said of a turn that failed, and what can be done about it. */
export function failureOf({ problem, state }: Pick<Turn, 'problem' | 'state'>): FailureWords {
  const text = (problem?.text ?? '').replace(/^Jumpseat:\s*/, '');
  switch (problem?.code) {
    case 'refused':
      return {
        ...{ what: 'Copilot refused a request of this turn.', why: text, kept, note: null },
        buttons: [{ action: 'tryAgain' }, { action: 'tryAgainWithModel' }],
      };
    case 'agent-ended':
      return {
        what: text,
        why: 'What came before is kept; the last command may be half done.',
        kept: null,
        buttons: [{ action: 'goOn' }, { action: 'tryAgain', label: 'Send the prompt again' }, { action: 'copyReport' }],
        note: goesOn,
      };
    case 'not-started':
      return {
        ...{ what: 'Claude Code couldn’t start.', why: text, kept: null, note: null },
        buttons: [{ action: 'tryAgain' }, { action: 'chooseAgent' }],
      };
    case 'limit':
      return {
        ...{ what: text, why: '', kept, note: null },
        buttons: [{ action: 'goOn', label: 'Go on' }, { action: 'showSettings' }],
      };
    case 'stopped-early':
      return { ...{ what: text, why: problem.mend, kept: null, note: null }, buttons: [{ action: 'changePrompt' }] };
    default:
      return {
        ...{
          what: state === 'interrupted' ? 'This turn was cut off.' : 'This turn failed.',
          why: text,
          kept,
          note: null,
        },
        buttons: [{ action: 'tryAgain' }, { action: 'copyReport' }],
      };
  }
}
