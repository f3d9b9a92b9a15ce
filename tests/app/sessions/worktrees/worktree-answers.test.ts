import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { GoneFolders } from '../../../../app/sessions/folders/named-path.ts';
import { SetUpCommands } from '../../../../app/sessions/worktrees/set-up-command.ts';
import { worktreeAnswers } from '../../../../app/sessions/worktrees/worktree-answers.ts';
import { soon, until } from '../../../soon.ts';
import { Hosted, text } from '../host/hosted.ts';
import { GitProject } from './git-project.ts';

/** A worktree, a host whose sessions may run in it, and what answers fronts about both. */
async function stage() {
  const hosted = new Hosted();
  const project = new GitProject();
  const clock = { sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };
  const setUps = new SetUpCommands({ environment: process.env, clock });
  onTestFinished(() => setUps.close());
  const claudeFolder = join(hosted.folder, '.claude');
  const goneFolders = new GoneFolders(nodeClock());
  const files = {
    goneFolders,
    ...{ store: hosted.store, claudeFolder },
    transcripts: { list: async () => ({ entries: [], problem: null }), find: async () => null },
  };
  const answers = worktreeAnswers(async () => {
    return { host: hosted.host, files, setUps, environment: project.environment } as never;
  });
  const { path } = await answers.createWorktree({ folder: project.folder, branch: 'fix', copy: [] });
  const remove = () => answers.removeWorktree({ folder: project.folder, path, deleteBranch: false });
  return { hosted, project, answers, path, remove, claudeFolder, goneFolders };
}

it('is not removed while a session works in it, which is named', async () => {
  const { hosted, answers, project, path, remove } = await stage();
  const session = hosted.host.create({ cwd: path, title: 'Mend the login' });
  let goOn = (): void => undefined;
  hosted.agent.script = async (turn) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await turn.say('Done.');
    return 'end_turn';
  };
  const { turnId } = await session.send(text('Begin'));
  const other = hosted.host.create({ cwd: project.folder, choices: { directories: [path] } });
  const user = { id: session.id, title: 'Mend the login', isTerminal: false };
  const found = await answers.worktrees(project.folder);
  expect(found?.worktrees.map(({ usedBy }) => usedBy)).toEqual([[], [user]]);
  await expect(remove()).rejects.toMatchObject({
    ...{ code: 'in-use', message: 'The session “Mend the login” works in the worktree.' },
  });
  expect(existsSync(path)).toBe(true);
  await until(() => session.view().state === 'running');
  goOn();
  await hosted.ended(turnId);
  // One that has it as a further folder uses it too.
  const { turnId: second } = await other.send(text('Look'));
  await expect(remove()).rejects.toMatchObject({ code: 'in-use' });
  await until(() => other.view().state === 'running');
  goOn();
  await hosted.ended(second);
  await until(() => session.view().state === 'idle' && other.view().state === 'idle');
  await remove();
  expect(existsSync(path)).toBe(false);
  expect([session.view().state, other.view().state]).toEqual(['unloaded', 'unloaded']);
});

it('lets no session start in it while it is removed, and takes back trust in its path', async () => {
  const { hosted, path, remove, goneFolders } = await stage();
  hosted.store.trusted.trust(path);
  expect(await goneFolders.among([path])).toEqual(new Set());
  const session = hosted.host.create({ cwd: path });
  const refused = hosted.host.folders.leave(path, async () => {
    await expect(session.send(text('Begin'))).rejects.toMatchObject({ code: 'folder-gone' });
    return 'refused';
  });
  expect(await refused).toBe('refused');
  expect(hosted.store.trusted.has(path)).toBe(true);
  await remove();
  expect(hosted.store.trusted.has(path)).toBe(false);
  // It was seen a moment ago, and is no recent folder any more.
  expect(await goneFolders.among([path])).toEqual(new Set([path]));
});

it('is not removed while a terminal has a session open in it', async () => {
  const { path, remove, claudeFolder } = await stage();
  const id = '11111111-2222-3333-4444-555555555555';
  mkdirSync(join(claudeFolder, 'sessions'), { recursive: true });
  const note = { pid: process.pid, sessionId: id, cwd: join(path, 'src'), entrypoint: 'cli' };
  writeFileSync(join(claudeFolder, 'sessions', `${process.pid}.json`), JSON.stringify(note));
  await expect(remove()).rejects.toThrow('The session “Session 11111111” is open in the worktree, in a terminal.');
});

it('runs the command that a person wants in it, and says how it ended', async () => {
  const { answers, project, path, remove } = await stage();
  const given = { folder: project.folder, path };
  expect(await answers.worktreeSetUp(path)).toBeNull();
  await answers.setUpWorktree({ ...given, command: 'pwd; echo wrong >&2; exit 3' });
  await until(async () => (await answers.worktreeSetUp(path))?.end !== null);
  const ended = await answers.worktreeSetUp(path);
  expect(ended).toMatchObject({
    command: 'pwd; echo wrong >&2; exit 3',
    end: { kind: 'ended', code: 3, signal: null },
  });
  expect(ended?.output.split('\n').toSorted()).toEqual(['', path, 'wrong']);
  await expect(answers.setUpWorktree({ folder: project.folder, path: project.folder, command: 'pwd' })).rejects.toThrow(
    'is no worktree',
  );
  // It is that of every folder in it.
  expect((await answers.worktreeSetUp(join(path, 'src')))?.path).toBe(path);
  expect(await answers.worktreeSetUp(project.folder)).toBeNull();
  // With all that it started.
  const pid = join(project.home, 'pid');
  await answers.setUpWorktree({ ...given, command: `sh -c 'echo $$ > ${pid}; exec sleep 600' & wait` });
  await soon(() => existsSync(pid));
  await expect(remove()).rejects.toThrow('Its set-up command still runs.');
  await expect(answers.setUpWorktree({ ...given, command: 'pwd' })).rejects.toThrow('A command runs there already.');
  await answers.stopWorktreeSetUp(path);
  expect((await answers.worktreeSetUp(path))?.end).toEqual({ kind: 'stopped' });
});
