import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { Check } from '../api/state.ts';
import { readSetup } from '../claude-code/setup/read-setup.ts';
import { recordChangedAt } from '../claude-code/setup-record.ts';
import { type Message, msg } from '../language/messages.ts';
import { altered } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import type { CertificateSource } from '../ports.ts';
import { lastingMoment } from '../words/times.ts';
import {
  admission,
  claudeCodeModel,
  copilotToken,
  ownLimits,
  quota,
  signedIn,
  storage,
  vscode,
} from './account-checks.ts';
import { type CheckDependencies, CheckRun, type CheckStep, type FrontCheck, isThroughVscode } from './check-run.ts';
import { connection, identity, lastSuccess, learned, models, policy, recentLimit } from './copilot-checks.ts';
import {
  clientsFinding,
  conversationsFinding,
  otlpFinding,
  searchFinding,
  sessionProgramFinding,
  webFetchFinding,
} from './feature-checks.ts';
import { type Finding, failed, skipped, warning } from './finding.ts';
import {
  certificateFilesFinding,
  clockFinding,
  proxyFinding,
  scriptFinding,
  systemCertificatesFinding,
} from './network-checks.ts';
import { address, database, localKey, organization, places, settingsFile } from './server-checks.ts';

/** Every check there is, in the order in which they are shown. None of them costs a credit. */
const steps: readonly CheckStep[] = [
  { id: 'account.signed-in', group: 'account', title: msg('Signed in'), find: directly(signedIn) },
  {
    id: 'account.storage',
    group: 'account',
    title: msg('Token storage'),
    find: storage,
  },
  {
    id: 'account.admission',
    group: 'account',
    title: msg('Sent as'),
    find: directly(admission),
  },
  { id: 'account.vscode', group: 'account', title: msg('VS Code'), find: underPolicy(vscode) },
  {
    id: 'account.token',
    group: 'account',
    title: msg('Copilot token'),
    find: underPolicy(directly(copilotToken, msg('None is used: requests go through VS Code.'))),
  },
  { id: 'account.quota', group: 'account', title: msg('Quota'), find: underPolicy(directly(quota)) },
  {
    id: 'account.limits',
    group: 'account',
    title: msg('Your limits'),
    find: ({ dependencies }) => ownLimits(dependencies),
  },
  { id: 'copilot.connection', group: 'copilot', title: msg('Connection'), find: directly(withToken(connection)) },
  {
    id: 'copilot.identity',
    group: 'copilot',
    title: msg('Identity'),
    find: directly(withToken(({ dependencies }) => identity(dependencies))),
  },
  { id: 'copilot.models', group: 'copilot', title: msg('Models'), find: withToken(models) },
  { id: 'copilot.policy', group: 'copilot', title: msg('Model policy'), find: directly(withToken(policy)) },
  { id: 'copilot.learned', group: 'copilot', title: msg('Learned'), find: ({ dependencies }) => learned(dependencies) },
  {
    id: 'copilot.last-success',
    group: 'copilot',
    title: msg('Last success'),
    find: ({ dependencies }) => lastSuccess(dependencies),
  },
  { id: 'server.address', group: 'server', title: msg('Address'), find: ({ dependencies }) => address(dependencies) },
  {
    id: 'server.places',
    group: 'server',
    title: msg('Other places'),
    find: ({ dependencies }) => places(dependencies),
  },
  { id: 'server.key', group: 'server', title: msg('Local key'), find: ({ dependencies }) => localKey(dependencies) },
  {
    id: 'server.settings',
    group: 'server',
    title: msg('Settings file'),
    find: ({ dependencies }) => settingsFile(dependencies),
  },
  {
    id: 'server.policy',
    group: 'server',
    title: msg('Organization'),
    find: ({ dependencies }) => organization(dependencies),
  },
  {
    id: 'server.search',
    group: 'server',
    title: msg('Web search'),
    find: underPolicy(async (run) => {
      // Which models can search is in the catalog.
      await run.models();
      return searchFinding(await run.dependencies.search());
    }),
  },
  {
    id: 'server.otlp',
    group: 'server',
    title: msg('OpenTelemetry'),
    find: ({ dependencies: { otlp, ports } }) => otlpFinding(otlp(), ports.clock.now()),
  },
  {
    id: 'server.database',
    group: 'server',
    title: msg('Database'),
    find: ({ dependencies }) => database(dependencies),
  },
  { id: 'claude-code.settings', group: 'claude-code', title: msg('Claude Code’s settings'), find: setup },
  {
    id: 'claude-code.shell',
    group: 'claude-code',
    title: msg('Shell variables'),
    find: ofClaudeCode('claude-code.shell'),
  },
  { id: 'claude-code.model', group: 'claude-code', title: msg('Model'), find: claudeCodeModel },
  { id: 'claude-code.version', group: 'claude-code', title: msg('Version'), find: ofClaudeCode('claude-code.version') },
  {
    id: 'claude-code.circle',
    group: 'claude-code',
    title: msg('Not in a circle'),
    find: ofClaudeCode('claude-code.circle'),
  },
  {
    id: 'claude-code.conversations',
    group: 'claude-code',
    title: msg('Conversations'),
    find: conversations,
  },
  {
    id: 'claude-code.sessions',
    group: 'claude-code',
    title: msg('In Sessions'),
    find: async ({ dependencies }) => sessionProgramFinding(await dependencies.sessionProgram()),
  },
  { id: 'claude-code.webfetch', group: 'claude-code', title: msg('WebFetch'), find: webFetch },
  {
    id: 'machine.clients',
    group: 'machine',
    title: msg('Other programs'),
    find: async ({ dependencies }) =>
      clientsFinding(await dependencies.clients(), await dependencies.refusedClients(), dependencies.ports.clock.now()),
  },
  { id: 'machine.proxy-script', group: 'machine', title: msg('PAC script'), find: directly(proxyScript) },
  { id: 'machine.proxy', group: 'machine', title: msg('Company proxy'), find: underPolicy(directly(companyProxy)) },
  {
    id: 'machine.certificate-files',
    group: 'machine',
    title: msg('Certificate files'),
    find: directly(({ dependencies }) => certificates(dependencies, certificateFilesFinding)),
  },
  {
    id: 'machine.system-certificates',
    group: 'machine',
    title: msg('System’s certificates'),
    find: directly(({ dependencies }) => certificates(dependencies, systemCertificatesFinding)),
  },
  { id: 'machine.clock', group: 'machine', title: msg('Clock'), find: underPolicy(directly(clockCheck)) },
];

/** The checks of a front come last in their group. */
function stepsWith(front: readonly FrontCheck[]): CheckStep[] {
  return [...steps, ...front];
}

/** Every check of `doctor`, each with its finding and its remedy. Never rejects. */
export async function checkEverything(dependencies: CheckDependencies): Promise<Check[]> {
  const run = new CheckRun(dependencies);
  void run.models();
  return Promise.all(stepsWith(dependencies.front).map((step) => checked(step, run)));
}

/** One of them alone; null if there is none of that name. Never rejects. */
export async function checkOne(dependencies: CheckDependencies, id: string): Promise<Check | null> {
  const step = stepsWith(dependencies.front).find((one) => one.id === id);
  return step === undefined ? null : checked(step, new CheckRun(dependencies));
}

async function checked({ id, group, title: name, find }: CheckStep, run: CheckRun): Promise<Check> {
  const title = translated(name);
  // Reports are sent to others: a person's name is often that of their folder.
  const short = (text: string): string => altered(text, (whole) => whole.replaceAll(homedir() + sep, `~${sep}`));
  try {
    const found = await find(run);
    const remedy = found.remedy === null ? null : short(found.remedy);
    return { id, group, title, ...found, finding: short(found.finding), remedy };
  } catch (error) {
    run.dependencies.ports.log.write('error', 'check.failed', { check: id, error });
    const why = error instanceof Error ? error.message : t('unknown');
    return {
      id,
      group,
      title,
      ...failed(t('This check failed: {why}', { why }), t('Check again. The log says more.')),
    };
  }
}

/** Nothing is asked of GitHub and of Copilot itself while requests go through VS Code. */
function directly(
  find: (run: CheckRun) => Finding | Promise<Finding>,
  otherwise: Message = msg('Not asked: requests go through VS Code.'),
): CheckStep['find'] {
  return (run) => (isThroughVscode(run) ? skipped(translated(otherwise)) : find(run));
}

/** Nothing is asked while the organization's policy can't be used. */
function underPolicy(find: (run: CheckRun) => Finding | Promise<Finding>): CheckStep['find'] {
  return (run) =>
    run.policyProblem() === null
      ? find(run)
      : skipped(t('Not asked: the organization’s policy can’t be used, as the check “Organization” says.'));
}

/** Runs a check that needs a token; without one Copilot can't be asked. */
function withToken(find: (run: CheckRun) => Promise<Finding>): CheckStep['find'] {
  return underPolicy(async (run) =>
    (await run.token()) === null
      ? find(run)
      : skipped(isThroughVscode(run) ? t('Needs a window of VS Code first.') : t('Needs a Copilot token first.')),
  );
}

/** These checks depend on each other, so they run together. */
function ofClaudeCode(id: string): CheckStep['find'] {
  return async (run) => {
    const found = (await run.claudeCode()).find((check) => check.id === id);
    return found ?? skipped(t('Not checked.'));
  };
}

/**
 * Lines for a shell set Claude Code up, too: its requests of the last day show it. Those from before a setup was undone
 * may have come by that setup.
 */
async function setup(run: CheckRun): Promise<Finding> {
  const found = await ofClaudeCode('claude-code.settings')(run);
  if (found.found !== 'not-set-up') return found;
  const { history, ports, claudeCode } = run.dependencies;
  const now = ports.clock.now();
  const { place } = await claudeCode();
  const since = Math.max(now - dayMs, (await recordChangedAt(place.paths.home)) ?? 0);
  const last = history
    .recent({ limit: recentLimit })
    .findLast(({ client, api }) => client === 'claude-code' && api === 'messages');
  if (last === undefined || last.startedAt < since) return found;
  return skipped(
    t('Not set up in its file. Claude Code found Jumpseat by other means at {time}.', {
      time: lastingMoment(last.startedAt, now),
    }),
  );
}

const dayMs = 24 * 60 * 60_000;

async function webFetch({ dependencies }: CheckRun): Promise<Finding> {
  const { place } = await dependencies.claudeCode();
  const skips = await readSetup(place).then(
    ({ skipsWebFetchPreflight }) => skipsWebFetchPreflight,
    () => false,
  );
  return webFetchFinding(dependencies.history.recent({ limit: recentLimit }), skips);
}

async function conversations({ dependencies }: CheckRun): Promise<Finding> {
  const { place } = await dependencies.claudeCode();
  return conversationsFinding(place.settings, dependencies.ports.clock.now(), () =>
    readSetup(place).then(
      ({ keepsDays }) => keepsDays,
      () => false,
    ),
  );
}

async function clockCheck(run: CheckRun): Promise<Finding> {
  return clockFinding(await run.github(), run.dependencies.ports.clock.now());
}

async function companyProxy(run: CheckRun): Promise<Finding> {
  const { ports, github } = run.dependencies;
  const unchecked = run.dependencies.state().warnings.find(({ code }) => code === 'tls-check-kept');
  if (unchecked) return warning(unchecked.text, unchecked.remedy);
  const [proxy, asked, script] = await Promise.all([
    ports.dialer.proxyFor?.(github.api) ?? null,
    run.github(),
    ports.dialer.proxyScript?.(github.api) ?? null,
  ]);
  return proxyFinding(proxy, asked, script);
}

function certificates({ ports }: CheckDependencies, find: (sources: readonly CertificateSource[]) => Finding): Finding {
  const sources = ports.dialer.certificates?.() ?? null;
  return sources === null ? skipped(t('Not known.')) : find(sources);
}

async function proxyScript({ dependencies: { ports, github } }: CheckRun): Promise<Finding> {
  return scriptFinding((await ports.dialer.proxyScript?.(github.api)) ?? null, github.api.host);
}
