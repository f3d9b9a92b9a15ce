import { app } from 'electron';
import type { Clock, Log } from '../app/ports.ts';
import { type Build, maySwapAtQuit, Updates, whyNoUpdates } from './updates.ts';

/** Updates of this very build. electron-updater is loaded when a host is asked for the first time. */
export function buildUpdates(parts: {
  env: Build['env'];
  clock: Clock;
  log: Log;
  beforeRestart: () => Promise<boolean>;
}): Updates {
  const { env, clock, log, beforeRestart } = parts;
  const build: Build = { packaged: app.isPackaged, resources: process.resourcesPath, platform: process.platform, env };
  return new Updates({
    whyOff: whyNoUpdates(build),
    installAtQuit: maySwapAtQuit(build),
    load: async () => (await import('electron-updater')).default.autoUpdater,
    beforeRestart,
    clock,
    log,
  });
}
