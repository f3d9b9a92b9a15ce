import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandLinkPlace, isCommandOfApp } from '../app/adapters/paths.ts';
import { asShellCommand } from '../app/api/shell.ts';
import { inFrontLanguage } from '../app/language/front-language.ts';
import { t } from '../app/language/translate.ts';

export interface CommandLinkDependencies {
  platform: NodeJS.Platform;
  packaged: boolean;
  /** Where the app has its files: `process.resourcesPath`. */
  resources: string;
  place?: string;
  /** Runs a program; rejects with its `stderr` where it fails. */
  run?: (program: string, args: readonly string[]) => Promise<unknown>;
}

/** The command `jumpseat` on macOS: a link to the one in the app. Elsewhere the installer puts it into the PATH. */
export interface CommandLink {
  /** There is none yet, and one can be set. */
  isOffered(): boolean;
  /** Sets it; the system asks for a password where it has to. False: the person declined that. */
  set(): Promise<boolean>;
  /** Corrects at each start a link to where the app was before. Returns true if it did. */
  remedy(): boolean;
}

export function commandLink({
  platform,
  packaged,
  resources,
  place = commandLinkPlace,
  run = promisify(execFile),
}: CommandLinkDependencies): CommandLink {
  const target = join(resources, 'bin', 'jumpseat');
  // An app that runs from its disk image, or that macOS has put elsewhere for this one start, is gone later.
  const isPossible = platform === 'darwin' && packaged && !/^\/Volumes\/|\/AppTranslocation\//.test(resources);
  const found = (): 'none' | 'right' | 'moved' | 'other' => {
    const entry = lstatSync(place, { throwIfNoEntry: false });
    if (entry === undefined) return 'none';
    const to = entry.isSymbolicLink() ? readlinkSync(place) : '';
    if (to === target) return 'right';
    return isCommandOfApp(to) ? 'moved' : 'other';
  };
  const link = (): void => {
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    symlinkSync(target, place);
  };
  return {
    isOffered: () => isPossible && ['none', 'moved'].includes(found()),
    set: async () => {
      try {
        link();
        return true;
      } catch {
        return asAdministrator(run, target, place);
      }
    },
    remedy: () => {
      if (!isPossible || found() !== 'moved') return false;
      try {
        link();
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The link couldn't be set. Its own words are in English, because they are logged. */
export class NotLinkedError extends Error {
  override readonly name = 'NotLinkedError';
  readonly remedy: string;
  /** What the person reads. */
  readonly shown: () => { text: string; remedy: string };

  constructor(line: string, cause: unknown) {
    const words = () => ({
      text: t('The command “jumpseat” can’t be installed.'),
      remedy: t('In a terminal: {line}', { line }),
    });
    const { text, remedy } = words();
    super(text, { cause });
    this.remedy = remedy;
    this.shown = words;
  }
}

/** The paths are arguments, so that nothing in them is read as a script. */
const script = [
  'on run {commandFile, linkFile, linkFolder, why}',
  'set folderLine to "mkdir -p " & quoted form of linkFolder',
  'set linkLine to "ln -sfh " & quoted form of commandFile & " " & quoted form of linkFile',
  'do shell script folderLine & " && " & linkLine with prompt why with administrator privileges',
  'end run',
];

async function asAdministrator(
  run: NonNullable<CommandLinkDependencies['run']>,
  command: string,
  place: string,
): Promise<boolean> {
  try {
    const why = inFrontLanguage(() => t('Jumpseat sets a link for the command jumpseat.'));
    const given = [command, place, dirname(place), why];
    await run('/usr/bin/osascript', [...script.flatMap((line) => ['-e', line]), ...given]);
    return true;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    if (said.includes('(-128)')) return false;
    throw new NotLinkedError(`sudo ln -sfh ${asShellCommand([command, place])}`, error);
  }
}
