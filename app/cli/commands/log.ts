import type { App } from '../../api/app.ts';
import type { Problem } from '../../api/call.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { AppState } from '../../api/state.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { callRunning, type RunningProxy, silentOwner } from '../../server/running-proxy.ts';
import { costWithUnit } from '../../words/charge.ts';
import { withContext } from '../../words/context.ts';
import {
  chargeCell,
  chargeHead,
  durationCell,
  initiatorCell,
  modelCell,
  statusCell,
  tokenCells,
  type World,
} from '../../words/exchange-cells.ts';
import { grouped } from '../../words/numbers.ts';
import { ruleSentences } from '../../words/request-changes.ts';
import { isSessionLabel, untitledSession } from '../../words/sessions.ts';
import { clockTime, day, dayBorder } from '../../words/times.ts';
import { why } from '../../words/why.ts';
import { belowColumn, exchangeLine, failureLine } from '../exchange-line.ts';
import { takeInterrupts } from '../interrupts.ts';
import { readLimit } from '../options.ts';
import { besideRunning } from '../running-jumpseat.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { hung, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface LogOptions {
  follow?: boolean;
  json?: boolean;
  limit?: string;
  /** Below each request, why it was the person's or the agent's, and what rules changed. */
  why?: boolean;
}

const usualLimit = 20;

/** `jumpseat log`: oldest at the top, newest at the bottom. With --json one request a line. */
export async function log(surroundings: Surroundings, options: LogOptions): Promise<number> {
  const { terminal } = surroundings;
  const limit = options.limit === undefined ? usualLimit : readLimit(options.limit);
  const beside = await besideRunning(surroundings);
  return withApp(surroundings, {}, async (opened) => {
    const { app } = opened;
    const running = beside === null ? [] : await runningTroubles(opened);
    // Asked for them, it first writes what it still holds.
    const ofRunning = beside === null ? null : await exchangesOfRunning(opened, limit);
    const exchanges = (running.length > 0 && ofRunning) || (await app.exchanges({ limit, byArrival: true }));
    // Of a damaged file the reading itself says so.
    const troubles = running.length > 0 ? running : historyTroubles(app.state());
    const silent = beside === null ? silentOwner(opened.ports.paths.lock) : null;
    for (const { text, remedy } of silent === null ? troubles : [silent, ...troubles])
      terminal.err(sentences(text, remedy));
    if (options.json) for (const exchange of exchanges) terminal.out(JSON.stringify(withContext(exchange)));
    else if (options.follow) writeLines(terminal, exchanges, options);
    else if (exchanges.length === 0) {
      // Of a file in trouble nobody knows what is in it.
      if (troubles.length === 0 && silent === null) terminal.out(noRequests(beside?.running ?? null));
    } else {
      const world = worldOf(app.state(), exchanges);
      for (const line of logLines(exchanges, world, terminal, options)) terminal.out(line);
      terminal.out(terminal.style('dim', hung(totalWords(exchanges, world, limit), 0, terminal.columns)));
    }
    if (options.follow)
      await follow(
        opened,
        exchanges,
        (ended) => {
          if (!options.json) return writeLines(terminal, ended, options);
          for (const exchange of ended) terminal.out(JSON.stringify(withContext(exchange)));
        },
        terminal.left,
      );
    return troubles.some(({ code }) => code === 'history-unreadable') ? 1 : 0;
  });
}

/** What is wrong with the history of the running Jumpseat. */
async function runningTroubles({ ports }: Opened): Promise<Problem[]> {
  const state = await callRunning(ports.paths.lock, 'state');
  return state === null ? [] : historyTroubles(state);
}

function historyTroubles({ warnings }: Pick<AppState, 'warnings'>): Problem[] {
  return warnings.filter(({ code }) => code.startsWith('history-'));
}

const mostOfRunning = 1000;

/** What the running Jumpseat knows: where its history is in trouble, the file may not have it. */
async function exchangesOfRunning({ ports }: Opened, limit: number): Promise<Exchange[] | null> {
  const most = { limit: Math.min(limit, mostOfRunning), byArrival: true };
  return callRunning(ports.paths.lock, 'exchanges', most);
}

function noRequests(running: RunningProxy | null): string {
  return running === null
    ? t('No requests yet. Run "jumpseat serve", then "claude" in a terminal with its lines.')
    : t('No requests yet. Jumpseat is running at {address}: run "claude" in a terminal with its lines.', {
        address: running.baseUrl,
      });
}

export function logLines(
  exchanges: readonly Exchange[],
  world: World,
  terminal: Pick<Terminal, 'style' | 'columns'>,
  options: Pick<LogOptions, 'why'> = {},
): string[] {
  const rows = exchanges.map((exchange) => {
    const { input, cached, output } = tokenCells(exchange);
    const status = statusCell(exchange);
    const bad = exchange.outcome === 'failed' || exchange.outcome === 'cut';
    return [
      clockTime(exchange.startedAt),
      bad ? terminal.style(['red', 'bold'], status) : status,
      initiatorCell(exchange),
      modelCell(exchange),
      input,
      cached,
      output,
      durationCell(exchange),
      chargeCell(exchange.charge),
      exchange.session?.slice(0, 8) ?? '–',
      isSessionLabel(exchange.client) ? untitledSession(exchange.client) : exchange.client,
    ];
  });
  const lines = table(
    [
      { head: t('Time'), spare: 7 },
      { head: t('Status'), spare: 8 },
      { head: t('Initiator'), least: 8 },
      { head: t('Model'), least: 18 },
      { head: t('Input'), align: 'right', spare: 4 },
      { head: t('Cached'), align: 'right', spare: 1 },
      { head: t('Output'), align: 'right', spare: 3 },
      { head: t('Duration'), align: 'right', spare: 6 },
      { head: chargeHead(world), align: 'right' },
      { head: t('Session'), spare: 2 },
      { head: t('Client'), least: 8, spare: 5 },
    ],
    rows,
    (text) => terminal.style('dim', text),
    terminal.columns,
  );
  // The head stands first; above each day's first request stands the day.
  const [head = '', ...body] = lines;
  let before = '';
  return [
    head,
    ...body.flatMap((line, index) => {
      const at = exchanges[index]?.startedAt ?? 0;
      const isNew = day(at) !== before;
      before = day(at);
      const rows = [line, ...linesBelow(exchanges[index], terminal, options)];
      return isNew ? [terminal.style('dim', dayBorder(at)), ...rows] : rows;
    }),
  ];
}

/** Below the line of a request: with `why` whose it was and what rules changed, and of one that failed the reason. */
function linesBelow(
  exchange: Exchange | undefined,
  terminal: Pick<Terminal, 'style' | 'columns'>,
  options: Pick<LogOptions, 'why'>,
): string[] {
  if (exchange === undefined) return [];
  const failure = failureLine(exchange, terminal);
  return [...(options.why === true ? whyLines(exchange, terminal) : []), ...(failure === null ? [] : [failure])];
}

/** In the words of the window: whose it was, where that was decided, and what the person's rules changed. */
function whyLines(exchange: Exchange, terminal: Pick<Terminal, 'style' | 'columns'>): string[] {
  const found = why(exchange);
  const whose = found === null ? [] : [found.sentence === '' ? found.title : `${found.title}. ${found.sentence}`];
  return [...whose, ...ruleSentences(exchange)].map((text) =>
    terminal.style('dim', `${' '.repeat(belowColumn)}${hung(text, belowColumn, terminal.columns)}`),
  );
}

/**
 * `4 requests: 1 user, 2 agent, 1 without a charge; 2 billed, 1 free; 12.34 credits`: the first counts add up to all,
 * as in the window’s foot, and those of charges to the ones that have one. `limit`: older ones may be left out.
 */
export function totalWords(exchanges: readonly Exchange[], world: World, limit = Number.POSITIVE_INFINITY): string {
  const count = (is: (exchange: Exchange) => boolean): number => exchanges.filter(is).length;
  const by = (who: Exchange['initiator']): number =>
    count(({ initiator, charge }) => initiator === who && charge.kind !== 'none');
  const has = (kind: Exchange['charge']['kind']): number => count(({ charge }) => charge.kind === kind);
  const part = (amount: number, words: (count: string) => string): string[] =>
    amount === 0 ? [] : [words(grouped(amount))];
  const started = [
    ...part(by('user'), (amount) => t('{amount} user', { amount })),
    ...part(by('agent'), (amount) => t('{amount} agent', { amount })),
    ...part(by(null), (amount) => t('{amount} neither', { amount })),
    ...part(has('none'), (amount) => t('{amount} without a charge', { amount })),
  ].join(', ');
  const charged = [
    ...part(has('billed'), (amount) => t('{amount} billed', { amount })),
    ...part(has('free'), (amount) => t('{amount} free', { amount })),
    ...part(has('unknown'), (amount) => t('{amount} unknown', { amount })),
    ...part(has('pending'), (amount) => t('{amount} running', { amount })),
  ].join(', ');
  const nanoAiu = exchanges.reduce((sum, { charge }) => sum + (charge.nanoAiu ?? 0), 0);
  const premium = exchanges.reduce((sum, { charge }) => sum + (charge.premiumRequests ?? 0), 0);
  const cost = {
    nanoAiu,
    premiumRequests: premium,
    isPartlyUnknown: exchanges.some(({ charge }) => charge.kind === 'unknown'),
  };
  const isKnown = world === 'premium' ? exchanges.some(({ charge }) => charge.premiumRequests !== null) : nanoAiu > 0;
  const amount = isKnown ? [costWithUnit(world, cost)] : [];
  const parts = [started, charged, ...amount].filter((one) => one !== '').join('; ');
  const all = exchanges.length;
  return all < limit
    ? t('{all, plural, one {# request} other {# requests}}: {parts}', { all, parts })
    : t('The last {all, plural, one {# request} other {# requests}}: {parts}', { all, parts });
}

/** The world of the account, or else what the requests themselves say. */
export function worldOf(state: Pick<AppState, 'quota'>, exchanges: readonly Exchange[]): World {
  if (state.quota !== null && state.quota.world !== 'unknown') return state.quota.world;
  if (exchanges.some(({ charge }) => charge.nanoAiu !== null)) return 'credits';
  return exchanges.some(({ charge }) => charge.premiumRequests !== null) ? 'premium' : 'unknown';
}

function writeLines(terminal: Terminal, exchanges: readonly Exchange[], options: Pick<LogOptions, 'why'>): void {
  for (const exchange of exchanges) {
    terminal.out(exchangeLine(exchange, terminal));
    for (const line of linesBelow(exchange, terminal, options)) terminal.out(line);
  }
}

const lookEveryMs = 500;
const looksBack = 500;

/**
 * Another process writes the history, so it is looked at again and again. Until Ctrl-C, or until its output is closed.
 */
async function follow(
  { app, ports }: Opened,
  shown: readonly Exchange[],
  write: (ended: readonly Exchange[]) => void,
  left: AbortSignal,
): Promise<void> {
  const interrupts = takeInterrupts();
  const over = AbortSignal.any([interrupts.first, left]);
  const first = await app.exchanges({ limit: looksBack, byArrival: true });
  let known = new Set([...first, ...shown].map(({ id }) => id));
  try {
    while (!over.aborted) {
      await ports.clock.sleep(lookEveryMs, over).catch(() => undefined);
      known = await writeNew(app, known, write);
    }
  } finally {
    interrupts.release();
  }
}

async function writeNew(
  app: App,
  known: ReadonlySet<string>,
  write: (ended: readonly Exchange[]) => void,
): Promise<Set<string>> {
  const recent = await app.exchanges({ limit: looksBack, byArrival: true });
  const ended = recent.filter((exchange) => exchange.outcome !== 'running');
  write(ended.filter(({ id }) => !known.has(id)));
  return new Set(ended.map(({ id }) => id));
}
