import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CopilotRuntime } from './account/sdk/copilot-runtime.ts';
import { isMusl, runtimePackage, systemName } from './account/sdk/runtime-package.ts';
import { type Identity, identityOf } from './account/vscode-identity.ts';
import type { App } from './api/app.ts';
import type { Problem } from './api/call.ts';
import { Listeners } from './api/events.ts';
import type { Exchange } from './api/exchange.ts';
import { asShellCommand } from './api/shell.ts';
import { type AppOptions, defaultPort } from './app-options.ts';
import { clientCalls, otherRoutes, type Served, surroundingsOfEditor } from './app-routes.ts';
import { ClaudeCode, type KnownModels } from './claude-code/claude-code.ts';
import { claudeSettingsPath } from './claude-code/settings-file.ts';
import { Setups } from './claude-code/setups.ts';
import { type CatalogModel, isOffered } from './copilot/model-entry.ts';
import type { Asker, UsedAccount } from './exchange/dependencies.ts';
import { Exchanger } from './exchange/exchange.ts';
import { environmentModels } from './exchange/model/claude-code-names.ts';
import { GoneWatch } from './exchange/model/gone.ts';
import { CurrentState } from './health/current-state.ts';
import { type OpenedHistory, openHistory } from './history/history.ts';
import { KeptDays } from './history/retention.ts';
import { scaleImage } from './images/scale-image.ts';
import { OwnAccounts } from './own-accounts/own-accounts.ts';
import type { Ports } from './ports.ts';
import { launchChild } from './processes/launch.ts';
import { Recorder } from './recording/recorder.ts';
import { engineOrder, engineRefusal, searchIsOff } from './search/engine-order.ts';
import { makeEngines } from './search/engines.ts';
import { nothingFromOutside } from './search/from-outside.ts';
import { SearchKeys } from './search/keys.ts';
import { Search } from './search/search.ts';
import { RecentSearches } from './search/search-answers.ts';
import { Counters } from './server/health-routes.ts';
import { LocalProxy } from './server/local-proxy.ts';
import { isTaken } from './server/lock.ts';
import { NamedKeys } from './server/named-keys.ts';
import { placeProblems, wantedPlaces } from './server/places.ts';
import { RefusedClients } from './server/refused-clients.ts';
import { callRunning } from './server/running-proxy.ts';
import { ServedPort } from './server/served-port.ts';
import { SessionKeyRing } from './server/session-key-ring.ts';
import { RunningCalls } from './server/take-call.ts';
import type { EditorSurroundings } from './sessions/acp/editor-route.ts';
import { NotesWatch } from './sessions/agents/claude/open-sessions.ts';
import { SessionFiles } from './sessions/session-files.ts';
import { SessionListWatch } from './sessions/session-list-watch.ts';
import { Sessions, toListEvent, WaitingSessions } from './sessions/sessions.ts';
import { TerminalSessions } from './sessions/terminal-sessions.ts';
import { policyWarning } from './settings/policy.ts';
import { SettingsStore } from './settings/settings.ts';
import { chosenGithub, GithubChoice, type GivenGithub } from './sign-in/github-choice.ts';
import { KeptSecrets } from './sign-in/kept-secrets.ts';
import { RuntimeFetch } from './sign-in/runtime-fetch.ts';
import { wayFromOutside } from './sign-in/sign-ins.ts';
import { ThroughVscode } from './through-vscode/through-vscode.ts';
import { Pages } from './web/pages.ts';

/**
 * The objects of the rooms, put together: each is given what it needs of the others. What is called back later may come
 * from an object that is made further down.
 */
export class AppParts {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly givenGithub: GivenGithub;
  readonly settings: SettingsStore;
  readonly opened: OpenedHistory;
  readonly sessionFiles: SessionFiles;
  readonly sessions: Sessions;
  readonly sessionListWatch: SessionListWatch;
  readonly terminalSessions: TerminalSessions;
  readonly listeners = new Listeners(() => this.current.state());
  readonly accounts: OwnAccounts;
  readonly throughVscode: ThroughVscode;
  readonly gone: GoneWatch;
  readonly recorder: Recorder;
  readonly keptDays: KeptDays;
  readonly exchanger: Exchanger;
  readonly search: Search;
  readonly searchKeys: SearchKeys;
  readonly searched = new RecentSearches();
  readonly runtime: RuntimeFetch;
  readonly secrets: KeptSecrets;
  readonly sessionKeys = new SessionKeyRing();
  readonly refusedClients = new RefusedClients();
  readonly namedKeys: NamedKeys;
  readonly github: GithubChoice;
  readonly proxy: LocalProxy;
  readonly port: ServedPort;
  readonly current: CurrentState;
  readonly claudeCode: ClaudeCode;
  readonly setups: Setups;
  /** Shared by all that asks GitHub or Copilot: a changed setting holds from the next request on. */
  readonly #identity: Identity;
  #allowedModels: readonly string[] | null;
  readonly #counters = new Counters();
  readonly #running: RunningCalls;
  readonly #waitingSessions: WaitingSessions;
  /** What answers the calls of the dashboard. */
  readonly #app: () => App;

  constructor(ports: Ports, options: AppOptions, app: () => App) {
    this.ports = ports;
    this.options = options;
    this.#app = app;
    this.#running = new RunningCalls(undefined, ports.collectGarbage);
    const { clock, log, paths, dialer, redact, hideSecret } = ports;
    const { readOnly = false, githubToken = null, environment: env = {}, project = null } = options;
    const settings = options.settings?.store ?? SettingsStore.open(paths.settings, log).store;
    this.settings = settings;
    this.#allowedModels = settings.current().allowedModels;
    const warned = (): void => this.listeners.warned();
    const changed = (): void => this.listeners.stateChanged();
    this.opened = openHistory(paths.history, {
      ...{ clock, log, readOnly, warned },
      isOwnedElsewhere: () => isTaken(paths.lock),
    });
    this.sessionFiles = new SessionFiles({
      ...{ paths, clock, log, readOnly, warned },
      isOwnedElsewhere: () => isTaken(paths.lock),
      claudeFolder: dirname(claudeSettingsPath(env)),
      isSearchOn: () => settings.current().sessions.search,
    });
    const { history, sums, ledger, lessons } = this.opened;
    lessons.forgetBefore(settings.current().learnedSince ?? 0);
    // Left out, the given address is fixed as if by a variable: no setting changes it.
    const { github: addresses, githubFixedBy: fixedBy = 'JUMPSEAT_GITHUB_URL' } = options;
    this.givenGithub = { addresses, fixedBy };

    const identity = identityOf(settings.current().identity);
    this.#identity = identity;
    const { platform } = process;
    const runtime =
      options.runtime ??
      new CopilotRuntime({
        ...{ clock, dialer, paths, platform, environment: env, userHome: homedir(), githubApi: addresses.api },
        runtime: runtimePackage(systemName(platform, process.arch, isMusl())),
      });
    this.runtime = new RuntimeFetch({ runtime, changed });
    const accounts = new OwnAccounts({
      ...{ ports, settings, identity, githubToken },
      changed: () => {
        changed();
        this.sessions.connectionChanged();
      },
      // Nothing is sent while the proxy is off.
      isConnectionAwaited: () => this.proxy.serving !== null && this.sessions.isConnectionAwaited(),
      runtime: {
        ask: async (credential) => {
          const answer = await runtime.ask(credential);
          // A runtime that was damaged counts as not here.
          if (!answer.ok) await this.runtime.look();
          return answer;
        },
        auto: (githubToken) => runtime.auto(githubToken),
        clientId: () => settings.current().githubClientId,
        copilotHome: () => env.COPILOT_HOME || join(homedir(), '.copilot'),
      },
      github: () => chosenGithub(this.givenGithub, settings.current()),
      secrets: () => this.secrets,
      modelsChanged: () => this.gone.look(),
      throughVscode: () => this.throughVscode.used,
    });
    this.accounts = accounts;
    const ended = (exchange: Exchange): void => accounts.kept.of(exchange.client).held.ended(exchange);
    const through = new ThroughVscode({ ports, settings, changed, ended });
    this.throughVscode = through;
    const catalog = () => this.used().catalog;
    this.gone = new GoneWatch({ catalog, settings, history, clock, changed });
    const recorder = new Recorder({ clock, redact, limits: () => settings.current().bodies, changed });
    this.recorder = recorder;
    this.keptDays = new KeptDays({ sums, settings, clock, readOnly });
    const launcher = options.launcher ?? launchChild;
    this.exchanger = new Exchanger({
      ...{ history, ledger, lessons, recorder, settings, clock, log, redact, accounts },
      listeners: this.listeners,
      folders: this.sessionFiles.folders,
      command: options.typedCommand,
      search: options.webSearch ?? {
        isOn: () => this.search.isOn(),
        whyOff: () => this.search.whyOff(),
        search: (query, context) => this.search.search(query, context),
      },
      scaleImage: (image) => scaleImage(image, launcher),
    });
    this.listeners.onExchange(this.#counters.add);
    const outside = options.search ?? nothingFromOutside;
    const { keys: keysOutside, addresses: engineAddresses } = outside;
    const accountFor = ({ client, used: own }: Asker): UsedAccount => own ?? accounts.of(client);
    this.searchKeys = new SearchKeys({
      ...{ secrets: ports.secrets, outside: keysOutside, changed },
      hideSecret: (key) => hideSecret(key, 'kept'),
    });
    this.search = new Search({
      ...{ clock, log },
      order: () => engineOrder(settings, outside),
      off: () => searchIsOff(settings, outside),
      refusal: (name) => engineRefusal(settings, name),
      engine: makeEngines({
        ...{ dialer, keys: this.searchKeys, addresses: engineAddresses },
        catalog: (cause) => accountFor(cause).catalog,
        ask: (request) => this.exchanger.own(request),
        settings: () => settings.current().search,
        reach: () => settings.current().reach,
        githubAccess: (cause) => accountFor(cause).account.githubToken(),
      }),
      asked: (entry) => this.opened.searches.record(entry),
      ended: (query, outcome, { cause }) => this.searched.keep(query, outcome, cause.exchange),
    });

    this.secrets = new KeptSecrets({
      ...{ ports, settings, account: accounts, changed },
      keyFromOutside: options.key || null,
      keyReplaced: async (graceMs) => {
        await this.proxy.restart(graceMs);
        // Clients that were set up have the old key.
        this.setupChanged();
      },
    });
    const key = () => this.secrets.key();
    this.github = new GithubChoice({
      ...{ given: this.givenGithub, settings, account: accounts },
      accountChanged: () => accounts.forget(),
    });

    const running = this.#running;
    this.namedKeys = new NamedKeys(settings, clock, running);
    const served: Served = {
      ...{ options, redact, log, settings, running, app, accounts, exchanger: this.exchanger, search: this.search },
      counters: this.#counters,
      pages: new Pages({ dialer, clock, version: options.version, launcher }),
      current: () => this.current,
      sessions: () => this.sessions.states(),
      editor: () => this.editorSurroundings(),
    };
    const proxy = new LocalProxy({
      ...{ version: options.version, clock, log, paths, running, key },
      changed: () => {
        this.sessions.outsideChanged();
        this.listeners.proxyChanged(proxy.state);
      },
      ...{ sessionKeys: this.sessionKeys, namedKeys: this.namedKeys, refusedClients: this.refusedClients },
      refusal: () => settings.policyProblem,
      wantedPlaces: () => wantedPlaces(settings.current(), paths.home),
      command: options.typedCommand,
      calls: clientCalls(served),
      routes: (door) => otherRoutes(served, door),
      started: () => this.#proxyStarted(),
      stopped: () => this.opened.letGo(),
    });
    this.proxy = proxy;
    const { port: fixed = null, defaultPort: fallback = defaultPort } = options;
    const port = new ServedPort({ fixed, fallback, settings, paths, proxy });
    this.port = port;
    this.sessions = new Sessions({
      ...{ clock, dialer, log, paths, version: options.version, environment: env, userHome: homedir() },
      ...{ files: this.sessionFiles, keys: this.sessionKeys, isMusl: isMusl() },
      ...(options.agents && { agents: options.agents }),
      ...(options.trash && { trash: options.trash }),
      ...(options.launcher && { launcher: options.launcher }),
      claudeModels: async () => (await this.#claudeCodeModels()).named,
      models: async () => (await this.models()).filter(isOffered),
      web: { search: () => this.search.isOn(), fetchPreflight: () => settings.current().sessions.webFetchPreflight },
      outside: () => ({
        baseUrl: proxy.serving?.baseUrl ?? null,
        isOffline: this.current.isOffline(),
        settings: settings.current().sessions,
      }),
      tell: this.listeners.tell,
      claudeChoice: () => settings.current().claudeProgram,
      keepClaudeChoice: (choice) => settings.update({ claudeProgram: choice }),
      onExchange: (listener) => void this.listeners.onExchange(listener),
      rowsOf: (clients, since) => history.ofClients(clients, since),
      connectionAwaited: () => accounts.current.upstream.awaited(),
    });
    this.#waitingSessions = new WaitingSessions({ onSession: this.listeners.onSession, stateChanged: changed });
    const notes = new NotesWatch(this.sessionFiles.claudeFolder, clock);
    this.sessionListWatch = new SessionListWatch({
      ...{ files: this.sessionFiles, notes, clock, log },
      leads: (id) => this.sessions.leads(id),
      openedInTerminal: (id) => this.sessions.openedInTerminal(id),
      isHeard: () => this.listeners.isHeard,
      tell: (change) => this.listeners.tell(toListEvent(change)),
    });
    this.terminalSessions = new TerminalSessions({
      ...{ files: this.sessionFiles, notes, clock, log, changed },
      leads: (id) => this.sessions.leads(id),
    });
    this.current = new CurrentState({
      ...{ version: options.version, isDemo: options.isDemo === true },
      ...{ clock, settings, running, exchanger: this.exchanger },
      through,
      used: () => accounts.current,
      accounts: () => accounts.states(),
      proxy: () => proxy.state,
      waitingSessions: () => this.#waitingSessions.count + this.terminalSessions.waiting,
      secrets: () => this.secrets.state,
      isMemoryWanted: () => this.secrets.isMemoryWanted,
      warnings: () => this.warnings(),
      runtime: () => this.runtime.state(),
      claudeCode: () => this.claudeCode.keyProblem,
      goneModels: () => this.gone.gone,
      recording: () => recorder.state(),
    });

    this.claudeCode = new ClaudeCode({
      ...{ paths, env, project, key, changed },
      command: options.ownCommand && asShellCommand(options.ownCommand),
      askedKey: () => this.askedKey(),
      isKeyKept: () => this.secrets.isKeyKept,
      baseUrl: () => port.baseUrl(),
      port: () => port.forClients(),
      models: () => this.#claudeCodeModels(),
      areModelsKnown: () => catalog().known() !== null,
      isDemo: options.isDemo === true,
      upstreams: () => [this.github.addresses.web.href, this.github.addresses.api.href],
    });
    this.setups = new Setups({ claudeCode: this.claudeCode });
  }

  /** Asks for them where they are not known; none where they can't be had. */
  models(): Promise<CatalogModel[]> {
    return this.used()
      .catalog.models()
      .catch(() => []);
  }

  /** What requests use whose client is bound to no other account. */
  used(): Pick<UsedAccount, 'account' | 'catalog'> {
    return this.throughVscode.isChosen() ? this.throughVscode.used : this.accounts.current;
  }

  /** The sessions and settings that an editor gets over ACP. */
  editorSurroundings(): Promise<EditorSurroundings> {
    return surroundingsOfEditor({
      ...{ sessions: this.sessions, files: this.sessionFiles, accounts: this.accounts, current: this.current },
      ...{ version: this.options.version, log: this.ports.log, list: () => this.#app().sessionList() },
    });
  }

  settingsWarnings(): Problem[] {
    return [...this.settings.warnings(), ...this.port.warnings()];
  }

  /** Claude Code's settings, or what they should hold, have changed. */
  setupChanged(): void {
    this.listeners.tell({ event: 'setup-changed' });
    void this.claudeCode.lookAtKey();
  }

  /** Called when another process, a person or a call has changed the file. */
  settingsChanged(): void {
    const settings = this.settings.current();
    Object.assign(this.#identity, identityOf(settings.identity));
    if (!settings.mayRecord) this.recorder.switch(false);
    if (!isDeepStrictEqual(settings.allowedModels, this.#allowedModels)) {
      this.#allowedModels = settings.allowedModels;
      this.accounts.forgetModels();
      this.throughVscode.used.catalog.forget();
    }
    void this.github.follow();
    this.secrets.follow();
    this.throughVscode.follow();
    void this.proxy.followPlaces();
    void this.proxy.followRules();
    this.accounts.follow();
    this.sessions.settingsChanged();
    this.sessionFiles.settingsChanged();
    this.opened.lessons.forgetBefore(settings.learnedSince ?? 0);
    this.gone.look();
    this.listeners.stateChanged();
    this.listeners.tell({ event: 'preferences', preferences: this.#app().preferences() });
  }

  #proxyStarted(): void {
    this.opened.takeOver();
    this.listeners.tell({ event: 'history-changed' });
    this.sessionFiles.own();
    this.sessions.takeOver();
    this.sessions.connectionChanged();
    this.opened.lessons.forgetBefore(this.settings.current().learnedSince ?? 0);
    this.keptDays.prune();
    void this.setups.sweep();
    // Warms what the first request needs, once the start is over; failures show themselves there.
    setImmediate(() => {
      if (this.proxy.serving === null) return;
      void this.claudeCode.lookAtKey();
      void this.current
        .askProblem()
        .then(() => this.accounts.current.account.readUser())
        .catch(() => undefined);
    });
  }

  /** The key that the proxy of this folder asks for, in whichever process it runs; null where that isn't known. */
  async askedKey(): Promise<string | null> {
    if (this.proxy.serving !== null) return this.secrets.key();
    const ofRunning = await callRunning(this.ports.paths.lock, 'localKey');
    const own = ofRunning ?? (await this.secrets.key());
    return ofRunning !== null || this.secrets.isKeyKept ? own : null;
  }

  async #claudeCodeModels(): Promise<KnownModels> {
    const models = await this.models();
    const { haikuNote, ...named } = environmentModels(
      models,
      this.settings.current().modelOverrides,
      this.used().account.servesAuto(),
    );
    const promptLimits = Object.fromEntries(models.map(({ id, limits }) => [id, limits.promptTokens]));
    return { named, haikuNote: models.length === 0 ? null : haikuNote, promptLimits };
  }

  warnings(): Problem[] {
    const historyProblem = this.opened.history.problem();
    const historyWarnings = this.opened.warnings;
    const { policyProblem } = this.settings;
    const proxy = this.proxy.state;
    return [
      ...(policyProblem === null ? [] : [policyWarning(policyProblem)]),
      ...(this.options.warnings ?? []),
      ...this.settingsWarnings(),
      ...wayFromOutside(this.options.githubToken ?? null, this.settings.current()),
      ...(historyProblem === null || historyWarnings.includes(historyProblem) ? [] : [historyProblem]),
      ...historyWarnings,
      ...this.sessionFiles.warnings,
      ...(proxy.kind === 'on' && proxy.places ? placeProblems(proxy) : []),
    ];
  }
}
