import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayStamp } from '../../../app/settings/files.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { SettingsError } from '../../../app/settings/write-settings.ts';
import { defaults } from './defaults.ts';

let folder: string;
let path: string;
let stores: SettingsStore[];
let logged: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-test-'));
  path = join(folder, 'settings.json');
  stores = [];
  logged = [];
});
afterEach(() => {
  for (const store of stores) store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(at = path) {
  const opened = SettingsStore.open(at, { write: (_level, event) => logged.push(event) });
  stores.push(opened.store);
  return opened;
}

/** Nothing can be made or renamed in it. Root needs more than its mode. Returns the way back. */
function lock(folder: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o555);
    return () => chmodSync(folder, 0o755);
  }
  execFileSync('chattr', ['+i', folder], { stdio: 'ignore' });
  return () => void execFileSync('chattr', ['-i', folder]);
}

/** Not on every file system, and not on Windows. */
function canLock(): boolean {
  if (process.platform === 'win32') return false;
  const tried = mkdtempSync(join(tmpdir(), 'jumpseat-test-'));
  try {
    lock(tried)();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(tried, { recursive: true, force: true });
  }
}

/** Without what it names as its schema. */
function onDisk(): unknown {
  const { $schema: _, ...settings } = JSON.parse(readFileSync(path, 'utf8'));
  return settings;
}

function nextChange(store: SettingsStore): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.onChange(() => {
      stop();
      resolve();
    });
  });
}

describe('settings', () => {
  it('are the defaults where there is no file, and make none', () => {
    const { store, warnings } = open();
    expect(store.current()).toEqual(defaults);
    expect(warnings).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are written atomically with mode 0600, in a folder that is made', async () => {
    path = join(folder, 'new', 'settings.json');
    const { store } = open();
    await store.update({ port: 5000 });
    expect(onDisk()).toEqual({ ...defaults, port: 5000 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'new'))).toEqual(['accounts.json', 'settings.json', 'settings.schema.json']);
    expect(open().store.current()).toEqual({ ...defaults, port: 5000 });
  });

  it('are read from a hand-written file of a few keys, with a byte order mark too', () => {
    writeFileSync(path, '\uFEFF{ "port": 5000 }');
    const { store, warnings } = open();
    expect(warnings).toEqual([]);
    expect(store.current()).toEqual({ ...defaults, port: 5000 });
  });

  it('tell their listeners after a change, and only then', async () => {
    const { store } = open();
    const seen: (number | null)[] = [];
    const stop = store.onChange(() => seen.push(store.current().port));
    await store.update({ port: 5000 });
    await store.update({ port: 5000 });
    await store.update({ port: null });
    stop();
    await store.update({ port: 6000 });
    expect(seen).toEqual([5000, null]);
  });

  it('go back to the default where a patch says undefined', async () => {
    const { store } = open();
    await store.update({ historyDays: 7, alwaysUser: true });
    await store.update({ historyDays: undefined });
    expect(store.current()).toEqual({ ...defaults, alwaysUser: true });
  });

  it('lose no change when several are made at once', async () => {
    const { store } = open();
    await Promise.all([
      store.update({ port: 5000 }),
      store.update({ alwaysUser: true }),
      store.update({ historyDays: 30 }),
    ]);
    expect(onDisk()).toEqual({ ...defaults, port: 5000, alwaysUser: true, historyDays: 30 });
  });

  it('stay a link where the file is one', async () => {
    writeFileSync(join(folder, 'elsewhere.json'), '{}');
    symlinkSync(join(folder, 'elsewhere.json'), path);
    await open().store.update({ port: 5000 });
    expect(JSON.parse(readFileSync(join(folder, 'elsewhere.json'), 'utf8'))).toMatchObject({ ...defaults, port: 5000 });
  });

  it.each([
    ['port', { port: 80 }],
    ['port', { port: 70_000 }],
    ['port', { port: 4180.5 }],
    ['historyDays', { historyDays: 0 }],
    ['modelOverrides.opus', { modelOverrides: { opus: '' } }],
    ['identity.editorVersion', { identity: { editorVersion: 'vscode\r\nx: y' } }],
  ])('refuse a bad %s and stay as they were', async (field, patch) => {
    const { store } = open();
    await store.update({ port: 5000 });
    const error = await store.update(patch).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingsError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`The setting ${field} was not changed`),
      remedy: expect.any(String),
    });
    expect(store.current()).toEqual({ ...defaults, port: 5000 });
    expect(onDisk()).toEqual({ ...defaults, port: 5000 });
    await store.update({ port: 6000 });
    expect(store.current().port).toBe(6000);
  });

  it('say it when they cannot be saved, and stay as they were', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { store, warnings } = open(join(folder, 'file', 'settings.json'));
    expect(warnings.map(({ code }) => code)).toEqual(['settings-unreadable']);
    await expect(store.update({ port: 5000 })).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringMatching(/^The settings can’t be saved: .+\.$/),
    });
    expect(store.current()).toEqual({ ...defaults, lostAccounts: 'settings.json' });
  });

  it('load nothing but themselves at the start: the writer comes with the first change', () => {
    const module = new URL('../../../app/settings/settings.ts', import.meta.url).href;
    const script = `
      import { SettingsStore } from ${JSON.stringify(module)};
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const { store } = SettingsStore.open(${JSON.stringify(path)}, { write() {} });
      const before = loaded.some((url) => url.includes('/conf/'));
      await store.update({ port: 5000 });
      process.stdout.write(JSON.stringify({ before, after: loaded.some((url) => url.includes('/conf/')) }));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    // The watcher must not keep the process alive either: it ended without `close`.
    expect(JSON.parse(output)).toEqual({ before: false, after: true });
  });
});

describe('a settings file that cannot be used', () => {
  const today = () => dayStamp(Date.now());

  it.each([
    ['no JSON', '{\n  "port": 50', 'it isn’t valid JSON (line 2)'],
    ['empty', '', 'it isn’t valid JSON'],
    ['zeros', '\0\0\0\0', 'it isn’t valid JSON'],
    ['a list', '[1]', 'it holds no settings'],
    ['null', 'null', 'it holds no settings'],
  ])('(%s) stays as it is until another one is written, and each start names it', async (_name, text, why) => {
    writeFileSync(path, text);
    for (const opened of [open(), open()])
      expect(opened.warnings).toEqual([
        {
          code: 'settings-broken',
          text: `settings.json can’t be used: ${why}. The defaults are used, and nothing is sent, because your accounts are unknown.`,
          remedy:
            `Fix ${path}, or replace it with a good copy; it is read again at once. The next change of a setting, ` +
            `also one by Jumpseat itself, renames it to settings.broken-${today()}.json and writes a new one.`,
        },
      ]);
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['settings.json'], text]);
    const { store } = open();
    await store.update({ port: 5000 });
    const kept = `settings.broken-${today()}.json`;
    expect(readFileSync(join(folder, kept), 'utf8')).toBe(text);
    expect(onDisk()).toEqual({ ...defaults, port: 5000, lostAccounts: kept });
    expect(store.warnings().map(({ text }) => text)).toEqual([
      `settings.json couldn’t be used: ${why}. It was renamed to ${kept}, and a new one was written.`,
    ]);
  });

  it.runIf(canLock())('in a read-only folder stays whole, and a change says where and what to do', async () => {
    const text = '{ "port": 50';
    writeFileSync(path, text);
    const { store } = open();
    const unlock = lock(folder);
    try {
      await expect(store.update({ port: 5000 })).rejects.toMatchObject({
        message: expect.stringMatching(
          /^The settings can’t be saved: settings\.json is damaged, and it can’t be renamed: the folder \S+ is read-only \(E\w+\)\. Nothing was changed\.$/,
        ),
        remedy: `Make the folder ${folder} writable for your user, or fix ${path}.`,
      });
    } finally {
      unlock();
    }
    expect([readdirSync(folder), readFileSync(path, 'utf8'), store.current().port]).toEqual([
      ['settings.json'],
      text,
      defaults.port,
    ]);
  });

  it('keeps what of a group can’t be used where something else of it is changed', async () => {
    const wrong = [{ folder: '~/gone', credits: -3, per: 'week', action: 'halt' }, { credits: 5 }];
    const right = { client: 'codex', credits: 5, per: 'day', action: 'stop' } as const;
    writeFileSync(path, JSON.stringify({ limits: { rules: [wrong[0], right, wrong[1]], creditsPerDay: 'ten' } }));
    const { store } = open();
    const { limits } = store.current();
    expect([limits.rules, limits.creditsPerDay]).toEqual([[right], null]);
    await store.update({ limits: { ...limits, rules: [], requestsPerMinute: 9 } });
    const written = () => JSON.parse(readFileSync(path, 'utf8')).limits;
    expect(written()).toMatchObject({ rules: wrong, creditsPerDay: 'ten', requestsPerMinute: 9 });
    expect(store.warnings()).toHaveLength(1);
    await store.update({ limits: { ...store.current().limits, creditsPerDay: 10 } });
    expect(written()).toMatchObject({ rules: wrong, creditsPerDay: 10 });
  });

  it('says of a rule that can’t be used and sets a limit that a limit is not in force', () => {
    const limit = { credits: 5, per: 'day', action: 'stop' };
    const codeOf = (use: object) => {
      writeFileSync(path, JSON.stringify({ models: { rules: [{ when: { clint: 'b' }, use }] } }));
      return open()
        .store.warnings()
        .map(({ code }) => code);
    };
    expect([codeOf({ model: 'opus' }), codeOf({ limit })]).toEqual([['settings-values'], ['settings-limits']]);
    writeFileSync(
      path,
      JSON.stringify({ models: { rules: [{ when: {}, use: { limit: { ...limit, credits: 0 } } }] } }),
    );
    expect(open().store.warnings()).toMatchObject([
      {
        text: expect.stringContaining('entry 1 of models.rules can’t be used: use.limit.credits has to be more than 0'),
      },
    ]);
  });

  it('names a wrong entry of a list by its place as people count, and by what it is for', async () => {
    const right = { client: 'codex', credits: 5, per: 'day', action: 'stop' };
    const rules = [right, { key: 'ci', credits: -3, per: 'day', action: 'halt' }, { ...right, premiumRequests: 1 }];
    writeFileSync(path, JSON.stringify({ limits: { rules } }));
    expect(open().store.warnings()).toEqual([
      {
        code: 'settings-limits',
        text:
          'In settings.json, entry 2 of limits.rules (key ci) can’t be used: credits has to be more than 0 and action ' +
          'has to be "warn" or "stop", and entry 3 of limits.rules (client codex) can’t be used: it has to name ' +
          'credits or premiumRequests, and not both. They are left out; the rest of the file holds.',
        remedy: `Correct it in ${path}; it is read again at once.`,
      },
    ]);
  });

  it('leaves the account unknown for this start and the next, until a person decides', async () => {
    writeFileSync(path, '{ "accounts": [');
    const first = open();
    expect(first.store.current().lostAccounts).toBe('settings.json');
    await first.store.update({ port: 5001 });
    const kept = `settings.broken-${today()}.json`;
    const second = open();
    expect([second.warnings, second.store.current()]).toEqual([[], { ...defaults, port: 5001, lostAccounts: kept }]);
    expect(readdirSync(folder)).not.toContain('accounts.json');
    await second.store.update({ lostAccounts: null, admission: 'copilot-sdk' });
    writeFileSync(path, '');
    expect(open().store.current()).toEqual({ ...defaults, admission: 'copilot-sdk' });
  });

  it('that can’t be read leaves the account unknown', () => {
    const { store } = open(join(folder, 'settings.json', 'settings.json'));
    expect(store.current().lostAccounts).toBe(null);
    writeFileSync(join(folder, 'file'), '');
    const unreadable = open(join(folder, 'file', 'settings.json')).store;
    expect(unreadable.current().lostAccounts).toBe('settings.json');
  });

  it('is never overwritten by the next one', async () => {
    const { store } = open();
    for (const text of ['one', 'two']) {
      writeFileSync(path, text);
      await store.update({ port: 5000 });
    }
    expect(readFileSync(join(folder, `settings.broken-${today()}.json`), 'utf8')).toBe('one');
    expect(readFileSync(join(folder, `settings.broken-${today()}-2.json`), 'utf8')).toBe('two');
  });

  it('after it was read is kept aside when something is changed, and what was in force goes on', async () => {
    const { store } = open();
    await store.update({ alwaysUser: true });
    store.close();
    writeFileSync(path, 'broken');
    await store.update({ port: 5000 });
    expect(onDisk()).toEqual({ ...defaults, alwaysUser: true, port: 5000 });
    expect(readFileSync(join(folder, `settings.broken-${today()}.json`), 'utf8')).toBe('broken');
  });

  it('and was kept aside is no longer named once another file is put in place', async () => {
    const { store } = open();
    writeFileSync(path, '{');
    await store.update({ alwaysUser: true });
    store.reload();
    expect(store.warnings().map(({ code }) => code)).toEqual(['settings-broken']);
    const changed = nextChange(store);
    writeFileSync(path, JSON.stringify({ port: 5002 }));
    store.reload();
    await changed;
    expect([store.current().port, store.warnings()]).toEqual([5002, []]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['port has to be a number, without quotes', { port: '4180' }],
    ['port has to be 1024 at least', { port: 80 }],
    ['limits.creditsPerDay has to be more than 0', { limits: { creditsPerDay: -3 } }],
    ['historyDays has to be a whole number', { historyDays: 1.5 }],
    ['theme has to be "system", "light" or "dark"', { theme: 'blue' }],
    ['alwaysUser has to be true or false', { alwaysUser: 'yes' }],
    ['modelOverrides.a has to be text in quotes', { modelOverrides: { a: 1 } }],
    [
      'quotaThresholds can’t be used: the second threshold has to be above the first',
      { quotaThresholds: { warning: 90, alarm: 50 } },
    ],
    ['githubHost can’t be used: ', { githubHost: 'github.example' }],
  ])(
    'with a value that is not allowed (%s) loses that value alone, which is named and stays in the file',
    async (named, wrong) => {
      writeFileSync(path, JSON.stringify({ version: 1, historyDays: 7, ...wrong }));
      const days = 'historyDays' in wrong ? defaults.historyDays : 7;
      const { store, warnings } = open();
      expect(warnings).toEqual([
        {
          code: 'limits' in wrong ? 'settings-limits' : 'settings-values',
          text: expect.stringMatching(
            new RegExp(
              `^In settings\\.json, ${named}.*\\. The default is used in its place; the rest of the file holds\\.` +
                `${'limits' in wrong ? ' Not in force: limits\\.creditsPerDay\\.' : ''}$`,
            ),
          ),
          // The window has no field for some.
          remedy: /^(?:alwaysUser|modelOverrides|quotaThresholds)/.test(named)
            ? `Correct it in ${path}; it is read again at once.`
            : `Change it in ${path}, or choose another value in the window.`,
        },
      ]);
      expect(logged).toContain('limits' in wrong ? 'settings-limits' : 'settings-values');
      expect(store.current()).toEqual({ ...defaults, historyDays: days });
      await store.update({ linesCopied: true });
      expect(onDisk()).toEqual({ ...defaults, historyDays: days, linesCopied: true, ...wrong });
      expect(store.warnings()).toEqual(warnings);
    },
  );

  it('names its schema, which lies beside it; one that names another keeps that', async () => {
    const named = () => JSON.parse(readFileSync(path, 'utf8')).$schema;
    await open().store.update({ theme: 'dark' });
    expect(named()).toBe('./settings.schema.json');
    const beside = JSON.parse(readFileSync(join(folder, named()), 'utf8'));
    expect(beside.properties.theme.enum).toEqual(['system', 'light', 'dark']);
    rmSync(join(folder, named()));
    writeFileSync(path, JSON.stringify({ $schema: 'https://schemas.example/mine.json', historyDays: 7 }));
    const { store, warnings } = open();
    expect(warnings).toEqual([]);
    await store.update({ theme: 'light' });
    expect([named(), onDisk()]).toEqual([
      'https://schemas.example/mine.json',
      { ...defaults, historyDays: 7, theme: 'light' },
    ]);
    expect(readdirSync(folder)).toEqual(['accounts.json', 'settings.json']);
  });

  it('that is fixed while it is in use is taken up, and nothing more is said of it', async () => {
    writeFileSync(path, '{ "port": 80, "historyDays": 7 }');
    const { store } = open();
    expect(store.warnings()).toHaveLength(1);
    const changed = nextChange(store);
    writeFileSync(path, '{ "port": 5000, "historyDays": 7 }');
    await changed;
    expect(store.warnings()).toEqual([]);
    expect(store.current()).toEqual({ ...defaults, port: 5000, historyDays: 7 });
  });

  it('that gets a wrong value here says so to its listeners, and a good one in its place ends that', async () => {
    const { store } = open();
    await store.update({ historyDays: 7 });
    writeFileSync(path, JSON.stringify({ ...defaults, historyDays: -1 }));
    store.reload();
    expect([store.current().historyDays, store.warnings().map(({ code }) => code)]).toEqual([90, ['settings-values']]);
    await store.update({ historyDays: 30 });
    expect([store.current().historyDays, store.warnings()]).toEqual([30, []]);
    expect(onDisk()).toEqual({ ...defaults, historyDays: 30 });
  });

  it('of a newer version is used as far as it is understood, and keeps all that is not', async () => {
    const newer = { version: 9, port: 5000, secretsStorage: 'hardware', theme: 'dark', nested: { a: [1] } };
    writeFileSync(path, JSON.stringify(newer));
    const { store, warnings } = open();
    expect(warnings).toEqual([
      {
        code: 'settings-newer',
        text:
          'settings.json was written by a newer Jumpseat (version 9 of the file). The defaults are used for ' +
          'secretsStorage.',
        remedy: 'Update Jumpseat. Settings of the newer version stay in the file.',
      },
    ]);
    expect(store.current()).toMatchObject({ version: 9, port: 5000, secretsStorage: 'keychain' });
    expect(onDisk()).toEqual(newer);
    await store.update({ port: 6000 });
    expect(onDisk()).toMatchObject({
      version: 9,
      port: 6000,
      secretsStorage: 'hardware',
      theme: 'dark',
      nested: { a: [1] },
    });
  });
});

describe('the second copy of who is in use', () => {
  const copy = () => join(folder, 'accounts.json');
  const work = { id: 'b', slot: 2 as const, name: 'Work', labels: ['work'], signIn: null };
  const inUse = {
    accounts: [work],
    accountInUse: 'b',
    admission: 'copilot-sdk' as const,
    sdkCredential: 'token' as const,
    account: { login: 'octocat', signedInAt: 5 },
    githubHost: 'octo.ghe.com',
    secretsStorage: 'file' as const,
  };
  const damages: [string, (good: string) => string | null][] = [
    ['empty', () => ''],
    ['zeros', (good) => '\0'.repeat(good.length)],
    ['a brace', () => '{'],
    ['a list', () => '[]'],
    ['null', () => 'null'],
    ['nothing but braces', () => '{}'],
    ['cut before the accounts', (good) => good.slice(0, good.indexOf('"accounts"'))],
    ['removed', () => null],
  ];
  const damage = (text: string | null) => (text === null ? rmSync(path) : writeFileSync(path, text));

  it.each(damages)('is in force in a running process and at every start after damage: %s', async (_name, damaged) => {
    const { store } = open();
    await store.update({ ...inUse, port: 5000 });
    damage(damaged(readFileSync(path, 'utf8')));
    store.reload();
    expect(store.current()).toMatchObject({ ...inUse, lostAccounts: null });
    for (const opened of [open(), open()]) expect(opened.store.current()).toEqual({ ...defaults, ...inUse });
    await open().store.update({ theme: 'dark' });
    expect(onDisk()).toEqual({ ...defaults, ...inUse, theme: 'dark' });
  });

  it('follows a file that was edited by hand, and another process', async () => {
    await open().store.update({ admission: 'vscode' });
    writeFileSync(path, JSON.stringify({ admission: 'copilot-sdk', reach: 'through-vscode' }));
    open();
    writeFileSync(path, '');
    expect(open().store.current()).toEqual({ ...defaults, admission: 'copilot-sdk', reach: 'through-vscode' });
  });

  it.each([
    ['changed', (good: string) => good.replace('"b"', '"c"')],
    ['empty', () => ''],
  ])('is written anew from a good file where it is damaged itself (%s), and kept aside', async (_name, damaged) => {
    const { store } = open();
    await store.update(inUse);
    store.close();
    writeFileSync(copy(), damaged(readFileSync(copy(), 'utf8')));
    expect(open().store.current()).toEqual({ ...defaults, ...inUse });
    expect(readdirSync(folder)).toContain(`accounts.broken-${dayStamp(Date.now())}.json`);
    writeFileSync(path, '');
    expect(open().store.current()).toEqual({ ...defaults, ...inUse });
  });

  it('with damage to both leaves the account unknown', async () => {
    const { store } = open();
    await store.update(inUse);
    store.close();
    writeFileSync(path, '');
    writeFileSync(copy(), '');
    expect(open().store.current()).toEqual({ ...defaults, lostAccounts: 'settings.json' });
  });

  it('removed along with the file changes nothing in a running process', async () => {
    const { store } = open();
    await store.update(inUse);
    rmSync(path);
    rmSync(copy());
    store.reload();
    expect(store.current()).toMatchObject(inUse);
  });

  it('that can’t be written is removed, so that it brings no former account back', async () => {
    const { store } = open();
    await store.update({ admission: 'copilot-sdk' });
    // The name of the unfinished copy is taken by a folder.
    mkdirSync(`${copy()}.${process.pid}.tmp`);
    await store.update({ admission: 'vscode' });
    expect(logged).toContain('settings-copy-not-saved');
    expect(readdirSync(folder)).not.toContain('accounts.json');
  });

  it('has no value that can’t be used, and mode 0600', async () => {
    await open().store.update(inUse);
    writeFileSync(path, JSON.stringify({ ...inUse, admission: 'copilot' }));
    expect(open().store.isUnusable('admission')).toBe(true);
    expect(readFileSync(copy(), 'utf8')).toContain('"copilot-sdk"');
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
  });
});

describe('another process', () => {
  const write = (text: string) =>
    spawnSync(process.execPath, [
      '-e',
      `const fs = require('node:fs'); fs.writeFileSync(process.argv[1] + '.tmp', process.argv[2]); ` +
        `fs.renameSync(process.argv[1] + '.tmp', process.argv[1]);`,
      path,
      text,
    ]);

  it('that writes the file is noticed', async () => {
    const { store } = open();
    const changed = nextChange(store);
    write('{ "version": 1, "account": { "login": "octocat", "signedInAt": 5 } }');
    await changed;
    expect(store.current()).toEqual({ ...defaults, account: { login: 'octocat', signedInAt: 5 } });
  });

  it('that writes it while we do loses nothing', async () => {
    const { store } = open();
    await store.update({ port: 5000 });
    write(JSON.stringify({ ...defaults, port: 5000, alwaysUser: true }));
    await store.update({ historyDays: 7 });
    expect(onDisk()).toEqual({ ...defaults, port: 5000, alwaysUser: true, historyDays: 7 });
  });

  it('that breaks it changes nothing here, and the file is left to it', async () => {
    const { store } = open();
    await store.update({ port: 5000 });
    writeFileSync(path, '{ "port": ');
    store.reload();
    expect(store.current().port).toBe(5000);
    expect(readdirSync(folder)).toEqual(['accounts.json', 'settings.json', 'settings.schema.json']);
    expect(logged).toContain('settings-not-taken');
    expect(store.warnings()).toEqual([
      {
        code: 'settings-not-taken',
        text: expect.stringMatching(
          /^settings\.json was changed and can’t be used: it isn’t valid JSON.*\. The previous settings still apply\.$/,
        ),
        remedy:
          `Fix ${path}; it is read again at once. The next change of a setting, also one by Jumpseat itself, renames it to ` +
          `settings.broken-${dayStamp(Date.now())}.json and writes a new one.`,
      },
    ]);
    const changed = nextChange(store);
    writeFileSync(path, '{ "port": 6000 }');
    await changed;
    expect([store.current().port, store.warnings()]).toEqual([6000, []]);
  });
});
