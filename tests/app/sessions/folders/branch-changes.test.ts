import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchChanges } from '../../../../app/sessions/folders/branch-changes.ts';

let folder: string;
let home: string;
const here = () => ({ environment: { PATH: process.env.PATH, HOME: home } });
const write = (path: string, text: string | Buffer): string => {
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
const commit = (): void => {
  git('add', '-A');
  git('commit', '-q', '-m', 'One');
};

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-branch-')));
  folder = join(home, 'project');
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true }));

describe('the changes against the branch', () => {
  it('are not there without a repository, a default branch, or a common commit', async () => {
    expect(await branchChanges(folder, here())).toBeNull();
    git('init', '-q', '-b', 'topic');
    write('a.ts', 'one\n');
    commit();
    expect(await branchChanges(folder, here())).toBeNull();
    git('checkout', '-q', '--orphan', 'main');
    git('commit', '-q', '-m', 'Another root');
    git('checkout', '-q', 'topic');
    expect(await branchChanges(folder, here())).toBeNull();
  });

  it('have what was committed, what was not, and new files, from where the branch began', async () => {
    git('init', '-q', '-b', 'main');
    write('src/a b.ts', 'one\ntwo\n');
    write('gone.ts', 'one\n');
    write('same.ts', 'one\n');
    write('.gitignore', '*.log\n');
    commit();
    git('checkout', '-q', '-b', 'topic');
    write('src/a b.ts', 'one\nthree\n');
    commit();
    git('checkout', '-q', 'main');
    write('later.ts', 'of main alone\n');
    commit();
    git('checkout', '-q', 'topic');
    write('src/a b.ts', 'one\nfour\n');
    rmSync(join(folder, 'gone.ts'));
    write('söhne.ts', 'new\n');
    write('picture.bin', Buffer.from([0, 1, 2]));
    write('run.log', 'ignored\n');
    symlinkSync('/etc/hostname', join(folder, 'link'));
    // Also from a folder within: of the whole repository.
    const found = await branchChanges(join(folder, 'src'), here());
    expect(found).toMatchObject({ base: 'main', isWhole: true });
    const seen = found?.files.map(({ path, added, removed, isNew, isDeleted, patch }) => [
      path.slice(folder.length + 1),
      [added, removed, isNew, isDeleted],
      patch?.split('\n').filter((line) => /^[-+](?![-+])/.test(line)) ?? null,
    ]);
    expect(seen).toEqual([
      ['gone.ts', [0, 1, false, true], ['-one']],
      ['link', [0, 0, true, false], null],
      ['picture.bin', [0, 0, true, false], null],
      ['src/a b.ts', [1, 1, false, false], ['-two', '+four']],
      ['söhne.ts', [1, 0, true, false], ['+new']],
    ]);
  });

  it('have another version once a file is another, and the same one else', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts', 'one\n');
    write('b.bin', Buffer.from([0, 1]));
    commit();
    write('a.ts', 'two\n');
    write('b.bin', Buffer.from([0, 1, 2]));
    const versions = async () => (await branchChanges(folder, here()))?.files.map(({ version }) => version) ?? [];
    const before = await versions();
    expect(await versions()).toEqual(before);
    write('a.ts', 'three\n');
    write('b.bin', Buffer.from([0, 1, 2, 3]));
    const after = await versions();
    expect([after.length, after[0] === before[0], after[1] === before[1]]).toEqual([2, false, false]);
  });

  it('are against the default branch of the origin, where there is one', async () => {
    git('init', '-q', '-b', 'trunk');
    write('a.ts', 'one\n');
    commit();
    git('update-ref', 'refs/remotes/origin/trunk', 'HEAD');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
    write('a.ts', 'two\n');
    commit();
    expect(await branchChanges(folder, here())).toMatchObject({ base: 'trunk', files: [{ added: 1, removed: 1 }] });
  });

  it('show a file in conflict once, and one that became a link whole', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts', 'one\n');
    write('b.ts', 'one\n');
    write('c.ts', 'one\n');
    commit();
    git('checkout', '-q', '-b', 'topic');
    write('a.ts', 'two\n');
    commit();
    git('checkout', '-q', 'main');
    write('a.ts', 'three\n');
    commit();
    git('checkout', '-q', 'topic');
    expect(() => git('merge', 'main')).toThrow();
    rmSync(join(folder, 'b.ts'));
    symlinkSync('c.ts', join(folder, 'b.ts'));
    write('c.ts', 'two\n');
    const found = await branchChanges(folder, here());
    const names = found?.files.map(({ path, patch }) => [path.slice(folder.length + 1), patch?.includes('c.ts')]);
    expect(names).toEqual([
      ['a.ts', false],
      ['b.ts', true],
      ['c.ts', true],
    ]);
  });

  it('run no program that shows differences in its own way', async () => {
    git('init', '-q', '-b', 'main');
    write('a.ts', 'one\n');
    write('.gitattributes', '*.ts diff=evil\n');
    commit();
    const touch = `touch ${join(home, 'ran')}`;
    git('config', 'diff.evil.textconv', `${touch}; cat`);
    git('config', 'diff.external', touch);
    git('config', 'core.fsmonitor', touch);
    write('a.ts', 'two\n');
    expect((await branchChanges(folder, here()))?.files).toMatchObject([{ added: 1, removed: 1 }]);
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });
});
