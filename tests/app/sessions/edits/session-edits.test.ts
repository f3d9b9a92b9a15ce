import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionEdits } from '../../../../app/sessions/edits/session-edits.ts';
import { EditSums } from '../../../../app/sessions/session-list-answers.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { collectingLog, fakeClock, temporaryFolder } from '../../history/surroundings.ts';

const original = 'one\ntwo\nthree\nfour\nfive\n';
const edited = 'one\nTWO\nthree\nfour\nfive\n';

/** A folder with files that an agent edits. */
class Project {
  readonly folder = temporaryFolder();
  readonly reported: unknown[] = [];
  readonly store: SessionStore;
  readonly edits: SessionEdits;
  #calls = 0;

  constructor() {
    const home = temporaryFolder();
    this.store = new SessionStore(join(home, 'sessions.db'), { clock: fakeClock(), log: collectingLog() });
    onTestFinished(() => this.store.close());
    this.edits = new SessionEdits({
      ...{ sessionId: 's', store: this.store, roots: () => [this.folder] },
      changed: (edit) => this.reported.push(edit),
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string | null {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : null;
  }

  /** The agent writes a file and tells so. */
  edit(name: string, after: string, turnId = 'turn-1'): string {
    const before = this.read(name);
    writeFileSync(this.path(name), after);
    const toolCallId = `tool-${++this.#calls}`;
    this.edits.made({ toolCallId, path: this.path(name), before, after }, turnId);
    return `s:${toolCallId}`;
  }

  undo(name: string | null = null, turnId: string | null = 'turn-1') {
    return this.edits.putBack('undo', turnId, name === null ? null : [this.path(name)]);
  }
}

describe('E21 the edits of an agent', () => {
  it('are listed by file, with their difference, once', () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    const id = project.edit('a.txt', edited);
    project.edits.made({ toolCallId: 'tool-1', path: project.path('a.txt'), before: 'x', after: 'y' }, 'turn-1');
    project.edit('new.txt', 'hello\n');
    expect(project.edits.changes('turn-1')).toMatchObject({
      files: [
        { path: project.path('a.txt'), state: 'made', edits: [id], added: 1, removed: 1, isNew: false },
        { path: project.path('new.txt'), added: 1, removed: 0, isNew: true },
      ],
      commands: 0,
      untracked: 0,
    });
    expect(project.edits.changes('turn-1').files[0]?.patch).toContain('-two\n+TWO');
  });

  it('of one file are undone without touching another, and made again', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    writeFileSync(project.path('b.txt'), original);
    chmodSync(project.path('a.txt'), 0o755);
    project.edit('a.txt', edited);
    project.edit('b.txt', edited);
    expect(await project.undo('a.txt')).toEqual([
      { path: project.path('a.txt'), isDone: true, problem: null, threeWay: null },
    ]);
    expect([project.read('a.txt'), project.read('b.txt')]).toEqual([original, edited]);
    expect(statSync(project.path('a.txt')).mode & 0o777).toBe(0o755);
    expect(project.edits.changes('turn-1').files.map(({ state }) => state)).toEqual(['undone', 'made']);
    expect(project.reported.at(-1)).toMatchObject({ toolCallId: expect.any(String), state: 'undone' });
    expect(project.edits.unreported().paths).toEqual([project.path('a.txt')]);
    await project.edits.putBack('redo', 'turn-1', [project.path('a.txt')]);
    expect(project.read('a.txt')).toBe(edited);
    expect(project.edits.unreported().paths).toEqual([]);
  });

  it('of a whole turn are undone together, also several of one file, a new one and a deleted one', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    project.edit('a.txt', `${edited}six\n`);
    project.edit('new.txt', 'hello\n');
    project.edit('later.txt', 'of another turn\n', 'turn-2');
    const results = await project.undo();
    expect(results.every(({ isDone }) => isDone)).toBe(true);
    expect([project.read('a.txt'), project.read('new.txt'), project.read('later.txt')]).toEqual([
      ...[original, null, 'of another turn\n'],
    ]);
    await project.edits.putBack('redo', 'turn-1', null);
    expect([project.read('a.txt'), project.read('new.txt')]).toEqual([`${edited}six\n`, 'hello\n']);
  });

  it('are not undone where the file changed since, and the three versions are told', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    const now = edited.replace('five', 'FIVE');
    writeFileSync(project.path('a.txt'), now);
    const [result] = await project.undo();
    expect(result).toMatchObject({ isDone: false, problem: { code: 'changed-since' } });
    expect(result?.threeWay?.since).toContain('-five\n+FIVE');
    expect(result?.threeWay?.back).toContain('-TWO\n+two');
    expect(result?.threeWay?.merged).toBe(original.replace('five', 'FIVE'));
    expect(project.read('a.txt')).toBe(now);
    writeFileSync(project.path('a.txt'), edited.replace('TWO', 'two and a half'));
    expect((await project.undo())[0]?.threeWay?.merged).toBeNull();
  });

  it('are undone and made again where a person keeps what changed in other lines, and in no others', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    const mine = (of: string): string => of.replace('five', 'FIVE');
    writeFileSync(project.path('a.txt'), mine(edited));
    const put = (direction: 'undo' | 'redo') => project.edits.putBack(direction, 'turn-1', null, { keepOthers: true });
    expect(await put('undo')).toMatchObject([{ isDone: true }]);
    expect(project.read('a.txt')).toBe(mine(original));
    expect(project.edits.changes('turn-1').files.map(({ state }) => state)).toEqual(['undone']);
    expect(await put('redo')).toMatchObject([{ isDone: true }]);
    expect(project.read('a.txt')).toBe(mine(edited));
    writeFileSync(project.path('a.txt'), edited.replace('TWO', 'two and a half'));
    expect(await put('undo')).toMatchObject([{ isDone: false, problem: { code: 'changed-since' } }]);
    expect(project.read('a.txt')).toContain('two and a half');
  });

  it('are not said to lose anything where something else has undone them', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    writeFileSync(project.path('a.txt'), original);
    project.edit('b.txt', 'new\n');
    rmSync(project.path('b.txt'));
    expect((await project.undo()).map(({ problem, threeWay }) => [problem?.code, problem?.text, threeWay])).toEqual([
      ['put-back', 'a.txt is as it was before.', null],
      ['put-back', 'b.txt is as it was before.', null],
    ]);
    expect(project.read('a.txt')).toBe(original);
  });

  it('are not made again where the file changed since they were undone, in words of that', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    await project.undo();
    const now = original.replace('five', 'FIVE');
    writeFileSync(project.path('a.txt'), now);
    const [result] = await project.edits.putBack('redo', 'turn-1', null);
    expect(result?.problem).toEqual({
      code: 'changed-since',
      text: 'Something else changed a.txt beside this edit. Redo would lose that.',
      remedy: 'Look at the difference.',
    });
    expect(result?.threeWay?.since).toContain('-five\n+FIVE');
    expect(result?.threeWay?.merged).toBe(edited.replace('five', 'FIVE'));
    expect(project.read('a.txt')).toBe(now);
  });

  it('leave what something else changed between two of them: it is neither counted, undone nor made again', async () => {
    const project = new Project();
    const [left, base] = ['ONE\nTWO\nthree\nfour\nFIVE\n', original.replace('five', 'FIVE')];
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    writeFileSync(project.path('a.txt'), edited.replace('five', 'FIVE'));
    project.edit('a.txt', left, 'turn-2');
    const [file] = project.edits.changes(null).files;
    expect(file).toMatchObject({ added: 2, removed: 2 });
    expect(file?.patch).not.toMatch(/^[+-](five|FIVE)$/m);
    expect([await project.undo(null, null), project.read('a.txt')]).toMatchObject([[{ isDone: true }], base]);
    await project.edits.putBack('redo', null, null);
    expect(project.read('a.txt')).toBe(left);
    const hunk = project.edits.changes(null).files[0]?.patch?.match(/^@@.*@@$/m)?.[0] ?? '';
    expect(await project.edits.undoHunk(null, project.path('a.txt'), hunk)).toMatchObject({ isDone: true });
    expect(project.read('a.txt')).toBe(base);
  });

  it('are not undone where something else changed the same lines between them, and that change is told', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    writeFileSync(project.path('a.txt'), edited.replace('TWO', 'mine'));
    project.edit('a.txt', edited.replace('TWO', 'last'));
    const [result] = await project.undo();
    expect(result?.problem).toMatchObject({
      code: 'changed-between',
      text: 'Something else changed a.txt between these edits. Undo would lose that.',
    });
    expect(result?.threeWay?.since).toContain('-TWO\n+mine');
    expect(result?.threeWay).toMatchObject({ merged: null, back: expect.stringContaining('-last\n+two') });
    writeFileSync(project.path('a.txt'), 'later\n');
    expect((await project.edits.since(null, project.path('a.txt')))?.since).toMatch(/\+mine[\s\S]*\+later/);
    expect((await project.undo())[0]?.problem?.code).toBe('changed-since');
  });

  it('are told apart from later changes of a long file of lines that repeat, at once', async () => {
    const project = new Project();
    const long = Array.from({ length: 20_000 }, (_, line): string => (line % 2 === 0 ? '' : '  }'));
    const text = (lines: string[]): string => `${lines.join('\n')}\n`;
    writeFileSync(project.path('a.txt'), text(long));
    project.edit('a.txt', text(long.with(10, 'of the agent')));
    expect(await project.edits.since('turn-1', project.path('a.txt'))).toBeNull();
    writeFileSync(project.path('a.txt'), text(long.with(10, 'of the agent').with(19_990, 'mine')));
    const since = await project.edits.since('turn-1', project.path('a.txt'));
    expect(since).toMatchObject({ merged: text(long.with(19_990, 'mine')), since: expect.stringContaining('+mine') });
  });

  it('keep line ends and the byte order mark of a file', async () => {
    const project = new Project();
    const windows = (text: string) => `\u{feff}${text.replaceAll('\n', '\r\n')}`;
    writeFileSync(project.path('a.txt'), windows(edited));
    project.edits.made({ toolCallId: 't', path: project.path('a.txt'), before: original, after: edited }, 'turn-1');
    expect((await project.undo())[0]).toMatchObject({ isDone: true });
    expect(project.read('a.txt')).toBe(windows(original));
  });

  it('are never written through a link', async () => {
    const project = new Project();
    const elsewhere = join(temporaryFolder(), 'secret.txt');
    writeFileSync(elsewhere, edited);
    project.edit('a.txt', edited);
    renameSync(project.path('a.txt'), project.path('b.txt'));
    symlinkSync(elsewhere, project.path('a.txt'));
    expect((await project.undo())[0]).toMatchObject({ isDone: false, problem: { code: 'link' } });
    expect(readFileSync(elsewhere, 'utf8')).toBe(edited);
  });

  it('are never written in a folder that has become a link to elsewhere', async () => {
    const project = new Project();
    const elsewhere = temporaryFolder();
    mkdirSync(project.path('inner'));
    project.edit('inner/a.txt', edited);
    renameSync(project.path('inner'), project.path('moved'));
    symlinkSync(elsewhere, project.path('inner'));
    writeFileSync(join(elsewhere, 'a.txt'), edited);
    expect((await project.undo())[0]).toMatchObject({ isDone: false, problem: { code: 'detour' } });
    const agreed = await project.edits.putBack('undo', 'turn-1', null, { outside: [project.path('inner/a.txt')] });
    expect(agreed[0]).toMatchObject({ isDone: false, problem: { code: 'detour' } });
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe(edited);
  });

  it('outside of the session’s folders are undone, and made again, only where a person agreed to that file', async () => {
    const project = new Project();
    const path = join(temporaryFolder(), '.bashrc');
    const now = () => readFileSync(path, 'utf8');
    writeFileSync(path, edited);
    project.edits.made({ toolCallId: 'o', path, before: original, after: edited }, 'turn-1');
    const refused = [{ path, isDone: false, problem: { code: 'outside', text: expect.stringContaining(path) } }];
    const put = (direction: 'undo' | 'redo', agreed?: string[]) =>
      project.edits.putBack(direction, 'turn-1', null, { outside: agreed });
    expect([await put('undo'), now()]).toMatchObject([refused, edited]);
    expect([await put('undo', [join(path, '..', '.profile')]), now()]).toMatchObject([refused, edited]);
    const hunk = project.edits.changes('turn-1').files[0]?.patch?.match(/^@@.*@@$/m)?.[0] ?? '';
    expect([await project.edits.undoHunk('turn-1', path, hunk), now()]).toMatchObject([refused[0], edited]);
    expect([await put('undo', [path]), now()]).toMatchObject([[{ isDone: true }], original]);
    expect([await put('redo'), now()]).toMatchObject([refused, original]);
    expect([await put('redo', [path]), now()]).toMatchObject([[{ isDone: true }], edited]);
    expect(await project.edits.undoHunk('turn-1', path, hunk, [path])).toMatchObject({ isDone: true });
    expect(now()).toBe(original);
  });

  it('are never written along a path with dots, or into what is no text, and are gone with their folder', async () => {
    const project = new Project();
    const dotted = `${project.folder}/inner/../../a.txt`;
    project.edits.made({ toolCallId: 'd', path: dotted, before: null, after: 'x' }, 'dotted');
    expect((await project.edits.putBack('undo', 'dotted', null))[0]).toMatchObject({ problem: { code: 'detour' } });
    const gone = project.path('no-folder/a.txt');
    project.edits.made({ toolCallId: 'g', path: gone, before: null, after: 'x' }, 'gone');
    // It is as it was before the edit that made it.
    expect((await project.edits.putBack('undo', 'gone', null))[0]).toMatchObject({ problem: { code: 'put-back' } });
    expect(project.read('no-folder')).toBeNull();
    project.edit('bytes', 'x', 'bytes');
    writeFileSync(project.path('bytes'), Buffer.from([0xff, 0xfe, 0x00]));
    expect((await project.edits.putBack('undo', 'bytes', null))[0]).toMatchObject({ problem: { code: 'not-text' } });
  });

  it('of large files and by commands are named, and not undone', async () => {
    const project = new Project();
    project.edits.ran('bash-1', 'turn-1');
    project.edits.ran('bash-1', 'turn-1');
    project.edit('big.txt', 'x'.repeat(6 * 1024 * 1024));
    expect(project.edits.changes('turn-1')).toMatchObject({
      files: [{ path: project.path('big.txt'), state: 'untracked', patch: null }],
      commands: 1,
      untracked: 1,
    });
    expect((await project.undo())[0]).toMatchObject({ isDone: false, problem: { code: 'not-kept' } });
  });

  it('are accepted, which changes nothing on disk, and can still be undone', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    project.edits.accept('turn-1', null);
    expect(project.edits.changes(null).files[0]?.state).toBe('accepted');
    expect(project.read('a.txt')).toBe(edited);
    expect((await project.undo())[0]).toMatchObject({ isDone: true });
    expect(project.read('a.txt')).toBe(original);
  });

  describe('place by place', () => {
    const long = (change: (line: number) => string | null) =>
      Array.from({ length: 40 }, (_, line) => change(line) ?? `line ${line}`)
        .map((line) => `${line}\n`)
        .join('');
    const before = long(() => null);
    const after = long((line) => ({ 2: 'TWO', 20: 'TWENTY', 38: 'LAST' })[line] ?? null);
    const headers = (project: Project, turnId: string | null = 'turn-1') =>
      project.edits.changes(turnId).files[0]?.patch?.match(/^@@.*@@$/gm) ?? [];
    const begun = () => {
      const project = new Project();
      writeFileSync(project.path('a.txt'), before);
      project.edit('a.txt', after);
      const undo = (header: string | undefined) =>
        project.edits.undoHunk('turn-1', project.path('a.txt'), header ?? 'none');
      return { project, undo };
    };

    it('are undone one after the other, each leaving the others, then all, and are made again', async () => {
      const { project, undo } = begun();
      expect(headers(project)).toHaveLength(3);
      expect(await undo(headers(project)[1])).toMatchObject({ isDone: true });
      expect(project.read('a.txt')).toBe(after.replace('TWENTY', 'line 20'));
      expect(project.edits.changes('turn-1').files).toMatchObject([
        { state: 'made', edits: ['s:tool-1'], undoneHunks: 1, added: 2, removed: 2 },
      ]);
      expect(await undo(headers(project)[1])).toMatchObject({ isDone: true });
      expect(project.read('a.txt')).toBe(long((line) => (line === 2 ? 'TWO' : null)));
      expect(project.edits.unreported()).toMatchObject({ paths: [], parts: [project.path('a.txt')] });
      project.edits.unreported().reported();
      expect(project.edits.unreported()).toMatchObject({ paths: [], parts: [] });
      await project.edits.putBack('redo', 'turn-1', null);
      expect(project.read('a.txt')).toBe(after);
      expect(headers(project)).toHaveLength(3);
      await undo(headers(project)[0]);
      expect(await project.undo()).toMatchObject([{ isDone: true }]);
      expect(project.read('a.txt')).toBe(before);
      expect(await project.edits.putBack('redo', 'turn-1', null)).toMatchObject([{ isDone: true }]);
      expect(project.read('a.txt')).toBe(after.replace('TWO', 'line 2'));
      // The place is still taken back, and is said to be; now it can be made again.
      expect(project.reported.slice(-2)).toMatchObject([
        { toolCallId: 'tool-1', state: 'made' },
        { toolCallId: null, state: 'undone' },
      ]);
      expect(await project.edits.putBack('redo', 'turn-1', null)).toMatchObject([{ isDone: true }]);
      expect(project.read('a.txt')).toBe(after);
    });

    it('are left alone where the file changed since, with the three versions, and where there is no such place', async () => {
      const { project, undo } = begun();
      const now = after.replace('line 30', 'mine');
      writeFileSync(project.path('a.txt'), now);
      const result = await undo(headers(project)[0]);
      expect(result).toMatchObject({ isDone: false, problem: { code: 'changed-since' } });
      expect(result.threeWay?.merged).toBe(now.replace('TWO', 'line 2'));
      expect(project.read('a.txt')).toBe(now);
      writeFileSync(project.path('a.txt'), after);
      expect(await undo('@@ -1,2 +3,4 @@')).toMatchObject({ isDone: false, problem: { code: 'no-hunk' } });
      const [first] = headers(project);
      await project.undo();
      expect(await undo(first)).toMatchObject({ isDone: false, problem: { code: 'no-hunk' } });
      expect(await project.edits.undoHunk('turn-1', '/etc/passwd', first ?? '')).toMatchObject({ isDone: false });
    });

    it('of a new file without a line end take it away, and bring it back', async () => {
      const project = new Project();
      project.edit('new.txt', 'hello');
      const only = project.edits.changes('turn-1').files[0]?.patch?.match(/^@@.*@@$/m)?.[0] ?? '';
      expect(await project.edits.undoHunk('turn-1', project.path('new.txt'), only)).toMatchObject({ isDone: true });
      expect(project.read('new.txt')).toBeNull();
      await project.edits.putBack('redo', 'turn-1', null);
      expect(project.read('new.txt')).toBe('hello');
    });
  });

  it('of a file that is gone are changed since', async () => {
    const project = new Project();
    writeFileSync(project.path('a.txt'), original);
    project.edit('a.txt', edited);
    renameSync(project.path('a.txt'), project.path('b.txt'));
    expect((await project.undo())[0]).toMatchObject({ isDone: false, problem: { code: 'changed-since' } });
    expect(project.read('a.txt')).toBeNull();
  });

  it('says of a file that can’t be read any more that it can’t, and puts the others back', async () => {
    const project = new Project();
    mkdirSync(project.path('folder'));
    project.edit('folder/a.txt', edited);
    writeFileSync(project.path('b.txt'), original);
    project.edit('b.txt', edited);
    renameSync(project.path('folder'), project.path('moved'));
    writeFileSync(project.path('folder'), 'no folder');
    const results = await project.undo();
    expect(results).toMatchObject([{ isDone: false, problem: { code: 'not-a-file' } }, { isDone: true }]);
    expect(project.read('b.txt')).toBe(original);
  });
});

it('sums of the list are those of all changes, without edits that were undone', async () => {
  const project = new Project();
  const sums = new EditSums(() => project.store);
  expect(await sums.of(['s'])).toEqual([{ id: 's', files: 0, added: 0, removed: 0 }]);
  project.edit('a.txt', original);
  project.edit('a.txt', edited, 'turn-2');
  project.edit('b.txt', 'one\ntwo\n');
  project.edits.ran('command', 'turn-1');
  const added = project.edits.changes(null).files.reduce((sum, file) => sum + file.added, 0);
  expect(added).toBe(7);
  const other = { id: 'other', files: 0, added: 0, removed: 0 };
  expect(await sums.of(['s', 'other'])).toEqual([{ id: 's', files: 2, added, removed: 0 }, other]);
  await project.undo('b.txt');
  expect(await sums.of(['s'])).toEqual([{ id: 's', files: 1, added: 5, removed: 0 }]);
});
