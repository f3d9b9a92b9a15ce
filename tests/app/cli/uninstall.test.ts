import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installation, lastingCommand } from '../../../app/adapters/installation.ts';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { loginEntry } from '../../../app/adapters/paths.ts';
import { asShellCommand, inOwnWords } from '../../../app/api/shell.ts';
import { isOurs, uninstall } from '../../../app/cli/commands/uninstall.ts';
import { openApp } from '../../../app/cli/compose.ts';
import { run } from '../../../app/cli/program.ts';
import { ownCommand, removal } from '../../../app/cli/this-program.ts';
import { until } from '../../soon.ts';
import { paper } from './paper.ts';
import { jumpseat } from './spawn-jumpseat.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-uninstall-'));
  env = {
    JUMPSEAT_HOME: join(folder, 'home'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    JUMPSEAT_KEY: 'key-of-this-test-alone',
    JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9',
    JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9',
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const before = '{\n  "theme": "dark", // mine\n  "env": { "ANTHROPIC_BASE_URL": "https://old.example" }\n}\n';

/** Sets up a settings.json of the person's below this folder. */
async function setUp(name: string): Promise<string> {
  const file = join(folder, name, 'settings.json');
  mkdirSync(dirname(file));
  writeFileSync(file, before);
  const here = { ...env, CLAUDE_CONFIG_DIR: dirname(file), JUMPSEAT_SECRETS: 'memory' };
  expect(await run(['setup', 'claude-code'], paper(), here)).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('http://127.0.0.1:4180');
  return file;
}

async function uninstalled(options: { purge?: boolean; yes?: boolean; json?: boolean }, answer?: string) {
  const terminal = paper(false, answer);
  const keychain = memorySecrets();
  for (const name of ['github-token', 'local-key', 'brave-key'] as const) await keychain.set(name, `the ${name}`);
  const surroundings = { terminal, env, open: (more?: object) => openApp(env, { ...more, secrets: keychain }) };
  const failed = await uninstall(surroundings, options, keychain, join(folder, 'link')).then(
    () => null,
    (error: Error & { remedy?: string }) => `${error.message} ${error.remedy}`,
  );
  return { failed, out: terminal.text, keptToken: await keychain.get('github-token') };
}

describe('uninstall', () => {
  it('undoes every setup and the opening at login, names what is stored, and deletes nothing unasked', async () => {
    const files = [await setUp('claude'), await setUp('other')];
    const login = loginEntry(env, folder);
    mkdirSync(dirname(login), { recursive: true });
    writeFileSync(login, '[Desktop Entry]\n');
    const { failed, out, keptToken } = await uninstalled({});
    expect(failed).toBeNull();
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(before);
    expect(existsSync(login)).toBe(process.platform !== 'linux');
    expect(out).toContain(`Remove Jumpseat’s keys from ${files[1]}:`);
    expect(out).toMatch(
      /\nStored on this machine:\n {2}Keychain {2}.+\n {2}Folder {4}.+home: .+history.+\nIt was not /,
    );
    expect(out).toMatch(/"jumpseat uninstall --purge" deletes it\.\n.*\nTo remove the program, delete the folder /);
    expect([keptToken, existsSync(join(folder, 'home', 'claude-code.json'))]).toEqual(['the github-token', true]);
  });

  it.each([
    [{ purge: true, yes: true }, undefined],
    [{ purge: true }, 'y'],
    [{}, 'Yes'],
  ])('with %j and the answer %j deletes what it has named', async (options, answer) => {
    const file = await setUp('claude');
    const { failed, out, keptToken } = await uninstalled(options, answer);
    expect([failed, keptToken, existsSync(join(folder, 'home'))]).toEqual([null, null, false]);
    expect(out).toMatch(/\nStored on this machine:\n[\s\S]+\nDeleted\.\n/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('deletes nothing where nobody can be asked', async () => {
    await setUp('claude');
    const { failed, out, keptToken } = await uninstalled({ purge: true });
    expect(failed).toBe('Nothing of this was deleted. Run "jumpseat uninstall --purge --yes" to delete it.');
    expect(out).toContain('Stored on this machine:');
    expect([keptToken, existsSync(join(folder, 'home'))]).toEqual(['the github-token', true]);
  });

  it.each([true, false])('says as JSON what it did, without a question; --purge --yes: %s', async (deleted) => {
    const files = [await setUp('claude'), await setUp('other')];
    const login = loginEntry(env, folder);
    mkdirSync(dirname(login), { recursive: true });
    writeFileSync(login, '[Desktop Entry]\n');
    writeFileSync(join(folder, 'home', 'notes.txt'), 'mine');
    // As the app on macOS sets it; or npm.
    const bundle = '/Applications/Jumpseat.app/Contents/Resources/bin/jumpseat';
    symlinkSync(deleted ? bundle : '../lib/node_modules/@jumpseat/cli/dist/cli/jumpseat.js', join(folder, 'link'));
    // The answer would be No to all.
    const { failed, out, keptToken } = await uninstalled({ json: true, purge: deleted, yes: deleted }, 'n');
    expect([failed, keptToken]).toEqual([null, deleted ? null : 'the github-token']);
    expect(JSON.parse(out)).toEqual({
      undone: files,
      loginRemoved: process.platform === 'linux',
      commandRemoved: deleted,
      stored: ['Keychain', 'Folder'].map((name) => ({ name, what: expect.any(String) })),
      deleted,
      stays: [expect.stringContaining('aren’t Jumpseat’s and stay: notes.txt.')],
      program: removal(installation()),
    });
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(join(folder, 'home')).includes('claude-code.json')).toBe(!deleted);
    expect(readdirSync(folder).includes('link')).toBe(!deleted);
  });

  it('goes no further where the person keeps a setup', async () => {
    const file = await setUp('claude');
    const { failed, keptToken } = await uninstalled({ purge: true }, 'n');
    expect(failed).toMatch(/^A program is still set up, so nothing else was done\./);
    expect([keptToken, existsSync(join(folder, 'home'))]).toEqual(['the github-token', true]);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });

  it('deletes its own files, and leaves those of the person’s in the folder, which it has named', async () => {
    await setUp('claude');
    const home = join(folder, 'home');
    mkdirSync(join(home, 'backups', 'mine'), { recursive: true });
    const mine = ['notes.txt', 'history.db.bak', 'settings.json.my-notes.txt', join('backups', 'mine', 'keep.txt')];
    for (const name of mine) writeFileSync(join(home, name), 'mine');
    for (const name of ['secrets.json', 'settings.broken-2026-11-26.json']) writeFileSync(join(home, name), 'ours');
    const { out, keptToken } = await uninstalled({ purge: true, yes: true });
    expect(out).toMatch(/ aren’t Jumpseat’s and stay: history\.db\.bak, notes\.txt, settings\.json\.my-notes\.txt\.\n/);
    expect(out).toMatch(/\n {2}Folder {4}.+home: sign-ins and keys, settings, /);
    expect(keptToken).toBeNull();
    expect(readdirSync(home, { recursive: true }).sort()).toEqual([...mine, 'backups', join('backups', 'mine')].sort());
  });

  it('leaves the keychain to another folder’s Jumpseat', async () => {
    await setUp('claude');
    mkdirSync(join(folder, 'data', 'jumpseat'), { recursive: true });
    const { out, keptToken } = await uninstalled({ purge: true, yes: true });
    expect(out).toMatch(/The keychain has one sign-in for the Jumpseat in .+, too\. It stays\.\n/);
    expect([keptToken, existsSync(join(folder, 'home'))]).toEqual(['the github-token', false]);
  });

  it('makes no folder, and takes our address out of settings.json where its record is gone', async () => {
    const file = await setUp('claude');
    rmSync(join(folder, 'home'), { recursive: true });
    const { failed } = await uninstalled({ purge: true, yes: true });
    expect([failed, existsSync(join(folder, 'home'))]).toEqual([null, false]);
    expect(readFileSync(file, 'utf8')).not.toContain('127.0.0.1');
  });

  it.runIf(process.platform === 'linux')('does nothing while the tray app runs, also with its proxy off', async () => {
    const file = await setUp('claude');
    mkdirSync(join(folder, 'home', 'window'));
    const note = join(folder, 'home', 'window', 'SingletonLock');
    const child = spawn('bash', ['-c', 'exec -a jumpseat-tray sleep 60']);
    try {
      await until(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').startsWith('jumpseat-tray'));
      symlinkSync(`machine-${child.pid}`, note);
      expect((await uninstalled({ purge: true, yes: true })).failed).toBe(
        `The tray app is running (pid ${child.pid}). Quit it, then run "jumpseat uninstall" again.`,
      );
      expect(readFileSync(file, 'utf8')).not.toBe(before);
    } finally {
      child.kill();
    }
    // One of a tray app that was killed, whose number another program has now.
    rmSync(note);
    symlinkSync(`machine-${process.pid}`, note);
    expect((await uninstalled({ purge: true, yes: true })).failed).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('knows every file of Jumpseat’s folder, and no others', () => {
    const [listed = ''] = readFileSync('docs/files.md', 'utf8').split('## What can be downloaded');
    const names = [...listed.matchAll(/^\| `([\w.-]+)\/?/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    const more = ['history.db-wal', 'history.damaged-2026-11-20-2.db', 'settings.json.jumpseat-1-00000000', 'cache'];
    more.push('settings.broken-2026-11-26.json', 'claude-code.json.damaged-1795717780000', 'history.newer-12.db');
    for (const name of [...names, ...more]) expect(isOurs(name), name).toBe(true);
    for (const name of [
      'notes.txt',
      'history.db.bak',
      'settings.json~',
      '.ssh',
      'logs.txt',
      'Documents',
      'my-settings.json',
    ])
      expect(isOurs(name), name).toBe(false);
  });
});

describe('where it was installed from', () => {
  const at = (path: string, ...there: string[]) => installation(path, (file) => there.includes(String(file)));
  it.each([
    [at('/opt/Jumpseat/resources/cli', '/var/lib/dpkg/info/jumpseat.list'), 'sudo apt purge jumpseat', 'jumpseat'],
    [at('/opt/Jumpseat/resources/cli'), 'sudo dnf remove jumpseat', 'jumpseat'],
    [at('/opt/Jumpseat/resources/cli', '/usr/bin/zypper'), 'sudo zypper remove jumpseat', 'jumpseat'],
    [at('/home/me/Jumpseat/resources/cli'), 'delete the folder /home/me/Jumpseat.', '/home/me/Jumpseat/bin/jumpseat'],
    [
      at('/Applications/My Apps/Jumpseat.app/Contents/Resources/cli'),
      'move /Applications/My Apps/Jumpseat.app to the Trash',
      "'/Applications/My Apps/Jumpseat.app/Contents/Resources/bin/jumpseat'",
    ],
    [at('C:\\Users\\Me\\AppData\\Local\\Programs\\jumpseat\\resources\\cli'), 'Installed apps → Jumpseat', 'jumpseat'],
    [at('/usr/lib/node_modules/@jumpseat/cli'), 'npm uninstall -g @jumpseat/cli', 'jumpseat'],
    [at('/home/me/.npm/_npx/1a2b/node_modules/@jumpseat/cli'), 'npx keeps', 'npx @jumpseat/cli'],
    [at('/home/me/code/jumpseat'), 'delete the folder /home/me/code/jumpseat.', 'jumpseat'],
  ])('%j', (installed, removed, command) => {
    expect(removal(installed)).toContain(removed);
    expect(ownCommand({ PATH: '' }, installed)).toBe(command);
  });

  it('a clone is started from every folder by the status line that it writes, and undo puts back the person’s', async () => {
    const file = join(folder, 'claude', 'settings.json');
    const mine = '{"statusLine": {"type": "command", "command": "date"}}';
    mkdirSync(dirname(file));
    writeFileSync(file, mine);
    const here = { ...env, JUMPSEAT_SECRETS: 'memory', npm_lifecycle_event: 'jumpseat' };
    for (const _ of ['first', 'again']) {
      expect(await run(['setup', 'claude-code', '--statusline'], paper(), here)).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8')).statusLine.command).toBe(
        `${asShellCommand(lastingCommand(here))} statusline --with 'date'`,
      );
    }
    expect(asShellCommand(lastingCommand(here, at('/home/me/my code')))).toBe(
      `${process.execPath} '${join('/home/me/my code', 'dist', 'cli', 'jumpseat.js')}'`,
    );
    // What Windows starts without a shell is no .cmd, and on macOS the link may be gone.
    const inApp = at('/Applications/Jumpseat.app/Contents/Resources/cli');
    expect(lastingCommand(here, inApp)).toEqual([
      process.execPath,
      join('/Applications/Jumpseat.app/Contents/Resources/cli', 'dist', 'cli', 'jumpseat.js'),
    ]);
    const zed = paper();
    await run(['env', '--for', 'acp-zed'], zed, here);
    const [command, ...args] = [...lastingCommand(here), 'acp'];
    expect(JSON.parse(zed.text).agent_servers.Jumpseat).toEqual({ type: 'custom', command, args });
    expect(await run(['setup', 'claude-code', '--undo'], paper(), here)).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(mine);
  });

  it('names commands as they are typed there', async () => {
    expect(inOwnWords('Run "jumpseat serve", or {"jumpseat":1}.', 'npx @jumpseat/cli')).toBe(
      'Run "npx @jumpseat/cli serve", or {"jumpseat":1}.',
    );
    // Broken in a narrow terminal.
    expect(inOwnWords('"jumpseat\n  serve"', 'npx @jumpseat/cli')).toBe('"npx @jumpseat/cli\n  serve"');
    const inClone = { ...env, npm_lifecycle_event: 'jumpseat' };
    const { err } = await jumpseat(['serv'], inClone);
    expect(err).toBe('jumpseat: There is no command "serv". Run "npm run -s jumpseat -- --help".\n');
    // All that a help gives to type.
    const helps = await Promise.all(
      [['--help'], ['env', '--help'], ['log', '--help']].map((args) => jumpseat(args, inClone)),
    );
    const lines = helps.flatMap(({ out }) => out.split('\n'));
    expect(lines.filter((line) => /^(Usage:)? *jumpseat |\(jumpseat /.test(line))).toEqual([]);
    expect(lines).toContain('  eval "$(npm run -s jumpseat -- env)"');
  });
});
