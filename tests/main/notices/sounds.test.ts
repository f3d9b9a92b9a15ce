import { beforeEach, expect, it } from 'vitest';
import type { SoundName } from '../../../app/api/settings.ts';
import { Sounds, themeSounds } from '../../../main/notices/sounds.ts';

const chosen: Record<SoundName, string | null> = { soundWaits: null, soundDone: null, soundFailed: null };
const done: string[] = [];
const files = new Map<string, string>();
let isInSight = false;
let theme: string[] | null = null;
let playing: Promise<boolean> | null = null;
const sounds = new Sounds({
  log: { write: (level, event, fields) => void done.push(`${level} ${event} ${JSON.stringify(fields)}`) },
  choices: () => chosen,
  inSight: () => isInSight,
  theme: () => theme,
  beep: () => void done.push('beep'),
  read: async (path) => {
    const content = files.get(path);
    if (content === undefined) throw new Error('ENOENT');
    return Buffer.from(content);
  },
  play: async (bytes) => {
    done.push(`play ${bytes.toString()}`);
    return playing ?? bytes.toString() !== 'text';
  },
});
const heard = (): string[] => done.filter((line) => /^(?:play|beep)/.test(line));
beforeEach(() => {
  Object.assign(chosen, { soundWaits: null, soundDone: null, soundFailed: null });
  files.clear();
  files.set('/ding.wav', 'ding');
  [isInSight, theme, playing] = [false, null, null];
  done.length = 0;
});

it('are off, the system’s or a file’s, each by itself, and silent while a window is in front', async () => {
  await sounds.about('soundWaits');
  expect(done).toEqual([]);
  Object.assign(chosen, { soundWaits: 'system', soundDone: '/ding.wav' });
  await sounds.about('soundFailed');
  await sounds.about('soundWaits');
  await sounds.about('soundDone');
  expect(heard()).toEqual(['beep', 'play ding']);
  isInSight = true;
  await sounds.about('soundWaits');
  expect(heard()).toHaveLength(2);
});

it('are those of the desktop’s theme on Linux, the person’s own first; without one, it is said what to do', async () => {
  const env = { HOME: '/home/me', XDG_DATA_DIRS: '/opt/share:/usr/share' };
  theme = themeSounds('linux', env, 'soundDone');
  expect(theme).toEqual(
    ['/home/me/.local', '/opt', '/usr'].map((folder) => `${folder}/share/sounds/freedesktop/stereo/complete.oga`),
  );
  expect([themeSounds('darwin', env, 'soundDone'), themeSounds('win32', env, 'soundDone')]).toEqual([null, null]);
  await expect(sounds.try('soundDone', 'system')).rejects.toMatchObject({
    message: 'This desktop has no sounds of its own.',
    remedy: 'Choose a file, or install sound-theme-freedesktop.',
  });
  files.set('/usr/share/sounds/freedesktop/stereo/complete.oga', 'complete');
  await sounds.try('soundDone', 'system');
  expect(heard()).toEqual(['play complete']);
});

it('come one at a time', async () => {
  chosen.soundDone = '/ding.wav';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  playing = promise;
  const first = sounds.about('soundDone');
  await expect.poll(heard).toEqual(['play ding']);
  await sounds.about('soundDone');
  resolve(true);
  await first;
  expect(heard()).toEqual(['play ding']);
  await sounds.about('soundDone');
  expect(heard()).toHaveLength(2);
});

it('that can’t be played are the system’s, and the log names no file', async () => {
  Object.assign(chosen, { soundWaits: '/gone.wav', soundFailed: '/notes.txt' });
  files.set('/notes.txt', 'text');
  await sounds.about('soundWaits');
  await sounds.about('soundFailed');
  expect(heard()).toEqual(['beep', 'play text', 'beep']);
  theme = ['/not-there.oga'];
  await sounds.about('soundWaits');
  expect(heard().at(-1)).toBe('beep');
  expect(done.filter((line) => line.startsWith('warn'))).toHaveLength(4);
  expect(done.join('\n')).not.toMatch(/gone|notes/);
});

it('are refused by what is wrong with the file, before it is played where that is known', async () => {
  files.set('/notes.txt', 'text');
  files.set('/long.wav', 'x'.repeat(10_000_001));
  for (const look of [sounds.try.bind(sounds), sounds.check.bind(sounds)]) {
    await expect(look('soundWaits', '/gone.wav')).rejects.toMatchObject({
      message: 'The sound’s file isn’t there any more, or can’t be read.',
      remedy: 'Choose another file.',
    });
    await expect(look('soundWaits', '/long.wav')).rejects.toThrow('The file is too large for a sound');
  }
  await sounds.check('soundWaits', '/notes.txt');
  await expect(sounds.try('soundWaits', '/notes.txt')).rejects.toThrow('The file is no sound that Jumpseat can play.');
  expect(heard()).toEqual(['play text']);
});
