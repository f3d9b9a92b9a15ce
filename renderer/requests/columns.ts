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
  head: string;
  /** What its figure counts, where the head doesn't say it. */
  title?: string;
  width: number;
  /** Takes what is left, and no less than its width. */
  grows: boolean;
  align: 'left' | 'right';
  /** Below this width of the list it is left out: there all others have room. */
  from: number;
  compare: Order;
}

type Key = (row: Row) => number | string | null;

/** What is not known stands last, whatever the direction says of the rest. */
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

/** Both names are those of the exported CSV. */
export const inputWords = 'Input is input_tokens plus cache_write_tokens, without what was read from the cache.';

export const columns: readonly Column[] = [
  { name: 'time', head: 'Time', width: 62, align: 'left', from: 0, grows: false, compare: () => 0 },
  { name: 'status', head: 'Status', width: 46, align: 'left', from: 0, grows: false, compare: by((row) => row.status) },
  {
    name: 'initiator',
    head: 'Initiator',
    width: 152,
    align: 'left',
    from: 0,
    grows: false,
    compare: by((row) => (row.initiator === null ? null : `${row.initiator} ${row.reason?.code ?? ''}`)),
  },
  { name: 'model', head: 'Model', width: 130, align: 'left', from: 0, grows: true, compare: by((row) => row.model) },
  {
    name: 'input',
    head: 'Input',
    title: inputWords,
    width: 60,
    align: 'right',
    from: 780,
    grows: false,
    compare: by((row) => row.input),
  },
  {
    name: 'cached',
    head: 'Cached',
    width: 66,
    align: 'right',
    from: 930,
    grows: false,
    compare: by((row) => row.cached),
  },
  {
    name: 'output',
    head: 'Output',
    width: 58,
    align: 'right',
    from: narrow,
    grows: false,
    compare: by((row) => row.output),
  },
  {
    name: 'first-token',
    head: 'First token',
    width: 72,
    align: 'right',
    from: 930,
    grows: false,
    compare: by((row) => row.firstToken),
  },
  {
    name: 'duration',
    head: 'Duration',
    width: 70,
    align: 'right',
    from: 0,
    grows: false,
    compare: by((row) => row.took),
  },
  {
    name: 'charge',
    head: 'Credits',
    width: 66,
    align: 'right',
    from: 0,
    grows: false,
    compare: by((row) => row.nanoAiu ?? row.premium),
  },
  {
    name: 'session',
    head: 'Session',
    width: 68,
    align: 'left',
    from: 1060,
    grows: false,
    compare: by((row) => row.session),
  },
  {
    name: 'endpoint',
    head: 'Endpoint',
    width: 120,
    align: 'left',
    from: 0,
    grows: false,
    compare: by((row) => row.api),
  },
  {
    name: 'client',
    head: 'Client',
    width: 110,
    align: 'left',
    from: 0,
    grows: false,
    compare: by((row) => row.client),
  },
  { name: 'prompt', head: 'Prompt', width: 60, align: 'left', from: 0, grows: false, compare: by((row) => row.prompt) },
  { name: 'speed', head: 'Speed', width: 70, align: 'right', from: 0, grows: false, compare: by(speedOf) },
  { name: 'size', head: 'Size', width: 80, align: 'right', from: 0, grows: false, compare: by((row) => row.size) },
  {
    name: 'changes',
    head: 'Changes',
    width: 64,
    align: 'right',
    from: 0,
    grows: false,
    compare: by((row) => row.changeCount),
  },
  {
    name: 'attempts',
    head: 'Attempts',
    width: 64,
    align: 'right',
    from: 0,
    grows: false,
    compare: by((row) => row.attempts),
  },
  {
    name: 'account',
    head: 'Account',
    width: 100,
    align: 'left',
    from: 0,
    grows: false,
    compare: by((row) => row.account ?? null),
  },
];

export const allColumns = columns;

export const shownAtFirst: readonly ColumnName[] = columns.slice(0, 11).map(({ name }) => name);

/** Tokens per second of the answer; null where there are too few to say. */
export function speedOf({ output, took, firstToken }: Row): number | null {
  if (output === null || took === null || firstToken === null || took - firstToken < 50) return null;
  return output / ((took - firstToken) / 1000);
}
