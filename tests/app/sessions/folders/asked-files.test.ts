import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  askedFiles,
  askedPaths,
  findAskedFile,
  largestAskedFile,
  overwrittenBy,
  readAskedFile,
} from '../../../../app/sessions/folders/asked-files.ts';

let home: string;
let project: string;
const git = { environment: { PATH: process.env.PATH } };
const editing = (path: string) => ({ toolCall: { kind: 'edit', rawInput: { file_path: path } } });
const look = (request: unknown, more: { version?: string | null; directories?: string[]; plans?: string } = {}) =>
  askedFiles({ request, cwd: project, directories: [], plans: null, version: null, ...more }, git);
const first = async (path: string, more = {}) => (await look(editing(path), more))?.files[0];

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-asked-')));
  project = join(home, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(home, 'outside.txt'), 'secret\n');
  writeFileSync(join(project, 'src/a.ts'), 'one\r\ntwo\r\n');
});
afterEach(() => rmSync(home, { recursive: true }));

describe('the files that a question names', () => {
  it('are those of its request and no others, each once and at most 20', () => {
    const content = [{ type: 'diff', path: '/a', newText: '' }, { type: 'content' }, null, { type: 'diff', path: 7 }];
    expect(askedPaths({ toolCall: { kind: 'edit', content, rawInput: { file_path: '/a', path: '/z' } } })).toEqual([
      { path: '/a', shows: 'text' },
    ]);
    const read = { toolCall: { kind: 'read', rawInput: { file_path: '/etc/shadow' } } };
    expect(askedPaths(read)).toEqual([{ path: '/etc/shadow', shows: 'lines' }]);
    const plan = { toolCall: { kind: 'switch_mode', rawInput: { plan: 'x', planFilePath: '/p.md' } } };
    expect(askedPaths(plan)).toEqual([{ path: '/p.md', shows: 'plan' }]);
    const command = { toolCall: { kind: 'execute', rawInput: { command: 'cat /etc/shadow > out', path: '/x' } } };
    expect(askedPaths(command)).toEqual([{ path: 'out', shows: 'there' }]);
    const many = Array.from({ length: 50 }, (_, at) => ({ type: 'diff', path: `/${at}`, newText: '' }));
    expect(askedPaths({ toolCall: { content: many } })).toHaveLength(20);
    for (const odd of [null, 7, [], { toolCall: [] }, editing('a\0b'), editing('')])
      expect(askedPaths(odd)).toEqual([]);
  });

  it('have their text with line feeds, and none again until they are others', async () => {
    const path = join(project, 'src/a.ts');
    const found = await look(editing(path));
    expect(found?.files).toEqual([
      {
        ...{ named: path, path, leadsTo: null, isOutside: false, state: 'there', text: 'one\ntwo\n', lines: 2 },
        ...{ modifiedAt: expect.any(Number), isUnknownToGit: false },
      },
    ]);
    const version = found?.version ?? null;
    expect(await look(editing(path), { version })).toBeNull();
    appendFileSync(path, 'three');
    expect((await look(editing(path), { version }))?.files).toMatchObject([{ text: 'one\ntwo\nthree', lines: 3 }]);
    utimesSync(path, 1, 1);
    expect((await look(editing(path), { version }))?.files).toMatchObject([{ modifiedAt: 1_000 }]);
  });

  it('give away nothing of a file that is to be read but how many lines it has', async () => {
    const request = { toolCall: { kind: 'read', rawInput: { file_path: join(home, 'outside.txt') } } };
    expect((await look(request))?.files).toMatchObject([{ isOutside: true, text: null, lines: 1 }]);
  });

  it('are shown as a plan only where they are the session’s own, or among its agent’s plans', async () => {
    const plans = join(home, 'plans');
    mkdirSync(plans);
    for (const path of [join(plans, 'p.md'), join(home, 'diary.md'), join(project, 'own.md')])
      writeFileSync(path, '# A');
    symlinkSync(join(home, 'diary.md'), join(plans, 'link.md'));
    const plan = async (path: string, more: { plans?: string } = { plans }) => {
      const request = { toolCall: { kind: 'switch_mode', rawInput: { plan: 'x', planFilePath: path } } };
      return (await look(request, more))?.files[0];
    };
    const shown = { isOutside: false, state: 'there', text: '# A' };
    expect(await plan(join(plans, 'p.md'))).toMatchObject(shown);
    expect(await plan(join(project, 'own.md'))).toMatchObject(shown);
    const named = { isOutside: true, state: 'there', text: null, lines: null };
    expect(await plan(join(home, 'diary.md'))).toMatchObject(named);
    expect(await plan(join(plans, 'link.md'))).toMatchObject(named);
    expect(await plan(join(plans, 'p.md'), {})).toMatchObject(named);
    expect(await first(join(plans, 'p.md'), { plans })).toMatchObject({ isOutside: true });
  });

  it('lie outside by where their links lead, whatever their names say', async () => {
    symlinkSync(join(home, 'outside.txt'), join(project, 'link.txt'));
    symlinkSync(home, join(project, 'up'));
    symlinkSync('loop', join(project, 'loop'));
    symlinkSync(join(home, 'not/there'), join(project, 'dangling'));
    const outside = join(home, 'outside.txt');
    const led = { leadsTo: outside, isOutside: true, state: 'there', text: 'secret\n' };
    expect(await first('link.txt')).toMatchObject(led);
    expect(await first('up/outside.txt')).toMatchObject(led);
    expect(await first('../outside.txt')).toMatchObject({ path: outside, leadsTo: null, isOutside: true });
    expect(await first('src/../../outside.txt', { directories: [home] })).toMatchObject({ isOutside: false });
    expect(await first('up/new/file')).toMatchObject({
      ...{ leadsTo: join(home, 'new/file'), isOutside: true, state: 'missing' },
    });
    expect(await first('dangling')).toMatchObject({
      leadsTo: join(home, 'not/there'),
      isOutside: true,
      state: 'missing',
    });
    expect(await first('loop')).toMatchObject({ state: 'unreadable', text: null });
    expect(await first('src/a.ts/b')).toMatchObject({ state: expect.stringMatching(/missing|unreadable/), text: null });
    expect(await first(`${'x'.repeat(300)}/a`)).toMatchObject({ state: 'unreadable' });
  });

  it('are opened only where they are plain, readable text of a bearable size', async () => {
    spawnSync('mkfifo', [join(project, 'fifo')]);
    writeFileSync(join(project, 'large'), '');
    truncateSync(join(project, 'large'), largestAskedFile + 1);
    writeFileSync(join(project, 'binary'), 'a\0b');
    writeFileSync(join(project, 'latin'), Buffer.from([0x66, 0xfc, 0x72]));
    const states = ['fifo', 'large', 'binary', 'latin', 'src', '/dev/zero', '/dev/tty', 'none'].map(first);
    expect((await Promise.all(states)).map((file) => [file?.state, file?.text])).toEqual([
      ...[['not-a-file', null] as const, ['too-large', null], ['not-text', null], ['not-text', null]],
      ...[['not-a-file', null] as const, ['not-a-file', null], ['not-a-file', null], ['missing', null]],
    ]);
    // As many bytes as it says it has, which is none.
    expect((await first('/proc/self/environ'))?.text ?? '').toBe('');
    writeFileSync(join(project, 'theirs'), 'x', { mode: 0 });
    const isRoot = process.getuid?.() === 0;
    if (!isRoot) expect(await first('theirs')).toMatchObject({ state: 'unreadable', text: null });
    const foreign = isRoot ? null : await first('/etc/shadow');
    if (foreign !== null) expect(foreign).toMatchObject({ isOutside: true, text: null });
    chmodSync(join(project, 'theirs'), 0o600);
  });

  it('are not read where another file took their place in between', async () => {
    const path = join(project, 'src/a.ts');
    const found = await findAskedFile(path, project, []);
    renameSync(path, `${path}.old`);
    symlinkSync(join(home, 'outside.txt'), path);
    await expect(readAskedFile(found)).rejects.toThrow();
    rmSync(path);
    writeFileSync(path, 'other');
    await expect(readAskedFile(found)).rejects.toThrow('another file');
  });

  it('are left alone on other machines', async () => {
    const away = await findAskedFile('//server/share/a.ts', '/c', [], 'win32');
    expect(away).toMatchObject({ isOutside: true, state: 'unreadable', stats: null });
    expect(await findAskedFile('/net/host/a', '/c', [], 'darwin')).toMatchObject({ state: 'unreadable', stats: null });
  });

  it('may be unknown to git', async () => {
    expect(await first('src/a.ts')).toMatchObject({ isUnknownToGit: false });
    execFileSync('git', ['-C', project, 'init', '-q']);
    writeFileSync(join(project, 'src/[b].ts'), '');
    expect(await first('src/a.ts')).toMatchObject({ isUnknownToGit: true });
    expect(await first('src/none.ts')).toMatchObject({ isUnknownToGit: false });
    execFileSync('git', ['-C', project, 'add', 'src/a.ts']);
    expect(await first('src/a.ts')).toMatchObject({ isUnknownToGit: false });
    expect(await first('src/[b].ts')).toMatchObject({ isUnknownToGit: true });
    const command = { toolCall: { kind: 'execute', rawInput: { command: 'ls > src/[b].ts; ls > "src/[b].ts"' } } };
    expect((await look(command))?.files).toMatchObject([{ state: 'there', isUnknownToGit: true, text: null }]);
  });
});

describe('what a command writes over', () => {
  const cases: [command: string, ...paths: string[]][] = [
    ['npm test'],
    ['echo a > b', 'b'],
    ['echo a >b 2>err &>all >|clobbered', 'b', 'err', 'all', 'clobbered'],
    ['echo a >> b 2>&1 < in'],
    ['echo "a > b" \'c > d\' e\\>f'],
    ['cat <<EOF > out\na > b\nEOF\nls > c', 'out'],
    ['cat <<< x > out', 'out'],
    ['make | tee -i log "two words" && x', 'log', 'two words'],
    ['make | tee -a log'],
    ['FOO=1 cp a b', 'b', 'b/a'],
    ['mv x/a y/b dir', 'dir/a', 'dir/b'],
    ['cp -n a b; mv -t dir a; cp --no-clobber a b'],
    ['echo > $HOME/a; echo > ~/a; echo > *.ts; cp a "$b"; echo > `x`'],
    ['echo > a; cd x && echo > b; echo > /c', 'a', '/c'],
    ['# echo > a\necho > b # > c', 'b'],
    ['(echo x > a)\nif true; then echo > b; fi', 'a', 'b'],
    ["echo > 'unfinished"],
  ];
  it.each(cases)('%j', (command, ...paths) => {
    expect(overwrittenBy(command)).toEqual(paths);
  });

  it('is looked for in any text in bearable time', () => {
    for (const text of [
      '>'.repeat(20_000),
      "'".repeat(20_000),
      'a '.repeat(10_000),
      '\\'.repeat(20_000),
      '"\\'.repeat(9_999),
    ]) {
      const began = performance.now();
      overwrittenBy(text);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });
});
