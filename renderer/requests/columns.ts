import { type Message, msg } from '../../app/language/messages.ts';
import { isOutputIncomplete } from '../../app/words/exchange-cells.ts';
import { firstTokenBasis } from '../../app/words/times.ts';
import type { Row } from '../state/log/row.ts';
import type { Order } from '../state/log/sorted-rows.ts';

export type ColumnName =
  | 'time'
  | 'status'
  | 'initiator'
  | 'model'
  | 'input'
  | 'cached'
  | 'output'
  | 'first-token'
  | 'duration'
  | 'charge'
  | 'session'
  | 'endpoint'
  | 'client'
  | 'prompt'
  | 'speed'
  | 'size'
  | 'changes'
  | 'attempts'
  | 'account';

export interface Column {
  name: ColumnName;
  head: Message;
  /** What its figure counts, where the head doesn't say it. */
  title?: Message;
  width: number;
  /** Takes what is left, and no less than its width. */
  grows: boolean;
  align: 'left' | 'right';
  /** Below this width of the list it is left out: there all others have room. */
  from: number;
  compare: Order;
}

/** Whether a column is shown, and its width. */
export interface ColumnChoice {
  readonly name: ColumnName;
  readonly shown: boolean;
  /** px; null for the column's own width. */
  readonly width: number | null;
}

/** Every column once, in order. */
export type ColumnChoices = readonly ColumnChoice[];

type Key = (row: Row) => number | string | null;

/** Sorts by a key; unknown values are last in both directions. */
function by(key: Key): Order {
  return (left, right) => {
    const one = key(left);
    const other = key(right);
    if (one === other) return 0;
    if (one === null) return -1;
    if (other === null) return 1;
    return one < other ? -1 : 1;
  };
}

/** Below this width of the list everything moves closer together. */
export const narrow = 700;

/** Explains Input by the columns of the exported CSV. */
export const inputWords = msg('Input is input_tokens plus cache_write_tokens, without what was read from the cache.');

type ColumnRow = [
  name: ColumnName,
  head: Message,
  width: number,
  align: Column['align'],
  key: Key,
  more?: Partial<Pick<Column, 'title' | 'from' | 'grows'>>,
];

const rows: readonly ColumnRow[] = [
  ['time', msg('Time'), 62, 'left', () => 0],
  ['status', msg('Status'), 46, 'left', (row) => row.status],
  [
    'initiator',
    msg('Initiator'),
    152,
    'left',
    (row) => (row.initiator === null ? null : `${row.initiator} ${row.reason?.code ?? ''}`),
  ],
  ['model', msg('Model'), 130, 'left', (row) => row.model, { grows: true }],
  ['input', msg('Input'), 60, 'right', (row) => row.input, { title: inputWords, from: 780 }],
  ['cached', msg('Cached'), 66, 'right', (row) => row.cached, { from: 930 }],
  ['output', msg('Output'), 58, 'right', (row) => row.output, { from: narrow }],
  ['first-token', msg('First token'), 72, 'right', (row) => row.firstToken, { title: firstTokenBasis, from: 930 }],
  ['duration', msg('Duration'), 70, 'right', (row) => row.took],
  ['charge', msg('Credits'), 66, 'right', (row) => row.nanoAiu ?? row.premium],
  ['session', msg('Session'), 68, 'left', (row) => row.session, { from: 1060 }],
  ['endpoint', msg('Endpoint'), 120, 'left', (row) => row.api],
  ['client', msg('Client'), 110, 'left', (row) => row.client],
  ['prompt', msg('Prompt'), 60, 'left', (row) => row.prompt],
  ['speed', msg('Speed'), 70, 'right', speedOf],
  ['size', msg('Size'), 80, 'right', (row) => row.size],
  ['changes', msg('Changes'), 64, 'right', (row) => row.changeCount],
  ['attempts', msg('Attempts'), 64, 'right', (row) => row.attempts],
  ['account', msg('Account'), 100, 'left', (row) => row.account ?? null],
];

export const columns: readonly Column[] = rows.map(([name, head, width, align, key, more]) => {
  return { ...{ name, head, width, align, from: 0, grows: false }, ...more, compare: by(key) };
});

export const allColumns = columns;

export const shownAtFirst: readonly ColumnName[] = columns.slice(0, 11).map(({ name }) => name);

/** Tokens per second of the answer; null if there are too few to say. */
export function speedOf(row: Row): number | null {
  const { output, took, firstToken } = row;
  if (isOutputIncomplete(row) || output === null || took === null || firstToken === null || took - firstToken < 50)
    return null;
  return output / ((took - firstToken) / 1000);
}

/** Widths where everything moves closer together. */
const tight: Partial<Record<ColumnName, number>> = {
  time: 58,
  status: 41,
  initiator: 136,
  model: 116,
  duration: 54,
  charge: 64,
};

/** Order in which chosen columns are left out if they don't fit. The others stay. */
const goesFirst: readonly ColumnName[] = [
  'account',
  'attempts',
  'changes',
  'size',
  'speed',
  'prompt',
  'client',
  'endpoint',
  'session',
  'cached',
  'first-token',
  'input',
  'output',
];

/**
 * The columns of a list of this width, in the order and with the widths that were chosen. Never more than there
 * is room for.
 * @param namesClients the initiator’s cells say the client too
 */
export function columnsFor(width: number, choices: ColumnChoices, namesClients = false): Column[] {
  const sized = ({ name, shown, width: chosen }: ColumnChoice): Column[] => {
    const column = columns.find((one) => one.name === name);
    if (column === undefined || !shown || width < column.from) return [];
    return [{ ...column, width: chosen ?? (width < narrow ? tight[name] : undefined) ?? column.width }];
  };
  let shown = choices.flatMap(sized);
  for (const gone of goesFirst) {
    if (needed(shown, width) <= width) break;
    shown = shown.filter(({ name }) => name !== gone);
  }
  if (needed(shown, width) <= width) {
    return spread(namesClients ? withRoomForClient(shown, width, choices) : shown, width, choices);
  }
  const usual = shown.flatMap(({ name }) => sized({ name, shown: true, width: null }));
  if (needed(usual, width) <= width) return usual;
  // The list scrolls to the others: in sight are when, how it ended, who asked and the model.
  return usual.map((column) => (column.name === 'initiator' ? { ...column, width: iconAlone } : column));
}

/** Width of an initiator whose icon stands for its words. */
export const iconAlone = 18;

/** Width below which a list with these columns scrolls sideways. */
export const leastWidth = (shown: readonly Column[], width: number): number => needed(shown, width);

/** Room for an initiator, its reason and a client’s label. */
const initiatorAndClient = 216;
/** Room for most models’ names, which a client’s label doesn’t take. */
const modelName = 160;

/** Gives the initiator what the model’s column has beyond its names. A width that was chosen stays. */
function withRoomForClient(shown: readonly Column[], width: number, choices: ColumnChoices): Column[] {
  const growing = shown.find(({ grows }) => grows);
  const isChosen = choices.some((one) => one.name === 'initiator' && one.width !== null);
  const spare = width - needed(shown, width) - (growing === undefined ? 0 : Math.max(0, modelName - growing.width));
  return shown.map((column) =>
    column.name === 'initiator' && !isChosen
      ? { ...column, width: Math.max(column.width, Math.min(initiatorAndClient, column.width + spare)) }
      : column,
  );
}

/** A column that takes what is left takes no more than this while others can take it. */
const widest = 420;

/** Shares what would be left empty in a very wide list among the columns that have their own width. */
function spread(shown: readonly Column[], width: number, choices: ColumnChoices): Column[] {
  const growing = shown.find(({ grows }) => grows);
  const room = growing === undefined ? 0 : growing.width + width - needed(shown, width) - widest;
  const isChosen = (name: ColumnName): boolean => choices.some((one) => one.name === name && one.width !== null);
  const takes = ({ name, grows }: Column): boolean => !grows && !isChosen(name);
  const sum = shown.filter(takes).reduce((all, column) => all + column.width, 0);
  if (room <= 0 || sum === 0) return [...shown];
  return shown.map((column) =>
    takes(column) ? { ...column, width: column.width + Math.floor((room * column.width) / sum) } : column,
  );
}

/** Width with the gaps between columns and the edges of the row. */
function needed(shown: readonly Column[], width: number): number {
  const [gap, edges] = width < narrow ? [8, 28] : [12, 40];
  const gaps = shown.length - (shown.some(({ grows }) => grows) ? 1 : 0);
  return shown.reduce((sum, column) => sum + column.width, gap * gaps + edges);
}

/** The tracks of a row's grid. Where no column takes what is left, it stays empty. */
export function tracksOf(shown: readonly Column[]): string {
  const tracks = shown.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`));
  return [...tracks, ...(shown.some(({ grows }) => grows) ? [] : ['minmax(0, 1fr)'])].join(' ');
}
