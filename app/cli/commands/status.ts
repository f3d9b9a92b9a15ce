import { nodePaths } from '../../adapters/paths.ts';
import type { Quota } from '../../api/account.ts';
import type { Problem } from '../../api/call.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { AppState, Place } from '../../api/state.ts';
import type { Environment } from '../../environment.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { callRunning, type RunningProxy, silentOwner } from '../../server/running-proxy.ts';
import { admissionWords, planName, refusesSignIn, wayStanding } from '../../words/account.ts';
import { isPastIncluded, quotaWords } from '../../words/quota.ts';
import { placesOf, placeWords, reachNames, windowWords } from '../../words/reach.ts';
import { failingRemedy, failingWords, limitedUntil, overageWords, startProxy } from '../../words/status.ts';
import { endedAt, moment } from '../../words/times.ts';
import { storageRemedy } from '../failure.ts';
import type { ElsewhereReport } from '../inside.ts';
import {
  type Beside,
  besideRunning,
  type ClaudeCodeSetup,
  claudeCodeSetup,
  isKeyKept,
  readinessOf,
} from '../running-jumpseat.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { hung, labelled } from '../table.ts';
import { printReport, type Terminal } from '../terminal.ts';
import { ownVersion } from '../this-program.ts';

/** Among these the last success is looked for. */
const recentRequests = { limit: 200 };

interface StatusOptions {
  json?: boolean;
}

/** What `jumpseat status --json` prints. Times are ISO 8601. */
export interface StatusReport {
  ready: boolean;
  /** The first thing in the way. */
  problem: Problem | null;
  version: string;
  account: {
    /** Null if there is one. */
    name: string | null;
    login: string | null;
    plan: string | null;
    sku: string | null;
    apiHost: string | null;
    /** `usableUntil` null: until Copilot refuses it. */
    token: { ageSeconds: number; usableUntil: string | null } | null;
  } | null;
  /** The sign-in that requests use. */
  admission: AppState['admission'];
  /** Directly, or through a window of VS Code; then nothing of the account lets requests in. */
  reach: AppState['reach'];
  quota: Quota | null;
  /** What becomes of a prompt that GitHub would bill; null: nothing is asked, or nothing would be. */
  overage: AppState['health']['overage'];
  proxy: { baseUrl: string; pid: number } | null;
  /** Where the proxy answers besides that. */
  places: readonly Place[];
  lastSuccessAt: string | null;
  /** The last requests failed one after the other, or Copilot said to wait; null: neither. */
  failing: AppState['health']['failing'];
  secrets: AppState['secrets'];
  /** Claude Code finds Jumpseat by its settings.json, or by the variables of this shell; null if that can’t be read. */
  claudeCodeIsSetUp: boolean | null;
  /** Why it can’t work through Jumpseat, also where it isn’t set up; null: it can, as far as is known. */
  claudeCodeProblem: Problem | null;
  /** Damaged files, values that can't be used, variables that have an effect of their own. */
  warnings: Problem[];
}

/** `jumpseat status`: 0 when an exchange through the proxy would work now, and Claude Code’s if it is set up. */
export async function status(surroundings: Surroundings, options: StatusOptions): Promise<number> {
  const beside = await besideRunning(surroundings);
  const { env, terminal } = surroundings;
  const inside = beside === null && silentOwner(nodePaths(env).lock) === null ? await import('../inside.ts') : null;
  if (inside !== null && (await inside.reachesElsewhere(env))) {
    const report = await inside.statusElsewhere(env, ownVersion());
    printReport(terminal, report, options.json, () => elsewhereLines(report, terminal));
    return report.ready ? 0 : 1;
  }
  const found =
    (beside && (await reportOfRunning(surroundings, beside))) ??
    (await withApp(surroundings, {}, (opened) => reportOfApp(opened, env, beside?.running ?? null)));
  const signIn = inside !== null && found.problem?.code === 'signed-out' ? found.problem.remedy : null;
  const problem = signIn === null ? null : ((await inside?.nothingReached(env, signIn)) ?? null);
  const report = problem === null ? found : { ...found, problem };
  printReport(terminal, report, options.json, () => statusLines(report, terminal, Date.now()));
  return report.ready ? 0 : 1;
}

/** Its account, quota and requests are known where it runs. */
function elsewhereLines(report: ElsewhereReport, terminal: Pick<Terminal, 'style' | 'columns'>): string[] {
  const { problem, elsewhere } = report;
  const first =
    problem === null
      ? terminal.style('green', t('Ready: clients here can work through Jumpseat.'))
      : notReady(problem, terminal);
  const rows: [string, string][] = [
    ['Jumpseat', t('runs elsewhere; clients here reach it at {elsewhere}', { elsewhere })],
    [t('Check the way'), 'jumpseat doctor --inside'],
    [t('Account'), t('"jumpseat status" on the machine where Jumpseat runs has account and quota')],
  ];
  return [hung(first, 0, terminal.columns), '', ...labelled(rows, labelColumn, terminal)];
}

/** Where texts begin behind their labels. */
const labelColumn = 14;

function notReady({ text, remedy }: Problem, terminal: Pick<Terminal, 'style'>): string {
  return sentences(terminal.style('red', t('Not ready: {problem}', { problem: text })), remedy);
}

/** The running Jumpseat knows best: its sign-in and its token may be in its memory alone. Null if it doesn’t say. */
async function reportOfRunning(surroundings: Surroundings, beside: Beside): Promise<StatusReport | null> {
  const { paths, running, variables } = beside;
  await callRunning(paths.lock, 'refresh');
  const found = await problemOf(running);
  const state = await callRunning(paths.lock, 'state');
  if (state === null) return null;
  // What clients are told is English; the same problem in the state comes in the terminal’s language.
  const same = state.health.problem?.code === found?.code ? state.health.problem : null;
  const problem = found && { ...found, ...(same && { text: same.text, remedy: same.remedy }) };
  const recent = state.health.lastSuccessAt === null ? await recentOfRunning(paths.lock) : [];
  const isKept = isKeyKept(variables, state.secrets);
  const claudeCode = await claudeCodeSetup(surroundings.env, paths, running, running.port, isKept);
  return reportOf({ ...state, version: ownVersion() }, running, recent, problem, Date.now(), claudeCode);
}

async function recentOfRunning(lock: string): Promise<readonly Exchange[]> {
  return (await callRunning(lock, 'exchanges', recentRequests)) ?? [];
}

/** @param running the one that answers; null if none does, which takes seconds where one is stopped */
async function reportOfApp(
  { app, ports, variables }: Opened,
  env: Environment,
  running: RunningProxy | null,
): Promise<StatusReport> {
  await app.refresh();
  const recent = await app.exchanges(recentRequests);
  await app.trySecrets();
  const state = app.state();
  const port = running?.port ?? app.preferences().port;
  const claudeCode = await claudeCodeSetup(env, ports.paths, running, port, isKeyKept(variables, state.secrets));
  const problem = running === null ? (silentOwner(ports.paths.lock) ?? problemOfNone(state)) : await problemOf(running);
  return reportOf(state, running, recent, problem, ports.clock.now(), claudeCode);
}

async function problemOf(running: RunningProxy): Promise<Problem | null> {
  const readiness = await readinessOf(running);
  if (readiness !== null) return readiness.problem;
  return {
    code: 'silent',
    text: t('The proxy at {address} didn’t answer.', { address: running.baseUrl }),
    remedy: t('Restart it.'),
  };
}

function problemOfNone({ health, warnings }: AppState): Problem {
  // Nothing is served while the organization's policy can't be used.
  return (
    health.problem ??
    warnings.find(({ code }) => code === 'policy') ?? {
      code: 'off',
      text: t('The proxy is off.'),
      remedy: translated(startProxy),
    }
  );
}

/** Copilot said until when it refuses: a request before that would fail. */
function limitOf({ health: { failing } }: AppState, now: number): Problem | null {
  if (failing === null || failing.until === null || failing.until <= now) return null;
  return { code: 'limited', text: `${limitedUntil(failing.until, now)}.`, remedy: translated(failingRemedy) };
}

export function reportOf(
  state: AppState,
  running: RunningProxy | null,
  recent: readonly Exchange[],
  problem: Problem | null,
  now: number,
  claudeCode: ClaudeCodeSetup,
): StatusReport {
  const { account } = state;
  const obstacle = problem ?? limitOf(state, now) ?? (claudeCode.isSetUp === false ? null : claudeCode.problem);
  const success = recent.findLast((exchange) => exchange.outcome === 'done' && exchange.path !== null);
  const lastSuccessAt = state.health.lastSuccessAt ?? (success ? endedAt(success) : null);
  return {
    ready: obstacle === null,
    problem: obstacle,
    version: state.version,
    account:
      account.kind === 'signed-in'
        ? {
            name: state.accounts.length > 1 ? (state.accounts.find(({ isInUse }) => isInUse)?.name ?? null) : null,
            login: account.login,
            plan: account.plan,
            sku: account.sku,
            apiHost: account.apiHost,
            token: account.token && {
              ageSeconds: Math.max(0, Math.round((now - account.token.mintedAt) / 1000)),
              usableUntil:
                account.token.usableUntil === null ? null : new Date(account.token.usableUntil).toISOString(),
            },
          }
        : null,
    admission: state.admission,
    reach: state.reach,
    quota: state.quota,
    overage: state.health.overage,
    proxy: running && { baseUrl: running.baseUrl, pid: running.pid },
    places: placesOf(state),
    lastSuccessAt: lastSuccessAt === null ? null : new Date(lastSuccessAt).toISOString(),
    failing: state.health.failing,
    secrets: state.secrets,
    claudeCodeIsSetUp: claudeCode.isSetUp,
    claudeCodeProblem: claudeCode.problem,
    warnings: state.warnings,
  };
}

export function statusLines(
  report: StatusReport,
  terminal: Pick<Terminal, 'style' | 'columns'>,
  now: number,
): string[] {
  const { problem, proxy, reach } = report;
  const rows: [label: string, text: string][] = [
    ...(reach.kind === 'through-vscode'
      ? [
          [t('Reached'), `${translated(reachNames[reach.kind])}: ${windowWords(reach.window)}`] satisfies [
            string,
            string,
          ],
        ]
      : accountRows(report, now)),
    [
      t('Proxy'),
      proxy !== null
        ? `${proxy.baseUrl} (pid ${proxy.pid})`
        : problem?.code === 'silent'
          ? t('doesn’t answer')
          : t('off', {}, 'the proxy'),
    ],
    ...report.places
      .filter((place) => place.problem === null)
      .map((place): [string, string] => [place.kind === 'socket' ? t('Socket') : t('Also at'), placeWords(place)]),
    [t('Last success'), report.lastSuccessAt === null ? '–' : moment(Date.parse(report.lastSuccessAt), now)],
    [t('Token storage'), storageWords(report.secrets)],
    ...report.warnings.map(({ text, remedy }): [string, string] => [
      t('Warning'),
      terminal.style('yellow', sentences(text, remedy)),
    ]),
  ];
  const first = problem === null ? readyLine(report, terminal, now) : notReady(problem, terminal);
  return [hung(first, 0, terminal.columns), '', ...labelled(rows, labelColumn, terminal)];
}

function readyLine(report: StatusReport, terminal: Pick<Terminal, 'style'>, now: number): string {
  const { claudeCodeProblem, failing } = report;
  if (failing !== null)
    return sentences(terminal.style('yellow', `${failingWords(failing, now)}.`), translated(failingRemedy));
  if (claudeCodeProblem === null) return terminal.style('green', t('Ready: Claude Code can work through Jumpseat.'));
  const { text, remedy } = claudeCodeProblem;
  return sentences(terminal.style('green', t('Ready.')), terminal.style('yellow', text), remedy);
}

function accountRows(report: StatusReport, now: number): [label: string, text: string][] {
  const { account } = report;
  const who =
    account === null
      ? t('not signed in')
      : [account.name, account.login ?? t('signed in'), planName(account.plan, account.sku)]
          .filter((part, index, all) => part !== null && all.indexOf(part) === index)
          .join(', ');
  const { admission, quota } = report;
  const isRefused = report.problem?.code === 'signed-out';
  const rows: [label: string, text: string][] = [[t('Account'), who]];
  if (account !== null || admission.way !== 'vscode')
    rows.push([t('Sent'), admissionWords(admission)], ['', translated(wayStanding[admission.way])]);
  if (admission.kept !== null) rows.push(['', sentences(admission.kept.text, admission.kept.remedy)]);
  if (account?.apiHost) rows.push([t('Copilot host'), account.apiHost]);
  if (account?.token) rows.push([t('Copilot token'), tokenWords(account.token, now)]);
  if (account !== null)
    rows.push([t('Quota'), quota === null && isRefused ? translated(refusesSignIn) : quotaWords(quota)]);
  if (isPastIncluded(quota)) rows.push(['', overageWords(report.overage)]);
  return rows;
}

function tokenWords(token: { ageSeconds: number; usableUntil: string | null }, now: number): string {
  const age = token.ageSeconds < 60 ? `${token.ageSeconds} s` : `${Math.floor(token.ageSeconds / 60)} min`;
  if (token.usableUntil === null) return t('{age} old, good until Copilot refuses it', { age });
  const minutes = Math.max(0, Math.round((Date.parse(token.usableUntil) - now) / 60_000));
  return t('{age} old, good for {left}', { age, left: `${minutes} min` });
}

function storageWords(secrets: AppState['secrets']): string {
  if (secrets.problem !== null) return sentences(secrets.problem.text, storageRemedy(secrets));
  switch (secrets.storage) {
    case 'keychain':
      return t('system keychain');
    case 'file':
      return t('a file that only your user can read');
    case 'memory':
      return t('memory, until the process ends');
  }
}
