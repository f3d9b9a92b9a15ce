import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import electronParts, {
  BrowserWindow,
  clipboard,
  app as electron,
  ipcMain,
  nativeTheme,
  powerMonitor,
  session,
  shell,
} from 'electron';
import { commandBesideTray } from '../app/adapters/installation.ts';
import { redact } from '../app/adapters/redact.ts';
import { calls } from '../app/api/calls.ts';
import type { Theme } from '../app/api/settings.ts';
import { claudeSettingsPath } from '../app/claude-code/settings-file.ts';
import { type Composition, composeApp } from '../app/compose.ts';
import { chooseFrontLanguage } from '../app/language/front-language.ts';
import { quitsWhen } from '../app/words/quit.ts';
import { commandLink } from './command-link.ts';
import { copySecret } from './copy-secret.ts';
import { endAfterFaults, removeOldDumps } from './crash.ts';
import { ask, askCut, askStorage, desktopOf, tell } from './dialogs.ts';
import { launchUtility } from './launcher.ts';
import { loginItem, rememberedLoginItem, startCommand, systemLoginItem } from './login-item.ts';
import { noTrayNotice } from './notices/answer-notices.ts';
import { BusNotifications } from './notices/bus-notifications.ts';
import { isInSight, Notifier } from './notices/notifier.ts';
import { playSound, serveSounds } from './notices/sound-player.ts';
import { Sounds, themeSounds } from './notices/sounds.ts';
import { StateNotifier } from './notices/state-notices.ts';
import { Quit } from './quit.ts';
import { sessionPlace } from './sessions/session-lines.ts';
import { SessionsOutside } from './sessions/sessions-outside.ts';
import { ClaudeCodeSetup } from './setup.ts';
import { systemDialer } from './system-proxy.ts';
import { trayActions } from './tray/actions.ts';
import { Badge } from './tray/badge.ts';
import { TrayFront } from './tray/tray.ts';
import { ownCopyShell } from './tray/tray-entry.ts';
import { trayCheck, trayFinding, watchTrayHost } from './tray/tray-host.ts';
import { PinnedFigure } from './tray/tray-icon.ts';
import { buildUpdates } from './updates.ts';
import { keepRunningWithout } from './windows/closing.ts';
import { followSaves } from './windows/guards.ts';
import { answerWindow } from './windows/ipc.ts';
import { mayOpenOutside } from './windows/pages.ts';
import { AppWindows, servePages } from './windows/window.ts';
import { desktopPreferences, frontAnswers } from './windows/window-answers.ts';

/** What is known before the app is: where its files are, and what the variables ask for. */
export type Surroundings = Pick<Composition, 'paths' | 'variables'>;

/** The tray app, once Electron is ready. `dist`: folder of the built files. */
export async function runTrayApp(around: Surroundings, dist: string): Promise<void> {
  const resources = join(dist, '..', 'resources');
  const { env, platform } = process;
  const { paths } = around;
  const openOutside = async (url: string) => {
    const may = mayOpenOutside(url, app.preferences().githubHost);
    if (may) await shell.openExternal(url);
    return may;
  };
  const openUrl = async (url: string) => {
    await openOutside(url);
  };
  let hasTray = platform !== 'linux';
  const { app, log, ports, settings, close } = await composeApp({
    ...around,
    env,
    version: electron.getVersion(),
    dashboard: join(dist, 'renderer'),
    dialer: systemDialer(env),
    openUrl,
    launcher: launchUtility,
    trash: (path) => shell.trashItem(path),
    ownCommand: commandBesideTray(env, electron.isPackaged ? process.resourcesPath : null),
    frontChecks: [{ ...trayCheck, find: () => trayFinding(hasTray) }],
  });
  const { clock, dialer } = ports;
  // Electron's own languages are those that it was packed with.
  const chooseLanguage = () => chooseFrontLanguage(settings.current().language, electron.getPreferredSystemLanguages());
  await chooseLanguage();
  endAfterFaults(process, {
    log,
    stop: () => app.stopProxy({ graceMs: 1_000 }).then(close),
    leave: (again) => {
      if (again)
        electron.relaunch({ args: [...process.argv.slice(1).filter((word) => word !== '--hidden'), '--hidden'] });
      electron.exit(1);
    },
    age: () => performance.now(),
  });
  void removeOldDumps(paths.logs);

  const theme = (): Theme => settings.current().theme;
  const windows = new AppWindows(dist, resources, log, theme);
  servePages(join(dist, 'renderer'), () => settings.current());
  serveSounds();
  const busNotifications = new BusNotifications(env);
  const notifier = new Notifier({
    clock,
    log,
    icon: join(resources, 'app', '256x256.png'),
    windows: () => BrowserWindow.getAllWindows(),
    bus: platform === 'linux' ? busNotifications : null,
    open: (what) => ('url' in what ? void openUrl(what.url) : windows.show(what.place)),
  });
  const notify = notifier.show.bind(notifier);
  const sounds = new Sounds({
    ...{ log, read: readFile, play: playSound },
    choices: () => settings.current().notifications,
    inSight: () => isInSight(BrowserWindow.getAllWindows()),
    theme: (name) => themeSounds(platform, env, name),
    beep: () => shell.beep(),
  });
  const claudeCode = new ClaudeCodeSetup({
    app,
    place: { settings: claudeSettingsPath(env), paths, port: () => app.preferences().port },
    log,
    ask,
    notify,
    changed: () => show(),
  });
  const badge = new Badge();
  const sessions = new SessionsOutside({
    ...{ clock, settings, notify },
    requests: () => app.state().health.running,
    world: () => app.state().quota?.world ?? 'unknown',
    sound: (name) => void sounds.about(name),
    // Too late, or refused: what is so now is in the window.
    answer: (session, question, answer) =>
      void app
        .answerQuestion({ session, question, answer: { answer } })
        .catch(() => false)
        .then((isTaken) => isTaken || windows.show(sessionPlace(session))),
    withdraw: (cause) => notifier.withdraw(cause),
    badge: (waiting) => badge.show(waiting),
    changed: () => show(),
  });
  const quit = new Quit({
    app,
    log,
    work: () => sessions.work(),
    sessionsRested: () => sessions.rested(),
    askCut,
    closeWindow: () => windows.close(),
    changed: () => show(),
    close: async () => {
      sessions.close();
      claudeCode.close();
      updates.close();
      notifications.close();
      busNotifications.close();
      await close();
    },
    exit: () => {
      stopWatchingTray();
      tray.remove();
      electron.quit();
    },
  });
  const quits = (): string | null => (quit.isWaiting ? quitsWhen(sessions.work()) : null);
  let isTurnedOffLater = false;
  let quitsShown: string | null = null;
  const updates = buildUpdates({
    env,
    packaged: electron.isPackaged,
    dialer,
    clock,
    log,
    beforeRestart: async () => {
      const may = await quit.forUpdate();
      if (may) electron.releaseSingleInstanceLock();
      return may;
    },
  });
  const openAtLogin = rememberedLoginItem(
    loginItem({
      platform,
      env,
      command: startCommand(env, process.execPath, electron.isPackaged ? null : electron.getAppPath()),
      system: systemLoginItem(electron),
    }),
    () => clock.now(),
    () => {
      show();
      windows.send({ event: 'preferences', preferences: desktopPreferences(app.preferences(), desktop) });
    },
  );
  const link = commandLink({ platform, packaged: electron.isPackaged, resources: process.resourcesPath });
  const copyHidden = (text: string) => copySecret(text, electronParts);
  const act = trayActions({
    app,
    log,
    openUrl,
    github: () => new URL(`https://${app.preferences().githubHost}`),
    copy: (text) => clipboard.writeText(text),
    copySecret: copyHidden,
    loginItem: openAtLogin,
    commandLink: link,
    ask,
    askCut,
    askStorage,
    tell,
    notify,
    showWindow: (place) => windows.show(place),
    openFolder: async () => {
      await shell.openPath(paths.home);
    },
    setup: () => claudeCode.setup(),
    isSetup: () => claudeCode.isSetup,
    undoSetup: () => claudeCode.undo(),
    restartToUpdate: () => updates.restart(),
    resumeLine: (id) => sessions.resumeLine(id, ownCopyShell(settings.current().shell, env, platform)),
    runningSessions: () => sessions.running,
    work: () => sessions.work(),
    sessionsRested: () => sessions.rested(),
    turnsOffLater: (isWaiting) => {
      isTurnedOffLater = isWaiting;
      show();
    },
    quit: () => electron.quit(),
    stay: () => quit.stay(),
  });
  const desktop = desktopOf({
    ...{ env, platform, paths, sounds, loginItem: openAtLogin },
    applySetup: (id) => claudeCode.apply(id),
    openWindow: (place) => windows.openBeside(place),
    openAddress: (address) => shell.openExternal(address),
  });
  const own = frontAnswers({
    app,
    act: (action) => act(action, 'window'),
    copySecret: copyHidden,
    openOutside,
    updates,
    desktop,
  });
  answerWindow(ipcMain, { table: calls, answers: [own, app], redact }, log);

  const notifications = new StateNotifier({
    ...{ clock, settings, notify },
    state: () => app.state(),
    over: (cause) => notifier.over(cause),
    changed: () => show(),
  });
  const figure = new PinnedFigure({ app, chosen: () => settings.current().trayFigure, changed: () => show() });
  const tray = new TrayFront({
    folder: join(resources, 'tray'),
    drawing: () => settings.current().trayIcon,
    facts: (state) => {
      const update = updates.state();
      return {
        now: clock.now(),
        running: notifications.running,
        figure: figure.words(state),
        shell: ownCopyShell(settings.current().shell, env, platform),
        isSetup: claudeCode.isSetup,
        openAtLogin: openAtLogin.isAvailable ? openAtLogin.read() : null,
        offersCommand: link.isOffered(),
        update: update.kind === 'ready' ? update.version : null,
        quits: quit.isWaiting ? sessions.work() : null,
        turnsOff: isTurnedOffLater ? sessions.work() : null,
        sessions: sessions.all,
        terminals: sessions.terminals,
        titlesOutside: settings.current().sessions.titlesOutside,
      };
    },
    act: (action) => void act(action).finally(show),
    clicked: () => windows.show(),
  });
  const show = (): void => {
    tray.show(app.state());
    const waits = quits();
    if (waits === quitsShown) return;
    quitsShown = waits;
    app.setQuitWait(waits === null ? null : { waits, stay: () => quit.stay() });
  };
  const stopWatchingTray = watchTrayHost({
    platform,
    env,
    found: () => {
      hasTray = true;
      tray.place(app.state());
    },
    missing: () => {
      hasTray = false;
      log.write('info', 'tray.no-host');
      // Old panels take icons without being asked for by name.
      if (!env.WAYLAND_DISPLAY) tray.place(app.state());
      windows.show();
      const { shownNotices: reported } = settings.current();
      if (reported.noTray) return;
      notify(noTrayNotice());
      void settings.update({ shownNotices: { ...reported, noTray: true } }).catch(() => undefined);
    },
  });

  app.listen((event) => {
    windows.send(
      event.event === 'preferences' ? { ...event, preferences: desktopPreferences(event.preferences, desktop) } : event,
    );
    sessions.hear(event);
    figure.see(event);
    if (event.event !== 'state') return;
    notifications.see(event.state);
    show();
  });
  app.onTerminals((terminals) => sessions.hearTerminals(terminals));
  followSaves(session.defaultSession, (file, written) => windows.sendToLast({ event: 'saved', file, written }));
  updates.onChange((update) => {
    windows.send({ event: 'update', update });
    show();
    if (update.kind === 'ready') notifications.updateReady(update.version);
  });
  nativeTheme.on('updated', show);
  settings.onChange(() => {
    figure.read();
    show();
    void chooseLanguage().then((isNew) => isNew && show());
  });
  electron.on('browser-window-created', (_event, created) => {
    badge.made(created);
    keepRunningWithout(created, {
      settings,
      hasTray: () => hasTray,
      isLast: () => windows.count <= 1,
      isEnding: () => quit.isEnding,
      platform,
      notify,
      ask,
      quit: () => electron.quit(),
    });
  });
  followLifeCycle({ windows, quit, resumed: () => void app.refresh() });

  if (link.remedy()) log.write('info', 'command-link.fixed');
  if (openAtLogin.remedy()) log.write('info', 'login-item.fixed');

  // macOS gives its login items no arguments.
  const hidden =
    process.argv.includes('--hidden') || (platform === 'darwin' && electron.getLoginItemSettings().wasOpenedAtLogin);
  if (!hidden) windows.show();
  void claudeCode.start();
  void updates.start();
  if (settings.current().proxyOnAtStart) {
    app.startProxy().catch((error: unknown) => {
      log.write('warn', 'proxy.not-started', { reason: error instanceof Error ? error.message : 'unknown' });
    });
  }
}

interface LifeCycleDependencies {
  windows: AppWindows;
  quit: Quit;
  /** The machine has slept. */
  resumed: () => void;
}

/** Shows a window or quits, when the system, the person or a second start asks for it. */
function followLifeCycle({ windows, quit, resumed }: LifeCycleDependencies): void {
  powerMonitor.on('resume', resumed);
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // The system waits for the end of the process then.
    event?.preventDefault();
    void quit.bySystem();
  });

  electron.on('second-instance', (_event, argv) => {
    if (!argv.includes('--hidden')) windows.show();
  });
  electron.on('activate', () => windows.show());
  // With a listener the app stays when its last window is closed.
  electron.on('window-all-closed', () => {});
  electron.on('before-quit', (event) => {
    if (quit.isOver) return;
    event.preventDefault();
    void quit.byPerson();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void quit.bySystem());
}
