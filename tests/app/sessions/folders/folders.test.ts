import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { folderFacts, folderFiles } from '../../../../app/sessions/folders/git.ts';
import { GoneFolders, namedPath, pathInSession, realFolder } from '../../../../app/sessions/folders/named-path.ts';

let folder: string;
let home: string;
const environment = { PATH: process.env.PATH };
const here = () => ({ environment: { ...environment, HOME: home } });
const write = (path: string, text = ''): string => {
  const whole = join(folder, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, text);
  return whole;
};
const git = (...command: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...command], {
    env: here().environment,
    stdio: 'pipe',
  });

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-folders-')));
  folder = join(home, 'project');
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true }));

describe('the files of a folder', () => {
  it('are those that git does not ignore, whether they are known to it or not', async () => {
    git('init', '-q');
    write('.gitignore', 'dist/\n*.log\n');
    for (const path of ['src/a.ts', 'src/two words.ts', 'dist/out.js', 'run.log', 'söhne.md']) write(path);
    git('add', 'src/a.ts');
    const { files, isWhole } = await folderFiles(folder, here());
    expect(files.sort()).toEqual(['.gitignore', 'src/a.ts', 'src/two words.ts', 'söhne.md'].sort());
    expect(isWhole).toBe(true);
    // Of a folder within a repository: its own alone.
    expect((await folderFiles(join(folder, 'src'), here())).files.sort()).toEqual(['a.ts', 'two words.ts']);
  });

  it('are found without git, nearer ones first, and no link is followed', async () => {
    for (const path of ['deep/er/b.ts', 'deep/c.ts', 'a.ts', 'node_modules/x/index.js']) write(path);
    symlinkSync('..', join(folder, 'up'));
    const files = ['a.ts', 'up', 'deep/c.ts', 'deep/er/b.ts'];
    expect(await folderFiles(folder, here())).toEqual({ files, isWhole: true });
    expect(await folderFiles(folder, { environment: { PATH: home } })).toEqual({ files, isWhole: true });
  });
});

it('what a path leads to: a file, a folder, or nothing any more', async () => {
  const file = write('src/a.ts');
  const found = await Promise.all(
    [file, 'src', join(folder, 'gone'), 'src/a.ts/below'].map((path) => namedPath(path, folder)),
  );
  expect(found).toEqual(['file', 'folder', 'gone', 'gone']);
  // One of another machine is not looked at.
  expect([
    await namedPath('//elsewhere/a', folder, 'win32'),
    await namedPath('//elsewhere/a', folder, 'linux'),
  ]).toEqual(['file', 'gone']);
});

describe('what is known of a folder', () => {
  const facts = (isTrusted: boolean) =>
    folderFacts(folder, { ...here(), userHome: home, isTrusted, heeded: ['.mcp.json', 'CLAUDE.md'] });

  it('is its branch, and, where it is trusted, how many files are not committed', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts', 'one');
    write('b.ts', 'one');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    git('mv', 'b.ts', 'renamed.ts');
    write('a.ts', 'two');
    write('new/c.ts');
    write('CLAUDE.md');
    const known = { path: folder, gives: ['CLAUDE.md'], isWide: false, branch: 'main' };
    expect(await facts(true)).toEqual({ ...known, isTrusted: true, uncommitted: 4 });
    expect(await facts(false)).toEqual({ ...known, isTrusted: false, uncommitted: null });
    git('checkout', '-q', '--detach');
    expect((await facts(true)).branch).toBeNull();
  });

  it('is less without a repository', async () => {
    const known = { path: folder, branch: null, uncommitted: null, gives: [], isWide: false };
    expect(await facts(true)).toEqual({ ...known, isTrusted: true });
    const wide = await folderFacts(home, { ...here(), userHome: home, isTrusted: false, heeded: [] });
    expect(wide).toEqual({ ...known, path: home, isTrusted: false, isWide: true });
    expect((await folderFacts('/', { ...here(), userHome: home, isTrusted: false, heeded: [] })).isWide).toBe(true);
  });

  it('runs nothing that an untrusted repository names', async () => {
    git('init', '-q');
    const ran = join(home, 'ran');
    const program = join(home, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\ncat\n`);
    chmodSync(program, 0o755);
    write('a.ts', 'one');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    write('.gitattributes', '* filter=theirs');
    git('config', 'core.fsmonitor', program);
    git('config', 'filter.theirs.clean', program);
    write('a.ts', 'two');
    await folderFiles(folder, here());
    await facts(false);
    expect(existsSync(ran)).toBe(false);
    // The same programs are run by git where nothing keeps it from that.
    git('status');
    expect(existsSync(ran)).toBe(true);
  });

  it.each([
    { way: 'an address', settings: (program: string) => [['remote.origin.url', `ext::${program}`]] },
    {
      way: 'a program of the other side',
      settings: (program: string) => [
        ['remote.origin.url', folder],
        ['remote.origin.uploadpack', program],
      ],
    },
  ])('runs no program for an object that is missing: $way', async ({ settings }) => {
    git('init', '-q', '-b', 'main');
    const ran = join(home, 'ran');
    const program = join(home, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(program, 0o755);
    write('a.ts', 'one');
    const partial = [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
    ];
    for (const [name = '', value = ''] of [...partial, ...settings(program)]) git('config', name, value);
    // What git ignores is read from the index where the file is not in the folder.
    git('update-index', '--add', '--cacheinfo', `100644,${'12'.repeat(20)},.gitignore`);
    git('update-index', '--skip-worktree', '.gitignore');
    expect((await folderFiles(folder, here())).files).toContain('a.ts');
    for (const isTrusted of [false, true]) expect(await facts(isTrusted)).toMatchObject({ branch: 'main' });
    expect(existsSync(ran)).toBe(false);
    // The same program is run by git where nothing keeps it from that.
    spawnSync('git', ['-C', folder, 'ls-files', '--others', '--exclude-standard'], { env: here().environment });
    expect(existsSync(ran)).toBe(true);
  });

  it('is nothing where it is no folder', async () => {
    await expect(realFolder(write('a.ts'))).rejects.toMatchObject({ code: 'folder-gone' });
    await expect(realFolder(join(folder, 'gone'))).rejects.toMatchObject({ code: 'folder-gone' });
    symlinkSync(folder, join(home, 'link'));
    expect(await realFolder(join(home, 'link'))).toBe(folder);
  });
});

describe('a path in a session', () => {
  it('is one below its folders, by whatever name', async () => {
    const file = write('src/a.ts');
    const other = join(home, 'other');
    mkdirSync(other);
    expect(await pathInSession('src/a.ts', [folder])).toEqual({
      ...{ path: file, isOutside: false, isFolder: false, isExecutable: false },
    });
    expect(await pathInSession(file, [folder])).toMatchObject({ path: file });
    expect(await pathInSession('.', [folder])).toMatchObject({ path: folder, isFolder: true, isExecutable: false });
    expect(await pathInSession(other, [folder, other])).toMatchObject({ path: other });
    chmodSync(file, 0o755);
    expect(await pathInSession(file, [folder])).toMatchObject({ isExecutable: true });
  });

  it('says what lies outside, also behind a link, and is none that is gone', async () => {
    symlinkSync(home, join(folder, 'up'));
    mkdirSync(join(home, 'project-two'));
    for (const path of ['..', '../project-two', 'up', 'up/project-two', '/']) {
      expect(await pathInSession(path, [folder])).toMatchObject({ isOutside: true });
    }
    // Not looked at: it would be gone.
    for (const [path, platform] of [
      ['//elsewhere/share/a.md', 'win32'],
      ['/net/elsewhere/a.md', 'darwin'],
    ] as const) {
      const away = { isOutside: true, isFolder: false, isExecutable: true };
      expect(await pathInSession(path, [folder], platform)).toMatchObject(away);
      await expect(pathInSession(path, [folder], 'linux')).rejects.toMatchObject({ code: 'file-gone' });
    }
    await expect(pathInSession('gone.ts', [folder])).rejects.toMatchObject({ code: 'file-gone' });
  });
});

describe('a folder that is gone', () => {
  it('is told, and none of another machine is looked for', async () => {
    const gone = join(tmpdir(), 'jumpseat-not-there');
    const away = ['\\\\host\\share', '//host/share'];
    const looks = new GoneFolders(nodeClock(), 'win32');
    expect([...(await looks.among([gone, ...away]))]).toEqual([gone]);
    // Elsewhere such a name is one of this machine.
    const here = new GoneFolders(nodeClock(), 'linux');
    expect((await here.among(['//host/share'])).size).toBe(1);
  });
});
