import type { App } from '../../api/app.ts';
import type { CacheMiss, CacheSavings, NamedConversation, TotalsRow } from '../../api/history.ts';
import type { ListedSession } from '../../api/session-list.ts';
import type { TimeZone } from '../../api/settings.ts';
import { shownPath } from '../../claude-code/settings-file.ts';
import { type Message, msg } from '../../language/messages.ts';
import { t, translated } from '../../language/translate.ts';
import { callRunning } from '../../server/running-proxy.ts';
import { partlyUnknown } from '../../words/charge.ts';
import { chargeHead, type World } from '../../words/exchange-cells.ts';
import { grouped, tokenCount } from '../../words/numbers.ts';
import { isSessionLabel, sessionTitle, untitledSession } from '../../words/sessions.ts';
import { oneLine, shortened } from '../../words/text.ts';
import { day } from '../../words/times.ts';
import {
  beforeAccounts,
  byAmount,
  cacheMissWords,
  cacheSavingsWords,
  purposeOf,
  restOf,
  sumCell,
  toUsageCsv,
  type UsageRow,
} from '../../words/usage.ts';
import { wrongUsage } from '../failure.ts';
import { readName } from '../options.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { hung, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface UsageOptions {
  since?: string;
  by?: string;
  json?: boolean;
  csv?: boolean;
}

export const usageWays = ['day', 'model', 'client', 'account', 'purpose', 'session', 'folder'] as const;
type By = (typeof usageWays)[number];
/** `folder` null: none, or not known. */
type Row = UsageRow & { name: string; folder: string | null };

/** `jumpseat usage`: the sums of the window's Usage, by one of its ways. */
export async function usage(surroundings: Surroundings, options: UsageOptions): Promise<number> {
  const { terminal } = surroundings;
  const by = readName('--by', usageWays, options.by ?? 'day');
  if (options.json && options.csv) throw wrongUsage(t('--json and --csv are two forms: choose one.'));
  return withApp(surroundings, {}, async (opened) => {
    const since = sinceOf(options.since ?? '7d', opened.ports.clock.now(), opened.settings.current().timeZone);
    const found = await rowsOf(opened, by, since);
    const total = totalOf(found);
    const world = worldOfSums(opened.app.state().quota?.world, total);
    // As in the window.
    const rows = by === 'day' || by === 'session' ? found : found.toSorted(byAmount(world));
    const whole = <Sums extends Figures>(sums: Sums) => ({ ...sums, ...restOf(sums) });
    const [cacheSavings, cacheMisses] = await cacheSince(opened, since);
    const cache = { cacheSavings, cacheMisses };
    const json = { since: new Date(since).toISOString(), by, rows: rows.map(whole), total: whole(total), ...cache };
    if (options.json) terminal.out(JSON.stringify(json, null, 2));
    else if (options.csv) terminal.out(toUsageCsv([{ by, rows }]).trimEnd());
    else if (rows.length === 0) terminal.out(t('No requests since {day}.', { day: day(since) }));
    else {
      for (const line of usageLines(by, rows, world, terminal)) terminal.out(line);
      const plain = (inside: readonly string[]): string => inside.join('');
      terminal.out(hung(plain(cacheSavingsWords(cacheSavings, plain, plain)), 0, terminal.columns));
      if (cacheMisses.length > 0) terminal.out(t('{sentence}.', { sentence: cacheMissWords(cacheMisses) }));
    }
    return 0;
  });
}

/** `7d`: today and the six days before it, as in the window; `2026-11-20`: from its beginning on. */
function sinceOf(text: string, now: number, zone: TimeZone): number {
  const days = /^([1-9]\d{0,3})d$/.exec(text)?.[1];
  const at = (year: number, month: number, day: number): number =>
    zone === 'utc' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime();
  if (days !== undefined) {
    const date = new Date(now);
    return zone === 'utc'
      ? at(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - Number(days) + 1)
      : at(date.getFullYear(), date.getMonth(), date.getDate() - Number(days) + 1);
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = at(Number(year), Number(month) - 1, Number(day));
  if (year !== undefined && date >= 0) return date;
  throw wrongUsage(t('--since must be days such as 7d, or a date such as 2026-11-20, not "{given}".', { given: text }));
}

async function rowsOf(opened: Opened, by: By, since: number): Promise<Row[]> {
  if (by === 'session' || by === 'folder') {
    const rows = sessionRows(await conversationsSince(opened, since));
    return by === 'session' ? rows : byFolder(rows);
  }
  // The running one first writes what it still holds.
  const rows: TotalsRow[] =
    (await callRunning(opened.ports.paths.lock, 'totals', by, since)) ?? (await opened.app.totals(by, since));
  if (by !== 'client') {
    const nameOf =
      by === 'purpose' ? (key: string) => purposeOf(key).name : (key: string) => key || translated(unnamed[by]);
    return rows.map((row) => ({ ...row, name: nameOf(row.key), folder: null }));
  }
  const sessions = rows.some(({ key }) => isSessionLabel(key)) ? await listed(opened.app) : new Map();
  return rows.map((row) => ({
    ...row,
    name: isSessionLabel(row.key) ? titleOf(row.key, sessions) : row.key,
    folder: null,
  }));
}

/** Names for rows without a model, and for requests from when there was one account. */
const unnamed = { day: msg('No date'), model: msg('No model'), account: beforeAccounts };

function byFolder(rows: readonly Row[]): Row[] {
  const folders = Map.groupBy(rows, ({ folder }) => folder ?? '');
  return [...folders].map(([folder, some]) => ({
    ...{ key: folder, name: folder || t('No folder, or not known'), folder: null },
    ...totalOf(some),
  }));
}

const atOnce = 200;

async function conversationsSince({ app, ports }: Opened, since: number): Promise<NamedConversation[]> {
  const all: NamedConversation[] = [];
  for (;;) {
    const which = { since, limit: atOnce, offset: all.length };
    const some = (await callRunning(ports.paths.lock, 'conversations', which)) ?? (await app.conversations(which));
    all.push(...some);
    if (some.length < atOnce) return all;
  }
}

async function cacheSince({ app, ports }: Opened, since: number): Promise<[CacheSavings, CacheMiss[]]> {
  const { lock } = ports.paths;
  return [
    (await callRunning(lock, 'cacheSavings', since)) ?? (await app.cacheSavings(since)),
    (await callRunning(lock, 'cacheMisses', since)) ?? (await app.cacheMisses(since)),
  ];
}

type Listed = ReadonlyMap<string, ListedSession>;

async function listed(app: App): Promise<Listed> {
  return new Map((await app.sessionList()).sessions.map((session) => [session.id, session]));
}

function sessionRows(conversations: readonly NamedConversation[]): Row[] {
  return conversations.map(
    ({ startedAt: _startedAt, endedAt: _endedAt, client, session, prompts: _prompts, title, folder, ...sums }) => {
      const id = isSessionLabel(client) ? client : session;
      return {
        ...{ key: session ?? client, ...sums },
        name: id === null ? t('{client}, without a session', { client }) : (title ?? untitledSession(id)),
        folder: folder === null ? null : shownPath(folder),
      };
    },
  );
}

function titleOf(id: string, sessions: Listed): string {
  return sessionTitle(sessions.get(id) ?? { id, title: null, agentTitle: null, firstPrompt: null });
}

type Figures = Omit<UsageRow, 'key'>;

function totalOf(rows: readonly Row[]): Figures {
  const sum = (pick: (row: Row) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  return {
    requests: sum((row) => row.requests),
    user: sum((row) => row.user),
    agent: sum((row) => row.agent),
    billed: sum((row) => row.billed),
    unknown: sum((row) => row.unknown),
    free: sum((row) => row.free),
    failed: sum((row) => row.failed),
    nanoAiu: sum((row) => row.nanoAiu),
    premiumRequests: sum((row) => row.premiumRequests),
    userNanoAiu: sum((row) => row.userNanoAiu),
    agentNanoAiu: sum((row) => row.agentNanoAiu),
    input: sum((row) => row.input),
    cacheRead: sum((row) => row.cacheRead),
    cacheWrite: sum((row) => row.cacheWrite),
    output: sum((row) => row.output),
  };
}

function worldOfSums(world: World | undefined, sums: Figures): World {
  if (world !== undefined && world !== 'unknown') return world;
  return sums.nanoAiu > 0 ? 'credits' : sums.premiumRequests > 0 ? 'premium' : 'unknown';
}

const heads: Readonly<Record<By, Message>> = {
  ...{ day: msg('Day'), model: msg('Model'), client: msg('Client'), account: msg('Account') },
  ...{ purpose: msg('Purpose'), session: msg('Session'), folder: msg('Folder') },
};
const mostOfName = 60;

/** Across a line Billed, Free, Unknown and No charge are all requests. */
export function usageLines(
  by: By,
  rows: readonly Row[],
  world: World,
  terminal: Pick<Terminal, 'style' | 'columns'>,
): string[] {
  const total = totalOf(rows);
  const hasNeither = restOf(total).neither > 0;
  const amountCell = (row: Figures): string => {
    const { kind, text } = sumCell(world, row);
    return kind === 'amount' && row.unknown > 0 ? partlyUnknown(text) : text;
  };
  const cells = (name: string, folder: string, row: Figures): string[] => [
    ...[name, ...(by === 'session' ? [folder] : [])],
    ...[row.requests, row.user, row.agent, ...(hasNeither ? [restOf(row).neither] : [])].map((count) => grouped(count)),
    ...[row.billed, row.free, row.unknown, restOf(row).noCharge].map((count) => grouped(count)),
    ...[row.input + row.cacheWrite, row.cacheRead, row.output].map(tokenCount),
    amountCell(row),
  ];
  const right = (head: string, spare?: number) => ({ head, align: 'right' as const, ...(spare && { spare }) });
  const columns = [
    { head: translated(heads[by]), least: (terminal.columns ?? 0) < 100 ? 12 : 24 },
    ...(by === 'session' ? [{ head: t('Folder'), least: 10, spare: 4 }] : []),
    ...[
      right(t('Requests')),
      right(t('User'), 9),
      right(t('Agent'), 9),
      ...(hasNeither ? [right(t('Neither'), 9)] : []),
    ],
    ...[right(t('Billed'), 8), right(t('Free'), 8), right(t('Unknown'), 8)],
    right(t('No charge'), 8),
    ...[right(t('Input'), 3), right(t('Cached'), 1), right(t('Output'), 2)],
    right(chargeHead(world)),
  ];
  const body = rows.map((row) =>
    cells(shortened(oneLine(row.name), mostOfName), row.folder === null ? '–' : oneLine(row.folder), row),
  );
  const lines = [...body, cells(t('All'), '', total)];
  return table(columns, lines, (text) => terminal.style('dim', text), terminal.columns);
}
