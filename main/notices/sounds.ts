import { posix } from 'node:path';
import type { NotificationChoices, SoundName } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import type { Log } from '../../app/ports.ts';

/** A setting's value for a sound of the desktop; others are the paths of files. */
const systemSound = 'system';

interface SoundsDependencies {
  log: Log;
  choices: () => Pick<NotificationChoices, SoundName>;
  /** A window of Jumpseat is in front. */
  inSight: () => boolean;
  /** Files of the desktop's sound theme, the first that is there counts; null where the system has its own sound. */
  theme: (name: SoundName) => readonly string[] | null;
  /** The system's own sound. */
  beep: () => void;
  /** Rejects where there is no such file. */
  read: (path: string) => Promise<Buffer>;
  /** Plays a file's bytes to their end; false: they are no sound. */
  play: (bytes: Buffer) => Promise<boolean>;
}

const mostBytes = 10_000_000;

class SoundError extends Error {
  override readonly name = 'SoundError';
  readonly code = 'no-sound';
  readonly remedy: string;

  constructor(message: string, remedy = t('Choose another file.')) {
    super(message);
    this.remedy = remedy;
  }
}

/** Sounds for sessions: off unless chosen, one at a time, and none while a window of Jumpseat is in front. */
export class Sounds {
  readonly #given: SoundsDependencies;
  #isPlaying = false;

  constructor(given: SoundsDependencies) {
    this.#given = given;
  }

  /** Where a file can't be played, the system's sound is: something happened all the same. */
  async about(name: SoundName): Promise<void> {
    const { choices, inSight, log, beep } = this.#given;
    const chosen = choices()[name];
    if (chosen === null || this.#isPlaying || inSight()) return;
    log.write('info', 'sound', { cause: name });
    for (const sound of new Set([chosen, systemSound])) {
      try {
        return await this.try(name, sound);
      } catch {
        // Without the path, which may say something of the person.
        log.write('warn', 'sound.not-played', { cause: name, which: sound === systemSound ? 'system' : 'file' });
      }
    }
    beep();
  }

  /** Plays it now, but for while another plays. Rejects where it can't be played, with why. */
  async try(name: SoundName, chosen: string): Promise<void> {
    const bytes = await this.#find(name, chosen);
    if (bytes === null) return this.#given.beep();
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    try {
      if (!(await this.#given.play(bytes))) throw new SoundError(t('The file is no sound that Jumpseat can play.'));
    } finally {
      this.#isPlaying = false;
    }
  }

  /** Rejects where it is known without playing it that it can't be played. */
  async check(name: SoundName, chosen: string): Promise<void> {
    await this.#find(name, chosen);
  }

  /** Null: the system's own. */
  async #find(name: SoundName, chosen: string): Promise<Buffer | null> {
    const { theme, read } = this.#given;
    if (chosen === systemSound) {
      const files = theme(name);
      if (files === null) return null;
      for (const file of files) {
        const bytes = await read(file).catch(() => null);
        if (bytes !== null) return bytes;
      }
      throw new SoundError(
        t('This desktop has no sounds of its own.'),
        t('Choose a file, or install sound-theme-freedesktop.'),
      );
    }
    const bytes = await read(chosen).catch(() => {
      throw new SoundError(t('The sound’s file isn’t there any more, or can’t be read.'));
    });
    if (bytes.length > mostBytes) throw new SoundError(t('The file is too large for a sound: 10 MB is the most.'));
    return bytes;
  }
}

/** Names of freedesktop.org's Sound Naming Specification, which every theme falls back to. */
const themed = { soundWaits: 'window-attention', soundDone: 'complete', soundFailed: 'dialog-warning' } as const;

/** Where a Linux desktop keeps its sounds. Others make their own, Electron's on Linux is a bell that no one hears. */
export function themeSounds(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  name: SoundName,
): string[] | null {
  if (platform !== 'linux') return null;
  const own = env.XDG_DATA_HOME || posix.join(env.HOME ?? '/', '.local/share');
  const all = (env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':');
  return [own, ...all].map((folder) => posix.join(folder, 'sounds/freedesktop/stereo', `${themed[name]}.oga`));
}
