import type { App } from './api/app.ts';
import type { AppOptions } from './app-options.ts';
import { AppParts } from './app-parts.ts';
import { shellOf } from './claude-code/env-snippet.ts';
import { userHome } from './claude-code/settings-file.ts';
import { recordPath, watchRecord } from './claude-code/setup-record.ts';
import { setupAnswers } from './claude-code/setups.ts';
import { clientAnswers } from './clients/client-answers.ts';
import { clientRecordPath, hasSetUpClients } from './clients/client-record.ts';
import { lineAnswers } from './clients/lines.ts';
import { autoClientModel } from './clients/program.ts';
import { isAutoOnly, isOffered } from './copilot/model-entry.ts';
import { exchangeAnswers } from './exchange/exchange-answers.ts';
import { modelAnswers } from './exchange/model/report.ts';
import type { CheckDependencies } from './health/check-run.ts';
import { refusedSince } from './health/feature-checks.ts';
import { healthAnswers } from './health/health-answers.ts';
import { historyAnswers } from './history/history-answers.ts';
import { rememberSentences } from './language/remembered.ts';
import { Otlp } from './otlp/otlp.ts';
import { ownAccountAnswers } from './own-accounts/own-accounts.ts';
import type { Ports } from './ports.ts';
import { recordingAnswers } from './recording/recorder.ts';
import { nothingFromOutside } from './search/from-outside.ts';
import { searchAnswers, searchReport } from './search/search-answers.ts';
import { ownPlaces } from './server/places.ts';
import { proxyAnswers } from './server/proxy-answers.ts';
import { sessionListAnswers } from './sessions/session-list-answers.ts';
import { FileWatch } from './settings/files.ts';
import { type PreferenceFacts, preferenceAnswers } from './settings/preference-answers.ts';
import { signInAnswers } from './sign-in/sign-ins.ts';
import { dayAround } from './words/times.ts';

/** A process that serves writes twice a second. */
const historySettleMs = 200;

/** Makes the app of what each room answers. Nothing is asked of the network before a front or a client asks. */
export function createApp(ports: Ports, options: AppOptions): App {
  rememberSentences();
  const parts = new AppParts(ports, options, () => app);
  const { settings, accounts, listeners, secrets } = parts;
  const { history } = parts.opened;
  const otlp = new Otlp({
    ...{ settings, listeners, dialer: ports.dialer, clock: ports.clock, log: ports.log },
    ...{ version: options.version, environment: options.environment ?? {} },
  });
  const stopListening = settings.onChange(() => {
    parts.settingsChanged();
    otlp.follow();
  });
  const watches = [
    // A terminal's setup, too.
    watchRecord(recordPath(ports.paths.home), ports.log, () => parts.setupChanged()),
    watchRecord(clientRecordPath(ports.paths.home), ports.log, () => parts.setupChanged()),
  ];
  // A search of the terminal writes requests where the proxy is off here.
  let besideWatch: FileWatch | null = null;
  const watchBeside = (isOn: boolean): void => {
    besideWatch?.close();
    besideWatch = null;
    if (isOn) return;
    const look = (): void => {
      if (history.isWrittenBeside()) listeners.tell({ event: 'history-changed' });
    };
    const options = { settleMs: historySettleMs, also: ['-wal'], log: ports.log };
    besideWatch = new FileWatch(ports.paths.history, look, options);
  };
  watchBeside(false);
  listeners.onProxy(({ kind }) => watchBeside(kind === 'on'));
  const close = async (): Promise<void> => {
    accounts.cancelSignIns();
    // Agents end before what they ask.
    await parts.sessions.close();
    await parts.proxy.stop(0);
    accounts.close();
    parts.throughVscode.close();
    parts.recorder.close();
    stopListening();
    for (const watch of [...watches, besideWatch]) watch?.close();
    parts.keptDays.close();
    listeners.clear();
    await otlp.close();
    await parts.opened.sums.close();
    history.close();
    parts.sessionListWatch.close();
    parts.terminalSessions.close();
    parts.sessionFiles.close();
    settings.close();
    ports.dialer.close();
  };
  const app: App = {
    ...answers(parts, otlp),
    serveEditor: async (agent, streams) => {
      const { serveEditorStreams } = await import('./sessions/acp/editor-route.ts');
      await serveEditorStreams({ ...(await parts.editorSurroundings()), agent }, streams);
    },
    warnings: () => parts.warnings(),
    listen: (listener) => listeners.listen(listener),
    onExchange: (listener) => listeners.onExchange(listener),
    onProxy: (listener) => listeners.onProxy(listener),
    onWarnings: (listener) => listeners.onWarnings(listener),
    onTerminals: (listener) => parts.terminalSessions.follow(listener),
    sawTerminal: (id) => parts.terminalSessions.saw(id),
    setQuitWait: (wait) => {
      parts.current.quitWait = wait;
      listeners.stateChanged();
    },
    close,
  };
  void parts.runtime.look();
  parts.throughVscode.follow();
  void accounts.load().then(async () => {
    if (accounts.isStoreUnreadable()) await secrets.note();
    listeners.stateChanged();
  });
  return app;
}

type Followed = 'listen' | 'onExchange' | 'onProxy' | 'onWarnings' | 'onTerminals';

/** Methods for all calls, from the `*-answers.ts` of each room. */
function answers(
  parts: AppParts,
  otlp: Otlp,
): Omit<App, 'warnings' | Followed | 'sawTerminal' | 'setQuitWait' | 'close' | 'serveEditor'> {
  const { settings, accounts, recorder, exchanger, github, secrets, proxy, port, claudeCode } = parts;
  const { clock, log } = parts.ports;
  const { history, sums, lessons } = parts.opened;
  const forClients = {
    baseUrl: () => port.baseUrl(),
    key: () => secrets.key(),
    isKeyKept: () => secrets.isKeyKept,
    command: parts.options.ownCommand,
    models: async () => {
      const models = await parts.models();
      const isAuto = isAutoOnly(models) && accounts.current.account.servesAuto();
      return isAuto ? [autoClientModel] : models.filter(isOffered);
    },
  };
  const setupChanged = () => parts.setupChanged();
  const costOfToday: App['costOfToday'] = async () => {
    const { timeZone } = settings.current();
    const since = dayAround(clock.now(), timeZone).from;
    const [day] = await sums.totals('day', since, timeZone);
    const { nanoAiu, premiumRequests, unknown } = day ?? { nanoAiu: 0, premiumRequests: 0, unknown: 0 };
    return { nanoAiu, premiumRequests, isPartlyUnknown: unknown > 0 };
  };
  const proxied = proxyAnswers({ proxy, port, settings, log });
  const listed = sessionListAnswers(parts.sessionFiles, parts.sessionListWatch, {
    isSearchOn: () => settings.current().sessions.search,
    clientCosts: () => sums.clientCosts(),
    promptCosts: (session) => sums.promptCosts(session),
  });
  const clients = clientAnswers({
    ...forClients,
    askedKey: () => parts.askedKey(),
    isFurtherKey: (key, client) => {
      const found = parts.namedKeys.keyOf(key);
      if (found === null || found.expiredAt !== null) return false;
      return found.clients.length === 0 || found.clients.includes(client);
    },
    machine: { platform: process.platform, env: claudeCode.env, home: userHome(claudeCode.env) },
    paths: parts.ports.paths,
    changed: setupChanged,
  });
  const models = modelAnswers({
    ...{ settings, sums, lessons, clock },
    used: () => parts.used(),
    trial: {
      accounts,
      limits: (who, isIn) => exchanger.limits.own.tried(who, isIn),
    },
    overridesChanged: () => {
      parts.gone.look();
      setupChanged();
    },
  });
  return {
    costOfToday,
    ...exchangeAnswers({ exchanger, history, settings, clock }),
    ...recordingAnswers(recorder, () => settings.current().mayRecord),
    ...historyAnswers({
      ...{ history, sums, settings, clock },
      forgetBodies: () => {
        recorder.forget();
        parts.searched.forget();
      },
      deleted: () => parts.listeners.tell({ event: 'history-deleted' }),
      sessions: parts.sessionFiles.folders,
    }),
    ...models,
    ...healthAnswers({
      ...{ current: parts.current, secrets, proxy, clock },
      upstream: () => accounts.current.upstream,
      throughVscode: parts.throughVscode,
      checking: () => checking(parts, otlp, { ...clients, ...models }),
      costOf: async (session) => {
        const id =
          parts.sessionFiles.store.sessions.names().find((row) => row.agentSessionId === session)?.id ?? session;
        return (await listed.sessionCosts()).find((cost) => cost.id === id)?.cost ?? null;
      },
      costOfToday,
      stay: () => parts.current.quitWait?.stay(),
      lookAtKey: () => claudeCode.lookAtKey(),
    }),
    ...preferenceAnswers({
      ...{ settings, clock, github, facts: () => preferenceFacts(parts) },
      leaveGithub: () => accounts.leaveHost(),
      historyDaysChanged: () => parts.keptDays.prune(),
      bodyLimitsChanged: () => recorder.limitsChanged(),
      servedPort: () => proxy.serving?.port ?? null,
      tryPort: (wanted) => proxy.tryPort(wanted),
      restartProxy: async () => {
        await proxied.stopProxy({ graceMs: 0 });
        await proxied.startProxy();
      },
    }),
    ...searchAnswers(searching(parts)),
    ...listed,
    ...parts.sessions.answers,
    ...setupAnswers({ claudeCode, setups: parts.setups, changed: setupChanged }),
    ...clients,
    ...lineAnswers({
      ...forClients,
      places: () => ownPlaces(settings.current(), parts.ports.paths.home),
      claudeCode: (label) => claudeCode.lines(label),
      copied: async () => {
        if (!settings.current().linesCopied) await settings.update({ linesCopied: true });
      },
    }),
    ...proxied,
    ...signInAnswers({
      ...{ signIns: () => accounts.current.signIns, secrets, runtime: parts.runtime },
      cancelAll: () => accounts.cancelSignIns(),
    }),
    ...parts.namedKeys.answers(() => history.keysUsed()),
    ...ownAccountAnswers({ accounts, inUseChanged: () => parts.gone.look() }),
  };
}

function searching(parts: AppParts) {
  const { exchanger, search, searchKeys: keys, searched, opened, settings, options } = parts;
  const outside = options.search ?? nothingFromOutside;
  const catalog = () => parts.used().catalog;
  return { exchanger, search, keys, searched, table: opened.searches, settings, outside, catalog };
}

function checking(
  parts: AppParts,
  otlp: Otlp,
  { clients, explainModel }: Pick<App, 'clients' | 'explainModel'>,
): CheckDependencies {
  const { ports, accounts, current, secrets, port, claudeCode } = parts;
  const { history, lessons } = parts.opened;
  return {
    ...{ ports, account: accounts.current.account, catalog: parts.used().catalog, history, lessons },
    throughVscode: parts.throughVscode,
    github: parts.github.addresses,
    state: () => current.state(),
    ownLimits: () => parts.exchanger.limits,
    settingsWarnings: () => parts.settingsWarnings(),
    organizationRules: () => parts.settings.policy,
    policyProblem: () => parts.settings.policyProblem,
    noteSecrets: () => secrets.note(),
    isMemoryWanted: () => secrets.isMemoryWanted,
    port: port.forClients(),
    claudeCode: () => claudeCode.surroundings(),
    explainModel,
    search: () => searchReport(searching(parts)),
    sessionProgram: () => parts.sessions.claudeProgram(),
    clients: async () => (hasSetUpClients(ports.paths.home) || parts.refusedClients.size > 0 ? clients() : []),
    refusedClients: async () => refusedSince(await parts.opened.sums.lastRequests(), parts.refusedClients),
    otlp: () => otlp.report(),
    front: parts.options.frontChecks ?? [],
  };
}

function preferenceFacts({ port, github, givenGithub, secrets, settings, options }: AppParts): PreferenceFacts {
  return {
    port: port.here(),
    portFixed: port.isFixed,
    githubHost: github.addresses.web.host,
    githubFixedBy: givenGithub.fixedBy,
    ownShell: shellOf(options.environment ?? {}, process.platform),
    storageIsFree: secrets.canMove,
    managed: settings.policy,
    keys: settings.current().keys.map(({ name }) => name),
  };
}
