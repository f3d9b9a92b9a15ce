import { shortReason } from '../../../../app/words/exchange-cells.ts';
import { isSessionLabel } from '../../../../app/words/sessions.ts';
import { contentKinds, isError, isLocal, isRunning, type Row } from '../row.ts';
import type { QueryProblem } from './language.ts';
import { inRange, type Range, readDuration, readFigure, readMoment, readRange, readSize } from './quantities.ts';

/** What a query asks of a row, ready to be asked a hundred thousand times. */
export interface Filter {
  matches(row: Row): boolean;
  problems: QueryProblem[];
  /** Nothing is asked. */
  empty: boolean;
}

/** What the page knows beside the rows. */
export interface FilterContext {
  now: number;
  isPinned(id: string): boolean;
  /** What was said in it is held. */
  hasBody(id: string): boolean;
  /** These words, in lower case, were said in it. */
  saidIn(id: string, words: string): boolean;
  /** Where its session works; null if that isn't known. */
  folderOf(row: Row): string | null;
}

export type Test = (row: Row) => boolean;

export type Text = (row: Row) => string | null;

type Figure = (row: Row) => number | null;

/** Makes a test of one value, or says null if the value means nothing to the key. */
type Key = (value: string, context: FilterContext) => Test | null;

const states: ReadonlyMap<string, (context: FilterContext) => Test> = new Map(
  Object.entries({
    billed: () => (row) => row.charge === 'billed',
    free: () => (row) => row.charge === 'free',
    unknown: () => (row) => row.charge === 'unknown',
    'no-charge': () => (row) => row.charge === 'none',
    running: () => isRunning,
    error: () => isError,
    cut: () => (row) => row.outcome === 'cut',
    left: () => (row) => row.outcome === 'cancelled',
    retried: () => (row) => row.attempts > 1,
    changed: () => (row) => row.changeCount > 0,
    pinned: (context) => (row) => context.isPinned(row.id),
    held: () => (row) => row.held || row.changes.split(' ').includes('held'),
    local: () => isLocal,
    session: () => (row) => isSessionLabel(row.client),
  }),
);

const initiators = ['user', 'agent'];
const classes = ['main', 'subagent', 'workflow', 'compaction', 'auxiliary', 'side_reply'];

const paths: ReadonlyMap<string, readonly Row['path'][]> = new Map(
  Object.entries({
    messages: ['/v1/messages', '/v1/messages/count_tokens'],
    chat: ['/chat/completions'],
    responses: ['/responses'],
    embeddings: ['/embeddings'],
  }),
);

const apis: ReadonlyMap<string, Row['api']> = new Map(
  Object.entries({
    messages: 'messages',
    count_tokens: 'count-tokens',
    chat: 'chat',
    responses: 'responses',
    embeddings: 'embeddings',
    web: 'web',
  }),
);

/** Asked once per distinct text, not once per row. */
export function remembered(pick: Text, test: (text: string) => boolean): Test {
  const answers = new Map<string, boolean>();
  return (row) => {
    const text = pick(row);
    if (text === null) return false;
    let answer = answers.get(text);
    if (answer === undefined) {
      answer = test(text.toLowerCase());
      answers.set(text, answer);
    }
    return answer;
  };
}

const containing =
  (pick: Text): Key =>
  (value) =>
    remembered(pick, (text) => text.includes(value));

const beginning =
  (pick: Text): Key =>
  (value) =>
    remembered(pick, (text) => text.startsWith(value));

const among =
  (pick: Text, values: readonly string[]): Key =>
  (value) =>
    values.includes(value) ? (row) => pick(row) === value : null;

function within(pick: Figure, read: (text: string) => number | null, width = 0): Key {
  return (value) => {
    const range = readRange(value, read, width);
    return range === null ? null : ranged(pick, range);
  };
}

function ranged(pick: Figure, range: Range): Test {
  return (row) => {
    const value = pick(row);
    return value !== null && inRange(value, range);
  };
}

const moment =
  (test: (startedAt: number, at: { from: number; to: number }) => boolean): Key =>
  (value, { now }) => {
    const at = readMoment(value, now);
    return at === null ? null : (row) => test(row.startedAt, at);
  };

const status: Key = (value) => {
  const family = /^([1-5])xx$/.exec(value)?.[1];
  if (family !== undefined) return (row) => row.status !== null && Math.floor(row.status / 100) === Number(family);
  const range = readRange(value, readFigure);
  return range === null ? null : ranged((row) => row.status, range);
};

/** `tool results`, `tool-results` and a rule's own name mean the same. */
export const reason: Key = (value) => {
  const wanted = value.replace(/[-_]/g, ' ');
  const answers = new Map<Row['reason'], boolean>([[null, false]]);
  return ({ reason }) => {
    let answer = answers.get(reason);
    if (answer === undefined && reason !== null) {
      const words = [shortReason(reason), shortReason(reason, false), reason.code, reason.rule]
        .join('\n')
        .toLowerCase()
        .replace(/[-_]/g, ' ');
      answer = words.includes(wanted);
      answers.set(reason, answer);
    }
    return answer === true;
  };
};

/**
 * A path is that folder with those in it, as of a limit; after `=` that folder alone. Other words are a part of it.
 * `none`: no folder is known.
 */
const folderKey: Key = (value, { folderOf }) => {
  if (value === 'none') return (row) => folderOf(row) === null;
  const isAlone = value.startsWith('=');
  const wanted = isAlone ? value.slice(1) : value;
  if (!/^(~|\/|\\|[a-z]:)/.test(wanted)) return remembered(folderOf, (folder) => folder.includes(wanted));
  const asFolder = (path: string): string => `${path.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  const whole = asFolder(wanted.replace(/^~/, ''));
  return remembered(folderOf, (folder) => {
    const path = asFolder(folder);
    // Where home is, isn't known here.
    if (wanted.startsWith('~')) return isAlone ? path.endsWith(whole) : path.includes(whole);
    return isAlone ? path === whole : path.startsWith(whole);
  });
};

/** One per key, so that a text's answer is remembered for all keys that look at it. */
export const keys: ReadonlyMap<string, Key> = new Map(
  Object.entries({
    is: (value, context) => states.get(value)?.(context) ?? null,
    initiator: among((row) => row.initiator, initiators),
    class: (value, context) =>
      value === 'none' ? (row) => row.requestClass === null : among((row) => row.requestClass, classes)(value, context),
    reason,
    model: containing((row) => row.model),
    asked: containing((row) => row.asked),
    status,
    agent: containing((row) => row.agentType),
    // A session that is led here is its requests’ client: a fork has another id for its agent.
    session: (value) => {
      const byAgent = remembered(
        (row) => row.session,
        (text) => text.startsWith(value),
      );
      return (row) => byAgent(row) || row.client === value;
    },
    folder: folderKey,
    prompt: beginning((row) => row.prompt),
    id: (value) => (row) => row.id.toLowerCase().startsWith(value),
    client: beginning((row) => row.client),
    key: containing((row) => row.key ?? null),
    account: containing((row) => row.account ?? null),
    endpoint: (value) => {
      const meant = apis.get(value);
      return meant === undefined ? null : (row) => row.api === meant;
    },
    path: (value) => {
      const meant = paths.get(value);
      return meant === undefined ? null : (row) => meant.includes(row.path);
    },
    change: (value) =>
      remembered(
        (row) => row.changes,
        (codes) => codes.includes(value.replace(/[_ ]/g, '-')),
      ),
    credits: within((row) => (row.nanoAiu === null ? null : row.nanoAiu / 1e9), readFigure, 0.0005),
    premium: within((row) => row.premium, readFigure),
    input: within((row) => row.input, readFigure),
    cached: within((row) => row.cached, readFigure),
    output: within((row) => row.output, readFigure),
    size: within((row) => row.size, readSize),
    took: within((row) => row.took, readDuration, 50),
    ttft: within((row) => row.firstToken, readDuration, 50),
    after: moment((startedAt, { from }) => startedAt >= from),
    before: moment((startedAt, { from }) => startedAt < from),
    on: moment((startedAt, { from, to }) => startedAt >= from && startedAt <= to),
    has: (value, { hasBody }) => {
      if (value === 'body') return (row) => hasBody(row.id);
      if (value === 'error') return (row) => row.failure !== null;
      return contentKinds.some((kind) => kind === value)
        ? remembered(
            (row) => row.contents,
            (kinds) => kinds.split(' ').includes(value),
          )
        : null;
    },
  }),
);

/** All values of the keys that have so many. */
export const valuesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    is: [...states.keys()],
    initiator: initiators,
    class: [...classes, 'none'],
    endpoint: [...apis.keys()],
    path: [...paths.keys()],
    has: ['error', ...contentKinds, 'body'],
  }),
);

/** Values to offer after a key. Those of names and ids come from the rows. */
export const offered: ReadonlyMap<string, readonly string[]> = new Map([
  ...valuesOf,
  ...Object.entries({
    status: ['200', '4xx', '5xx'],
    credits: ['>1', '>5', '>10'],
    input: ['>1k', '>10k', '>100k'],
    cached: ['>10k', '>100k'],
    output: ['>1k', '>10k'],
    size: ['>100kb', '>1mb', '<10kb'],
    took: ['>10s', '>1m', '<500ms'],
    ttft: ['>2s', '>10s'],
    after: ['-1h', '-1d', 'today', 'yesterday'],
    before: ['-1h', '-1d', 'today', 'yesterday'],
    on: ['today', 'yesterday', '2026-11-20'],
  }),
]);
