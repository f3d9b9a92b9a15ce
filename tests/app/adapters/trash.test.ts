import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeTrash } from '../../../app/adapters/trash.ts';
import { temporaryFolder } from '../history/surroundings.ts';

it.runIf(process.platform === 'linux')(
  'a file and a folder go to the trash of the desktop, each with where it lay',
  async () => {
    const home = temporaryFolder();
    const trash = nodeTrash({ XDG_DATA_HOME: join(home, 'data') }, { home });
    const [file, folder] = [join(home, 'a 100% file.txt'), join(home, 'folder')];
    writeFileSync(file, 'one');
    mkdirSync(folder);
    writeFileSync(join(folder, 'inside'), 'two');
    await trash(file);
    await trash(folder);
    writeFileSync(file, 'again');
    await trash(file);
    expect([existsSync(file), existsSync(folder)]).toEqual([false, false]);
    const kept = join(home, 'data', 'Trash', 'files');
    const names = readdirSync(kept).sort();
    expect(names).toEqual([expect.stringMatching(/^a 100% file [0-9a-f]{8}\.txt$/), 'a 100% file.txt', 'folder']);
    expect(readFileSync(join(kept, 'a 100% file.txt'), 'utf8')).toBe('one');
    expect(readFileSync(join(kept, 'folder', 'inside'), 'utf8')).toBe('two');
    const notes = readdirSync(join(home, 'data', 'Trash', 'info')).sort();
    expect(notes).toEqual(names.map((name) => `${name}.trashinfo`).sort());
    expect(readFileSync(join(home, 'data', 'Trash', 'info', 'a 100% file.txt.trashinfo'), 'utf8')).toMatch(
      new RegExp(
        `^\\[Trash Info\\]\nPath=${home}/a%20100%25%20file.txt\nDeletionDate=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\n$`,
      ),
    );
  },
);

it('what is not there is refused, and leaves no note', async () => {
  const home = temporaryFolder();
  const trash = nodeTrash({ XDG_DATA_HOME: join(home, 'data') }, { home });
  await expect(trash(join(home, 'none'))).rejects.toThrow('ENOENT');
  expect(existsSync(join(home, 'data'))).toBe(false);
});

it('macOS has a folder for it, and on Windows the shell is given the path in a variable', async () => {
  const home = temporaryFolder();
  const file = join(home, "it's; a file.txt");
  writeFileSync(file, 'one');
  const ran: unknown[] = [];
  const run = async (...given: unknown[]): Promise<void> => void ran.push(given);
  await nodeTrash({}, { home, platform: 'win32', run })(file);
  expect(ran).toEqual([
    [
      'powershell.exe',
      [...['-NoProfile', '-NonInteractive', '-Command'], expect.any(String)],
      { JUMPSEAT_TRASHED: file },
    ],
  ]);
  mkdirSync(join(home, '.Trash'));
  await nodeTrash({}, { home, platform: 'darwin', run })(file);
  expect(readFileSync(join(home, '.Trash', "it's; a file.txt"), 'utf8')).toBe('one');
  expect([existsSync(file), ran.length]).toEqual([false, 1]);
});
