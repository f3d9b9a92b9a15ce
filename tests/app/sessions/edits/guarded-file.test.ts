import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readGuarded, writeGuarded } from '../../../../app/sessions/edits/guarded-file.ts';
import { temporaryFolder } from '../../history/surroundings.ts';

/** A session's folder, one in it, and one outside with a file of the same name. */
function folders() {
  const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const inner = join(root, 'inner');
  mkdirSync(inner);
  for (const folder of [inner, elsewhere]) writeFileSync(join(folder, 'a.txt'), folder);
  const swap = (): void => {
    if (existsSync(join(root, 'moved'))) return;
    renameSync(inner, join(root, 'moved'));
    symlinkSync(elsewhere, inner);
  };
  /** The session's folders: whoever resolves them has looked at the file's own folder, which becomes a link then. */
  const swapping = Object.assign([root], {
    map: <Made>(make: (path: string) => Made): Made[] => {
      swap();
      return [root].map(make);
    },
  });
  return { root, elsewhere, inner, swap, path: join(inner, 'a.txt'), swapping: swapping as string[] };
}

/** As where a folder can't be reached by an open one. */
function elsewhereThanLinux(): void {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
}

describe('a folder that becomes a link between look and write', () => {
  it.runIf(process.platform === 'linux').each([['text'], [null]])('is written where it was: %s', async (text) => {
    const { root, elsewhere, path, swapping } = folders();
    const file = await readGuarded(path, [root]);
    await writeGuarded(path, text, file, { roots: swapping, outside: [] });
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe(elsewhere);
    expect(readdirSync(elsewhere)).toEqual(['a.txt']);
    const moved = join(root, 'moved');
    expect(readdirSync(moved)).toEqual(text === null ? [] : ['a.txt']);
    if (text !== null) expect(readFileSync(join(moved, 'a.txt'), 'utf8')).toBe(text);
  });

  it.each([['text'], [null]])('is seen after writing where the system has no other way: %s', async (text) => {
    elsewhereThanLinux();
    const { root, elsewhere, path, swapping } = folders();
    const file = await readGuarded(path, [root]);
    const written = writeGuarded(path, text, file, { roots: swapping, outside: [] });
    await expect(written).rejects.toMatchObject({ code: 'detour' });
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe(elsewhere);
    for (const folder of [elsewhere, join(root, 'moved')]) expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('is not written by its path alone, although a person agreed to that', async () => {
    const { elsewhere, path, swap } = folders();
    const file = await readGuarded(path, []);
    swap();
    const written = writeGuarded(path, 'text', file, { roots: [], outside: [path] });
    await expect(written).rejects.toMatchObject({ code: 'detour' });
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe(elsewhere);
  });

  it('is named as a person knows it where it can’t be written', async () => {
    const { root, inner, path } = folders();
    const file = await readGuarded(path, [root]);
    rmSync(path);
    mkdirSync(path);
    const message = expect.stringContaining(`'${inner}/`);
    const written = writeGuarded(path, 'text', file, { roots: [root], outside: [] });
    await expect(written).rejects.toMatchObject({ code: 'not-written', message });
  });

  it.runIf(process.platform === 'linux')('says what has to be writable where the system refuses', async () => {
    // Nobody may make files there, root included.
    const path = '/sys/kernel/jumpseat-test';
    const file = { text: null, hasMark: false, hasCrlf: false, mode: 0o644 };
    const written = writeGuarded(path, 'text', file, { roots: [], outside: [path] });
    await expect(written).rejects.toMatchObject({ code: 'not-written', remedy: expect.stringMatching(/writable/) });
  });

  it('is written through a link that stays within the session’s folders', async () => {
    const { root, inner } = folders();
    symlinkSync(inner, join(root, 'link'));
    for (const isLinux of [true, false]) {
      if (!isLinux) elsewhereThanLinux();
      const path = join(root, 'link', 'a.txt');
      await writeGuarded(path, `${isLinux}`, await readGuarded(path, [root]), { roots: [root], outside: [] });
      expect(readFileSync(join(inner, 'a.txt'), 'utf8')).toBe(`${isLinux}`);
      await writeGuarded(path, null, await readGuarded(path, [root]), { roots: [root], outside: [] });
      expect(readdirSync(inner)).toEqual([]);
    }
  });
});
