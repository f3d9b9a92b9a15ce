import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { windowSettings } from '../../app/api/setting-table.ts';
import { type FileOpener, fileOpenerSchema } from '../../app/api/settings.ts';
import { programOnPath } from '../../app/claude-code/version.ts';
import { t } from '../../app/language/translate.ts';

type Program = Exclude<FileOpener, 'system'>;

interface Places {
  /** Commands of the program on the PATH. */
  commands: readonly string[];
  /** Below a folder of applications, on macOS. */
  mac: string;
  /** Below a folder of programs, on Windows: never a script, which a shell would have to run. */
  windows: string;
}

const places: Readonly<Record<Program, Places>> = {
  code: {
    commands: ['code'],
    mac: 'Visual Studio Code.app/Contents/Resources/app/bin/code',
    windows: 'Microsoft VS Code\\Code.exe',
  },
  codium: {
    commands: ['codium'],
    mac: 'VSCodium.app/Contents/Resources/app/bin/codium',
    windows: 'VSCodium\\VSCodium.exe',
  },
  cursor: {
    commands: ['cursor'],
    mac: 'Cursor.app/Contents/Resources/app/bin/cursor',
    windows: 'cursor\\Cursor.exe',
  },
  windsurf: {
    commands: ['windsurf'],
    mac: 'Windsurf.app/Contents/Resources/app/bin/windsurf',
    windows: 'Windsurf\\Windsurf.exe',
  },
  zed: { commands: ['zed', 'zeditor'], mac: 'Zed.app/Contents/MacOS/cli', windows: 'Zed\\Zed.exe' },
  sublime: {
    commands: ['subl'],
    mac: 'Sublime Text.app/Contents/SharedSupport/bin/subl',
    windows: 'Sublime Text\\sublime_text.exe',
  },
};

/** The program that a person chose for files isn't to be had. */
class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  readonly code = 'opener';
  readonly remedy = t('Choose another program under “Open files with” in the settings of sessions.');
}

interface FileOpenersDependencies {
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home?: string;
  /** Whether a file is there and may be run; replaced by tests of other systems. */
  mayRun?(path: string): Promise<boolean>;
}

/** Editors of this machine that can show a file of a session. Each is given one whole path, and no shell reads it. */
export class FileOpeners {
  readonly #given: FileOpenersDependencies;

  constructor(given: FileOpenersDependencies) {
    this.#given = given;
  }

  async found(): Promise<FileOpener[]> {
    const programs = fileOpenerSchema.options.filter((opener) => opener !== 'system');
    const paths = await Promise.all(programs.map((program) => this.#find(program)));
    return ['system', ...programs.filter((_, place) => paths[place] !== null)];
  }

  /**
   * Resolves once the program runs. Rejects with its remedy.
   * @param path absolute
   * @param line from 1 on
   */
  async open(program: Program, path: string, line?: number): Promise<void> {
    const file = await this.#find(program);
    const title = windowSettings.sessions.openFilesWith.choices?.[program] ?? program;
    if (file === null) throw new NotOpenedError(t('{title} isn’t found on this machine any more.', { title }));
    await new Promise<void>((resolve, reject) => {
      // What Jumpseat alone was given, a token among it, is not for others.
      const given = Object.entries(this.#given.environment);
      const env = Object.fromEntries(given.filter(([name]) => !name.startsWith('JUMPSEAT_')));
      const child = spawn(file, argumentsFor(program, path, line), {
        detached: true,
        stdio: 'ignore',
        windowsHide: true,
        env,
      });
      child.once('spawn', resolve);
      child.once('error', (error) =>
        reject(new NotOpenedError(t('{title} couldn’t be started: {message}.', { title, message: error.message }))),
      );
      child.unref();
    });
  }

  async #find(program: Program): Promise<string | null> {
    const { environment, platform, home = homedir(), mayRun = isProgram } = this.#given;
    const { commands, mac, windows } = places[program];
    if (platform === 'win32') {
      const { LOCALAPPDATA: local, ProgramFiles: all } = environment;
      const folders = [...(local ? [win32.join(local, 'Programs')] : []), ...(all ? [all] : [])];
      return firstThere(
        folders.map((folder) => win32.join(folder, windows)),
        mayRun,
      );
    }
    for (const command of commands) {
      const found = await programOnPath(command, environment, platform);
      if (found !== null) return found;
    }
    if (platform !== 'darwin') return null;
    return firstThere(
      ['/Applications', posix.join(home, 'Applications')].map((folder) => posix.join(folder, mac)),
      mayRun,
    );
  }
}

/** Every one of them takes `path:line`; those made from VS Code only behind a switch. */
function argumentsFor(program: Program, path: string, line: number | undefined): string[] {
  if (line === undefined) return [path];
  const isPlain = program === 'zed' || program === 'sublime';
  return [...(isPlain ? [] : ['--goto']), `${path}:${line}`];
}

async function firstThere(
  paths: readonly string[],
  mayRun: (path: string) => Promise<boolean>,
): Promise<string | null> {
  for (const path of paths) if (await mayRun(path)) return path;
  return null;
}

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
