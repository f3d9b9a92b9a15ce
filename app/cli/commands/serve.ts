import { signInStep } from '../../account/account-error.ts';
import { compileSoon, growYoungSpace } from '../../adapters/v8.ts';
import type { App } from '../../api/app.ts';
import type { Session } from '../../api/sessions.ts';
import { type AppState, type Place, type ProxyState, StartError } from '../../api/state.ts';
import { shellOf } from '../../claude-code/env-snippet.ts';
import type { Environment } from '../../environment.ts';
import { frontSentence, inFrontLanguage } from '../../language/front-language.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { tooFewFiles } from '../../server/open-files.ts';
import { type RunningProxy, runningProxy } from '../../server/running-proxy.ts';
import { planName } from '../../words/account.ts';
import { addressConsent, placesOf, placeWords } from '../../words/reach.ts';
import { isAtWork } from '../../words/sessions.ts';
import { exchangePrinter } from '../exchange-line.ts';
import { CommandFailure, problemWords, storageRemedy, wrongUsage } from '../failure.ts';
import { aborted, takeInterrupts } from '../interrupts.ts';
import { openDashboard } from '../open-dashboard.ts';
import { readPort } from '../options.ts';
import { type Opened, type OpenOptions, type Surroundings, withApp } from '../surroundings.ts';
import { hung, labelled } from '../table.ts';
import { saysYes } from '../terminal.ts';
import { oneLine, renderLines } from './env.ts';

interface ServeOptions {
  port?: string;
  socket?: boolean;
  address?: string;
  agree?: boolean;
  open?: boolean;
  json?: boolean;
}

/** `jumpseat serve`: until Ctrl-C. */
export async function serve(surroundings: Surroundings, options: ServeOptions): Promise<number> {
  const { socket = false, address, agree = false, ...others } = options;
  const port = others.port === undefined ? null : readPort(others.port, '--port');
  if (agree && address === undefined) throw wrongUsage(t('--agree means nothing without --address.'));
  if (socket || address !== undefined) {
    const running = await choosePlaces(surroundings, { socket, address, agree });
    if (running !== null) {
      const { words, notes } = inFrontLanguage(() => ({
        words: t('The Jumpseat that is running (pid {pid}) does so now. "jumpseat status" says where it answers.', {
          pid: String(running.pid),
        }),
        notes: unusedOptions({ port, open: others.open === true }, running),
      }));
      if (others.json) surroundings.terminal.err(words);
      else surroundings.terminal.out(words);
      for (const note of notes) surroundings.terminal.err(note);
      return 0;
    }
  }
  return serveWith(surroundings, { ...others, port }, {}, () => []);
}

/** What of the command means nothing to the Jumpseat that runs. */
function unusedOptions({ port, open }: { port: number | null; open: boolean }, running: RunningProxy): string[] {
  return [
    ...(port === null || port === running.port
      ? []
      : [
          t(
            '--port {port} isn’t used: the Jumpseat that is running stays on port {own}. Stop it first, or change its port in Settings → Proxy.',
            { port: String(port), own: String(running.port) },
          ),
        ]),
    ...(open ? [t('--open isn’t used. "jumpseat dashboard" prints a link to its dashboard.')] : []),
  ];
}

/**
 * Where the proxy answers besides 127.0.0.1, from now on: an address only after the person agreed. Returns the Jumpseat
 * that runs, which follows the settings; null if none does.
 */
async function choosePlaces(
  surroundings: Surroundings,
  { socket, address, agree }: { socket: boolean; address: string | undefined; agree: boolean },
): Promise<RunningProxy | null> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async ({ app, ports }) => {
    const running = await runningProxy(ports.paths.lock);
    if (socket) await app.changePreferences({ proxy: { socket: true } });
    if (address === undefined) return running;
    if (address === 'none') {
      await app.changePreferences({ proxy: { address: null } });
      return running;
    }
    const text = addressConsent(address, await app.whoReaches(address));
    if (!agree) {
      if (!terminal.canAsk) throw new CommandFailure(text, t('Add --agree to agree.'), 2);
      const ask = (): Promise<boolean> =>
        saysYes(terminal, sentences(frontSentence(text), t('Listen on {address}?', { address })));
      if (!(await inFrontLanguage(ask)))
        throw new CommandFailure(
          t('Jumpseat doesn’t listen on {address}.', { address }),
          t('Start it without --address.'),
        );
    }
    await app.changePreferences({ proxy: { address }, agreedAddress: address });
    return running;
  });
}

/** The same for `jumpseat demo`, which has more to say. */
export async function serveWith(
  surroundings: Surroundings,
  options: { port: number | null; open?: boolean; json?: boolean; lines?: boolean },
  open: OpenOptions,
  preface: () => string[],
): Promise<number> {
  const { terminal } = surroundings;
  const interrupts = takeInterrupts();
  terminal.dontWait();
  // Before anything else opens a file: the keychain's library ends the process where it gets none.
  const fewFiles = tooFewFiles();
  if (fewFiles !== null) terminal.err(problemWords(fewFiles));
  try {
    return await withApp(surroundings, { ...open, owner: true }, async (opened) => {
      const { app, ports } = opened;
      const started = await startUnless(interrupts.first, app, () =>
        open.isDemo === true ? startDemo(surroundings, opened, options.port) : startOn(app, options.port),
      );
      if (started === null) return 0;
      const { baseUrl, dashboardUrl } = started;
      if (options.json) {
        const key = await app.localKey();
        // `key` takes a name behind a dot; `authToken` has one, and works as it is.
        terminal.out(JSON.stringify({ event: 'listening', baseUrl, key, authToken: `${key}.client`, dashboardUrl }));
      } else {
        for (const line of [
          ...inFrontLanguage(preface).map((line) => hung(line, 0, terminal.columns)),
          ...(await banner(surroundings, opened, baseUrl, dashboardUrl, options.lines === true)),
        ])
          terminal.out(line);
      }
      const stop = app.onExchange(exchangePrinter(terminal, options.json === true));
      compileSoon();
      growYoungSpace();
      const stopNotes = sayChanges(surroundings, opened, options.json === true);
      const { clock, paths } = ports;
      const link = { link: dashboardUrl, used: started.dashboardUsed };
      const opening = options.open
        ? openDashboard({ ...link, terminal, clock, paths, signal: interrupts.first })
        : Promise.resolve();
      // A policy that can't be used stops the proxy until it is corrected, and nothing else keeps the process.
      const alive = setInterval(() => undefined, 2 ** 30);
      await aborted(interrupts.first);
      clearInterval(alive);
      await Promise.all([stopInOrder(surroundings, app, interrupts.second), opening]);
      if (!options.json) terminal.out(inFrontLanguage(() => t('Stopped.')));
      stopNotes();
      stop();
      return 0;
    });
  } finally {
    interrupts.release();
  }
}

/**
 * What comes up while it serves: warnings, once each, on stderr, who signed in or out, and places that were opened or
 * closed. Returns the way to stop, which looks once more.
 */
function sayChanges({ terminal }: Surroundings, { app, settings }: Opened, isJson: boolean): () => void {
  const said = new Set(app.warnings().map(({ text }) => text));
  const sayWarnings = (isLast?: true): void => {
    for (const { code, text, remedy } of app.warnings()) {
      // Its count grows with each request: once when it begins, and what is lost at the end.
      const isUnwritten = code === 'history-not-written';
      const key = isUnwritten && !isLast ? code : text;
      if (said.has(key)) continue;
      said.add(key).add(text);
      terminal.err(
        problemWords({ text, remedy: isUnwritten && isLast ? t('Requests that were not written are lost.') : remedy }),
      );
    }
  };
  const say = (make: () => string): void => {
    if (!isJson) terminal.out(inFrontLanguage(make));
  };
  let { account: before } = settings.current();
  const stopSettings = settings.onChange(() => {
    const { account } = settings.current();
    if (account !== null && account.signedInAt !== before?.signedInAt)
      say(() => (account.login === null ? t('Signed in.') : t('Signed in as {who}.', { who: account.login })));
    if (account === null && before !== null) say(() => t('Signed out: requests fail until a sign-in.'));
    before = account;
    sayWarnings();
  });
  const openPlaces = (proxy: ProxyState): Map<string, Place> =>
    new Map(placesOf({ proxy }).flatMap((place) => (place.problem === null ? [[place.at, place]] : [])));
  let open = openPlaces(app.state().proxy);
  const stopProxy = app.onProxy((proxy) => {
    if (proxy.kind !== 'on') return;
    const now = openPlaces(proxy);
    for (const at of open.keys()) if (!now.has(at)) say(() => t('No longer answers at {at}.', { at }));
    for (const [at, place] of now)
      if (!open.has(at)) say(() => t('Now also answers at {place}.', { place: placeInFront(place) }));
    open = now;
    sayWarnings();
  });
  const stopWarnings = app.onWarnings(sayWarnings);
  return () => {
    stopSettings();
    stopProxy();
    stopWarnings();
    sayWarnings(true);
  };
}

/** A start may wait for another Jumpseat that is ending. Null if the person does not want it any more. */
async function startUnless(
  ended: AbortSignal,
  app: App,
  start: () => ReturnType<App['startProxy']>,
): Promise<Awaited<ReturnType<App['startProxy']>> | null> {
  const stop = (): void => void app.stopProxy({ graceMs: 0 });
  ended.addEventListener('abort', stop);
  try {
    return await start();
  } catch (error) {
    if (ended.aborted) return null;
    throw error;
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

const startOn = (app: App, port: number | null): ReturnType<App['startProxy']> =>
  app.startProxy(port === null ? {} : { port });

/** A demo needs no port of its own: it takes a free one where the usual one is taken, unless the person named one. */
async function startDemo(
  { terminal }: Surroundings,
  { app, variables }: Opened,
  port: number | null,
): ReturnType<App['startProxy']> {
  try {
    return await startOn(app, port);
  } catch (error) {
    const isTaken = error instanceof StartError && error.code === 'port-taken';
    if (!isTaken || port !== null || variables.port !== null) throw error;
    const started = await app.startProxy({ port: 0 });
    const here = t('The demo is at {address}.', { address: started.baseUrl });
    terminal.err(inFrontLanguage(() => sentences(frontSentence(error.message), here)));
    return started;
  }
}

/** Which sessions the end cuts off; null if none is at work. They would go on for as long as they were waited for. */
export function cutSessions(sessions: readonly Session[]): string | null {
  const { length } = sessions.filter(isAtWork);
  if (length === 0) return null;
  return t('{count, plural, one {# session is} other {# sessions are}} stopped in the middle. You can go on later.', {
    count: length,
  });
}

async function stopInOrder({ terminal }: Surroundings, app: App, second: AbortSignal): Promise<void> {
  const sessions = await app.heldSessions();
  const cut = inFrontLanguage(() => cutSessions(sessions));
  if (cut !== null) terminal.err(cut);
  const { running } = app.state().health;
  if (running > 0) {
    terminal.err(
      inFrontLanguage(() =>
        t(
          '{count, plural, one {# request running: waiting up to 10 s. Ctrl-C again ends it now.} other {# requests running: waiting up to 10 s. Ctrl-C again ends them now.}}',
          { count: running },
        ),
      ),
    );
  }
  // After the second nothing is waited for: the history is closed, and what still runs ends with the process.
  await Promise.race([app.stopProxy(), aborted(second)]);
}

const patienceMs = 3000;

/** Where Claude Code’s settings send its requests, whatever the lines say; null if nowhere else, as far as is known. */
async function linesOverruled(
  { ports }: Opened,
  env: Environment,
  baseUrl: string,
): Promise<{ file: string; host: string | null } | null> {
  const [{ claudeSettingsPath, shownPath, userHome }, { readSetup }] = await Promise.all([
    import('../../claude-code/settings-file.ts'),
    import('../../claude-code/setup/read-setup.ts'),
  ]);
  const settings = claudeSettingsPath(env);
  // One that can't be read is no use to Claude Code either; `doctor` names the place.
  const found = await readSetup({ settings, paths: ports.paths, port: () => Number(new URL(baseUrl).port) }).catch(
    () => null,
  );
  const address = found?.elsewhere ?? null;
  if (address === null) return null;
  return { file: shownPath(settings, userHome(env)), host: URL.canParse(address) ? new URL(address).host : null };
}

function overruledWords({ file, host }: { file: string; host: string | null }): string {
  return t(
    '{file} sends Claude Code to {host} and wins over these lines: requests would go there, and may be billed. Remove its ANTHROPIC_BASE_URL first; if Jumpseat set it, run "jumpseat setup claude-code --undo".',
    { file, host: host ?? t('another address') },
  );
}

async function banner(
  { terminal, env }: Surroundings,
  opened: Opened,
  baseUrl: string,
  dashboardUrl: string,
  lines: boolean,
): Promise<string[]> {
  const { app, ports } = opened;
  // Who is signed in is worth a short wait; the proxy serves already.
  const timer = new AbortController();
  await Promise.race([
    app.refresh().catch(() => undefined),
    ports.clock.sleep(patienceMs, timer.signal).catch(() => undefined),
  ]);
  timer.abort();
  const state = app.state();
  const paste = lines ? await app.claudeCodeLines('claude-code') : null;
  const overruled = paste === null ? null : await linesOverruled(opened, env, baseUrl);
  return inFrontLanguage(() => bannerLines({ terminal, env }, { state, baseUrl, dashboardUrl, paste, overruled }));
}

interface Banner {
  state: AppState;
  baseUrl: string;
  dashboardUrl: string;
  paste: Awaited<ReturnType<App['claudeCodeLines']>> | null;
  overruled: Awaited<ReturnType<typeof linesOverruled>>;
}

/** In the front’s language. */
function bannerLines(
  { terminal, env }: Pick<Surroundings, 'terminal' | 'env'>,
  { state, baseUrl, dashboardUrl, paste, overruled }: Banner,
): string[] {
  const line = (text: string): string => `  ${hung(text, 2, terminal.columns)}`;
  const how =
    paste === null
      ? [
          line(t('Point Claude Code at it in another terminal, then run "claude" there:')),
          '',
          `    ${terminal.style('bold', oneLine(env))}`,
        ]
      : [
          line(t('Paste these lines into another terminal, then run "claude" there:')),
          ...(overruled === null ? [] : ['', terminal.style('yellow', line(overruledWords(overruled)))]),
          '',
          ...renderLines({ ...paste, notes: [] }, shellOf(env, process.platform))
            .split('\n')
            .map((each) => `    ${each}`),
          ...paste.notes.flatMap((note) => ['', terminal.style('dim', line(frontSentence(note)))]),
        ];
  const openai =
    paste === null
      ? oneLine(env, 'openai')
      : t('{address}, with that key and a name of their own after its dot.', { address: `${baseUrl}/v1` });
  const rows: [label: string, text: string][] = [
    [t('Proxy'), t('{address}, this machine only', { address: baseUrl })],
    ...placesOf(state)
      .filter(({ problem }) => problem === null)
      .map((place): [string, string] => [place.kind === 'socket' ? t('Socket') : t('Also at'), placeInFront(place)]),
    [t('Account'), accountWords(state)],
    [t('Dashboard'), dashboardUrl],
    ...state.warnings.map((warning): [string, string] => [t('Note'), problemWords(warning)]),
    ...(state.secrets.problem === null
      ? []
      : [
          [t('Note'), problemWords({ ...state.secrets.problem, remedy: storageRemedy(state.secrets) })] satisfies [
            string,
            string,
          ],
        ]),
  ];
  return [
    terminal.style('bold', `Jumpseat ${state.version}`),
    '',
    ...labelled(rows, 13, terminal, 2),
    '',
    ...how,
    '',
    terminal.style('dim', line(t('OpenAI clients: {how}', { how: openai }))),
    terminal.style('dim', line(t('Ctrl-C stops it. Requests appear below.'))),
    '',
  ];
}

function placeInFront(place: Place): string {
  return placeWords({ ...place, who: place.who && frontSentence(place.who) });
}

/** `alexr-dev, Copilot Pro+`, or what is in the way. */
export function accountWords({
  account,
  admission,
  health: { problem },
  secrets,
}: Pick<AppState, 'account' | 'admission' | 'health' | 'secrets'>): string {
  if (problem?.code === 'account-unknown') return sentences(t('not known.'), problemWords(problem));
  if (account.kind === 'signed-out' && account.why) return problemWords(account.why);
  if (account.kind !== 'signed-in')
    return sentences(t('{words}.', { words: t('not signed in') }), signInStep(admission.credential, secrets));
  if (account.notice !== null) {
    const { title, message, url } = account.notice;
    return sentences(t('{words}.', { words: frontSentence(title) }), frontSentence(message), url ?? '');
  }
  const plan = planName(account.plan, account.sku);
  return [account.login ?? t('signed in'), plan].filter((part) => part !== null).join(', ');
}
