import { mkdir } from 'node:fs/promises';
import { shell } from 'electron';
import type { Paths } from '../app/ports.ts';
import { ask, chooseFile, chooseFolder } from './dialogs.ts';
import { FileOpeners } from './file-openers.ts';
import type { DesktopDependencies } from './window-answers.ts';

interface DesktopSurroundings extends Pick<DesktopDependencies, 'loginItem' | 'applySetup' | 'openAddress'> {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  paths: Paths;
}

/** What the window may ask of this machine: its folders, its files, its programs for them. */
export function desktopOf({
  env,
  platform,
  paths,
  loginItem,
  applySetup,
  openAddress,
}: DesktopSurroundings): DesktopDependencies {
  return {
    ...{ platform, loginItem, applySetup, openAddress, chooseFolder, chooseFile, ask },
    runtime: `Electron ${process.versions.electron}`,
    openFolder: async (which) => {
      await mkdir(paths[which], { recursive: true, mode: 0o700 });
      await shell.openPath(paths[which]);
    },
    openPath: (path) => shell.openPath(path),
    revealPath: (path) => shell.showItemInFolder(path),
    openers: new FileOpeners({ environment: env, platform }),
  };
}
