import { Account } from './account/account.ts';
import { defaultIdentity, type Identity } from './account/identity.ts';
import type { DeviceCode, SignInResult } from './api/account.ts';
import type { App } from './api/app.ts';
import type { AppEvent } from './api/events.ts';
import type { Exchange, ExchangeRow } from './api/exchange.ts';
import type { Check } from './api/health.ts';
import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from './api/history.ts';
import type { GoneModel, LearnedFact, ModelsReport } from './api/models.ts';
import type { Problem } from './api/problem.ts';
import type { BodyView, Recorded, RecordedBody } from './api/recording.ts';
import type { Preferences, PreferencesChange, SecretsStorage } from './api/settings.ts';
import type { KnownFile, LinesFor, SetupPlan, Shell } from './api/setup.ts';
import type { AppState } from './api/state.ts';
import type { ClaudeCodeSurroundings } from './claude-code/checks.ts';
import { claudeCodeEnvironment } from './claude-code/env.ts';
import { fileOf } from './claude-code/known-files.ts';
import { renderEnvironment } from './claude-code/render-env.ts';
import { claudeSettingsPath } from './claude-code/settings-file.ts';
import type { SetupPlace } from './claude-code/setup.ts';
import { Setups } from './claude-code/setups.ts';
import { Catalog } from './copilot/catalog.ts';
import { CopilotClient } from './copilot/client.ts';
import { type CatalogModel, isOffered } from './copilot/model.ts';
import { Exchanger } from './exchange/exchange.ts';
import { learnedFacts } from './exchange/lessons/lesson.ts';
import { goneModels } from './exchange/model/gone-models.ts';
import { withOverride } from './exchange/model/override.ts';
import { modelsReport } from './exchange/model/report.ts';
import { claudeCodeNames, environmentModels } from './exchange/model/resolve.ts';
import { type CheckDependencies, checkEverything, checkOne, type FrontCheck } from './health/checks.ts';
import { currentProblem, knownProblem } from './health/readiness.ts';
import { type StatusFacts, statusOf } from './health/status.ts';
import { UpstreamWatch } from './health/upstream-watch.ts';
import { openHistory } from './history/history.ts';
import { openaiLabels, openaiLines, withoutKey } from './openai-clients/lines.ts';
import type { Ports } from './ports.ts';
import { preferencesOf, settingsOf } from './preferences.ts';
import { Recorder } from './recording/recorder.ts';
import { type DashboardDoor, dashboardRoutes } from './server/dashboard-routes.ts';
import { healthRoutes } from './server/health-routes.ts';
import { type Listening, LocalProxy } from './server/local-proxy.ts';
import { readLock } from './server/lock.ts';
import { messagesRoutes } from './server/messages-routes.ts';
import { Counters } from './server/metrics.ts';
import { modelsRoutes } from './server/models-routes.ts';
import { openaiRoutes } from './server/openai-routes.ts';
import { type Routes, RunningCalls } from './server/server.ts';
import type { GithubAddresses } from './settings/github-addresses.ts';
import { type Settings, SettingsStore } from './settings/settings.ts';
import { chosenGithub, GithubChoice, type GivenGithub } from './sign-in/github-choice.ts';
import { KeptSecrets } from './sign-in/kept-secrets.ts';
import { SignIns } from './sign-in/sign-ins.ts';

export interface AppOptions {
  version: string;
  github: GithubAddresses;
  /**
   * The variable that decides which GitHub that is; null: the settings may say another one. Left out: what is given
   * holds.
   */
  githubFixedBy?: string | null;
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
  /** Where nobody says another one; 4180. */
  defaultPort?: number;
  /** Folder of the built dashboard. */
  dashboard?: string | null;
  /** Checks that only this front can make. */
  frontChecks?: readonly FrontCheck[];
  /** A second process beside the one that owns the folder: looks at the history and changes nothing in it. */
  readOnly?: boolean;
  /** Where a front has opened them before. */
  settings?: { store: SettingsStore; warnings: Problem[] };
  /** What a front found before, for people to read. */
  warnings?: readonly Problem[];
}

export const defaultPort = 4180;
const quotaEveryMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** For so long a name that was asked for is shown among the models. */
const askedNamesMs = 30 * dayMs;

/** The one place where the parts are put together. Nothing is asked of the network before a front or a client asks. */
export function createApp(ports: Ports, options: AppOptions): App {
  return new JumpseatApp(ports, options);
}

class JumpseatApp implements App {
  readonly #ports: Ports;
  readonly #options: AppOptions;
  readonly #settings: SettingsStore;
  readonly #history: ReturnType<typeof openHistory>['history'];
  readonly #sums: ReturnType<typeof openHistory>['sums'];
  readonly #lessons: ReturnType<typeof openHistory>['lessons'];
  /** Shared with all who speak to GitHub and Copilot: a changed setting holds from the next request on. */
  readonly #identity: Identity;
  readonly #account: Account;
  readonly #client: CopilotClient;
  readonly #catalog: Catalog;
  readonly #recorder: Recorder;
  readonly #exchanger: Exchanger;
  readonly #upstream: UpstreamWatch;
  readonly #proxy: LocalProxy;
  readonly #secrets: KeptSecrets;
  readonly #signIns: SignIns;
  readonly #github: GithubChoice;
  readonly #setups: Setups;
  readonly #running = new RunningCalls();
  readonly #counters = new Counters();
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #exchangeListeners = new Set<(exchange: Exchange) => void>();
  readonly #historyWarnings: readonly Problem[];
  readonly #stopListening: (() => void)[];
  #lastSuccessAt: number | null = null;
  #lastFailure: { at: number; text: string } | null = null;
  #stateDue = false;
  /** What listens took its port from the settings, and not from a variable, an option or a test. */
  #portIsSettings = false;
  /** Models in use that the last catalog does not have. */
  #gone: GoneModel[] = [];
  #goneDue = false;
  #prunedAt = 0;
  #userAskedAt = 0;

  constructor(ports: Ports, options: AppOptions) {
    this.#ports = ports;
    this.#options = options;
    const { clock, log, paths, secrets, dialer } = ports;
    const opened = options.settings ?? SettingsStore.open(paths.settings, log);
    this.#settings = opened.store;
    const { history, sums, ledger, lessons, warnings } = openHistory(paths.history, {
      clock,
      log,
      readOnly: options.readOnly ?? false,
    });
    this.#history = history;
    this.#sums = sums;
    this.#lessons = lessons;
    this.#historyWarnings = warnings;
    const settings = this.#settings.current();
    lessons.forgetBefore(settings.learnedSince ?? 0);
    const given: GivenGithub = { addresses: options.github, fixedBy: fixedBy(options) };
    const identity = identityOf(settings.identity);
    this.#identity = identity;
    this.#account = new Account({
      dialer,
      clock,
      secrets,
      log,
      redact: ports.redact,
      hideSecret: ports.hideSecret,
      github: chosenGithub(given, settings),
      githubToken: options.githubToken ?? null,
      identity,
    });
    this.#client = new CopilotClient({
      dialer,
      clock,
      log,
      account: this.#account,
      redact: ports.redact,
      ended: (path, failure) => this.#upstream.ended(path, failure),
    });
    this.#upstream = new UpstreamWatch({
      clock,
      usageWindows: () => this.#account.usageWindows(),
      tryAgain: () => this.#client.getModels(),
      changed: () => this.#stateChanged(),
    });
    this.#catalog = new Catalog({ client: this.#client, clock, log, changed: () => this.#lookForGone() });
    this.#recorder = new Recorder({
      clock,
      redact: ports.redact,
      limits: () => this.#settings.current().bodies,
      changed: () => this.#stateChanged(),
    });
    this.#exchanger = new Exchanger({
      account: this.#account,
      client: this.#client,
      catalog: this.#catalog,
      history,
      ledger,
      lessons,
      recorder: this.#recorder,
      settings: this.#settings,
      clock,
      log,
      redact: ports.redact,
      changed: (exchange) => this.#exchangeChanged(exchange),
      progressed: (running) => this.#tell({ event: 'progress', running }),
    });
    this.#secrets = new KeptSecrets({
      ports,
      settings: this.#settings,
      account: this.#account,
      keyFromOutside: options.key || null,
      changed: () => this.#stateChanged(),
      keyReplaced: (graceMs) => this.#proxy.restart(graceMs),
    });
    const accountChanged = (): void => {
      this.#catalog.forget();
      this.#upstream.forget();
      this.#client.forget();
    };
    this.#github = new GithubChoice({ given, settings: this.#settings, account: this.#account, accountChanged });
    this.#signIns = new SignIns({
      account: this.#account,
      secrets: this.#secrets,
      settings: this.#settings,
      clock,
      log,
      isTokenFromOutside: Boolean(options.githubToken),
      refresh: () => this.refresh(),
      accountChanged,
    });
    this.#setups = new Setups({
      place: () => this.#setupPlace(),
      env: options.environment ?? {},
      variables: () => this.envVariables('claude-code'),
      keyIsKept: () => this.#secrets.isKeyKept,
    });
    this.#proxy = new LocalProxy({
      version: options.version,
      clock,
      log,
      paths,
      running: this.#running,
      key: () => this.localKey(),
      calls: [...messagesRoutes(this.#exchanger, this.#running), ...openaiRoutes(this.#exchanger, this.#running)],
      routes: (door) => this.#routes(door),
      changed: () => this.#stateChanged(),
      started: () => {
        history.takeOver();
        ledger.takeOver();
        this.#proxyStarted();
      },
      stopped: () => this.#history.flush(),
    });
    this.#stopListening = [
      this.#account.onChange(() => this.#stateChanged()),
      this.#settings.onChange(() => this.#settingsChanged()),
    ];
    void this.#account.load().then(async () => {
      if (this.#account.isStoreUnreadable()) await this.#secrets.note();
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
        held: {
          prompts: this.#exchanger.running().filter((exchange) => exchange.held).length,
          above: this.#settings.current().limits.burstPerMinute,
        },
        creditsRefused,
        limit,
        offline,
      },
      goneModels: this.#gone,
      recording: this.#recorder.state(),
      warnings: [...warnings],
    };
  }

  #facts(): StatusFacts {
    const historyProblem = this.#history.problem();
    return {
      account: this.#account.state(),
      proxy: this.#proxy.state,
      secrets: { storage: this.#ports.secrets.storage, problem: this.#secrets.problem },
      memoryWanted: this.#secrets.isMemoryWanted,
      quota: this.#account.quota(),
      warnings: [
        ...(this.#options.warnings ?? []),
        ...this.#settingsWarnings(),
        ...this.#historyWarnings,
        ...(historyProblem === null ? [] : [historyProblem]),
      ],
      running: this.#running.count,
      creditsRefused: this.#upstream.creditsRefused,
      limit: this.#upstream.limit,
      offline: this.#upstream.offline,
      lowPercentLeft: 100 - this.#settings.current().quotaThresholds.warning,
      now: this.#ports.clock.now(),
    };
  }

  onExchange(listener: (exchange: Exchange) => void): () => void {
    this.#exchangeListeners.add(listener);
    return () => this.#exchangeListeners.delete(listener);
  }

  listen(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  startProxy(options: { port?: number } = {}): Promise<Listening> {
    if (this.#proxy.serving === null) this.#portIsSettings = options.port === undefined && !this.#isPortFixed();
    return this.#proxy.start(options.port ?? this.#options.port ?? this.#settings.current().port ?? this.#defaultPort);
  }

  stopProxy(options: { graceMs?: number } = {}): Promise<void> {
    return this.#proxy.stop(options.graceMs);
  }

  async setProxy(on: boolean, options: { graceMs?: number } = {}): Promise<void> {
    await this.#keep({ proxyOnAtStart: on });
    if (on) await this.startProxy();
    else await this.stopProxy(options);
  }

  async moveToFreePort(): Promise<void> {
    await this.startProxy({ port: 0 });
    const proxy = this.#proxy.state;
    if (proxy.kind !== 'on') return;
    this.#portIsSettings = true;
    await this.#keep({ port: proxy.port, proxyOnAtStart: true });
  }

  localKey(): Promise<string> {
    return this.#secrets.key();
  }

  signIn(shown: (code: DeviceCode) => void = () => {}, signal?: AbortSignal): Promise<SignInResult> {
    return this.#signIns.signIn(shown, signal);
  }

  cancelSignIn(): void {
    this.#signIns.cancel();
  }

  signOut(): Promise<void> {
    return this.#signIns.signOut();
  }

  trySecrets(): Promise<Problem | null> {
    return this.#secrets.try();
  }

  async refresh(): Promise<void> {
    if (this.#secrets.problem !== null) await this.trySecrets();
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
      claudeCodeNames(models, this.#settings.current().modelOverrides, await this.#askedNames()),
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

  recorded(id: string): Recorded {
    return this.#recorder.recorded(id);
  }

  recordedIds(): string[] {
    return this.#recorder.ids();
  }

  searchBodies(words: string): Promise<string[]> {
    return this.#recorder.search(words);
  }

  recordedBody(id: string, view: BodyView, options: { whole: boolean }): Promise<RecordedBody | null> {
    return this.#recorder.body(id, view, options);
  }

  record(on: boolean): void {
    this.#recorder.switch(on);
  }

  forgetBodies(): void {
    this.#recorder.forget();
  }

  totals(by: TotalsKey, since: number): Promise<TotalsRow[]> {
    return this.#sums.totals(by, since, this.#settings.current().timeZone);
  }

  cacheSavings(since: number): Promise<CacheSavings> {
    return this.#sums.cacheSavings(since);
  }

  conversations(which: { since: number; limit: number; offset: number }): Promise<Conversation[]> {
    return this.#sums.conversations(which);
  }

  conversation(which: { since: number; client: string; session: string | null }): Promise<ConversationPrompt[]> {
    return this.#sums.conversation(which);
  }

  async setOverride(name: string, model: string | null): Promise<{ linesChanged: boolean }> {
    // Taking one away has to work without a catalog, too.
    const models = model === null ? (this.#catalog.known() ?? []) : await this.#catalog.models();
    const before = this.#settings.current().modelOverrides;
    const after = withOverride(before, name, model, models);
    await this.#settings.update({ modelOverrides: after });
    this.#lookForGone();
    const lines = (overrides: Record<string, string>) => JSON.stringify(environmentModels(models, overrides));
    return { linesChanged: lines(before) !== lines(after) };
  }

  letThrough(id: string | null): Promise<number> {
    return Promise.resolve(this.#exchanger.letThrough(id ?? undefined));
  }

  learned(): Promise<LearnedFact[]> {
    return Promise.resolve(learnedFacts(this.#lessons));
  }

  async forgetLessons(id: string | null): Promise<number> {
    if (id !== null) return this.#lessons.forget(id);
    const held = this.#lessons.forget();
    // Whoever else runs in this folder reads it there.
    await this.#settings.update({ learnedSince: this.#ports.clock.now() });
    return held;
  }

  checks(): Promise<Check[]> {
    return checkEverything(this.#checkDependencies());
  }

  check(id: string): Promise<Check | null> {
    return checkOne(this.#checkDependencies(), id);
  }

  preferences(): Preferences {
    return preferencesOf(this.#settings.current(), {
      port: this.#port(),
      portFixed: this.#isPortFixed(),
      githubHost: this.#github.addresses.web.host,
      githubFixedBy: fixedBy(this.#options),
      env: this.#options.environment ?? {},
      platform: process.platform,
      storageIsFree: this.#secrets.canMove,
    });
  }

  async changePreferences(change: PreferencesChange, { restart } = { restart: false }): Promise<Preferences> {
    const before = this.#proxy.serving?.port ?? null;
    if (change.githubHost !== undefined) this.#github.requireFree();
    const { href } = this.#github.addresses.web;
    await this.#settings.update((before) => settingsOf(change, before, this.#ports.clock.now()));
    await this.#github.follow();
    if (this.#github.addresses.web.href !== href) await this.#forgetOldGithub();
    if (change.historyDays !== undefined) this.#prune();
    if (change.bodies !== undefined) this.#recorder.limitsChanged();
    const { port } = change;
    if (restart && port !== undefined && before !== null && before !== port && !this.#isPortFixed()) {
      await this.stopProxy({ graceMs: 0 });
      await this.startProxy();
    }
    return this.preferences();
  }

  /** What the host before gave goes with it; a store that does not let go of it shows it to no other host. */
  async #forgetOldGithub(): Promise<void> {
    if (this.#account.state().kind !== 'signed-out') return;
    await this.#signIns.signOut().catch((error: unknown) => {
      this.#ports.log.write('warn', 'github.token-not-deleted', {
        reason: error instanceof Error ? error.message : 'unknown',
      });
    });
  }

  planSetup(action: SetupPlan['action']): Promise<SetupPlan> {
    return this.#setups.plan(action);
  }

  applySetup(id: string): Promise<{ backup: string | null }> {
    return this.#setups.apply(id);
  }

  replaceKey(): Promise<void> {
    return this.#secrets.replaceKey();
  }

  async deleteHistory(): Promise<number> {
    this.#recorder.forget();
    const count = this.#history.prune(this.#ports.clock.now() + dayMs);
    this.#tell({ event: 'history-deleted' });
    return count;
  }

  moveSecrets(to: SecretsStorage): Promise<void> {
    return this.#secrets.move(to);
  }

  async lines(shell: Shell, what: LinesFor, client?: string): Promise<string> {
    if (what === 'claude-code') {
      const variables = Object.entries(await this.envVariables(client ?? 'claude-code'));
      return renderEnvironment(
        variables.map(([name, value]) => ({ name, value })),
        shell,
      );
    }
    const known = await this.#catalog.models().catch((): CatalogModel[] => []);
    return openaiLines(what, {
      door: { baseUrl: this.#baseUrl(), key: await this.localKey(), label: client ?? openaiLabels[what] },
      models: known.filter(isOffered),
      shell,
    });
  }

  async shownLines(shell: Shell, what: LinesFor): Promise<string> {
    return withoutKey(await this.lines(shell, what), await this.localKey());
  }

  #setupPlace(): SetupPlace {
    return { settings: claudeSettingsPath(this.#options.environment ?? {}), paths: this.#ports.paths };
  }

  get #defaultPort(): number {
    return this.#options.defaultPort ?? defaultPort;
  }

  #isPortFixed(): boolean {
    return (this.#options.port ?? null) !== null;
  }

  #checkDependencies(): CheckDependencies {
    return {
      ports: this.#ports,
      github: this.#github.addresses,
      account: this.#account,
      catalog: this.#catalog,
      history: this.#history,
      lessons: this.#lessons,
      state: () => this.state(),
      settingsWarnings: () => this.#settingsWarnings(),
      isMemoryWanted: () => this.#secrets.isMemoryWanted,
      port: this.#servedPort(),
      claudeCode: () => this.#claudeCodeSurroundings(),
      front: this.#options.frontChecks ?? [],
    };
  }

  async #claudeCodeSurroundings(): Promise<ClaudeCodeSurroundings> {
    const { environment = {}, project = null } = this.#options;
    const github = this.#github.addresses;
    return {
      place: this.#setupPlace(),
      env: environment,
      project,
      variables: this.#catalog.known() === null ? null : await this.envVariables('claude-code'),
      port: this.#servedPort(),
      upstreams: [github.web.href, github.api.href],
    };
  }

  async fileOf(which: KnownFile): Promise<string | null> {
    const { environment = {}, project = null } = this.#options;
    const variables = this.#catalog.known() === null ? {} : await this.envVariables('claude-code');
    return fileOf(which, { paths: this.#ports.paths, env: environment, project, variables });
  }

  async envVariables(client: string): Promise<Record<string, string>> {
    const known = await this.#catalog.models().catch((): CatalogModel[] => []);
    const entries = claudeCodeEnvironment({
      baseUrl: this.#baseUrl(),
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
    this.#recorder.close();
    for (const stop of this.#stopListening) stop();
    this.#listeners.clear();
    this.#exchangeListeners.clear();
    await this.#sums.close();
    this.#history.close();
    this.#settings.close();
    this.#ports.dialer.close();
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

  #routes(door: DashboardDoor): Routes[] {
    return [
      modelsRoutes({
        catalog: this.#catalog,
        overrides: () => this.#settings.current().modelOverrides,
        recoverContext: () => this.#exchanger.recoverContext(),
      }),
      healthRoutes({
        version: this.#options.version,
        copilot: () => (this.state().health.ready && !this.#copilotFails() ? 'ok' : 'unavailable'),
        notReady: () => this.#problemNow(),
        metrics: () => this.#counters.text(this.state()),
      }),
      dashboardRoutes({
        door,
        folder: this.#options.dashboard ?? null,
        app: this,
        redact: this.#ports.redact,
      }),
    ];
  }

  #proxyStarted(): void {
    this.#prune();
    void this.#setups.sweep();
    // Warms what the first request needs; failures show themselves there.
    void this.#problemNow()
      .then(() => this.#account.readUser())
      .catch(() => undefined);
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
    return this.#proxy.serving?.port ?? this.#options.port ?? this.#settings.current().port ?? this.#defaultPort;
  }

  /** Where clients find the proxy, or would. */
  #baseUrl(): string {
    return this.#proxy.serving?.baseUrl ?? `http://127.0.0.1:${this.#servedPort()}`;
  }

  /** The port that clients find a proxy of this folder on, whoever runs it. */
  #servedPort(): number {
    return this.#proxy.serving?.port ?? readLock(this.#ports.paths.lock)?.port ?? this.#port();
  }

  /** With what holds only after a start: nobody's connection is cut because a file was saved. */
  #settingsWarnings(): Problem[] {
    const warnings = [...this.#settings.warnings()];
    const { serving } = this.#proxy;
    const port = this.#settings.current().port ?? this.#defaultPort;
    if (serving === null || !this.#portIsSettings || serving.port === port) return warnings;
    return [
      ...warnings,
      {
        code: 'settings-wait',
        text:
          `settings.json says port ${port}. The proxy stays on ${serving.port} until it starts again, and ` +
          'Claude Code with it.',
        mend:
          'Turn the proxy off and on in the window, or stop "jumpseat serve" and start it again; then set ' +
          'Claude Code up anew.',
      },
    ];
  }

  #settingsChanged(): void {
    Object.assign(this.#identity, identityOf(this.#settings.current().identity));
    void this.#github.follow();
    this.#secrets.follow();
    this.#signIns.follow();
    this.#lessons.forgetBefore(this.#settings.current().learnedSince ?? 0);
    this.#stateChanged();
    const event: AppEvent = { event: 'preferences', preferences: this.preferences() };
    this.#tell(event);
  }

  /** After what is going on: a request may be waiting for the catalog. */
  #lookForGone(): void {
    if (this.#goneDue) return;
    this.#goneDue = true;
    setImmediate(() => {
      this.#goneDue = false;
      const models = this.#catalog.known();
      const overrides = this.#settings.current().modelOverrides;
      this.#gone = models === null ? [] : goneModels(models, overrides, this.#usedModels());
      this.#stateChanged();
    });
  }

  #usedModels(): { model: string; asked: string }[] {
    try {
      return this.#history.usedModels(this.#ports.clock.now() - askedNamesMs);
    } catch {
      return [];
    }
  }

  /** Names are there to help; without a history to read there are none. */
  #askedNames(): Promise<string[]> {
    return this.#sums.askedNames(this.#ports.clock.now() - askedNamesMs).catch(() => []);
  }

  #exchanges(options: { limit: number; before?: string }): Exchange[] {
    const kept = this.#history.recent(options);
    if (options.before !== undefined) return kept;
    return [...kept, ...this.#exchanger.running()].slice(-options.limit);
  }

  #exchangeChanged(exchange: Exchange): void {
    if (exchange.outcome !== 'running') this.#exchangeEnded(exchange);
    for (const listener of this.#exchangeListeners) listener(exchange);
    if (this.#listeners.size === 0) return;
    this.#tell({ event: 'exchange', exchange });
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
      void this.#sums.prune(this.#prunedAt - historyDays * dayMs);
  }

  #tell(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Many changes of one turn are one event. */
  #stateChanged(): void {
    if (this.#stateDue || this.#listeners.size === 0) return;
    this.#stateDue = true;
    setImmediate(() => {
      this.#stateDue = false;
      if (this.#listeners.size === 0) return;
      const event: AppEvent = { event: 'state', state: this.state() };
      this.#tell(event);
    });
  }
}

/** Without `githubFixedBy` the given address is fixed as if by a variable: the settings cannot change it. */
function fixedBy({ githubFixedBy = 'JUMPSEAT_GITHUB_URL' }: AppOptions): string | null {
  return githubFixedBy;
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
