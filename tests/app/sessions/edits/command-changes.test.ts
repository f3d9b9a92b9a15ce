import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { CommandChanges } from '../../../../app/sessions/edits/command-changes.ts';
import { SessionEdits } from '../../../../app/sessions/edits/session-edits.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { collectingLog, temporaryFolder } from '../../history/surroundings.ts';

const env = { PATH: process.env.PATH, HOME: '/nowhere' };

/** A folder in which an agent runs commands. */
class Project {
  readonly folder = realpathSync(temporaryFolder());
  readonly edits: SessionEdits;
  readonly commands: CommandChanges;
  isTrusted = true;
  /** How often the folder was looked at. */
  looks = 0;
  /** Lines that were told of a command. */
  readonly lines: unknown[] = [];
  #calls = 0;

  constructor() {
    const [clock, log] = [nodeClock(), collectingLog()];
    const store = new SessionStore(join(temporaryFolder(), 'sessions.db'), { clock, log });
    onTestFinished(() => store.close());
    this.edits = new SessionEdits({
      ...{ sessionId: 's', store, roots: () => [this.folder] },
      changed: ({ path, lines }) => path === '' && lines !== undefined && this.lines.push(lines),
    });
    this.commands = new CommandChanges({
      folder: () => {
        this.looks += 1;
        return this.folder;
      },
      ...{ edits: this.edits, git: { environment: env }, clock, log },
      isTrusted: async () => this.isTrusted,
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string | null {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : null;
  }

  git(...words: string[]): void {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    execFileSync('git', ['-C', this.folder, ...who, ...words], { env, stdio: 'pipe' });
  }

  commit(): void {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'One');
  }

  /** More than is read whole. */
  makeLarge(): void {
    for (let nth = 0; nth < 17; nth += 1) this.write(`large/${nth}.txt`, `${'x'.repeat(990_000)}\n`);
  }

  async run(command: () => void, turnId = 't'): Promise<void> {
    const call = `call-${++this.#calls}`;
    this.edits.ran(call, turnId);
    await this.commands.begins(call, turnId);
    command();
    await this.commands.ended(call);
  }

  /** The agent's own edit, as it reports it. */
  edit(name: string, after: string): void {
    const before = this.read(name);
    this.write(name, after);
    this.edits.made({ toolCallId: `call-${++this.#calls}`, path: this.path(name), before, after }, 't');
  }

  listed(turnId: string | null = 't') {
    const { files, commands, untracked } = this.edits.changes(turnId);
    const short = files.map((file) => {
      const kind = file.isNew ? 'new' : file.isDeleted ? 'deleted' : 'changed';
      const counts = file.state === 'untracked' ? 'no versions' : `+${file.added} -${file.removed}`;
      return `${file.path.slice(this.folder.length + 1)} ${kind} ${counts}${file.byCommand ? ' by a command' : ''}`;
    });
    return { files: short.toSorted(), commands, untracked };
  }
}

it('the lines that one command changed are told with its end; of several at once, or of no text, they are not', async () => {
  const project = new Project();
  project.write('a.txt', 'one\ntwo\n');
  await project.run(() => project.write('a.txt', 'one\nTWO\nthree\n'));
  await project.run(() => rmSync(project.path('a.txt')));
  expect(project.lines).toEqual([
    { added: 2, removed: 1 },
    { added: 0, removed: 3 },
  ]);
  await project.run(() => undefined);
  await project.run(() => project.write('image.bin', Buffer.from([0x89, 0x50, 0xff, 0xfe])));
  await Promise.all([
    project.run(() => project.write('b.txt', 'b\n')),
    project.run(() => project.write('c.txt', 'c\n')),
  ]);
  expect(project.lines).toHaveLength(2);
});

const kinds = ['without git', 'in a repository', 'in a large repository'] as const;

describe.each(kinds)('what a command changed %s', (kind) => {
  const begun = (): Project => {
    const project = new Project();
    project.write('a.txt', 'one\ntwo\n');
    project.write('gone.txt', 'here\n');
    project.write('same.txt', 'same\n');
    if (kind === 'without git') return project;
    project.git('init', '-q', '-b', 'main');
    project.write('.gitignore', 'ignored\n');
    project.commit();
    if (kind === 'in a large repository') {
      project.makeLarge();
      project.commit();
    }
    return project;
  };

  it('is listed with its difference, and undone', async () => {
    const project = begun();
    // Not committed before.
    project.write('same.txt', 'same, not committed\n');
    await project.run(() => {
      project.write('a.txt', 'one\nTWO\n');
      project.write('deep/new.txt', 'new\n');
      rmSync(project.path('gone.txt'));
      project.write('same.txt', 'same, not committed\nand more\n');
    });
    expect(project.listed()).toEqual({
      files: [
        'a.txt changed +1 -1 by a command',
        'deep/new.txt new +1 -0 by a command',
        'gone.txt deleted +0 -1 by a command',
        'same.txt changed +1 -0 by a command',
      ],
      ...{ commands: 1, untracked: 0 },
    });
    const results = await project.edits.putBack('undo', 't', null);
    expect(results.filter(({ isDone }) => !isDone)).toEqual([]);
    expect(['a.txt', 'deep/new.txt', 'gone.txt', 'same.txt'].map((name) => project.read(name))).toEqual([
      ...['one\ntwo\n', null, 'here\n', 'same, not committed\n'],
    ]);
  });

  it('comes back with its folder and its permissions', async () => {
    const project = begun();
    project.write('bin/run.sh', 'echo\n');
    chmodSync(project.path('bin/run.sh'), 0o750);
    project.write('src/deep/x.ts', 'x\n');
    // Not a moment ago: a folder that is renamed leaves the times of its files.
    await expect.poll(() => Date.now() - statSync(project.path('src/deep/x.ts')).ctimeMs).toBeGreaterThan(100);
    await project.run(() => {
      rmSync(project.path('bin'), { recursive: true });
      renameSync(project.path('src'), project.path('source'));
    });
    const results = await project.edits.putBack('undo', 't', null);
    expect(results.filter(({ isDone }) => !isDone)).toEqual([]);
    expect(['bin/run.sh', 'src/deep/x.ts', 'source/deep/x.ts'].map((name) => project.read(name))).toEqual([
      ...['echo\n', 'x\n', null],
    ]);
    expect(statSync(project.path('bin/run.sh')).mode & 0o777).toBe(0o750);
    await project.edits.putBack('redo', 't', null);
    expect([project.read('src/deep/x.ts'), project.read('source/deep/x.ts')]).toEqual([null, 'x\n']);
  });

  it('goes on from what the agent edited, and is no edit of the agent’s a second time', async () => {
    const project = begun();
    await project.run(() => project.edit('a.txt', 'one\n two\n'));
    expect(project.listed().files).toEqual(['a.txt changed +1 -1']);
    await project.run(() => project.write('a.txt', 'one\n  two\n'));
    expect(project.edits.changes('t').files[0]?.patch).toContain('-two\n+  two');
    await project.edits.putBack('undo', 't', null);
    expect(project.read('a.txt')).toBe('one\ntwo\n');
  });

  it('is told by its turn, and is nothing where nothing changed', async () => {
    const project = begun();
    await project.run(() => project.write('a.txt', 'ONE\ntwo\n'), 'first');
    await project.run(() => undefined, 'second');
    expect([project.listed('first').files.length, project.listed('second')]).toEqual([
      1,
      { files: [], commands: 1, untracked: 0 },
    ]);
  });

  it('has no versions where it is no text, too large or a link', async () => {
    const project = begun();
    await project.run(() => {
      project.write('image.bin', Buffer.from([0, 255, 254]));
      project.write('large.txt', 'y'.repeat(1_000_001));
      symlinkSync(project.path('a.txt'), project.path('link'));
    });
    expect(project.listed().files).toEqual([
      ...['image.bin', 'large.txt', 'link'].map((name) => `${name} changed no versions by a command`),
    ]);
  });
});

describe('what a command changed', () => {
  it('leaves out what git ignores', async () => {
    const project = new Project();
    project.git('init', '-q');
    project.write('.gitignore', 'out/\n');
    await project.run(() => project.write('out/made.js', 'x'));
    expect(project.listed().files).toEqual([]);
  });

  it('has nothing of files that git ignores from then on, or no more', async () => {
    const project = new Project();
    project.git('init', '-q');
    project.write('.gitignore', 'private\n');
    project.write('private', 'a person’s\n');
    project.write('built', 'made before\n');
    // Not a moment ago.
    await expect.poll(() => Date.now() - statSync(project.path('built')).ctimeMs).toBeGreaterThan(100);
    await project.run(() => project.write('.gitignore', 'built\n'));
    expect(project.listed().files).toEqual(['.gitignore changed +1 -1 by a command']);
    await project.edits.putBack('undo', 't', null);
    expect([project.read('private'), project.read('built')]).toEqual(['a person’s\n', 'made before\n']);
  });

  it('is known of a commit and of another branch in a large repository', async () => {
    const project = new Project();
    project.git('init', '-q', '-b', 'main');
    project.write('a.txt', 'one\n');
    project.makeLarge();
    project.commit();
    project.write('a.txt', 'two\n');
    await project.run(() => project.commit());
    expect(project.listed().files).toEqual([]);
    await project.run(() => project.git('checkout', '-q', 'HEAD~1'));
    expect(project.edits.changes('t').files[0]?.patch).toContain('-two\n+one');
  });

  it('is not known of a large folder without git, or that isn’t trusted', async () => {
    const project = new Project();
    project.makeLarge();
    await project.run(() => project.write('a.txt', 'one\n'));
    expect(project.listed()).toEqual({ files: [], commands: 1, untracked: 1 });
    project.git('init', '-q');
    project.commit();
    project.isTrusted = false;
    await project.run(() => project.write('a.txt', 'two\n'));
    expect(project.listed()).toEqual({ files: [], commands: 2, untracked: 2 });
  });

  it('is seen after a command that a stopped turn left behind, and not of one that never ran', async () => {
    const project = new Project();
    project.write('a.txt', 'one\n');
    project.edits.ran('denied', 't');
    await project.commands.begins('denied', 't');
    project.commands.notRun('denied');
    project.write('a.txt', 'a person’s\n');
    await project.commands.ended('denied');
    expect(project.listed().files).toEqual([]);
    project.edits.ran('cut', 't');
    await project.commands.begins('cut', 't');
    project.write('a.txt', 'a command’s\n');
    await project.commands.turnEnded();
    expect(project.edits.changes('t').files[0]?.patch).toContain('-a person’s\n+a command’s');
  });

  it('of many that follow each other quickly takes few looks', async () => {
    const project = new Project();
    const all = Array.from({ length: 300 }, async (_, nth) => {
      project.edits.ran(`call-${nth}`, 't');
      void project.commands.begins(`call-${nth}`, 't');
      if (nth === 299) project.write('a.txt', 'one\n');
      await project.commands.ended(`call-${nth}`);
    });
    await Promise.all(all);
    expect(project.listed()).toMatchObject({ commands: 300, untracked: 0 });
    expect(project.looks).toBeLessThan(5);
  });

  it('of two at once is told of the one that ended first after it', async () => {
    const project = new Project();
    project.write('a.txt', 'one\n');
    for (const call of ['x', 'y']) project.edits.ran(call, 't');
    await Promise.all(['x', 'y'].map((call) => project.commands.begins(call, 't')));
    project.write('a.txt', 'two\n');
    await project.commands.ended('x');
    renameSync(project.path('a.txt'), project.path('b.txt'));
    await project.commands.ended('y');
    expect(project.listed().files).toEqual(['a.txt deleted +0 -1 by a command', 'b.txt new +1 -0 by a command']);
    expect(project.edits.changes('t').files.map(({ edits }) => edits.length)).toEqual([2, 1]);
  });
});
