import { signInStep } from '../../account/account-error.ts';
import { compileSoon, growYoungSpace } from '../../adapters/v8.ts';
import type { App } from '../../api/app.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Session } from '../../api/sessions.ts';
import type { AppState, Place, ProxyState } from '../../api/state.ts';
import { shellOf } from '../../claude-code/env-snippet.ts';
import type { Environment } from '../../environment.ts';
import { tooFewFiles } from '../../server/open-files.ts';
import { type RunningProxy, runningProxy } from '../../server/running-proxy.ts';
import { planName } from '../../words/account.ts';
import { counted } from '../../words/numbers.ts';
import { addressConsent, placesOf, placeWords } from '../../words/reach.ts';
import { isAtWork } from '../../words/sessions.ts';
import { exchangeLine, failureLine } from '../exchange-line.ts';
import { CommandFailure, storageRemedy, wrongUsage } from '../failure.ts';
import { aborted, takeInterrupts } from '../interrupts.ts';
import { openDashboard } from '../open-dashboard.ts';
import { readPort } from '../options.ts';
import { type Opened, type OpenOptions, type Surroundings, withApp } from '../surroundings.ts';
import { hung } from '../table.ts';
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
  if (agree && address === undefined) throw wrongUsage('--agree means nothing without --address.');
  if (socket || address !== undefined) {
    const running = await choosePlaces(surroundings, { socket, address, agree });
    if (running !== null) {
      const words = `The Jumpseat that is running (pid ${running.pid}) does so now. "jumpseat status" says where it answers.`;
      if (others.json) surroundings.terminal.err(words);
      else surroundings.terminal.out(words);
      for (const note of unusedOptions({ port, open: others.open === true }, running)) surroundings.terminal.err(note);
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
          `--port ${port} isn’t used: the Jumpseat that is running stays on port ${running.port}. ` +
            'Stop it first, or change its port in Settings → Proxy.',
        ]),
    ...(open ? ['--open isn’t used. "jumpseat dashboard" prints a link to its dashboard.'] : []),
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
      if (!terminal.canAsk) throw new CommandFailure(text, 'Add --agree to agree.', 2);
      const answer = await terminal.ask(`${text} Listen on ${address}? [y/N] `);
      if (!/^y(?:es)?$/i.test(answer?.trim() ?? ''))
        throw new CommandFailure(`Jumpseat doesn’t listen on ${address}.`, 'Start it without --address.');
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
  if (fewFiles !== null) terminal.err(`${fewFiles.text} ${fewFiles.remedy}`);
  try {
    return await withApp(surroundings, { ...open, owner: true }, async (opened) => {
      const { app, ports } = opened;
      const started = await startUnless(interrupts.first, app, options.port);
      if (started === null) return 0;
      compileSoon();
      growYoungSpace();
      const { baseUrl, dashboardUrl } = started;
      if (options.json) {
        const key = await app.localKey();
        // `key` takes a name behind a dot; `authToken` has one, and works as it is.
        terminal.out(JSON.stringify({ event: 'listening', baseUrl, key, authToken: `${key}.client`, dashboardUrl }));
      } else {
        for (const line of [
          ...preface().map((line) => hung(line, 0, terminal.columns)),
          ...(await banner(surroundings, opened, baseUrl, dashboardUrl, options.lines === true)),
        ])
          terminal.out(line);
      }
      const stop = app.onExchange((exchange) => {
        if (exchange.outcome === 'running') return;
        if (options.json) terminal.out(JSON.stringify({ event: 'exchange', ...exchange }));
        else writeExchange(surroundings, exchange);
      });
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
      if (!options.json) terminal.out('Stopped.');
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
      const key = code === 'history-not-written' && !isLast ? code : text;
      if (said.has(key)) continue;
      said.add(key).add(text);
      terminal.err(`${text} ${remedy}`);
    }
  };
  let { account: before } = settings.current();
  const stopSettings = settings.onChange(() => {
    const { account } = settings.current();
    if (account !== null && account.signedInAt !== before?.signedInAt && !isJson)
      terminal.out(`Signed in${account.login === null ? '' : ` as ${account.login}`}.`);
    if (account === null && before !== null && !isJson) terminal.out('Signed out: requests fail until a sign-in.');
    before = account;
    sayWarnings();
  });
  const openPlaces = (proxy: ProxyState): Map<string, Place> =>
    new Map(placesOf({ proxy }).flatMap((place) => (place.problem === null ? [[place.at, place]] : [])));
  let open = openPlaces(app.state().proxy);
  const stopProxy = app.onProxy((proxy) => {
    if (proxy.kind !== 'on') return;
    const now = openPlaces(proxy);
    if (!isJson) {
      for (const at of open.keys()) if (!now.has(at)) terminal.out(`No longer answers at ${at}.`);
      for (const [at, place] of now) if (!open.has(at)) terminal.out(`Now also answers at ${placeWords(place)}.`);
    }
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
  port: number | null,
): Promise<Awaited<ReturnType<App['startProxy']>> | null> {
  const stop = (): void => void app.stopProxy({ graceMs: 0 });
  ended.addEventListener('abort', stop);
  try {
    return await app.startProxy(port === null ? {} : { port });
  } catch (error) {
    if (ended.aborted) return null;
    throw error;
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

/** Which sessions the end cuts off; null if none is at work. They would go on for as long as they were waited for. */
export function cutSessions(sessions: readonly Session[]): string | null {
  const { length } = sessions.filter(isAtWork);
  if (length === 0) return null;
  return `${counted(length, 'session')} ${length === 1 ? 'is' : 'are'} stopped in the middle. You can go on later.`;
}

async function stopInOrder({ terminal }: Surroundings, app: App, second: AbortSignal): Promise<void> {
  const cut = cutSessions(await app.heldSessions());
  if (cut !== null) terminal.err(cut);
  const { running } = app.state().health;
  if (running > 0) {
    terminal.err(
      `${counted(running, 'request')} running: waiting up to 10 s. Ctrl-C again ends ` +
        `${running === 1 ? 'it' : 'them'} now.`,
    );
  }
  // After the second nothing is waited for: the history is closed, and what still runs ends with the process.
  await Promise.race([app.stopProxy(), aborted(second)]);
}

function writeExchange({ terminal }: Surroundings, exchange: Exchange): void {
  terminal.out(exchangeLine(exchange, terminal));
  const failure = failureLine(exchange, terminal);
  if (failure !== null) terminal.out(failure);
}

const patienceMs = 3000;

/** Why Claude Code sends its requests elsewhere, whatever the lines say; null if it doesn't, as far as is known. */
async function linesOverruled({ ports }: Opened, env: Environment, baseUrl: string): Promise<string | null> {
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
  const host = URL.canParse(address) ? new URL(address).host : 'another address';
  return (
    `${shownPath(settings, userHome(env))} sends Claude Code to ${host} and wins over these lines: requests would go ` +
    'there, and may be billed. Remove its ANTHROPIC_BASE_URL first; if Jumpseat set it, run ' +
    '"jumpseat setup claude-code --undo".'
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
  const row = (label: string, text: string): string =>
    `  ${terminal.style('dim', label.padEnd(11))}${hung(text, 13, terminal.columns)}`;
  const paste = lines ? await app.claudeCodeLines('claude-code') : null;
  const overruled = paste === null ? null : await linesOverruled(opened, env, baseUrl);
  const how =
    paste === null
      ? [
          `  ${hung('Point Claude Code at it in another terminal, then run "claude" there:', 2, terminal.columns)}`,
          '',
          `    ${terminal.style('bold', oneLine(env))}`,
        ]
      : [
          `  ${hung('Paste these lines into another terminal, then run "claude" there:', 2, terminal.columns)}`,
          ...(overruled === null ? [] : ['', terminal.style('yellow', `  ${hung(overruled, 2, terminal.columns)}`)]),
          '',
          ...renderLines({ ...paste, notes: [] }, shellOf(env, process.platform))
            .split('\n')
            .map((line) => `    ${line}`),
          ...paste.notes.flatMap((note) => ['', terminal.style('dim', `  ${hung(note, 2, terminal.columns)}`)]),
        ];
  const openai =
    paste === null ? oneLine(env, 'openai') : `${baseUrl}/v1, with that key and a name of their own after its dot.`;
  return [
    terminal.style('bold', `Jumpseat ${state.version}`),
    '',
    row('Proxy', `${baseUrl}, this machine only`),
    ...placesOf(state)
      .filter(({ problem }) => problem === null)
      .map((place) => row(place.kind === 'socket' ? 'Socket' : 'Also at', placeWords(place))),
    row('Account', accountWords(state)),
    row('Dashboard', dashboardUrl),
    ...state.warnings.map((warning) => row('Note', `${warning.text} ${warning.remedy}`)),
    ...(state.secrets.problem === null
      ? []
      : [row('Note', `${state.secrets.problem.text} ${storageRemedy(state.secrets)}`)]),
    '',
    ...how,
    '',
    terminal.style('dim', `  ${hung(`OpenAI clients: ${openai}`, 2, terminal.columns)}`),
    terminal.style('dim', '  Ctrl-C stops it. Requests appear below.'),
    '',
  ];
}

/** `alexr-dev, Copilot Pro+`, or what is in the way. */
export function accountWords({
  account,
  admission,
  health: { problem },
  secrets,
}: Pick<AppState, 'account' | 'admission' | 'health' | 'secrets'>): string {
  if (problem?.code === 'account-unknown') return `not known. ${problem.text} ${problem.remedy}`;
  if (account.kind === 'signed-out' && account.why) return `${account.why.text} ${account.why.remedy}`;
  // Then the note says with which command.
  if (account.kind !== 'signed-in' && secrets.problem !== null) return 'not signed in';
  if (account.kind !== 'signed-in') return `not signed in. ${signInStep(admission.credential, secrets)}`;
  if (account.notice !== null)
    return (
      `${account.notice.title}. ` +
      `${account.notice.message}${account.notice.url === null ? '' : ` ${account.notice.url}`}`
    );
  const plan = planName(account.plan, account.sku);
  return [account.login ?? 'signed in', plan].filter((part) => part !== null).join(', ');
}
