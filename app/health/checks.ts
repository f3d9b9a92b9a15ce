import { stat } from 'node:fs/promises';
import type { Account } from '../account/account.ts';
import type { Check } from '../api/health.ts';
import type { GoneModel } from '../api/models.ts';
import type { Problem } from '../api/problem.ts';
import type { SearchReport } from '../api/search.ts';
import type { AppState } from '../api/state.ts';
import { type ClaudeCodeSurroundings, claudeCodeChecks } from '../claude-code/checks.ts';
import { shownPath } from '../claude-code/settings-file.ts';
import { readSetup } from '../claude-code/setup.ts';
import type { Catalog } from '../copilot/catalog.ts';
import { type CatalogModel, isAutoOnly, isOffered } from '../copilot/model.ts';
import { learnedFacts } from '../exchange/lessons/lesson.ts';
import type { History } from '../history/history.ts';
import type { LessonTable } from '../history/lesson-table.ts';
import type { Ports } from '../ports.ts';
import { readLock } from '../server/lock.ts';
import { portHolder } from '../server/port-holder.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { planName, quotaWords } from '../words/account.ts';
import { admissionWords, runtimeWords, wayStanding } from '../words/admission.ts';
import { autoOnlyWords } from '../words/auto-only.ts';
import { type NamedCheck, nothingLearned } from '../words/checks.ts';
import { bytes, counted } from '../words/numbers.ts';
import { reachFacts, windowProblem, windowWords } from '../words/reach.ts';
import { clockTime, dayAndTime, hourAndMinute, moment } from '../words/times.ts';
import type { Finding } from './finding.ts';
import { identityFinding } from './identity-check.ts';
import { askGithub, clockFinding, type GithubReply, proxyFinding } from './network-checks.ts';
import { problemOf } from './readiness.ts';
import { searchFinding } from './search-check.ts';
import { webFetchFinding } from './web-fetch-check.ts';

/** A check that only a front can make. Must not reject. */
export interface FrontCheck extends NamedCheck {
  find: () => Finding | Promise<Finding>;
}

export interface CheckDependencies {
  ports: Ports;
  github: GithubAddresses;
  account: Account;
  throughVscode: { readonly window: { look(): Promise<unknown> } };
  /** Of what requests go out with. */
  catalog: Catalog;
  history: History;
  lessons: LessonTable;
  state(): AppState;
  /** What the settings file holds and can't be used. */
  settingsWarnings(): readonly Problem[];
  /** In memory because the person chose that. */
  isMemoryWanted(): boolean;
  /** The port that is in use, or would be. */
  port: number;
  claudeCode: () => Promise<ClaudeCodeSurroundings>;
  search(): Promise<SearchReport>;
  front: readonly FrontCheck[];
}

/** What the checks of one run ask for together, each thing once and only where one of them needs it. */
class CheckRun {
  readonly dependencies: CheckDependencies;
  #token: Promise<Problem | null> | null = null;
  #models: Promise<{ models: CatalogModel[] | Problem; tookMs: number }> | null = null;
  #claudeCode: Promise<Check[]> | null = null;
  #github: Promise<GithubReply> | null = null;

  constructor(dependencies: CheckDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Why there is no Copilot token, or no window of VS Code that serves; null where there is. Account and window have
   * been read again by then.
   */
  token(): Promise<Problem | null> {
    this.#token ??= this.#askToken();
    return this.#token;
  }

  models(): Promise<{ models: CatalogModel[] | Problem; tookMs: number }> {
    this.#models ??= this.#askModels();
    return this.#models;
  }

  /** GitHub, without anybody's token. */
  github(): Promise<GithubReply> {
    this.#github ??= askGithub(this.dependencies.ports, this.dependencies.github);
    return this.#github;
  }

  claudeCode(): Promise<Check[]> {
    this.#claudeCode ??= this.dependencies.claudeCode().then(claudeCodeChecks);
    return this.#claudeCode;
  }

  async #askToken(): Promise<Problem | null> {
    const { account, throughVscode, state } = this.dependencies;
    await account.load();
    if (isThroughVscode(this)) {
      await throughVscode.window.look();
      const { reach } = state();
      return reach.kind === 'directly' ? null : windowProblem(reach.window);
    }
    const problem = await account.token().then(
      () => null,
      (error: unknown) => problemOf(error),
    );
    if (problem === null) await account.readUser();
    return problem;
  }

  async #askModels(): Promise<{ models: CatalogModel[] | Problem; tookMs: number }> {
    const { catalog, ports } = this.dependencies;
    const begun = ports.clock.ticks();
    const models = await catalog.models({ refresh: true }).catch((error: unknown) => problemOf(error));
    return { models, tookMs: Math.round(ports.clock.ticks() - begun) };
  }
}

interface CheckStep extends NamedCheck {
  find: (run: CheckRun) => Finding | Promise<Finding>;
}

const passed = (finding: string): Finding => ({ verdict: 'passed', finding, mend: null });
const warning = (finding: string, mend: string): Finding => ({ verdict: 'warning', finding, mend });
const failed = (finding: string, mend: string): Finding => ({ verdict: 'failed', finding, mend });
/** The mend is what to type; a window has a button for it. */
const typed = (finding: Finding): Finding => ({ ...finding, mendFor: 'terminal' });
const skipped = (finding: string): Finding => ({ verdict: 'skipped', finding, mend: null });

/** Every check there is, in the order in which they are shown. None of them costs a credit. */
const steps: readonly CheckStep[] = [
  { id: 'account.signed-in', group: 'account', title: 'Signed in', find: directly(signedIn) },
  {
    id: 'account.storage',
    group: 'account',
    title: 'Token storage',
    find: ({ dependencies }) => storage(dependencies),
  },
  {
    id: 'account.admission',
    group: 'account',
    title: 'Sent as',
    find: directly(admission),
  },
  { id: 'account.vscode', group: 'account', title: 'VS Code', find: vscode },
  { id: 'account.token', group: 'account', title: 'Copilot token', find: directly(copilotToken) },
  { id: 'account.quota', group: 'account', title: 'Quota', find: directly(quota) },
  { id: 'copilot.connection', group: 'copilot', title: 'Connection', find: directly(withToken(connection)) },
  {
    id: 'copilot.identity',
    group: 'copilot',
    title: 'Identity',
    find: directly(withToken(({ dependencies }) => identity(dependencies))),
  },
  { id: 'copilot.models', group: 'copilot', title: 'Models', find: withToken(models) },
  { id: 'copilot.policy', group: 'copilot', title: 'Model policy', find: directly(withToken(policy)) },
  { id: 'copilot.learned', group: 'copilot', title: 'Learned', find: ({ dependencies }) => learned(dependencies) },
  {
    id: 'copilot.last-success',
    group: 'copilot',
    title: 'Last success',
    find: ({ dependencies }) => lastSuccess(dependencies),
  },
  { id: 'server.address', group: 'server', title: 'Address', find: ({ dependencies }) => address(dependencies) },
  { id: 'server.key', group: 'server', title: 'Local key', find: ({ dependencies }) => localKey(dependencies) },
  {
    id: 'server.settings',
    group: 'server',
    title: 'Settings file',
    find: ({ dependencies }) => settingsFile(dependencies),
  },
  {
    id: 'server.search',
    group: 'server',
    title: 'Web search',
    find: async (run) => {
      // Which models can search is in the catalog.
      await run.models();
      return searchFinding(await run.dependencies.search());
    },
  },
  { id: 'server.database', group: 'server', title: 'Database', find: ({ dependencies }) => database(dependencies) },
  { id: 'claude-code.settings', group: 'claude-code', title: 'Settings', find: ofClaudeCode('claude-code.settings') },
  {
    id: 'claude-code.shell',
    group: 'claude-code',
    title: 'Shell variables',
    find: ofClaudeCode('claude-code.shell'),
  },
  { id: 'claude-code.version', group: 'claude-code', title: 'Version', find: ofClaudeCode('claude-code.version') },
  {
    id: 'claude-code.circle',
    group: 'claude-code',
    title: 'Not in a circle',
    find: ofClaudeCode('claude-code.circle'),
  },
  { id: 'claude-code.webfetch', group: 'claude-code', title: 'WebFetch', find: webFetch },
  { id: 'machine.proxy', group: 'machine', title: 'Company proxy', find: directly(companyProxy) },
  { id: 'machine.clock', group: 'machine', title: 'Clock', find: directly(clockCheck) },
];

/** The checks of a front come last in their group. */
function stepsWith(front: readonly FrontCheck[]): CheckStep[] {
  return [...steps, ...front];
}

/** What will be checked, before anything is. */
export function namedChecks(front: readonly FrontCheck[]): NamedCheck[] {
  return stepsWith(front).map(({ id, group, title }) => ({ id, group, title }));
}

/** Every check of `doctor`, each with its finding and its mend. Never rejects. */
export async function checkEverything(dependencies: CheckDependencies): Promise<Check[]> {
  const run = new CheckRun(dependencies);
  return Promise.all(stepsWith(dependencies.front).map((step) => checked(step, run)));
}

/** One of them alone; null where there is none of that name. Never rejects. */
export async function checkOne(dependencies: CheckDependencies, id: string): Promise<Check | null> {
  const step = stepsWith(dependencies.front).find((one) => one.id === id);
  return step === undefined ? null : checked(step, new CheckRun(dependencies));
}

async function checked({ id, group, title, find }: CheckStep, run: CheckRun): Promise<Check> {
  try {
    return { id, group, title, ...(await find(run)) };
  } catch (error) {
    run.dependencies.ports.log.write('error', 'check.failed', { check: id, error });
    const why = error instanceof Error ? error.message : 'unknown';
    return { id, group, title, ...failed(`This check failed: ${why}`, 'Check again. The log says more.') };
  }
}

function isThroughVscode({ dependencies }: CheckRun): boolean {
  return dependencies.state().reach.kind === 'through-vscode';
}

const notAsked = skipped('Not asked: requests go through VS Code.');

/** Nothing is asked of GitHub and of Copilot itself while requests go through VS Code. */
function directly(find: (run: CheckRun) => Finding | Promise<Finding>): CheckStep['find'] {
  return (run) => (isThroughVscode(run) ? notAsked : find(run));
}

/** The way through VS Code, where it was chosen. */
async function vscode(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { reach } = run.dependencies.state();
  if (reach.kind === 'directly') return skipped('Requests go to Copilot directly.');
  if (problem !== null) return failed(problem.text, problem.mend);
  return passed(`Requests go through VS Code: ${windowWords(reach.window)}. ${reachFacts['through-vscode']}`);
}

async function signedIn(run: CheckRun): Promise<Finding> {
  await run.token();
  const { account } = run.dependencies.state();
  if (account.kind === 'signed-out' && account.why) return failed(account.why.text, account.why.mend);
  if (account.kind !== 'signed-in') return typed(failed('Not signed in.', 'Run "jumpseat login".'));
  const plan = planName(account.plan, account.sku);
  return passed([account.login ?? 'yes', plan].filter((part) => part !== null).join(', '));
}

async function storage({ ports, isMemoryWanted }: CheckDependencies): Promise<Finding> {
  const { secrets } = ports;
  if (isMemoryWanted()) return passed('Kept until you quit, as it was chosen');
  if (secrets.storage === 'memory')
    return typed(
      warning(
        'Kept until you quit; no keychain',
        'Run "jumpseat login --insecure-storage" to keep it in a file, or set up a keychain.',
      ),
    );
  const status = await secrets.status();
  if (status.kind !== 'available') return failed(status.reason, status.mend);
  if (secrets.storage === 'file')
    return warning(
      'Kept in a file that only your user can read',
      'Use a keychain if this machine has one: run "jumpseat logout", then "jumpseat login".',
    );
  return passed('Kept in the system keychain');
}

/** As whom requests go out; the first thing that GitHub looks at. */
async function admission(run: CheckRun): Promise<Finding> {
  await run.token();
  const { admission } = run.dependencies.state();
  const { way, kept, runtime } = admission;
  const words = `Sent ${admissionWords(admission)}. ${wayStanding[way]}`;
  if (kept !== null) return warning(kept.text, kept.mend);
  if (way === 'vscode' || runtime.kind === 'ready') return passed(words);
  return typed(failed(runtimeWords(runtime), 'Run "jumpseat login --way copilot-sdk", or "--way vscode" to go back.'));
}

async function copilotToken(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { account } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped('Not signed in.');
  if (problem !== null) {
    const finding = failed(problem.text, problem.mend);
    return problem.mendFor === 'terminal' ? typed(finding) : finding;
  }
  if (account.token === null) return typed(failed('There is none.', 'Run "jumpseat login".'));
  const { mintedAt, usableUntil } = account.token;
  return passed(
    `Renewed ${clockTime(mintedAt)}, ` +
      (usableUntil === null ? 'next when Copilot refuses it' : `next renewal at ${hourAndMinute(usableUntil)}`),
  );
}

async function quota(run: CheckRun): Promise<Finding> {
  await run.token();
  const { account, quota: known } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped('Not signed in.');
  if (known === null) return warning('GitHub has not said.', 'Check the network, then run "jumpseat doctor" again.');
  if (known.exhausted)
    return failed(`${quotaWords(known)}.`, 'Set a budget at github.com/settings/billing to go on now.');
  return passed(quotaWords(known));
}

/** Without a token Copilot cannot be asked. */
function withToken(find: (run: CheckRun) => Promise<Finding>): CheckStep['find'] {
  return async (run) =>
    (await run.token()) === null
      ? find(run)
      : skipped(isThroughVscode(run) ? 'Needs a window of VS Code first.' : 'Needs a Copilot token first.');
}

async function connection(run: CheckRun): Promise<Finding> {
  const { models, tookMs } = await run.models();
  const { account } = run.dependencies.state();
  const host = account.kind === 'signed-in' ? (account.apiHost ?? 'Copilot') : 'Copilot';
  return Array.isArray(models)
    ? passed(`${host} answered in ${tookMs} ms`)
    : failed(`${host}: ${models.text}`, models.mend);
}

async function identity({ account, ports }: CheckDependencies): Promise<Finding> {
  const access = account.current();
  return access === null
    ? skipped('Needs a Copilot token first.')
    : identityFinding(access.identity('/v1/messages'), ports.clock.now());
}

async function models(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return typed(failed('The list can’t be read.', 'Check the connection first.'));
  const { account, goneModels: gone } = run.dependencies.state();
  if (isThroughVscode(run)) return passed(`VS Code offers ${counted(models.length, 'model')} of Copilot’s`);
  if (isAutoOnly(models) && run.dependencies.account.servesAuto()) {
    return passed(`${autoOnlyWords(account).title}. GitHub chooses one for each conversation: ask for “auto”.`);
  }
  if (isAutoOnly(models)) {
    const { title, text, mend } = autoOnlyWords(account);
    return failed(`${title}. ${text}`, mend);
  }
  if (gone.length > 0) {
    return typed(warning(gone.map(goneWords).join(' '), 'Choose another model for it under Models.'));
  }
  const deprecated = models.flatMap((model) => model.warnings).find(({ code }) => code === 'client_version_deprecated');
  return deprecated === undefined
    ? passed(`${models.length} models, ${models.filter(isOffered).length} enabled for Claude Code`)
    : warning(`Copilot says: ${deprecated.message}`, 'Update Jumpseat.');
}

function goneWords({ model, asked, runsOn }: GoneModel): string {
  const now = runsOn === null ? 'gets error 404 now' : `runs on ${runsOn} now`;
  return `${model} is no longer in your catalog; “${asked}” ${now}.`;
}

async function policy(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return skipped('The models are not known.');
  const chat = models.filter((model) => model.type === 'chat' && model.pickerEnabled);
  const off = chat.filter((model) => model.policy === 'disabled').map((model) => model.id);
  return off.length === 0
    ? passed('Every model is enabled')
    : warning(
        `Off for this account: ${off.join(', ')}. Claude Code gets error 404 when it asks for one.`,
        'Turn them on at github.com/settings/copilot.',
      );
}

/** What refusals have taught: why a field that was sent does not arrive. Each fact says until when it holds. */
function learned({ lessons }: CheckDependencies): Finding {
  const facts = learnedFacts(lessons).map(({ model, text, until }) => `${model} ${text} (until ${dayAndTime(until)})`);
  return facts.length === 0 ? passed(nothingLearned) : { ...passed(facts.join('; ')), found: 'lessons' };
}

/** So many requests back is looked. */
const recentLimit = 200;

function lastSuccess({ history, ports }: CheckDependencies): Finding {
  const last = history
    .recent({ limit: recentLimit })
    .filter((exchange) => exchange.path !== null && exchange.outcome !== 'cancelled');
  const success = last.findLast((exchange) => exchange.outcome === 'done');
  const newest = last.at(-1);
  if (newest === undefined) return skipped('No request was made yet.');
  const when = success === undefined ? 'it began' : moment(success.startedAt, ports.clock.now());
  if (success === newest) return passed(when);
  return typed(
    warning(
      `No request worked since ${when}. Last error: ${newest.failure?.message ?? newest.outcome}`,
      'Run "jumpseat log" to see it.',
    ),
  );
}

function address({ state, port, ports }: CheckDependencies): Finding {
  const { proxy } = state();
  if (proxy.kind === 'on') return passed(`127.0.0.1:${proxy.port}, this machine only`);
  if (proxy.kind === 'failed') return failed(proxy.reason, proxy.mend);
  const holder = portHolder(port);
  if (holder === null) {
    return typed(warning(`Nothing listens on 127.0.0.1:${port}.`, 'Run "jumpseat serve", or turn the proxy on.'));
  }
  const who = `${holder.name} (pid ${holder.pid})`;
  if (readLock(ports.paths.lock)?.pid === holder.pid) return passed(`127.0.0.1:${port} is served by ${who}`);
  return failed(
    `Port ${port} is in use by ${who}, which isn’t this Jumpseat.`,
    'Stop that program, or choose another port with --port or JUMPSEAT_PORT.',
  );
}

function localKey({ state }: CheckDependencies): Finding {
  const { problem } = state().secrets;
  return problem === null
    ? passed('Asked for on every request')
    : warning(`The key can’t be kept: ${problem.text}`, problem.mend);
}

/** Nothing that a person wrote there is dropped without a word. */
function settingsFile({ settingsWarnings, ports }: CheckDependencies): Finding {
  const [first, ...more] = settingsWarnings();
  if (first === undefined) return passed(`Every value in ${shownPath(ports.paths.settings)} is in force`);
  const text = [first, ...more].map((one) => one.text).join(' ');
  return first.code === 'settings-unreadable' ? failed(text, first.mend) : warning(text, first.mend);
}

async function database({ history, ports }: CheckDependencies): Promise<Finding> {
  const problem = history.problem();
  if (problem !== null) return failed(problem.text, problem.mend);
  const size = await stat(ports.paths.history).then(
    (file) => `, ${bytes(file.size)}`,
    () => '',
  );
  return passed(`${counted(history.count(), 'request')}${size}, writable`);
}

/** They know of each other, so they are made together. */
function ofClaudeCode(id: string): CheckStep['find'] {
  return async (run) => {
    const found = (await run.claudeCode()).find((check) => check.id === id);
    return found ?? skipped('Not checked.');
  };
}

async function webFetch({ dependencies }: CheckRun): Promise<Finding> {
  const { place } = await dependencies.claudeCode();
  const skips = await readSetup(place).then(
    ({ skipsWebFetchPreflight }) => skipsWebFetchPreflight,
    () => false,
  );
  return webFetchFinding(dependencies.history.recent({ limit: recentLimit }), skips);
}

async function clockCheck(run: CheckRun): Promise<Finding> {
  return clockFinding(await run.github(), run.dependencies.ports.clock.now());
}

async function companyProxy(run: CheckRun): Promise<Finding> {
  const { ports, github } = run.dependencies;
  const unchecked = run.dependencies.state().warnings.find(({ code }) => code === 'tls-check-kept');
  if (unchecked) return warning(unchecked.text, unchecked.mend);
  const [proxy, asked] = await Promise.all([ports.dialer.proxyFor?.(github.api) ?? null, run.github()]);
  return proxyFinding(proxy, asked);
}
