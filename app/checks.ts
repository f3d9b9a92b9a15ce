import type { Account } from './account/account.ts';
import type { AppState, Check } from './api.ts';
import { type ClaudeCodeSurroundings, claudeCodeChecks } from './claude-code/checks.ts';
import type { Catalog } from './copilot/catalog.ts';
import { isOffered } from './copilot/model.ts';
import type { History } from './history/history.ts';
import { type Dialed, NetworkError, type Ports } from './ports.ts';
import { problemOf } from './readiness.ts';
import { portHolder } from './server/port-holder.ts';
import type { GithubAddresses } from './settings/github-addresses.ts';
import { planName, quotaWords } from './words/account.ts';
import { clockTime, moment } from './words/times.ts';

export interface CheckParts {
  ports: Ports;
  github: GithubAddresses;
  account: Account;
  catalog: Catalog;
  history: History;
  state(): AppState;
  /** The port that is in use, or would be. */
  port: number;
  claudeCode: ClaudeCodeSurroundings;
}

/** Every check of `doctor`, each with its finding and its mend. None of them costs a credit. Never rejects. */
export async function checkEverything(parts: CheckParts): Promise<Check[]> {
  await parts.account.load();
  const token = await parts.account.token().then(
    () => null,
    (error: unknown) => problemOf(error),
  );
  if (token === null) await parts.account.readUser();
  const groups = await Promise.all([
    accountChecks(parts, token),
    copilotChecks(parts, token !== null),
    serverChecks(parts),
    claudeCodeChecks(parts.claudeCode),
    machineChecks(parts),
  ]);
  return groups.flat();
}

type Finding = Pick<Check, 'verdict' | 'finding' | 'mend'>;
const passed = (finding: string): Finding => ({ verdict: 'passed', finding, mend: null });
const warning = (finding: string, mend: string): Finding => ({ verdict: 'warning', finding, mend });
const failed = (finding: string, mend: string): Finding => ({ verdict: 'failed', finding, mend });
const skipped = (finding: string): Finding => ({ verdict: 'skipped', finding, mend: null });

async function accountChecks(parts: CheckParts, token: { text: string; mend: string } | null): Promise<Check[]> {
  const { account } = parts.state();
  const of = (id: string, title: string, finding: Finding): Check => ({
    id: `account.${id}`,
    group: 'account',
    title,
    ...finding,
  });
  const signedIn = account.kind === 'signed-in';
  return [
    of(
      'signed-in',
      'Signed in',
      signedIn
        ? passed(
            [account.login ?? 'yes', planName(account.plan, account.sku)].filter((part) => part !== null).join(', '),
          )
        : failed('Not signed in.', 'Run "jumpseat login".'),
    ),
    of('storage', 'Token storage', await storage(parts)),
    of('token', 'Copilot token', tokenFinding(parts, token)),
    of('quota', 'Quota', quotaFinding(parts, signedIn)),
  ];
}

async function storage({ ports }: CheckParts): Promise<Finding> {
  const { secrets } = ports;
  if (secrets.storage === 'memory')
    return warning(
      'Kept until you quit; no keychain',
      'Run "jumpseat login --insecure-storage" to keep it in a file, or set up a keychain.',
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

function tokenFinding({ state, ports }: CheckParts, token: { text: string; mend: string } | null): Finding {
  const { account } = state();
  if (account.kind !== 'signed-in') return skipped('Not signed in.');
  if (token !== null) return failed(token.text, token.mend);
  if (account.token === null) return failed('There is none.', 'Run "jumpseat login".');
  const minutes = Math.max(0, Math.round((account.token.usableUntil - ports.clock.now()) / 60_000));
  return passed(`Renewed ${clockTime(account.token.mintedAt)}, good for ${minutes} min`);
}

function quotaFinding({ state }: CheckParts, signedIn: boolean): Finding {
  const { quota } = state();
  if (!signedIn) return skipped('Not signed in.');
  if (quota === null) return warning('GitHub has not said.', 'Check the network, then run "jumpseat doctor" again.');
  if (quota.exhausted)
    return failed(`${quotaWords(quota)}.`, 'Set a budget at github.com/settings/billing to go on now.');
  return passed(quotaWords(quota));
}

async function copilotChecks(parts: CheckParts, noToken: boolean): Promise<Check[]> {
  const of = (id: string, title: string, finding: Finding): Check => ({
    id: `copilot.${id}`,
    group: 'copilot',
    title,
    ...finding,
  });
  if (noToken) {
    const waits = skipped('Needs a Copilot token first.');
    return [
      of('connection', 'Connection', waits),
      of('models', 'Models', waits),
      of('policy', 'Model policy', waits),
      of('last-success', 'Last success', lastSuccess(parts)),
    ];
  }
  const begun = parts.ports.clock.ticks();
  const models = await parts.catalog.models({ refresh: true }).catch((error: unknown) => problemOf(error));
  const took = Math.round(parts.ports.clock.ticks() - begun);
  const { account } = parts.state();
  const host = account.kind === 'signed-in' ? (account.apiHost ?? 'Copilot') : 'Copilot';
  if (!Array.isArray(models)) {
    return [
      of('connection', 'Connection', failed(`${host}: ${models.text}`, models.mend)),
      of('models', 'Models', failed('The list can’t be read.', 'Check the connection first.')),
      of('policy', 'Model policy', skipped('The models are not known.')),
      of('last-success', 'Last success', lastSuccess(parts)),
    ];
  }
  const chat = models.filter((model) => model.type === 'chat' && model.pickerEnabled);
  const off = chat.filter((model) => model.policy === 'disabled').map((model) => model.id);
  const deprecated = models.flatMap((model) => model.warnings).find(({ code }) => code === 'client_version_deprecated');
  return [
    of('connection', 'Connection', passed(`${host} answered in ${took} ms`)),
    of(
      'models',
      'Models',
      deprecated === undefined
        ? passed(`${models.length} models, ${models.filter(isOffered).length} enabled for Claude Code`)
        : warning(`Copilot says: ${deprecated.message}`, 'Update Jumpseat.'),
    ),
    of(
      'policy',
      'Model policy',
      off.length === 0
        ? passed('Every model is enabled')
        : warning(
            `Off for this account: ${off.join(', ')}. Claude Code gets error 404 when it asks for one.`,
            'Turn them on at github.com/settings/copilot.',
          ),
    ),
    of('last-success', 'Last success', lastSuccess(parts)),
  ];
}

function lastSuccess({ history, ports }: CheckParts): Finding {
  const last = history
    .recent({ limit: 200 })
    .filter((exchange) => exchange.path !== null && exchange.outcome !== 'cancelled');
  const success = last.findLast((exchange) => exchange.outcome === 'done');
  const newest = last.at(-1);
  if (newest === undefined) return skipped('No request was made yet.');
  const when = success === undefined ? 'it began' : moment(success.startedAt, ports.clock.now());
  if (success === newest) return passed(when);
  return warning(
    `No request worked since ${when}. Last error: ${newest.failure?.message ?? newest.outcome}`,
    'Run "jumpseat log" to see it.',
  );
}

async function serverChecks(parts: CheckParts): Promise<Check[]> {
  const of = (id: string, title: string, finding: Finding): Check => ({
    id: `server.${id}`,
    group: 'server',
    title,
    ...finding,
  });
  const { proxy } = parts.state();
  const holder = proxy.kind === 'on' ? null : portHolder(parts.port);
  const address =
    proxy.kind === 'on'
      ? passed(`127.0.0.1:${proxy.port}, this machine only`)
      : holder === null
        ? warning(`Nothing listens on 127.0.0.1:${parts.port}.`, 'Run "jumpseat serve", or turn the proxy on.')
        : passed(`127.0.0.1:${parts.port} is served by ${holder.name} (pid ${holder.pid})`);
  const problem = parts.history.problem();
  return [
    of('address', 'Address', address),
    of(
      'database',
      'Database',
      problem === null ? passed(`${parts.history.count()} requests, writable`) : failed(problem.text, problem.mend),
    ),
  ];
}

async function machineChecks(parts: CheckParts): Promise<Check[]> {
  const of = (id: string, title: string, finding: Finding): Check => ({
    id: `machine.${id}`,
    group: 'machine',
    title,
    ...finding,
  });
  return [of('clock', 'Clock', await clockFinding(parts))];
}

const clockToleranceMs = 60_000;

/** GitHub's Date header against our clock: a clock that is far off breaks certificates. */
async function clockFinding({ ports, github }: CheckParts): Promise<Finding> {
  let dialed: Dialed;
  try {
    dialed = await ports.dialer.dial({
      url: github.api,
      method: 'HEAD',
      headers: { 'User-Agent': 'jumpseat' },
      headTimeoutMs: 5000,
    });
  } catch (error) {
    return skipped(
      error instanceof NetworkError ? `${error.host} didn’t answer: ${error.message}` : 'GitHub didn’t answer.',
    );
  }
  dialed.response.resume();
  const theirs = Date.parse(dialed.response.headers.date ?? '');
  if (Number.isNaN(theirs)) return skipped('GitHub’s answer holds no time.');
  const off = ports.clock.now() - theirs;
  if (Math.abs(off) < clockToleranceMs) return passed('Within a minute of GitHub');
  return warning(
    `Your clock is ${Math.round(Math.abs(off) / 60_000)} min ${off < 0 ? 'behind' : 'ahead'}. Sign-in may fail.`,
    'Set the clock of this machine.',
  );
}
