import { join } from 'node:path';
import { clipboard, crashReporter, app as electron, ipcMain, session, shell } from 'electron';
import { nodeClock } from '../app/adapters/clock.ts';
import { trayActions } from './actions.ts';
import { endAfterFaults, keepDumpsHere, outliveTheTerminal, removeOldDumps } from './crash.ts';
import { systemDialer } from './dialer.ts';
import { buildUpdates } from './electron-updates.ts';
import { guardEveryWindow } from './guards.ts';
import { answerWindow } from './ipc.ts';
import { windowHandlers } from './ipc-handlers.ts';
import { openApp, type Surroundings, surroundings } from './open-app.ts';
import { mayOpenOutside } from './pages.ts';
import { TrayFront } from './tray.ts';
import { MainWindow, registerScheme, servePages } from './window.ts';

/** The tray app: Electron around the same app that the terminal uses. This file lies in dist/main when it runs. */
const dist = join(import.meta.dirname, '..');
const resources = join(dist, '..', 'resources');
/** How long running answers may take to end when the app quits. */
const graceMs = 5_000;

outliveTheTerminal([process.stdout, process.stderr]);
guardEveryWindow({ app: electron, session });
registerScheme();
start();

function start(): void {
  let around: Surroundings;
  try {
    around = surroundings(process.env);
  } catch (error) {
    refuse(error);
    return;
  }
  // One profile, and so one instance, per folder.
  electron.setPath('userData', join(around.paths.home, 'window'));
  keepDumpsHere({ app: electron, crashReporter }, around.paths.logs);
  electron.setAppUserModelId('app.jumpseat');
  if (!electron.requestSingleInstanceLock()) {
    electron.quit();
    return;
  }
  void electron
    .whenReady()
    .then(() => run(around))
    .catch(refuse);
}

/** What cannot even start says why and ends. */
function refuse(error: unknown): void {
  const mend = error instanceof Error && 'mend' in error ? ` ${String(error.mend)}` : '';
  process.stderr.write(`jumpseat: ${error instanceof Error ? error.message : String(error)}${mend}\n`);
  electron.exit(1);
}

function run(around: Surroundings): void {
  const openOutside = async (url: string) => {
    const may = mayOpenOutside(url, around.github.web.host);
    if (may) await shell.openExternal(url);
    return may;
  };
  const openUrl = async (url: string) => {
    await openOutside(url);
  };
  const { app, log, proxyOnAtStart, close } = openApp(around, {
    env: process.env,
    version: electron.getVersion(),
    dashboard: join(dist, 'renderer'),
    dialer: systemDialer(process.env),
    openUrl,
  });
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
  void removeOldDumps(around.paths.logs);
  const window = new MainWindow(dist, resources, log);
  servePages(join(dist, 'renderer'));
  const act = trayActions({
    app,
    log,
    openUrl,
    copy: (text) => clipboard.writeText(text),
    showWindow: () => window.show(),
    quit: () => electron.quit(),
  });
  let ending = false;
  const tray = new TrayFront(resources, app.state(), act);
  const updates = buildUpdates({
    env: process.env,
    clock: nodeClock(),
    log,
    beforeRestart: async () => {
      ending = true;
      await app.stopProxy({ graceMs });
      await close();
      electron.releaseSingleInstanceLock();
    },
  });
  updates.onChange((update) => window.send({ event: 'update', update }));
  answerWindow(ipcMain, windowHandlers({ app, act, openOutside, updates }), log);
  void updates.start();
  app.listen((event) => {
    window.send(event);
    if (event.event === 'state') tray.show(event.state);
  });

  electron.on('second-instance', () => window.show());
  electron.on('activate', () => window.show());
  // With a listener the app stays when its window is closed.
  electron.on('window-all-closed', () => {});
  electron.on('before-quit', (event) => {
    if (ending) return;
    ending = true;
    event.preventDefault();
    void app
      .stopProxy({ graceMs })
      .then(close)
      .catch((error: unknown) => log.write('error', 'app.close-failed', { reason: String(error) }))
      .finally(() => {
        tray.destroy();
        electron.quit();
      });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => electron.quit());

  // Not every desktop shows tray icons: the window is the way in that always works.
  if (!process.argv.includes('--hidden')) window.show();
  if (proxyOnAtStart) act('proxy-on');
}
