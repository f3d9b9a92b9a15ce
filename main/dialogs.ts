import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { dialog, shell } from 'electron';
import { inFrontLanguage } from '../app/language/front-language.ts';
import { t } from '../app/language/translate.ts';
import type { Paths } from '../app/ports.ts';
import type { CutAnswer, CutWords } from '../app/words/quit.ts';
import type { Question, StorageAnswer, StorageQuestion } from './questions.ts';
import { FileOpeners } from './windows/file-openers.ts';
import type { DesktopDependencies } from './windows/window-answers.ts';

/** Asks natively. The place of the button that was pressed; `onEscape` where the dialog was closed. */
async function pressed(title: string, text: string, buttons: string[], onEscape: number): Promise<number> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Jumpseat',
    message: title,
    detail: text,
    buttons,
    defaultId: 0,
    cancelId: onEscape,
    noLink: true,
  });
  return response;
}

/** True: do it. Esc and closing the dialog mean the safe button. */
export async function ask({ title, text, safe, action }: Question): Promise<boolean> {
  return (await pressed(title, text, [safe, action], 0)) === 1;
}

/** Asks before work is cut off. Esc and closing the dialog change nothing. */
export async function askCut({ title, text, later, now, cancel, onEscape }: CutWords): Promise<CutAnswer> {
  const place = await pressed(title, text, [later, now, cancel], onEscape === 'later' ? 0 : 2);
  return place === 0 ? 'later' : place === 1 ? 'now' : 'cancel';
}

/** Where the token of a sign-in goes; null: there is to be none. Esc and closing the dialog mean that. */
export async function askStorage({ title, text, memory, file, cancel }: StorageQuestion): Promise<StorageAnswer> {
  const place = await pressed(title, text, [memory, file, cancel], 2);
  return place === 0 ? 'memory' : place === 1 ? 'file' : null;
}

/** Something that a person asked for could not be done. */
export async function tell({ text, remedy }: { text: string; remedy: string }): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Jumpseat',
    message: text,
    detail: remedy,
    buttons: [inFrontLanguage(() => t('OK'))],
    noLink: true,
  });
}

/** A folder that the person picks; null if there is none. */
async function chooseFolder(): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
  return canceled ? null : (filePaths[0] ?? null);
}

/** The files that the person picks, beginning in `folder`. */
async function chooseFiles(folder: string): Promise<readonly string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    defaultPath: folder,
    properties: ['openFile', 'multiSelections', 'showHiddenFiles'],
  });
  return canceled ? [] : filePaths;
}

/** A file that the person picks; null if there is none. */
async function chooseFile(): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openFile', 'showHiddenFiles'] });
  return canceled ? null : (filePaths[0] ?? null);
}

/** A sound that the person picks; null if there is none. */
async function chooseSound(): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    properties: ['openFile'],
    filters: inFrontLanguage(() => [
      { name: t('Sounds'), extensions: ['wav', 'mp3', 'ogg', 'oga', 'opus', 'flac', 'm4a', 'aac'] },
      { name: t('All files'), extensions: ['*'] },
    ]),
  });
  return canceled ? null : (filePaths[0] ?? null);
}

interface DesktopSurroundings
  extends Pick<DesktopDependencies, 'sounds' | 'loginItem' | 'applySetup' | 'openAddress' | 'openWindow'> {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  paths: Paths;
}

/** On Linux the answer comes when the program ends, maybe hours later: after this time it counts as opened. */
const openedAfterMs = 5000;

function openWithSystem(path: string): Promise<string> {
  return Promise.race([shell.openPath(path), sleep(openedAfterMs, '', { ref: false })]);
}

/** Folders, files and programs of this machine, as the window may ask for them. */
export function desktopOf({
  env,
  platform,
  paths,
  sounds,
  loginItem,
  applySetup,
  openAddress,
  openWindow,
}: DesktopSurroundings): DesktopDependencies {
  return {
    ...{ platform, loginItem, applySetup, openAddress, openWindow, chooseFolder, chooseFiles, chooseFile, ask },
    ...{ sounds, chooseSound },
    runtime: `Electron ${process.versions.electron}`,
    openFolder: async (which) => {
      await mkdir(paths[which], { recursive: true, mode: 0o700 });
      await openWithSystem(paths[which]);
    },
    openPath: openWithSystem,
    revealPath: (path) => shell.showItemInFolder(path),
    openers: new FileOpeners({ environment: env, platform }),
  };
}
