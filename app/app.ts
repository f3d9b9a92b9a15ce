import { randomBytes } from 'node:crypto';
import { Account } from './account/account.ts';
import { defaultIdentity, type Identity } from './account/identity.ts';
import type {
  App,
  AppEvent,
  AppState,
  CacheSavings,
  Check,
  Conversation,
  ConversationPrompt,
  DeviceCode,
  Exchange,
  ExchangeRow,
  ModelsReport,
  Preferences,
  PreferencesChange,
  Problem,
  ProxyState,
  SecretsStorage,
  SetUpPlan,
  Shell,
  SignInResult,
  TotalsKey,
  TotalsRow,
} from './api.ts';
import { StartError } from './api.ts';
import { type CheckParts, checkEverything, checkOne, type FrontCheck } from './checks.ts';
import type { ClaudeCodeSurroundings } from './claude-code/checks.ts';
import { draftSetup } from './claude-code/draft-setup.ts';
import { claudeCodeEnvironment } from './claude-code/env.ts';
import { renderEnvironment } from './claude-code/render-env.ts';
import { claudeSettingsPath, SetupError } from './claude-code/settings-file.ts';
import { applySetup, applyUndo, planUndo, type SetupPlace, type SetupPlan } from './claude-code/setup.ts';
import { Catalog } from './copilot/catalog.ts';
import { CopilotClient } from './copilot/client.ts';
import type { CatalogModel } from './copilot/model.ts';
import { ServerStopping } from './exchange/client-call.ts';
import { Exchanger } from './exchange/exchange.ts';
import { claudeCodeNames, environmentModels } from './exchange/model.ts';
import { withOverride } from './exchange/override.ts';
import { openHistory } from './history/history.ts';
import { modelsReport } from './models-report.ts';
import { type Ports, SecretsError } from './ports.ts';
import { preferencesOf, settingsOf } from './preferences.ts';
import { currentProblem, knownProblem } from './readiness.ts';
import { dashboardCalls } from './server/dashboard-calls.ts';
import { DashboardDoor, dashboardRoutes } from './server/dashboard-routes.ts';
import { healthRoutes } from './server/health-routes.ts';
import { answers, readLock, takeLock } from './server/lock.ts';
import { messagesRoutes } from './server/messages-routes.ts';
import { Counters } from './server/metrics.ts';
import { modelsRoutes } from './server/models-routes.ts';
import { openaiRoutes } from './server/openai-routes.ts';
import { portHolder } from './server/port-holder.ts';
import { LocalServer, RunningCalls } from './server/server.ts';
import type { GithubAddresses } from './settings/github-addresses.ts';
import { type Settings, SettingsStore } from './settings/settings.ts';
import { type StatusFacts, statusOf } from './status.ts';
import { UpstreamWatch } from './upstream-watch.ts';

export interface AppOptions {
  version: string;
  github: GithubAddresses;
  /** JUMPSEAT_GITHUB_TOKEN: used instead of the stored one, never stored. */
  githubToken?: string | null;
  /** JUMPSEAT_KEY: used instead of the stored one, never stored. No dot: a label follows one. */
  key?: string | null;
  /** JUMPSEAT_PORT; the settings' port counts where this is null. */
  port?: number | null;
  /** The environment of the process, for the checks of what Claude Code would find there. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The folder a person works in, whose own settings for Claude Code would win. */
  project?: string | null;
  /** Folder of the built dashboard. */
  dashboard?: string | null;
  /** Checks that only this front can make. */
  frontChecks?: readonly FrontCheck[];
  /** A second process beside the one that owns the folder: looks at the history and changes nothing in it. */
  readOnly?: boolean;
  /** Where a front has opened them before. */
  settings?: { store: SettingsStore; warnings: Problem[] };
}

export const defaultPort = 4180;
const defaultGraceMs = 10_000;
const quotaEveryMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** Windows may ask at the same time. */
const mostPlans = 8;
/** For so long a name that was asked for is shown among the models. */
const askedNamesMs = 30 * dayMs;

/** A proxy that listens, with what has to be let go when it stops. */
interface Serving {
  server: LocalServer;
  port: number;
  baseUrl: string;
  door: DashboardDoor;
  release: () => void;
}

/** The one place where the parts are put together. Nothing is asked of the network before a front or a client asks. */
export function createApp(ports: Ports, options: AppOptions): App {
  return new JumpseatApp(ports, options);
}

class JumpseatApp implements App {
  readonly #ports: Ports;
  readonly #options: AppOptions;
  readonly #settings: SettingsStore;
  readonly #history: ReturnType<typeof openHistory>['history'];
  readonly #lessons: ReturnType<typeof openHistory>['lessons'];
  readonly #account: Account;
  readonly #client: CopilotClient;
  readonly #catalog: Catalog;
  readonly #exchanger: Exchanger;
  readonly #upstream: UpstreamWatch;
  readonly #running = new RunningCalls();
  readonly #counters = new Counters();
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #warnings: Problem[];
  readonly #stopListening: (() => void)[];
  #serving: Serving | null = null;
  #starting: Promise<{ baseUrl: string; dashboardUrl: string }> | null = null;
  #stopping: Promise<void> | null = null;
  #signingIn: AbortController | null = null;
  /** Counts stops: a start that was waiting for its port must not go on after one. */
  #stops = 0;
  #proxy: ProxyState = { kind: 'off' };
  #secretsProblem: Problem | null = null;
  #key: Promise<string> | null = null;
  /** The settings' store as it was last seen here; another one is another process's choice. */
  #storage: Settings['secretsStorage'];
  #lastSuccessAt: number | null = null;
  #lastFailure: { at: number; text: string } | null = null;
  #stateDue = false;
  #accountHint: number | null;
  #prunedAt = 0;
  #userAskedAt = 0;
  /** The last plans that were shown, for the one who agrees to one of them. */
  readonly #setUps = new Map<string, SetupPlan>();

  constructor(ports: Ports, options: AppOptions) {
    this.#ports = ports;
    this.#options = options;
    const { clock, log, paths, secrets, dialer } = ports;
    const opened = options.settings ?? SettingsStore.open(paths.settings, log);
    this.#settings = opened.store;
    const { history, ledger, lessons, warnings } = openHistory(paths.history, {
      clock,
      log,
      readOnly: options.readOnly ?? false,
    });
    this.#history = history;
    this.#lessons = lessons;
    this.#warnings = [...opened.warnings, ...warnings];
    const settings = this.#settings.current();
    const identity = identityOf(settings.identity);
    this.#account = new Account({
      dialer,
      clock,
      secrets,
      log,
      github: options.github,
      githubToken: options.githubToken ?? null,
      identity,
    });
    this.#client = new CopilotClient({
      dialer,
      clock,
      log,
      account: this.#account,
      identity,
      ended: (path, failure) => this.#upstream.ended(path, failure),
    });
    this.#upstream = new UpstreamWatch({
      clock,
      usageWindows: () => this.#account.usageWindows(),
      tryAgain: () => this.#client.getModels(),
      changed: () => this.#stateChanged(),
    });
    this.#catalog = new Catalog({ client: this.#client, clock, log });
    this.#exchanger = new Exchanger({
      account: this.#account,
      client: this.#client,
      catalog: this.#catalog,
      history,
      ledger,
      lessons,
      settings: this.#settings,
      clock,
      log,
      changed: (exchange) => this.#exchangeChanged(exchange),
    });
    this.#accountHint = settings.account?.signedInAt ?? null;
    this.#stopListening = [
      this.#account.onChange(() => this.#stateChanged()),
      this.#settings.onChange(() => this.#settingsChanged()),
    ];
    this.#storage = settings.secretsStorage;
    void this.#account.load().then(async () => {
      if (this.#account.isStoreUnreadable()) await this.#noteSecrets();
      this.#stateChanged();
    });
  }

  state(): AppState {
    const facts = this.#facts();
    const { account, proxy, secrets, quota, warnings, running, creditsRefused, limit, offline } = facts;
    const problem = knownProblem(facts);
    return {
      version: this.#options.version,
      status: statusOf(facts),
      account,
      proxy,
      secrets,
      quota,
      usageWindows: this.#account.usageWindows(),
      health: {
        ready: problem === null,
        problem,
        lastSuccessAt: this.#lastSuccessAt,
        lastFailure: this.#lastFailure,
        running,
        creditsRefused,
        limit,
        offline,
      },
      warnings: [...warnings],
    };
  }

  #facts(): StatusFacts {
    const historyProblem = this.#history.problem();
    return {
      account: this.#account.state(),
      proxy: this.#proxy,
      secrets: { storage: this.#ports.secrets.storage, problem: this.#secretsProblem },
      quota: this.#account.quota(),
      warnings: historyProblem === null ? this.#warnings : [...this.#warnings, historyProblem],
      running: this.#running.count,
      creditsRefused: this.#upstream.creditsRefused,
      limit: this.#upstream.limit,
      offline: this.#upstream.offline,
      lowPercentLeft: 100 - this.#settings.current().quotaThresholds.warning,
      now: this.#ports.clock.now(),
    };
  }

  listen(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  startProxy(options: { port?: number } = {}): Promise<{ baseUrl: string; dashboardUrl: string }> {
    const { baseUrl, door } = this.#serving ?? {};
    if (baseUrl !== undefined && door !== undefined)
      return Promise.resolve({ baseUrl, dashboardUrl: door.link(baseUrl) });
    this.#starting ??= this.#startAfterStop(
      options.port ?? this.#options.port ?? this.#settings.current().port ?? defaultPort,
    ).finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async stopProxy(options: { graceMs?: number } = {}): Promise<void> {
    this.#stops += 1;
    const graceMs = options.graceMs ?? defaultGraceMs;
    if (this.#stopping !== null) return this.#hasten(this.#stopping, graceMs);
    // Without a start under way nothing may come between: a start of the same moment has to wait for this stop.
    if (this.#starting !== null) await this.#starting.catch(() => undefined);
    const serving = this.#serving;
    if (serving === null) {
      // What failed to start is off when it is switched off.
      if (this.#proxy.kind === 'failed') this.#setProxy({ kind: 'off' });
      return this.#stopping ?? undefined;
    }
    this.#serving = null;
    this.#setProxy({ kind: 'stopping', port: serving.port });
    this.#stopping = this.#stop(serving, graceMs).finally(() => {
      this.#stopping = null;
    });
    return this.#stopping;
  }

  async switchProxy(on: boolean, options: { graceMs?: number } = {}): Promise<void> {
    await this.#keep({ proxyOnAtStart: on });
    if (on) await this.startProxy();
    else await this.stopProxy(options);
  }

  async moveToFreePort(): Promise<void> {
    await this.startProxy({ port: 0 });
    const proxy = this.#proxy;
    if (proxy.kind === 'on') await this.#keep({ port: proxy.port, proxyOnAtStart: true });
  }

  localKey(): Promise<string> {
    this.#key ??= this.#readKey();
    return this.#key;
  }

  async signIn(shown: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult> {
    const mine = new AbortController();
    this.#signingIn = mine;
    // Nobody should go through a sign-in whose token then cannot be kept.
    const wasUnreadable = this.#account.isStoreUnreadable();
    const problem = this.#options.githubToken ? null : await this.trySecrets();
    if (problem !== null) {
      if (this.#signingIn === mine) this.#signingIn = null;
      return { kind: 'no-storage', text: problem.text, mend: problem.mend };
    }
    // What was unlocked held a sign-in: nobody needs another one.
    const { account } = this.state();
    if (wasUnreadable && account.kind === 'signed-in') {
      await this.refresh();
      return { kind: 'signed-in', login: this.#login() };
    }
    const result = await this.#account.signIn(shown, signal ? AbortSignal.any([signal, mine.signal]) : mine.signal);
    if (this.#signingIn === mine) this.#signingIn = null;
    if (result.kind === 'signed-in') {
      this.#catalog.forget();
      this.#upstream.forget();
      this.#client.forget();
      await this.#hint({ login: result.login, signedInAt: this.#ports.clock.now() });
    }
    return result;
  }

  #login(): string | null {
    const account = this.#account.state();
    return account.kind === 'signed-in' ? account.login : null;
  }

  cancelSignIn(): void {
    this.#signingIn?.abort();
  }

  async signOut(): Promise<void> {
    try {
      await this.#account.signOut();
    } finally {
      this.#catalog.forget();
      this.#upstream.forget();
      this.#client.forget();
      await this.#hint(null);
    }
  }

  async trySecrets(): Promise<Problem | null> {
    await this.#noteSecrets();
    if (this.#secretsProblem !== null) return this.#secretsProblem;
    if (this.#account.isStoreUnreadable()) await this.#account.load();
    await this.#takeUpKey();
    return this.#secretsProblem;
  }

  async refresh(): Promise<void> {
    if (this.#secretsProblem !== null) await this.trySecrets();
    await this.#account.load();
    await Promise.all([
      this.#account.token().catch(() => undefined),
      this.#account.readUser(),
      this.#upstream.tryNow().catch(() => undefined),
    ]);
    await this.#catalog.models({ refresh: true }).catch(() => undefined);
  }

  async models(options: { refresh?: boolean } = {}): Promise<ModelsReport> {
    const models = await this.#catalog.models(options);
    return modelsReport(
      models,
      claudeCodeNames(models, this.#settings.current().modelOverrides, this.#askedNames()),
      this.#catalog.readAt() ?? this.#ports.clock.now(),
    );
  }

  exchanges(options: { limit: number; before?: string }): Promise<Exchange[]> {
    return Promise.resolve(this.#exchanges(options));
  }

  rows(options: { limit: number; before: string }): Promise<ExchangeRow[]> {
    return Promise.resolve(this.#history.list(options));
  }

  exchange(id: string): Promise<Exchange | null> {
    return Promise.resolve(this.#exchanger.running().find((exchange) => exchange.id === id) ?? this.#history.find(id));
  }

  async totals(by: TotalsKey, since: number): Promise<TotalsRow[]> {
    return this.#history.totals(by, since);
  }

  async cacheSavings(since: number): Promise<CacheSavings> {
    return this.#history.cacheSavings(since);
  }

  async conversations(which: { since: number; limit: number; offset: number }): Promise<Conversation[]> {
    return this.#history.conversations(which);
  }

  async conversation(which: { since: number; client: string; session: string | null }): Promise<ConversationPrompt[]> {
    return this.#history.conversation(which);
  }

  async setOverride(name: string, model: string | null): Promise<{ linesChanged: boolean }> {
    // Taking one away has to work without a catalog, too.
    const models = model === null ? (this.#catalog.known() ?? []) : await this.#catalog.models();
    const before = this.#settings.current().modelOverrides;
    const after = withOverride(before, name, model, models);
    await this.#settings.update({ modelOverrides: after });
    const lines = (overrides: Record<string, string>) => JSON.stringify(environmentModels(models, overrides));
    return { linesChanged: lines(before) !== lines(after) };
  }

  checks(): Promise<Check[]> {
    return checkEverything(this.#checkParts());
  }

  check(id: string): Promise<Check | null> {
    return checkOne(this.#checkParts(), id);
  }

  preferences(): Preferences {
    return preferencesOf(this.#settings.current(), {
      port: this.#port(),
      portFixed: this.#isPortFixed(),
      env: this.#options.environment ?? {},
      platform: process.platform,
      storageIsFree: this.#ports.secrets.moveTo !== undefined,
    });
  }

  async changePreferences(change: PreferencesChange, { restart } = { restart: false }): Promise<void> {
    const before = this.#serving?.port ?? null;
    await this.#settings.update(settingsOf(change, this.#ports.clock.now()));
    if (change.historyDays !== undefined) this.#prune();
    const { port } = change;
    if (port === undefined || !restart || before === null || before === port || this.#isPortFixed()) return;
    await this.stopProxy({ graceMs: 0 });
    await this.startProxy();
  }

  async planSetUp(action: SetUpPlan['action']): Promise<SetUpPlan> {
    const { plan, notes } =
      action === 'undo'
        ? { plan: await planUndo(this.#setUpPlace()), notes: [] }
        : await draftSetup({
            variables: await this.envVariables('claude-code'),
            place: this.#setUpPlace(),
            env: this.#options.environment ?? {},
            keyIsKept: this.#isKeyKept(),
          });
    const id = randomBytes(12).toString('base64url');
    this.#setUps.set(id, plan);
    for (const oldest of [...this.#setUps.keys()].slice(0, -mostPlans)) this.#setUps.delete(oldest);
    const { shown, changes, changesFile, keepsBackup, removesFile, lost } = plan;
    return { id, action, shown, changes, changesFile, keepsBackup, removesFile, lost, notes };
  }

  async applySetUp(id: string): Promise<{ backup: string | null }> {
    const plan = this.#setUps.get(id);
    if (plan === undefined) {
      throw new SetupError(
        'changed',
        'Other changes were shown meanwhile. Nothing was written.',
        'Look at them again.',
      );
    }
    // After this one none of the others is true any more.
    this.#setUps.clear();
    if (plan.action === 'setup') return applySetup(this.#setUpPlace(), plan);
    await applyUndo(this.#setUpPlace(), plan);
    return { backup: null };
  }

  async replaceKey(): Promise<void> {
    if (this.#options.key) {
      throw new FixedFromOutsideError('The local key comes from JUMPSEAT_KEY.', 'Give JUMPSEAT_KEY another value.');
    }
    const made = newKey();
    await this.#ports.secrets.set('local-key', made);
    this.#key = Promise.resolve(made);
    const serving = this.#serving;
    if (serving === null) return;
    await this.stopProxy({ graceMs: 0 });
    await this.startProxy({ port: serving.port });
  }

  async deleteHistory(): Promise<number> {
    return this.#history.prune(this.#ports.clock.now() + dayMs);
  }

  async moveSecrets(to: SecretsStorage): Promise<void> {
    const { secrets } = this.#ports;
    if (secrets.moveTo === undefined) {
      throw new FixedFromOutsideError(
        'Where secrets are kept was chosen by JUMPSEAT_SECRETS.',
        'Unset it, and start Jumpseat again.',
      );
    }
    const { moveTo } = secrets;
    const held = this.#options.key ? {} : { 'local-key': await this.localKey() };
    const before = this.#settings.current().secretsStorage;
    // Consent to a file does not outlive the choice: kept until the end of the process means that nothing is found at the next start.
    const after = to === 'file' ? 'file' : 'keychain';
    this.#storage = after;
    try {
      await this.#account.moveStore((token) =>
        moveTo(to, token === null ? held : { ...held, 'github-token': token }, () =>
          this.#settings.update({ secretsStorage: after }),
        ),
      );
    } catch (error) {
      this.#storage = before;
      throw error;
    }
    this.#secretsProblem = null;
    this.#stateChanged();
  }

  /** What the store says of itself becomes the state. */
  async #noteSecrets(): Promise<void> {
    const status = await this.#ports.secrets.status();
    this.#secretsProblem =
      status.kind === 'available' ? null : { code: `secrets-${status.kind}`, text: status.reason, mend: status.mend };
    this.#stateChanged();
  }

  /**
   * The store can be used again, or is another one: clients that were set up with the key in it get in again, and a key that could not be
   * kept is kept now.
   */
  async #takeUpKey(): Promise<void> {
    if (this.#options.key || this.#key === null) return;
    const inUse = await this.#key;
    const { secrets } = this.#ports;
    try {
      const stored = await secrets.get('local-key');
      if (stored === inUse) return;
      if (stored === null || stored === '') return await secrets.set('local-key', inUse);
      this.#key = Promise.resolve(stored);
    } catch {
      return this.#noteSecrets();
    }
    const serving = this.#serving;
    if (serving === null) return;
    await this.stopProxy();
    await this.startProxy({ port: serving.port });
  }

  /** Another process, the terminal's sign-in for one, has moved everything. */
  async #followStorage(storage: Settings['secretsStorage']): Promise<void> {
    await this.#ports.secrets.follow?.(storage);
    await this.trySecrets();
    await this.#account.load();
    this.#stateChanged();
  }

  async lines(shell: Shell): Promise<string> {
    const variables = Object.entries(await this.envVariables('claude-code'));
    return renderEnvironment(
      variables.map(([name, value]) => ({ name, value })),
      shell,
    );
  }

  #setUpPlace(): SetupPlace {
    return { settings: claudeSettingsPath(this.#options.environment ?? {}), paths: this.#ports.paths };
  }

  /** Whether a key that is written into a file works tomorrow. */
  #isKeyKept(): boolean {
    return Boolean(this.#options.key) || (this.#ports.secrets.storage !== 'memory' && this.#secretsProblem === null);
  }

  #isPortFixed(): boolean {
    return (this.#options.port ?? null) !== null;
  }

  #checkParts(): CheckParts {
    return {
      ports: this.#ports,
      github: this.#options.github,
      account: this.#account,
      catalog: this.#catalog,
      history: this.#history,
      lessons: this.#lessons,
      state: () => this.state(),
      port: this.#servedPort(),
      claudeCode: () => this.#claudeCodeSurroundings(),
      front: this.#options.frontChecks ?? [],
    };
  }

  async #claudeCodeSurroundings(): Promise<ClaudeCodeSurroundings> {
    const { github, environment = {}, project = null } = this.#options;
    return {
      place: this.#setUpPlace(),
      env: environment,
      project,
      variables: this.#catalog.known() === null ? null : await this.envVariables('claude-code'),
      port: this.#servedPort(),
      upstreams: [github.web.href, github.api.href],
    };
  }

  async envVariables(client: string): Promise<Record<string, string>> {
    const known = await this.#catalog.models().catch((): CatalogModel[] => []);
    const entries = claudeCodeEnvironment({
      baseUrl: this.#serving?.baseUrl ?? `http://127.0.0.1:${this.#servedPort()}`,
      key: await this.localKey(),
      label: client,
      models: environmentModels(known, this.#settings.current().modelOverrides),
    });
    return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
  }

  async close(): Promise<void> {
    this.cancelSignIn();
    await this.stopProxy({ graceMs: 0 });
    this.#upstream.close();
    for (const stop of this.#stopListening) stop();
    this.#listeners.clear();
    this.#history.close();
    this.#settings.close();
    this.#ports.dialer.close();
  }

  async #startAfterStop(port: number): Promise<{ baseUrl: string; dashboardUrl: string }> {
    const stops = this.#stops;
    this.#setProxy({ kind: 'starting', port });
    try {
      await this.#stopping;
      return await this.#start(port, stops);
    } catch (error) {
      if (error instanceof StartError && error.code !== 'stopped') {
        this.#setProxy({ kind: 'failed', port, code: error.code, reason: error.message, mend: error.mend });
      } else this.#setProxy({ kind: 'off' });
      throw error;
    }
  }

  async #stop(serving: Serving, graceMs: number): Promise<void> {
    await serving.server.stop(graceMs);
    serving.release();
    this.#history.flush();
    // A start that waits for this stop has said so already.
    if (this.#proxy.kind === 'stopping') this.#setProxy({ kind: 'off' });
  }

  /** The proxy is stopping already and waits for running answers: no longer than `graceMs` from now. */
  async #hasten(stopping: Promise<void>, graceMs: number): Promise<void> {
    await Promise.race([stopping, this.#running.settled(graceMs)]);
    if (this.#stopping === stopping) this.#running.abort(new ServerStopping());
    await stopping;
  }

  #setProxy(proxy: ProxyState): void {
    this.#proxy = proxy;
    this.#stateChanged();
  }

  /** A wish that can't be kept holds until the process ends. */
  async #keep(wish: Partial<Settings>): Promise<void> {
    try {
      await this.#settings.update(wish);
    } catch (error) {
      this.#ports.log.write('warn', 'settings.wish-not-kept', {
        wish: Object.keys(wish),
        reason: error instanceof Error ? error.message : 'unknown',
      });
    }
  }

  async #start(port: number, stops: number): Promise<{ baseUrl: string; dashboardUrl: string }> {
    const key = await this.localKey();
    const door = new DashboardDoor();
    const server = new LocalServer({
      key,
      version: this.#options.version,
      clock: this.#ports.clock,
      log: this.#ports.log,
      running: this.#running,
      routes: [
        messagesRoutes(this.#exchanger, this.#running),
        modelsRoutes({
          catalog: this.#catalog,
          overrides: () => this.#settings.current().modelOverrides,
          recoverContext: () => this.#exchanger.recoverContext(),
        }),
        openaiRoutes(this.#exchanger.openai, this.#running),
        healthRoutes({
          version: this.#options.version,
          copilot: () => (this.state().health.ready && !this.#copilotFails() ? 'ok' : 'unavailable'),
          notReady: () => this.#problemNow(),
          metrics: () => this.#counters.text(this.state()),
        }),
        dashboardRoutes({
          door,
          folder: this.#options.dashboard ?? null,
          state: () => this.state(),
          preferences: () => this.preferences(),
          exchanges: (which) => this.#exchanges(which),
          rows: (which) => this.#history.list(which),
          exchange: (id) => this.exchange(id),
          listen: (listener) => this.listen(listener),
          calls: dashboardCalls({
            models: (which) => this.models(which),
            totals: (by, since) => this.totals(by, since),
            cacheSavings: (since) => this.cacheSavings(since),
            conversations: (which) => this.conversations(which),
            conversation: (which) => this.conversation(which),
            setOverride: (name, model) => this.setOverride(name, model),
            checks: () => this.checks(),
            check: (id) => this.check(id),
            preferences: () => this.preferences(),
            changePreferences: async (change) => {
              await this.changePreferences(change);
              return this.preferences();
            },
            planSetUp: (action) => this.planSetUp(action),
            applySetUp: (id) => this.applySetUp(id),
            deleteHistory: () => this.deleteHistory(),
            moveSecrets: (to) => this.moveSecrets(to),
            lines: (shell) => this.lines(shell),
            signIn: () => this.signIn(() => undefined),
            cancelSignIn: () => this.cancelSignIn(),
            signOut: () => this.signOut(),
            refresh: () => this.refresh(),
          }),
        }),
      ],
    });

    let bound: number;
    try {
      bound = await server.listen(port);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      throw await this.#explainStart(port, code, error);
    }
    const lock = await takeLock(this.#ports.paths.lock, { pid: process.pid, port: bound }).catch(
      async (error: unknown) => {
        await server.stop(0);
        throw unusableHome(this.#ports.paths.home, error);
      },
    );
    if (!lock.ok) {
      await server.stop(0);
      throw alreadyRunning(lock.owner);
    }
    if (stops !== this.#stops) {
      await server.stop(0);
      lock.release();
      throw new StartError('stopped', 'The proxy was switched off while it was starting.', 'Turn it on again.');
    }
    const baseUrl = `http://127.0.0.1:${bound}`;
    this.#serving = { server, port: bound, baseUrl, door, release: lock.release };
    this.#prune();
    this.#setProxy({ kind: 'on', port: bound, baseUrl });
    // Warms what the first request needs; failures show themselves there.
    void this.#problemNow()
      .then(() => this.#account.readUser())
      .catch(() => undefined);
    return { baseUrl, dashboardUrl: door.link(baseUrl) };
  }

  async #explainStart(port: number, code: unknown, error: unknown): Promise<StartError> {
    if (code === 'EADDRINUSE') {
      const owner = readLock(this.#ports.paths.lock);
      if (owner !== null && owner.port === port && (await answers(port))) return alreadyRunning(owner);
      const holder = portHolder(port);
      const who = holder === null ? 'another program' : `${holder.name} (pid ${holder.pid})`;
      return new StartError(
        'port-taken',
        `Port ${port} is in use by ${who}.`,
        'Stop that program, or choose another port with --port or JUMPSEAT_PORT.',
      );
    }
    if (code === 'EACCES')
      return new StartError(
        'port-refused',
        `The system doesn’t allow port ${port}.`,
        'Choose a port from 1024 to 65535.',
      );
    const why = error instanceof Error ? error.message : String(error);
    return new StartError(
      'port-refused',
      `Port ${port} can’t be used: ${why}.`,
      'Choose another port with --port or JUMPSEAT_PORT.',
    );
  }

  #problemNow(): Promise<Problem | null> {
    return currentProblem({
      account: this.#account,
      catalog: this.#catalog,
      known: () => knownProblem(this.#facts()),
    });
  }

  /** The port that is served, or would be. */
  #port(): number {
    return this.#serving?.port ?? this.#options.port ?? this.#settings.current().port ?? defaultPort;
  }

  /** The port that clients find a proxy of this folder on, whoever runs it. */
  #servedPort(): number {
    return this.#serving?.port ?? readLock(this.#ports.paths.lock)?.port ?? this.#port();
  }

  /** The local key; made at first, and kept with the token. Where it can't be kept it lives until the process ends, and that is said. */
  async #readKey(): Promise<string> {
    if (this.#options.key) return this.#options.key;
    const { secrets } = this.#ports;
    const made = newKey();
    try {
      const stored = await secrets.get('local-key');
      if (stored !== null && stored !== '') return stored;
      await secrets.set('local-key', made);
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error;
      // Unless it changes its mind at once.
      this.#secretsProblem = { code: 'secrets-unavailable', text: error.message, mend: error.mend };
      await this.#noteSecrets();
    }
    return made;
  }

  /** Tells other processes of this folder, without a secret, that somebody signed in or out. */
  async #hint(account: { login: string | null; signedInAt: number } | null): Promise<void> {
    this.#accountHint = account?.signedInAt ?? null;
    try {
      await this.#settings.update({ account });
    } catch (error) {
      this.#ports.log.write('warn', 'account.hint-not-kept', {
        reason: error instanceof Error ? error.message : 'unknown',
      });
    }
  }

  #settingsChanged(): void {
    const { secretsStorage } = this.#settings.current();
    if (secretsStorage !== this.#storage) {
      this.#storage = secretsStorage;
      void this.#followStorage(secretsStorage).catch((error: unknown) => {
        this.#ports.log.write('warn', 'secrets.not-followed', {
          reason: error instanceof Error ? error.message : 'unknown',
        });
      });
    }
    const now = this.#settings.current().account?.signedInAt ?? null;
    if (now !== this.#accountHint) {
      const before = this.#accountHint;
      this.#accountHint = now;
      if (now === null && before !== null) void this.#account.signOut().catch(() => undefined);
      else void this.#account.load();
      this.#catalog.forget();
      this.#client.forget();
    }
    this.#stateChanged();
    const event: AppEvent = { event: 'preferences', preferences: this.preferences() };
    for (const listener of this.#listeners) listener(event);
  }

  /** Names are there to help; without a history to read there are none. */
  #askedNames(): string[] {
    try {
      return this.#history.askedNames(this.#ports.clock.now() - askedNamesMs);
    } catch {
      return [];
    }
  }

  #exchanges(options: { limit: number; before?: string }): Exchange[] {
    const kept = this.#history.recent(options);
    if (options.before !== undefined) return kept;
    return [...kept, ...this.#exchanger.running()].slice(-options.limit);
  }

  #exchangeChanged(exchange: Exchange): void {
    if (exchange.outcome !== 'running') this.#exchangeEnded(exchange);
    for (const listener of this.#listeners) listener({ event: 'exchange', exchange });
    this.#stateChanged();
  }

  #exchangeEnded(exchange: Exchange): void {
    const { clock } = this.#ports;
    this.#counters.add(exchange);
    if (exchange.outcome === 'done' && exchange.path !== null) this.#lastSuccessAt = clock.now();
    else if (
      exchange.failure !== null &&
      exchange.failure.source !== 'client' &&
      exchange.failure.source !== 'jumpseat'
    ) {
      this.#lastFailure = { at: clock.now(), text: exchange.failure.message };
    }
    // An account without a quota, or a GitHub that does not answer, is not asked with every exchange.
    const asOf = Math.max(this.#account.quota()?.asOf ?? 0, this.#userAskedAt);
    if (exchange.path !== null && clock.now() - asOf > quotaEveryMs) {
      this.#userAskedAt = clock.now();
      void this.#account.readUser();
    }
    if (clock.now() - this.#prunedAt > dayMs) this.#prune();
  }

  #copilotFails(): boolean {
    return this.#lastFailure !== null && this.#lastFailure.at > (this.#lastSuccessAt ?? 0);
  }

  #prune(): void {
    const { historyDays } = this.#settings.current();
    this.#prunedAt = this.#ports.clock.now();
    if (historyDays !== null && this.#options.readOnly !== true)
      this.#history.prune(this.#prunedAt - historyDays * dayMs);
  }

  /** Many changes of one turn are one event. */
  #stateChanged(): void {
    if (this.#stateDue || this.#listeners.size === 0) return;
    this.#stateDue = true;
    setImmediate(() => {
      this.#stateDue = false;
      if (this.#listeners.size === 0) return;
      const event: AppEvent = { event: 'state', state: this.state() };
      for (const listener of this.#listeners) listener(event);
    });
  }
}

const newKey = (): string => randomBytes(24).toString('base64url');

/** What a variable decides can't be changed here. */
class FixedFromOutsideError extends Error {
  override readonly name = 'FixedFromOutsideError';
  readonly mend: string;
  constructor(message: string, mend: string) {
    super(message);
    this.mend = mend;
  }
}

/** The client we say we are, with the versions a person has set. */
function identityOf({ editorVersion, pluginVersion }: Settings['identity']): Identity {
  const identity = { ...defaultIdentity };
  if (editorVersion !== undefined) identity.editorVersion = editorVersion;
  if (pluginVersion !== undefined) {
    identity.pluginVersion = pluginVersion;
    identity.userAgent = `GitHubCopilotChat/${pluginVersion.split('/').at(-1)}`;
  }
  return identity;
}

function alreadyRunning(owner: { pid: number; port: number }): StartError {
  return new StartError(
    'already-running',
    `Jumpseat is already running (pid ${owner.pid}) at http://127.0.0.1:${owner.port}.`,
    'Use that one, or stop it first. A second one beside it needs its own JUMPSEAT_HOME.',
  );
}

function unusableHome(home: string, error: unknown): StartError {
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new StartError(
    'home-unusable',
    `The folder ${home} can’t be written (${why}).`,
    'Make it writable for your user, or set JUMPSEAT_HOME to another folder.',
  );
}
