import { join } from 'node:path';
import { crashReporter, app as electron, session } from 'electron';
import { nodePaths } from '../app/adapters/paths.ts';
import { readEnvironment } from '../app/environment.ts';
import { keepDumpsHere, outliveTheTerminal } from './crash.ts';
import { runTrayApp, type Surroundings } from './tray-app.ts';
import { guardEveryWindow } from './windows/guards.ts';
import { registerSchemes } from './windows/window.ts';

/** The tray app: Electron around the same app that the terminal uses. At run time this file is in dist/main. */
const dist = join(import.meta.dirname, '..');

outliveTheTerminal([process.stdout, process.stderr]);
guardEveryWindow({ app: electron, session });
registerSchemes();
start();

function start(): void {
  let around: Surroundings;
  try {
    around = { variables: readEnvironment(process.env), paths: nodePaths(process.env) };
  } catch (error) {
    refuse(error);
    return;
  }
  // One profile, and so one instance, per folder.
  electron.setPath('userData', join(around.paths.home, 'window'));
  keepDumpsHere({ app: electron, crashReporter }, around.paths.logs);
  electron.setAppUserModelId('app.jumpseat.Jumpseat');
  if (!electron.requestSingleInstanceLock()) {
    electron.quit();
    return;
  }
  void electron
    .whenReady()
    .then(() => runTrayApp(around, dist))
    .catch(refuse);
}

/** What cannot even start says why and ends. */
function refuse(error: unknown): void {
  const remedy = error instanceof Error && 'remedy' in error ? ` ${String(error.remedy)}` : '';
  process.stderr.write(`jumpseat: ${error instanceof Error ? error.message : String(error)}${remedy}\n`);
  electron.exit(1);
}
