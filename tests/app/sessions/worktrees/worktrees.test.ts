import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorktree, planWorktree } from '../../../../app/sessions/worktrees/new-worktree.ts';
import { folderSize, listWorktrees, Repository } from '../../../../app/sessions/worktrees/repository.ts';
import { removeWorktree } from '../../../../app/sessions/worktrees/worktree-answers.ts';
import { GitProject } from './git-project.ts';

const nobody = async () => [];
const made = async (project: GitProject, branch: string, copy: string[] = [], folder?: string) =>
  createWorktree(await project.repository(folder), { branch, copy });
const listed = async (project: GitProject) => listWorktrees(await project.repository(), nobody);
const remove = async (project: GitProject, path: string, deleteBranch = false) =>
  removeWorktree(await project.repository(), { path, deleteBranch, usersOf: nobody });

describe('a new worktree', () => {
  it('is planned by the name of its branch, and made nowhere without a repository with a commit', async () => {
    const project = new GitProject();
    const beside = (name: string): string => join(project.home, 'parcel-api.worktrees', name);
    const plan = async (branch: string) => planWorktree(await project.repository(), branch);
    expect(await plan('fix/login')).toEqual({ path: beside('fix-login'), branch: 'new', from: 'main', usedIn: null });
    project.git('branch', 'topic');
    expect(await plan('topic')).toMatchObject({ branch: 'existing', path: beside('topic') });
    expect(await plan('main')).toMatchObject({ branch: 'used', usedIn: project.folder });
    for (const name of ['a..b', '-x', 'a b', '@{-1}', 'HEAD'])
      expect(await plan(name)).toMatchObject({ branch: 'invalid' });
    project.git('update-ref', 'refs/remotes/origin/theirs', 'HEAD');
    expect(await plan('theirs')).toMatchObject({ branch: 'remote', from: 'origin/theirs' });
    mkdirSync(beside('topic'), { recursive: true });
    expect(await plan('topic')).toMatchObject({ path: beside('topic-2') });
    project.git('checkout', '-q', '--detach');
    expect(await plan('next')).toMatchObject({ branch: 'new', from: project.git('rev-parse', '--short', 'HEAD') });
    const given = { environment: project.environment, isTrusted: () => false };
    expect(await Repository.of(project.home, given)).toBeNull();
    const empty = join(project.home, 'empty');
    mkdirSync(empty);
    project.gitIn(empty, 'init', '-q');
    expect(await Repository.of(empty, given)).toBeNull();
  });

  it('has its branch, what was chosen to be copied, and the same folder within', async () => {
    const project = new GitProject();
    project.write('.env', 'KEY=1\n');
    project.write('.env.local', 'KEY=2\n');
    project.write('config/local.json', '{}\n');
    project.write('node_modules/a/index.js', 'x\n');
    symlinkSync('a', join(project.folder, 'node_modules/b'));
    expect((await listed(project)).copyable).toEqual([
      { name: '.env', isUsual: true },
      { name: '.env.local', isUsual: true },
      { name: 'config/', isUsual: false },
      { name: 'node_modules/', isUsual: false },
    ]);
    const copy = ['.env', 'config/', 'node_modules/', '../outside', '.env.gone'];
    const { path, cwd, notCopied } = await made(project, 'fix/login', copy, join(project.folder, 'src'));
    expect(cwd).toBe(join(path, 'src'));
    expect(project.gitIn(path, 'symbolic-ref', '--short', 'HEAD')).toBe('fix/login');
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
    expect(existsSync(join(path, '.env.local'))).toBe(false);
    expect(existsSync(join(path, 'config/local.json'))).toBe(true);
    expect(lstatSync(join(path, 'node_modules/b')).isSymbolicLink()).toBe(true);
    expect(notCopied.map(({ name }) => name)).toEqual(['../outside', '.env.gone']);
    expect(existsSync(join(project.home, 'outside'))).toBe(false);
  });

  it('is offered what .worktreeinclude names, as Claude Code copies it', async () => {
    const project = new GitProject();
    project.write('.worktreeinclude', 'config/*.json\nsrc/index.ts\n');
    project.commit();
    project.write('.env', 'KEY=1\n');
    project.write('config/tracked.txt', 'x\n');
    project.commit();
    project.write('config/local.json', '{}\n');
    expect((await listed(project)).copyable).toEqual([
      { name: 'config/local.json', isUsual: true },
      { name: '.env', isUsual: false },
    ]);
  });

  it('is given nothing through a link that leads out of it, and nothing is written over', async () => {
    const project = new GitProject();
    mkdirSync(join(project.home, 'elsewhere'));
    project.git('checkout', '-q', '-b', 'linked');
    symlinkSync(join(project.home, 'elsewhere'), join(project.folder, 'config'));
    project.git('add', '-f', 'config');
    project.write('.env', 'OF=branch\n');
    project.git('add', '-f', '.env');
    project.git('commit', '-q', '-m', 'Linked');
    project.git('checkout', '-q', 'main');
    project.write('.env', 'KEY=1\n');
    project.write('config/tracked.txt', 'x\n');
    project.git('add', 'config');
    project.git('commit', '-q', '-m', 'Own');
    project.write('config/local.json', '{}\n');
    const { path, notCopied } = await made(project, 'linked', ['.env', 'config/local.json']);
    expect(notCopied.map(({ name }) => name)).toEqual(['.env', 'config/local.json']);
    expect(readFileSync(join(path, '.env'), 'utf8')).toBe('OF=branch\n');
    expect(existsSync(join(project.home, 'elsewhere/local.json'))).toBe(false);
  });

  it('leaves no branch behind where it could not be made', async () => {
    const project = new GitProject();
    project.write('../parcel-api.worktrees', 'a file\n');
    await expect(made(project, 'fix')).rejects.toMatchObject({ code: 'not-possible' });
    expect(project.git('branch', '--list', 'fix')).toBe('');
    await expect(made(project, 'main')).rejects.toThrow(`is checked out in ${project.folder}`);
    await expect(made(project, 'a b')).rejects.toThrow('takes no branch named');
  });
});

describe('a repository that is not trusted', () => {
  /** Everything that git could run of it leaves a file behind. */
  function hostile(): GitProject & { ran: () => boolean } {
    const project = new GitProject();
    const trap = join(project.home, 'ran');
    const program = project.write('../trap.sh', `#!/bin/sh\necho "$0" >> '${trap}'\ncat\n`);
    chmodSync(program, 0o755);
    project.write('.gitattributes', '*.ts filter=evil\n');
    project.commit();
    for (const hook of ['post-checkout', 'reference-transaction', 'pre-commit', 'post-index-change']) {
      const path = project.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${trap}'\n`);
      chmodSync(path, 0o755);
    }
    for (const key of ['smudge', 'clean', 'process']) project.git('config', `filter.evil.${key}`, program);
    project.git('config', 'filter.evil.required', 'true');
    project.git('config', 'core.fsmonitor', program);
    rmSync(trap, { force: true });
    return Object.assign(project, { ran: () => existsSync(trap) });
  }

  it('runs nothing of it when a worktree is made, looked at and removed', async () => {
    const project = hostile();
    const { path } = await made(project, 'fix');
    expect(readFileSync(join(path, 'src/index.ts'), 'utf8')).toBe('one\n');
    project.write('src/index.ts', 'two\n', path);
    expect((await listed(project)).worktrees[1]).toMatchObject({ uncommitted: 1 });
    await expect(remove(project, path)).rejects.toThrow('work that isn’t committed: 1 file.');
    project.write('src/index.ts', 'one\n', path);
    await remove(project, path, true);
    expect(existsSync(path)).toBe(false);
    expect(project.ran()).toBe(false);
    project.isTrusted = true;
    await made(project, 'other').catch(() => null);
    expect(project.ran()).toBe(true);
  });

  it('runs no hook where it is trusted either, and its filters', async () => {
    const project = new GitProject();
    project.isTrusted = true;
    const trap = join(project.home, 'ran');
    project.write('.gitattributes', '*.ts filter=upper\n');
    project.commit();
    chmodSync(project.write('.git/hooks/post-checkout', `#!/bin/sh\ntouch '${trap}'\n`), 0o755);
    project.git('config', 'filter.upper.smudge', 'tr a-z A-Z');
    project.git('config', 'filter.upper.clean', 'tr A-Z a-z');
    const { path } = await made(project, 'fix');
    expect(readFileSync(join(path, 'src/index.ts'), 'utf8')).toBe('ONE\n');
    expect((await listed(project)).worktrees[1]).toMatchObject({ uncommitted: 0 });
    expect(existsSync(trap)).toBe(false);
  });

  it('is refused where a filter has a name that can’t be switched off', async () => {
    const project = new GitProject();
    project.git('config', 'filter.a=b.smudge', 'touch /tmp/never');
    await expect(project.repository()).rejects.toMatchObject({ code: 'not-possible' });
    project.isTrusted = true;
    expect((await project.repository()).root).toBe(project.folder);
  });
});

describe('the list of worktrees', () => {
  it('has what is not committed, what is not merged, what git ignores, and where each is', async () => {
    const project = new GitProject();
    const { path } = await made(project, 'fix');
    project.write('src/index.ts', 'two\n', path);
    project.commit(path);
    project.write('src/new.ts', 'x\n', path);
    project.write('node_modules/a/index.js', 'x\n', path);
    project.write('.env', 'K=1\n', path);
    const { path: gone } = await made(project, 'gone');
    rmSync(gone, { recursive: true });
    const { path: locked } = await made(project, 'locked');
    project.git('worktree', 'lock', '--reason', 'on a disk', locked);
    const user = { id: 'a', title: 'Fix it', isTerminal: false };
    const { worktrees, ...rest } = await listWorktrees(await project.repository(join(path, 'src')), async (at) =>
      at === path ? [user] : [],
    );
    expect(rest).toMatchObject({ repository: project.folder, into: 'main', isTrusted: false });
    const usual = {
      ...{ isMain: false, isHere: false, isGone: false, lock: null, unkept: 0, ignored: [], usedBy: [] },
      isUnused: false,
    };
    expect(worktrees).toEqual([
      { ...usual, path: project.folder, branch: 'main', isMain: true, uncommitted: 0, unmerged: null },
      {
        ...{ ...usual, path, branch: 'fix', isHere: true, uncommitted: 1, unmerged: 1, usedBy: [user] },
        ignored: ['.env', 'node_modules/'],
      },
      { ...usual, path: gone, branch: 'gone', isGone: true, uncommitted: null, unmerged: 0, isUnused: true },
      { ...usual, path: locked, branch: 'locked', lock: 'on a disk', uncommitted: 0, unmerged: 0, isUnused: true },
    ]);
    project.git('merge', '-q', '--no-ff', '-m', 'Merge', 'fix');
    expect((await listed(project)).worktrees[1]).toMatchObject({ unmerged: 0, isUnused: false });
  });

  it('has sizes, and none of what takes too long', async () => {
    const project = new GitProject();
    const folder = join(project.home, 'sized');
    project.write('a/b.txt', '12345', folder);
    project.write('c.txt', '123', folder);
    symlinkSync('/usr', join(folder, 'link'));
    expect(await folderSize(folder)).toBe(8 + '/usr'.length);
    let now = 0;
    expect(await folderSize(folder, () => (now += 20_000))).toBeNull();
    expect(await folderSize(join(project.home, 'none'))).toBeNull();
  });
});

describe('removing a worktree', () => {
  it('is refused where something would be lost, and says what', async () => {
    const project = new GitProject();
    const { path } = await made(project, 'fix');
    const refused = async (words: string): Promise<void> => {
      await expect(remove(project, path)).rejects.toThrow(words);
      expect(existsSync(join(path, 'src/index.ts'))).toBe(true);
    };
    project.write('new.ts', 'x\n', path);
    await refused('work that isn’t committed: 1 file.');
    project.write('src/index.ts', 'two\n', path);
    await refused('work that isn’t committed: 2 files.');
    project.commit(path);
    project.gitIn(path, 'checkout', '-q', '--detach');
    project.gitIn(path, 'commit', '-q', '--allow-empty', '-m', 'Loose');
    await refused('work that is in no branch: 1 commit.');
    project.gitIn(path, 'branch', 'kept');
    project.git('worktree', 'lock', '--reason', 'on a disk', path);
    await refused('The worktree is locked: on a disk.');
    project.git('worktree', 'unlock', path);
    await expect(remove(project, project.folder)).rejects.toThrow('is no worktree');
    await expect(remove(project, join(project.home, 'other'))).rejects.toThrow('is no worktree');
    expect(await remove(project, path)).toBeNull();
    expect(existsSync(path)).toBe(false);
    expect((await listed(project)).worktrees).toHaveLength(1);
  });

  it('is refused in the middle of a rebase, which puts things aside', async () => {
    const project = new GitProject();
    const { path } = await made(project, 'fix');
    project.write('src/index.ts', 'two\n', path);
    project.commit(path);
    project.write('src/index.ts', 'three\n');
    project.commit();
    expect(() => project.gitIn(path, 'rebase', 'main')).toThrow();
    project.gitIn(path, 'checkout', '-q', '--ours', 'src/index.ts');
    project.gitIn(path, 'add', '-A');
    await expect(remove(project, path)).rejects.toThrow('A rebase is under way');
  });

  it('keeps the branch, unless its deletion was wanted and git finds it merged', async () => {
    const project = new GitProject();
    const branches = () => project.git('branch', '--format=%(refname:short)').split('\n');
    const { path } = await made(project, 'one');
    await remove(project, path);
    expect(branches()).toEqual(['main', 'one']);
    const { path: merged } = await made(project, 'two');
    expect(await remove(project, merged, true)).toBeNull();
    expect(branches()).toEqual(['main', 'one']);
    const { path: ahead } = await made(project, 'three');
    project.write('src/index.ts', 'two\n', ahead);
    project.commit(ahead);
    expect(await remove(project, ahead, true)).toContain('not fully merged');
    expect(branches()).toEqual(['main', 'one', 'three']);
  });

  it('is done from the worktree itself, too', async () => {
    const project = new GitProject();
    const { path } = await made(project, 'fix');
    const repository = await project.repository(join(path, 'src'));
    await removeWorktree(repository, { path, deleteBranch: true, usersOf: nobody });
    expect(existsSync(path)).toBe(false);
    expect(project.git('branch', '--list', 'fix')).toBe('');
  });

  it('takes a folder that is gone off git’s list', async () => {
    const project = new GitProject();
    const { path } = await made(project, 'fix');
    rmSync(path, { recursive: true });
    await remove(project, path);
    expect((await listed(project)).worktrees).toHaveLength(1);
  });
});
