import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeSettingsPath } from '../../../app/claude-code/settings-file.ts';
import { applySetup, applyUndo, cannotKeep, sweepSetups } from '../../../app/claude-code/setup/apply.ts';
import type { SetupPlace } from '../../../app/claude-code/setup/plan.ts';
import { planSetup } from '../../../app/claude-code/setup/plan-setup.ts';
import { planUndo } from '../../../app/claude-code/setup/plan-undo.ts';
import { modeReadByOthers, openModeNote, readSetup } from '../../../app/claude-code/setup/read-setup.ts';

let folder: string;
let place: SetupPlace;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-setup-'));
  mkdirSync(join(folder, 'claude'));
  place = {
    settings: join(folder, 'claude', 'settings.json'),
    paths: { home: join(folder, 'home'), backups: join(folder, 'home', 'backups') },
    port: () => 4180,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secret = 'k3y0f7h1s';
const lines = (more: Record<string, string> = {}) => ({
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
  ANTHROPIC_AUTH_TOKEN: `${secret}.claude-code`,
  ANTHROPIC_API_KEY: '',
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
  ...more,
});
const write = (text: string) => writeFileSync(place.settings, text);
const read = () => readFileSync(place.settings, 'utf8');
const backups = () => {
  const kept = join(place.paths.backups, 'claude-code');
  return existsSync(kept)
    ? readdirSync(kept)
        .sort()
        .map((name) => readFileSync(join(kept, name), 'utf8'))
    : [];
};
const setup = async (variables: Record<string, string> = lines()) =>
  applySetup(place, await planSetup(place, variables));
const undo = async () => {
  const plan = await planUndo(place, async () => lines());
  await applyUndo(place, plan);
  return plan;
};
/** A folder that other users can look into, as a home of mode 0755 is. */
const openFolders = () => {
  for (const path of [folder, join(folder, 'claude')]) chmodSync(path, 0o755);
};
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const kinds = (plan: { changes: { name: string; kind: string }[] }) =>
  Object.fromEntries(plan.changes.map(({ name, kind }) => [name, kind]));

describe('setting up', () => {
  it('C16.1 merges only our keys: order, comments and unknown keys stay', async () => {
    write('{\n\t"model": "opus", // mine\n\t"env": {\n\t\t"FOO": "bar"\n\t},\n\t"hooks": {}\n}\n');
    await setup({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180', ANTHROPIC_API_KEY: '' });
    expect(read()).toBe(
      '{\n\t"model": "opus", // mine\n\t"env": {\n\t\t"FOO": "bar",\n\t\t"ANTHROPIC_BASE_URL": ' +
        '"http://127.0.0.1:4180",\n\t\t"ANTHROPIC_API_KEY": ""\n\t},\n\t"hooks": {}\n}\n',
    );
  });

  it('shows the difference first, with secrets as dots', async () => {
    write(
      '{"env":{"ANTHROPIC_BASE_URL":"https://me:pass@example.com","ANTHROPIC_AUTH_TOKEN":"sk-old","CLAUDE_CODE_ATTRIBUTION_HEADER":"0"}}',
    );
    const before = read();
    const plan = await planSetup(place, lines());
    expect({
      shown: plan.shown,
      changes: plan.changes,
      changesFile: plan.changesFile,
      backupFolder: plan.backupFolder,
    }).toEqual({
      shown: place.settings,
      changes: [
        {
          name: 'ANTHROPIC_BASE_URL',
          place: 'env',
          kind: 'replace',
          before: 'https://••••••••@example.com',
          after: 'http://127.0.0.1:4180',
        },
        { name: 'ANTHROPIC_AUTH_TOKEN', place: 'env', kind: 'replace', before: '••••••••', after: '••••••••' },
        { name: 'ANTHROPIC_API_KEY', place: 'env', kind: 'add', before: null, after: '""' },
        { name: 'CLAUDE_CODE_ATTRIBUTION_HEADER', place: 'env', kind: 'same', before: '0', after: '0' },
      ],
      changesFile: true,
      backupFolder: join(place.paths.backups, 'claude-code'),
    });
    expect(read()).toBe(before);
    expect(existsSync(place.paths.home)).toBe(false);
  });

  it('makes a missing file for its user only, and keeps the mode of one that is there', async () => {
    await setup();
    expect(statSync(place.settings).mode & 0o777).toBe(0o600);
    write('{}');
    chmodSync(place.settings, 0o644);
    await setup();
    expect(statSync(place.settings).mode & 0o777).toBe(0o644);
    expect(readdirSync(join(folder, 'claude'))).toEqual(['settings.json']);
  });

  it('C16.3 a file that holds our values already is not backed up again', async () => {
    write('{"theme":"dark"}');
    await setup();
    expect(backups()).toEqual(['{"theme":"dark"}']);
    expect((await planSetup(place, lines())).changesFile).toBe(false);
    await setup();
    await setup(lines({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:4999' }));
    expect(backups()).toEqual(['{"theme":"dark"}']);
    expect(read()).toContain('http://127.0.0.1:4999');
  });

  it('C16.3 also knows its own values without a record, so that they never come back as the original', async () => {
    write(`{"env":{"ANTHROPIC_BASE_URL":"http://localhost:4180","ANTHROPIC_AUTH_TOKEN":"${secret}.other"}}`);
    await setup();
    expect(backups()).toEqual([]);
    await undo();
    expect(JSON.parse(read())).toEqual({ env: {} });
  });

  it('C16.4 backups are never overwritten, and hold only what was not ours', async () => {
    write('{"env":{"ANTHROPIC_BASE_URL":"https://one.example"}}');
    await setup();
    write(read().replace('http://127.0.0.1:4180', 'https://two.example'));
    await setup();
    expect(backups().map((text) => JSON.parse(text))).toEqual([
      { env: { ANTHROPIC_BASE_URL: 'https://one.example' } },
      { env: { ANTHROPIC_BASE_URL: 'https://two.example' } },
    ]);
    expect(backups().join()).not.toContain(secret);
    const kept = join(place.paths.backups, 'claude-code');
    expect(readdirSync(kept).map((name) => statSync(join(kept, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    await undo();
    expect(JSON.parse(read())).toEqual({ env: { ANTHROPIC_BASE_URL: 'https://two.example' } });
  });

  it('names a disk that is full, where no backup can be written', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    expect(cannotKeep('/home/me', full)).toMatchObject({
      message:
        'No backup could be written, so nothing was changed. The disk that holds the folder /home/me is full (ENOSPC).',
      remedy: 'Free some space there, then try again.',
    });
    expect(cannotKeep('/home/me', null).remedy).toBe('Allow writing there, then try again.');
  });

  it('C16.4 two changes within one millisecond keep two backups', async () => {
    write('{"a":1}');
    await Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        const other = { ...place, settings: join(folder, 'claude', `${n}.json`) };
        writeFileSync(other.settings, `{"n":${n}}`);
        await applySetup(other, await planSetup(other, lines()));
      }),
    );
    expect(backups().sort()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  });

  it('C16.5 refuses a file that sends Claude Code’s own traffic through ourselves', async () => {
    const text = '{\n  "env": {\n    "HTTPS_PROXY": "localhost:4180"\n  }\n}';
    write(text);
    await expect(planSetup(place, lines())).rejects.toMatchObject({
      code: 'circle',
      line: 3,
      message: `HTTPS_PROXY in ${place.settings}, line 3, is Jumpseat itself. Requests would run in a circle.`,
    });
    expect(read()).toBe(text);
    write('{ "env": { "HTTPS_PROXY": "http://proxy.example:4180" } }');
    await expect(planSetup(place, lines())).resolves.toMatchObject({ changesFile: true });
  });

  it.each([
    ['{\n  "a": 1,\n  oops\n}', 3],
    ['{ "env": [] }', null],
    ['"text"', 1],
    ['{"a":1}{"b":2}', 1],
    ['<<<<<<< HEAD\n{}\n', 1],
  ])('C16.7 leaves %j untouched and says where it is broken', async (text, line) => {
    write(text);
    await expect(planSetup(place, lines())).rejects.toMatchObject({ name: 'SetupError', code: 'invalid', line });
    await expect(planSetup(place, lines())).rejects.toThrow(/Nothing was changed\.$/);
    const looked: unknown = await readSetup(place).catch((error: unknown) => error);
    expect(looked).toMatchObject({ name: 'SetupError', message: expect.not.stringContaining('changed') });
    expect(read()).toBe(text);
    expect(existsSync(place.paths.home)).toBe(false);
  });

  it('C16.7 leaves bytes that are no UTF-8 untouched', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    writeFileSync(place.settings, bytes);
    await expect(planSetup(place, lines())).rejects.toMatchObject({ code: 'invalid' });
    expect(readFileSync(place.settings)).toEqual(bytes);
  });

  it('C16.8 writes through a symbolic link, also to a file that is not there yet', async () => {
    const dotfiles = join(folder, 'dotfiles');
    mkdirSync(dotfiles);
    writeFileSync(join(dotfiles, 'claude.json'), '{ "theme": "dark" }');
    symlinkSync('../dotfiles/claude.json', place.settings);
    await setup();
    expect(lstatSync(place.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toContain('ANTHROPIC_BASE_URL');
    await undo();
    expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toBe('{ "theme": "dark" }');

    rmSync(join(dotfiles, 'claude.json'));
    await setup();
    expect(lstatSync(place.settings).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(join(dotfiles, 'claude.json'), 'utf8'))).toEqual({ env: lines() });
    await undo();
    expect(existsSync(join(dotfiles, 'claude.json'))).toBe(false);
  });

  it('refuses a read-only file', async () => {
    write('{}');
    chmodSync(place.settings, 0o444);
    await expect(planSetup(place, lines())).rejects.toMatchObject({ code: 'read-only' });
    expect(read()).toBe('{}');
  });

  it('writes nothing when the file changed after it was looked at', async () => {
    write('{"a":1}');
    const plan = await planSetup(place, lines());
    write('{"a":2}');
    await expect(applySetup(place, plan)).rejects.toMatchObject({ code: 'changed' });
    expect(read()).toBe('{"a":2}');

    rmSync(place.settings);
    const first = await planSetup(place, lines());
    write('{}');
    await expect(applySetup(place, first)).rejects.toMatchObject({ code: 'changed' });
    expect(read()).toBe('{}');
  });

  it('keeps the local key out of everything it writes besides the settings', async () => {
    write('{"a":1}');
    await setup();
    const record = readFileSync(join(place.paths.home, 'claude-code.json'), 'utf8');
    expect(record + backups().join()).not.toContain(secret);
    expect(statSync(join(place.paths.home, 'claude-code.json')).mode & 0o777).toBe(0o600);
  });
});

describe('undoing', () => {
  const zoo: [string, string][] = [
    ['comments', '// a\n{\n  "env": { // b\n    "X": "1" // c\n  } // d\n}\n'],
    ['CRLF and tabs', '{\r\n\t"env": {\r\n\t\t"X": "1"\r\n\t},\r\n\t"b": []\r\n}\r\n'],
    ['one line', '{"permissions":{"deny":["WebSearch"]}}'],
    ['no env', '{\n    "model": "opus"\n}'],
    ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
    ['blank', '  \n'],
  ];
  it.each(zoo)('C16.2 leaves a file with %s as it was', async (name, text) => {
    write(text);
    await setup();
    expect(read()).not.toBe(text);
    await undo();
    expect(read()).toBe(name === 'blank' ? '' : text);
  });

  it('C16.2 takes out exactly ours and keeps what was changed since', async () => {
    write('{\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://old.example",\n    "FOO": "1"\n  }\n}\n');
    await setup();
    const edited = read().replace(
      '"CLAUDE_CODE_ATTRIBUTION_HEADER": "0"',
      '"CLAUDE_CODE_ATTRIBUTION_HEADER": "1",\n    "NEW": "2"',
    );
    write(edited);
    const plan = await undo();
    expect(kinds(plan)).toEqual({
      ANTHROPIC_BASE_URL: 'restore',
      ANTHROPIC_AUTH_TOKEN: 'remove',
      ANTHROPIC_API_KEY: 'remove',
      CLAUDE_CODE_ATTRIBUTION_HEADER: 'left',
    });
    expect(read()).toBe(
      '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://old.example",\n    "FOO": "1",\n    ' +
        '"CLAUDE_CODE_ATTRIBUTION_HEADER": "1",\n    "NEW": "2"\n  }\n}\n',
    );
    expect((await planUndo(place, async () => lines())).changesFile).toBe(false);
  });

  it('keeps a value of the person’s own that happened to equal ours', async () => {
    write('{"env":{"CLAUDE_CODE_ATTRIBUTION_HEADER":"0"}}');
    await setup();
    await setup(lines({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:5000' }));
    await undo();
    expect(read()).toBe('{"env":{"CLAUDE_CODE_ATTRIBUTION_HEADER":"0"}}');
  });

  it('removes the file that it had made, unless something was added to it', async () => {
    await setup();
    expect((await undo()).removesFile).toBe(true);
    expect(existsSync(place.settings)).toBe(false);
    await setup();
    write(read().replace('{\n', '{\n  "theme": "dark",\n'));
    await undo();
    expect(JSON.parse(read())).toEqual({ theme: 'dark' });
  });

  it('says which old values are lost when the backup is gone', async () => {
    write('{"env":{"ANTHROPIC_AUTH_TOKEN":"sk-old"}}');
    await setup();
    rmSync(place.paths.backups, { recursive: true });
    const plan = await undo();
    expect(plan.lost).toEqual(['ANTHROPIC_AUTH_TOKEN']);
    expect(JSON.parse(read())).toEqual({ env: {} });
  });

  it('does nothing to a file that it never touched', async () => {
    write('{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:4999","ANTHROPIC_API_KEY":""}}');
    expect(await undo()).toMatchObject({ changesFile: false, changes: [] });
    expect(read()).toBe('{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:4999","ANTHROPIC_API_KEY":""}}');
  });

  it('gives one answer where the record is lost, and takes out what equals our lines', async () => {
    write('{"theme":"dark"}');
    await setup();
    write(JSON.stringify({ ...JSON.parse(read()), env: { MINE: '1', ...JSON.parse(read()).env } }));
    rmSync(join(place.paths.home, 'claude-code.json'));
    expect(await readSetup(place)).toMatchObject({ isSetUp: true, changed: [] });
    expect(await planSetup(place, lines())).toMatchObject({ isSetUp: true, changesFile: false });
    expect(await undo()).toMatchObject({ isSetUp: true, changesFile: true });
    expect(JSON.parse(read())).toEqual({ theme: 'dark', env: { MINE: '1' } });
    expect(await readSetup(place)).toMatchObject({ isSetUp: false });
  });

  it('keeps a damaged record aside', async () => {
    write('{"a":1}');
    await setup();
    writeFileSync(join(place.paths.home, 'claude-code.json'), '{broken');
    await setup(lines({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:5000' }));
    expect(readdirSync(place.paths.home).filter((name) => name.includes('damaged'))).toHaveLength(1);
  });

  it('counts for Health what is ours and what was changed', async () => {
    write('{}');
    await setup();
    write(read().replace('"CLAUDE_CODE_ATTRIBUTION_HEADER": "0"', '"CLAUDE_CODE_ATTRIBUTION_HEADER": "1"'));
    expect(await readSetup(place)).toMatchObject({ ours: 3, changed: [expect.any(String)] });
  });
});

it('honours CLAUDE_CONFIG_DIR', () => {
  expect([claudeSettingsPath({}, '/h'), claudeSettingsPath({ CLAUDE_CONFIG_DIR: '/c' }, '/h')]).toEqual([
    join('/h', '.claude', 'settings.json'),
    join('/c', 'settings.json'),
  ]);
});

describe.skipIf(process.platform === 'win32')('a settings.json that other users can read', () => {
  const note = (mode: string) =>
    `Other users of this machine can read ${place.settings} (mode ${mode}), and so the local key in it.`;

  it('is said before the key is put there, and closed only where the person wants it', async () => {
    openFolders();
    write('{}');
    chmodSync(place.settings, 0o644);
    const plan = await planSetup(place, lines());
    expect([plan.openMode, openModeNote(plan)]).toEqual(['0644', note('0644')]);
    // Modes mean nothing on Windows.
    const modes = (['linux', 'darwin', 'win32'] as const).map((system) => modeReadByOthers(place.settings, system));
    expect(await Promise.all(modes)).toEqual(['0644', '0644', null]);
    await applySetup(place, plan);
    expect([modeOf(place.settings), (await readSetup(place)).openMode]).toEqual(['644', '0644']);

    // Set up already: it is closed all the same.
    const again = await planSetup(place, lines());
    expect([again.changesFile, again.openMode]).toEqual([false, '0644']);
    await applySetup(place, again, { closed: true });
    expect([modeOf(place.settings), (await readSetup(place)).openMode]).toEqual(['600', null]);
    await undo();
    expect(read()).toBe('{}');
  });

  it('is closed in the same moment as the key comes in', async () => {
    openFolders();
    write('{ "model": "opus" }');
    chmodSync(place.settings, 0o664);
    const plan = await planSetup(place, lines());
    await applySetup(place, plan, { closed: true });
    expect([modeOf(place.settings), read().includes(secret)]).toEqual(['600', true]);
  });

  it(
    'is none where its mode, a folder above it or the user’s own group keeps others out, and none before ' +
      'there is one',
    async () => {
      openFolders();
      expect((await planSetup(place, lines())).openMode).toBeNull();
      write('{}');
      const openWith = async (mode: number, above = 0o755) => {
        chmodSync(place.settings, mode);
        chmodSync(folder, above);
        return (await planSetup(place, lines())).openMode;
      };
      const { uid, gid } = statSync(place.settings);
      const byGroup = uid === gid ? null : '0640';
      expect([
        await openWith(0o600),
        await openWith(0o644, 0o700),
        await openWith(0o640),
        await openWith(0o644),
      ]).toEqual([null, null, byGroup, '0644']);
      // Without the key nothing secret is put there.
      expect((await planSetup(place, { ANTHROPIC_API_KEY: '' })).openMode).toBeNull();
    },
  );
});

describe('what a killed setup left', () => {
  const dead = 2 ** 22 + 1;
  const leftOvers = () => readdirSync(join(folder, 'claude')).filter((name) => name !== 'settings.json');
  const leave = (name: string) => writeFileSync(join(folder, 'claude', name), secret);

  it.each([
    ['setting up', async () => void (await setup())],
    ['undoing', async () => void (await undo())],
    ['starting', () => sweepSetups(place)],
  ])('goes by %s: files of our exact name, of a process that runs no more', async (_what, act) => {
    write('{}');
    leave(`settings.json.jumpseat-${dead}-0a1b2c3d`);
    const others = [
      `settings.json.jumpseat-${process.pid}-0a1b2c3d`,
      `settings.json.jumpseat-${dead}-0a1b2c3`,
      `settings.json.jumpseat-${dead}-0a1b2c3d.bak`,
      `settings.json.jumpseat-x-0a1b2c3d`,
      `settings.local.json.jumpseat-${dead}-0a1b2c3d`,
      `my-settings.json.jumpseat-${dead}-0a1b2c3d`,
    ];
    for (const name of others) leave(name);
    mkdirSync(join(folder, 'claude', `settings.json.jumpseat-${dead}-00000000`));
    await act();
    expect(leftOvers().sort()).toEqual([...others, `settings.json.jumpseat-${dead}-00000000`].sort());
  });

  it('goes after a minute, whichever process has the id by then, and beside every file that was ever set up', async () => {
    write('{}');
    await setup();
    const old = `settings.json.jumpseat-${process.pid}-0a1b2c3d`;
    leave(old);
    const then = new Date(Date.now() - 61_000);
    utimesSync(join(folder, 'claude', old), then, then);
    leave(`settings.json.jumpseat-${dead}-0a1b2c3d`);
    await sweepSetups({ ...place, settings: join(folder, 'elsewhere', 'settings.json') });
    expect(leftOvers()).toEqual([]);
  });
});

describe('what stands beside the variables', () => {
  const choices = { skipWebFetchPreflight: true };
  const wanted = async () => applySetup(place, await planSetup(place, lines(), choices));

  it('is written where a person wants it, and taken back with the rest', async () => {
    const before = '{\n  "model": "opus", // mine\n  "hooks": {}\n}\n';
    write(before);
    const plan = await planSetup(place, lines(), choices);
    expect(plan.changes.at(-1)).toEqual({
      name: 'skipWebFetchPreflight',
      place: 'beside',
      kind: 'add',
      before: null,
      after: 'true',
    });
    await applySetup(place, plan);
    expect(JSON.parse(read().replace(' // mine', ''))).toEqual({
      model: 'opus',
      hooks: {},
      env: lines(),
      skipWebFetchPreflight: true,
    });
    expect((await readSetup(place)).skipsWebFetchPreflight).toBe(true);
    expect(kinds(await undo())).toMatchObject({ skipWebFetchPreflight: 'remove' });
    expect(read()).toBe(before);
  });

  it('is not touched unless it was chosen, and a later setup leaves it for the undo', async () => {
    write('{"skipWebFetchPreflight": false}');
    await setup();
    expect(JSON.parse(read()).skipWebFetchPreflight).toBe(false);
    await wanted();
    expect(JSON.parse(read()).skipWebFetchPreflight).toBe(true);
    await setup(lines({ CLAUDE_CODE_ATTRIBUTION_HEADER: '1' }));
    expect(JSON.parse(read()).skipWebFetchPreflight).toBe(true);
    await undo();
    expect(JSON.parse(read())).toEqual({ skipWebFetchPreflight: false });
  });

  it('stays where the person has set it themselves', async () => {
    write('{"skipWebFetchPreflight": true}');
    await wanted();
    expect(kinds(await undo())).not.toHaveProperty('skipWebFetchPreflight');
    expect(read()).toBe('{"skipWebFetchPreflight": true}');
  });

  it('of a file that was emptied meanwhile changes nothing, and it can be set up again', async () => {
    for (const emptied of ['', '\n', '{}\n']) {
      await wanted();
      write(emptied);
      await undo();
      expect(read()).toBe(emptied);
    }
    await wanted();
    expect(JSON.parse(read())).toEqual({ env: lines(), skipWebFetchPreflight: true });
  });

  it('makes and removes a file of our own, and refuses one that holds it twice', async () => {
    await wanted();
    expect(JSON.parse(read())).toEqual({ env: lines(), skipWebFetchPreflight: true });
    await undo();
    expect(existsSync(place.settings)).toBe(false);
    write('{"skipWebFetchPreflight": true,\n"skipWebFetchPreflight": false}');
    await expect(planSetup(place, lines(), choices)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('holds "skipWebFetchPreflight" twice (line 2). Nothing was changed.'),
      line: 2,
    });
  });
});

it('the days of conversations replace the person’s, and undo puts those back', async () => {
  const before = '{\n  "cleanupPeriodDays": 20\n}\n';
  write(before);
  await applySetup(place, await planSetup(place, lines(), { keepDays: 365 }));
  expect(JSON.parse(read()).cleanupPeriodDays).toBe(365);
  // That alone, and then the rest.
  const plan = await planUndo(place, async () => lines(), ['cleanupPeriodDays']);
  expect(kinds(plan)).toEqual({ cleanupPeriodDays: 'restore' });
  await applyUndo(place, plan);
  expect(JSON.parse(read())).toEqual({ cleanupPeriodDays: 20, env: lines() });
  expect((await planUndo(place, async () => lines(), ['cleanupPeriodDays'])).changesFile).toBe(false);
  expect(kinds(await undo())).not.toHaveProperty('cleanupPeriodDays');
  expect(read()).toBe(before);
});

describe('the status line', () => {
  const choices = { statusLine: true };
  const planned = () => planSetup(place, lines(), choices);
  const wanted = async () => applySetup(place, await planned());
  const inFile = () => JSON.parse(read()).statusLine;

  it('is ours where there is none, and goes with the rest', async () => {
    const before = '{\n  "model": "opus"\n}\n';
    write(before);
    expect((await planned()).changes.at(-1)).toEqual({
      ...{ name: 'statusLine', place: 'beside', kind: 'add', before: null },
      after: '{ "type": "command", "command": "jumpseat statusline" }',
    });
    await wanted();
    expect(inFile()).toEqual({ type: 'command', command: 'jumpseat statusline' });
    expect(kinds(await planned())).toMatchObject({ statusLine: 'same' });
    // A setup without it leaves it for the undo.
    await setup(lines({ CLAUDE_CODE_ATTRIBUTION_HEADER: '1' }));
    expect(kinds(await undo())).toMatchObject({ statusLine: 'remove' });
    expect(read()).toBe(before);
  });

  it('shows the person’s own beside ours, keeps the rest of it, and is put back byte for byte', async () => {
    const before =
      '{\n  "statusLine": {\n    // mine\n    "type": "command",\n' +
      '    "command": "printf \'it\\\'\'s\' \\"$HOME\\"",   "padding": 0\n  },\n  "model": "opus"\n}\n'.replace(
        "it\\''s",
        "it\\\\''s",
      );
    write(before);
    const change = (await planned()).changes.at(-1);
    expect(change).toMatchObject({ name: 'statusLine', kind: 'replace' });
    expect(change?.before).toContain('"padding": 0');
    expect(change?.after).toContain('jumpseat statusline --with ');
    for (const _ of ['first', 'again']) await wanted();
    expect(read()).toMatch(
      /"statusLine": \{\n {4}\/\/ mine\n {4}"type": "command",\n {4}"command": .*, {3}"padding": 0\n/,
    );
    expect(read().match(/--with/g)).toHaveLength(1);
    expect(kinds(await undo())).toMatchObject({ statusLine: 'restore' });
    expect(read()).toBe(before);
  });

  it('that was changed by hand afterwards isn’t overwritten, by a setup or the undo', async () => {
    await wanted();
    const mine = { type: 'command', command: "jumpseat statusline --format '{model}'", padding: 1 };
    write(JSON.stringify({ ...JSON.parse(read()), statusLine: mine }));
    expect(kinds(await planned())).toMatchObject({ statusLine: 'same' });
    await wanted();
    expect(inFile()).toEqual(mine);
    expect((await readSetup(place)).changed).toEqual([]);
    expect(kinds(await undo())).toMatchObject({ statusLine: 'left' });
    expect(inFile()).toEqual(mine);
    // Also where nothing is recorded any more.
    expect(kinds(await planUndo(place, async () => ({})))).toEqual({ statusLine: 'left' });
  });

  it('of another kind is replaced, and put back; the command is that of this Jumpseat', async () => {
    write('{"statusLine": "none"}');
    place = { ...place, command: '/opt/Jumpseat/bin/jumpseat' };
    await wanted();
    expect(inFile().command).toBe('/opt/Jumpseat/bin/jumpseat statusline');
    await undo();
    expect(read()).toBe('{"statusLine": "none"}');
  });
});

describe('how far a conversation with a model may grow', () => {
  const windows = { 'claude-haiku-4-5': 156_000, 'gpt-5.4': 292_000 };
  const planned = (more: Record<string, number> = windows) => planSetup(place, lines(), {}, more);
  const named = (model: string) => `modelSettings.${model}.autoCompactWindow`;

  it.each([
    '{}',
    '{\n  "model": "opus"\n}\n',
    '{\n  "modelSettings": {\n    // by /effort\n    "claude-haiku-4-5": {\n      "effortLevel": "high"\n    }\n  },\n  "env": {}\n}\n',
    '{"modelSettings":{"gpt-5.4":{"effortLevel":"low"},"other":{"autoCompactWindow":120000}},"model":"opus"}',
    '{\r\n\t"modelSettings": { "claude-opus-4-8": { "effortLevel": "low" } }\r\n}\r\n',
    '{"modelSettings": {}}',
    '{"modelSettings": {"gpt-5.4": {}, "other": {}}, "model": "opus"}',
  ])('stands beside what the person has, and goes to the byte: %j', async (before) => {
    write(before);
    await applySetup(place, await planned());
    const own = parse(before).modelSettings ?? {};
    const now = parse(read()).modelSettings;
    expect(now).toEqual({
      ...own,
      'claude-haiku-4-5': { ...own['claude-haiku-4-5'], autoCompactWindow: 156_000 },
      'gpt-5.4': { ...own['gpt-5.4'], autoCompactWindow: 292_000 },
    });
    expect((await planned()).changesFile).toBe(false);
    await undo();
    expect(read()).toBe(before);
  });

  it('stays as the person has set it, before or afterwards', async () => {
    write('{"modelSettings": {"gpt-5.4": {"autoCompactWindow": "auto"}}}');
    expect(Object.keys(kinds(await planned()))).not.toContain(named('gpt-5.4'));
    await applySetup(place, await planned());
    write(read().replace('156000', '120000'));
    expect((await readSetup(place)).changed).toEqual([]);
    expect(Object.keys(kinds(await planned()))).not.toContain(named('claude-haiku-4-5'));
    expect(kinds(await undo())).toMatchObject({ [named('claude-haiku-4-5')]: 'left' });
    expect(JSON.parse(read()).modelSettings).toEqual({
      'gpt-5.4': { autoCompactWindow: 'auto' },
      'claude-haiku-4-5': { autoCompactWindow: 120_000 },
    });
  });

  it('follows the model’s limit at the next setup', async () => {
    write('{}');
    expect((await planned()).changedBlocks).toEqual(['env', 'modelSettings']);
    await applySetup(place, await planned());
    expect((await planned()).changedBlocks).toEqual([]);
    expect(kinds(await planned({ 'claude-haiku-4-5': 188_000 }))).toMatchObject({
      [named('claude-haiku-4-5')]: 'replace',
    });
  });

  it('can’t be put into what is no object', async () => {
    write('{"modelSettings": []}');
    await expect(planned()).rejects.toThrow('holds a "modelSettings" that is no JSON object');
    expect(read()).toBe('{"modelSettings": []}');
  });
});
