import { inEnglish } from '../../../app/language/language.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { turnFailureWords, wholeFailure } from '../../../app/words/failures.ts';
import { goOnWords } from '../../../app/words/sessions.ts';
import { capital, withoutSpeaker } from '../../../app/words/text.ts';
import { exactTime } from '../../../app/words/times.ts';
import type { Step, Turn } from '../state/conversation.ts';
import { hasAnswer, hasEdits } from './items.ts';
import type { TranscriptActions } from './transcript-context.ts';

export type FailureAction = keyof Pick<
  TranscriptActions,
  | 'tryAgain'
  | 'tryAgainWithModel'
  | 'goOn'
  | 'compactAndTryAgain'
  | 'forkEarlier'
  | 'changePrompt'
  | 'showSettings'
  | 'showLimits'
  | 'signIn'
  | 'chooseAgent'
  | 'copyReport'
>;

interface FailureButton {
  action: FailureAction;
  label?: Message;
}

interface FailureWords {
  what: string;
  why: string;
  kept: string | null;
  buttons: readonly FailureButton[];
  /** What `Continue` does. */
  note: string | null;
}

const edits = msg('Edits made before the error are saved.');
const sendsOn = (): string => t('Continue sends “{message}” It counts as a user request.', { message: goOnWords });
const goesOn = (title: string): string =>
  t('Continue starts {title} again with this conversation and sends “{message}” It counts as a user request.', {
    title,
    message: goOnWords,
  });

const tryAgain: readonly FailureButton[] = [{ action: 'tryAgain' }];
const buttonsOf: Readonly<Record<string, readonly FailureButton[]>> = {
  refused: [{ action: 'tryAgain' }, { action: 'tryAgainWithModel' }],
  'not-sent': [{ action: 'tryAgain' }, { action: 'tryAgainWithModel' }],
  'signed-out': [{ action: 'signIn' }, { action: 'tryAgain' }],
  'held-back': [{ action: 'showLimits' }, { action: 'tryAgain' }],
  'no-connection': tryAgain,
  cut: [{ action: 'goOn' }],
  'token-limit': [{ action: 'goOn' }],
  'context-full': [{ action: 'compactAndTryAgain' }, { action: 'forkEarlier' }],
  limit: [{ action: 'goOn', label: msg('Go on') }, { action: 'showSettings' }],
  declined: [{ action: 'changePrompt' }],
  'stopped-early': [{ action: 'goOn' }],
  'agent-ended': [
    { action: 'goOn' },
    { action: 'tryAgain', label: msg('Send the prompt again') },
    { action: 'copyReport' },
  ],
  'not-started': [{ action: 'tryAgain' }, { action: 'chooseAgent' }],
  'agent-missing': [{ action: 'tryAgain' }, { action: 'chooseAgent' }],
};
/** What stopped these turns is outside of them: they can go on once it is over. */
const stoppedFromOutside: ReadonlySet<string> = new Set(['signed-out', 'held-back', 'no-connection']);
const keepsEdits: ReadonlySet<string> = new Set(['refused', 'not-sent', 'signed-out', 'held-back', 'limit']);
const unknown: readonly FailureButton[] = [{ action: 'tryAgain' }, { action: 'copyReport' }];

/**
 * What is said of a turn that failed, and what can be done about it.
 * @param title the agent's: `Claude Code`
 */
export function failureOf(turn: Pick<Turn, 'problem' | 'state' | 'blocks'>, title: string): FailureWords {
  const { problem, state } = turn;
  const code = problem?.code ?? 'failed';
  const reported = problem?.text ?? '';
  const plain = withoutSpeaker(reported);
  const text = plain === reported ? reported : capital(plain);
  const isKept = keepsEdits.has(code) || buttonsOf[code] === undefined;
  const kept = isKept && (hasEdits(turn) || turn.blocks.some(isSubagent)) ? translated(edits) : null;
  const limit = code === 'refused' ? problem?.facts?.limit : undefined;
  // What was done so far would be done anew if the prompt were sent again.
  const canGoOn = (limit !== undefined || stoppedFromOutside.has(code)) && hasAnswer(turn);
  const buttons = (buttonsOf[code] ?? unknown).flatMap((button) =>
    canGoOn && button.action === 'tryAgain' ? [{ action: 'goOn' } as const, button] : [button],
  );
  const note = code === 'agent-ended' ? goesOn(title) : canGoOn || code === 'token-limit' ? sendsOn() : null;
  // From before facts were kept: the text says all.
  const own = problem?.facts === undefined ? null : turnFailureWords(code, problem.facts, title);
  const said =
    own ??
    saidBy(code, state, {
      title,
      text,
      remedy: problem?.remedy ?? '',
      isLimit: limit !== undefined && limit !== 'overloaded',
    });
  return { ...said, kept, buttons, note };
}

/** It may have edited files. */
const isSubagent = (block: Turn['blocks'][number]): boolean => block.kind === 'step' && block.stepKind === 'subagent';

function saidBy(
  code: string,
  state: Turn['state'],
  { title, text, remedy, isLimit }: { title: string; text: string; remedy: string; isLimit: boolean },
): Pick<FailureWords, 'what' | 'why'> {
  switch (code) {
    case 'refused': {
      const what = isLimit
        ? t('A limit of Copilot’s stopped this turn.')
        : t('Copilot refused a request of this turn.');
      return { what, why: text };
    }
    case 'not-sent':
    case 'signed-out':
    case 'held-back':
      return { what: t('Jumpseat didn’t send a request of this turn to Copilot.'), why: text };
    case 'not-started':
    case 'agent-missing':
      return { what: t('{title} couldn’t start.', { title }), why: text };
    case 'agent-ended':
    case 'limit':
    case 'declined':
      return { what: text, why: '' };
    case 'stopped-early':
      return { what: text, why: remedy };
    default:
      return { what: state === 'interrupted' ? t('This turn was cut off.') : t('This turn failed.'), why: text };
  }
}

interface ReportAbout {
  /** Version of Jumpseat. */
  version: string;
  agent: string;
  /** Version of the agent; null if unknown. */
  agentVersion: string | null;
  /** System in the browser's words. */
  system: string;
}

/**
 * One turn as Markdown for who has to fix it: how it ended, and how far it came. No word of the prompt, of an answer,
 * of a command or of a path, and nothing that a program printed. In English in every language.
 */
export function turnReport(turn: Turn, about: ReportAbout): string {
  return inEnglish(() => reportOf(turn, about));
}

function reportOf(turn: Turn, { version, agent, agentVersion, system }: ReportAbout): string {
  const { problem, state, startedAt, endedAt, requestIds, models } = turn;
  const facts: [string, string | null][] = [
    ['Jumpseat', version],
    [agent, agentVersion ?? 'unknown'],
    ['System', system],
    ['Started', startedAt === null ? null : exactTime(startedAt)],
    ['Ended', endedAt === null ? null : exactTime(endedAt)],
    ['Outcome', [state, problem?.code].filter((part) => part !== undefined).join(', ')],
    ['Details', problem?.facts === undefined ? null : factWords(problem.facts)],
    ['Message', saidHere(turn, agent)],
    ['Models', models.join(', ') || null],
    ['Steps', stepWords(turn)],
    ['Request that failed', problem?.requestId ?? null],
    ['Requests', requestIds.join(', ') || null],
  ];
  return [
    '## A turn that failed',
    '',
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${value}`])),
    '',
  ].join('\n');
}

function factWords(facts: NonNullable<Turn['problem']>['facts'] & object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** Where it is all our own words: what an agent says may hold a path. */
function saidHere(turn: Turn, agent: string): string | null {
  const isOurs = turn.problem?.facts !== undefined && turn.problem.code !== 'refused';
  return isOurs ? wholeFailure(failureOf(turn, agent)) : null;
}

/** `Bash 3 (1 failed), Read 2` */
function stepWords({ blocks }: Turn): string | null {
  const steps = blocks.filter((block): block is Step => block.kind === 'step');
  const byTool = Map.groupBy(steps, ({ tool, stepKind }) => (/^[A-Za-z]{1,40}$/.test(tool) ? tool : stepKind));
  const words = [...byTool].map(([tool, some]) => {
    const bad = some.filter(({ state }) => state === 'failed' || state === 'cut').length;
    return `${tool} ${some.length}${bad === 0 ? '' : ` (${bad} failed or cut)`}`;
  });
  return words.length === 0 ? null : words.join(', ');
}
