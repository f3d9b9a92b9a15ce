import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { App } from '../../app/api/app.ts';
import type { CallArguments, CallName, CallResult, CallsBy } from '../../app/api/calls.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { LoginItem } from '../login-item.ts';
import type { Sounds } from '../notices/sounds.ts';
import type { Question } from '../questions.ts';
import { sessionPlace } from '../sessions/session-lines.ts';
import { copyAction, type TrayAction } from '../tray/tray-entry.ts';
import type { Updates } from '../updates.ts';
import type { FileOpeners } from './file-openers.ts';
import { openAddress, openKnownFile, showInSession } from './open-outside.ts';

interface AnswerDependencies {
  app: App;
  /** What the tray does too is done in one way. */
  act: (action: TrayAction) => Promise<void> | void;
  copySecret: (text: string) => Promise<void> | void;
  /** False: not on the list of addresses that may be opened. */
  openOutside: (address: string) => Promise<boolean>;
  updates: Updates;
  desktop: DesktopDependencies;
}

/** What this machine has besides the app. */
export interface DesktopDependencies {
  loginItem: Pick<LoginItem, 'isAvailable' | 'read' | 'write'>;
  platform: string;
  /** `Electron 45.4.1` */
  runtime: string;
  applySetup: (id: string) => Promise<{ backup: string | null }>;
  openFolder: (which: CallArguments<'openFolder'>[0]) => Promise<void>;
  /** A folder that the person picks; null if there is none. */
  chooseFolder: () => Promise<string | null>;
  /** The files that the person picks in a dialog that begins in this folder. */
  chooseFiles: (folder: string) => Promise<readonly string[]>;
  /** A file that the person picks; null if there is none. */
  chooseFile: () => Promise<string | null>;
  /** A sound that the person picks; null if there is none. */
  chooseSound: () => Promise<string | null>;
  sounds: Pick<Sounds, 'try' | 'check'>;
  /** Opens this place in a further window. */
  openWindow: (place: string) => void;
  openers: Pick<FileOpeners, 'found' | 'open'>;
  ask: (question: Question) => Promise<boolean>;
  /** Hands an address to the system's own program for it. */
  openAddress: (address: string) => Promise<void>;
  /** Shows a file in its folder. */
  revealPath: (path: string) => void;
  /** Shows a file with the system's own program. Why not, in the system's words; empty where it did. */
  openPath: (path: string) => Promise<string>;
}

type Answers<Name extends CallName> = {
  readonly [Each in Name]: (...given: CallArguments<Each>) => CallResult<Each> | Promise<CallResult<Each>>;
};

/** What the tray app answers itself, and what it says more about than the app does. */
type FrontAnswers = Answers<CallsBy<'front'> | 'preferences' | 'changePreferences' | 'applySetup'>;

/** The app's preferences with what only this machine can say. */
export function desktopPreferences(
  preferences: Preferences,
  { loginItem, platform, runtime }: Pick<DesktopDependencies, 'loginItem' | 'platform' | 'runtime'>,
): Preferences {
  const openAtLogin = loginItem.isAvailable ? loginItem.read() : null;
  return { ...preferences, desktop: { openAtLogin, platform, runtime } };
}

/** The calls that are about this machine; the app answers the others. */
export function frontAnswers({
  app,
  act,
  copySecret,
  openOutside,
  updates,
  desktop,
}: AnswerDependencies): FrontAnswers {
  const withDesktop = (preferences: Preferences) => desktopPreferences(preferences, desktop);
  return {
    preferences: () => withDesktop(app.preferences()),
    changePreferences: async ({ openAtLogin, ...change }) => {
      if (openAtLogin !== undefined) desktop.loginItem.write(openAtLogin);
      return withDesktop(await app.changePreferences(change, { restart: true }));
    },
    applySetup: (id) => desktop.applySetup(id),
    openFolder: (which) => desktop.openFolder(which),
    openFile: async (which) => openKnownFile(await app.fileOf(which), desktop.openPath),
    chooseFolder: () => desktop.chooseFolder(),
    chooseFiles: async (folder) => Promise.all((await desktop.chooseFiles(folder)).map(chosenFile)),
    openSessionWindow: (session) => desktop.openWindow(sessionPlace(session)),
    showInSession: (place) => showInSession(place, { app, ...desktop }),
    chooseClaudeFile: async () => {
      const path = await desktop.chooseFile();
      if (path !== null) await app.chooseAgentFile('claude', path);
      return path !== null;
    },
    chooseSound: async (name) => {
      const path = await desktop.chooseSound();
      if (path !== null) await desktop.sounds.try(name, path);
      return path;
    },
    playSound: (name, sound) => desktop.sounds.try(name, sound),
    checkSound: (name, sound) => desktop.sounds.check(name, sound),
    fileOpeners: () => desktop.openers.found(),
    copyCode: (id) => act(id === null ? 'copy-code' : `copy-code-${id}`),
    copyLines: (shell, what) => act(copyAction(what, shell)),
    copyKey: async () => copySecret(await app.localKey()),
    copyNewKey: async (wish) => copySecret(await app.createKey(wish)),
    openOutside,
    openAddress: (address) => openAddress(address, desktop.openAddress),
    updateState: () => updates.state(),
    checkForUpdates: () => updates.check(),
    restartToUpdate: () => updates.restart(),
  };
}

/** Types of pictures that models accept, by extension. */
const pictureTypes: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
]);

/**
 * A file that the person picked, as the window attaches it: pictures with their bytes, because they are sent; others by
 * their path, which the agent reads. A picture that can't be read goes by its path too.
 */
async function chosenFile(path: string): Promise<CallResult<'chooseFiles'>[number]> {
  const mimeType = pictureTypes.get(extname(path).toLowerCase());
  const bytes = mimeType === undefined ? null : await readFile(path).catch(() => null);
  if (mimeType === undefined || bytes === null) return { kind: 'path', path };
  return { kind: 'image', name: basename(path), mimeType, data: bytes.toString('base64') };
}
