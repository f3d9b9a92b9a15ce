import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createProgram, run } from '../../../app/cli/program.ts';
import { paper } from './paper.ts';

const home = mkdtempSync(join(tmpdir(), 'jumpseat-program-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function jumpseat(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const terminal = paper();
  const code = await run(args, terminal, { JUMPSEAT_HOME: home, ...env });
  return { code, out: terminal.text, err: terminal.errors };
}

describe('wrong usage is exit code 2 and one line with the remedy', () => {
  it.each([
    [['serv'], {}, 'jumpseat: There is no command "serv". Run "jumpseat --help".'],
    [
      ['serve', '--prot', '1'],
      {},
      'jumpseat: unknown option \'--prot\' (Did you mean --port?). Run "jumpseat serve --help".',
    ],
    [
      ['serve', '--port', '99999'],
      {},
      'jumpseat: --port must be a whole number from 1024 to 65535, or 0 for a free port, not "99999".',
    ],
    [
      ['serve', '--port', '1e3'],
      {},
      'jumpseat: --port must be a whole number from 1024 to 65535, or 0 for a free port, not "1e3".',
    ],
    [
      ['demo', '--port', '80'],
      {},
      'jumpseat: --port must be a whole number from 1024 to 65535, or 0 for a free port, not "80".',
    ],
    [
      ['status'],
      { JUMPSEAT_PORT: '1023' },
      'jumpseat: JUMPSEAT_PORT must be a whole number from 1024 to 65535, or 0 for a free port, not "1023".',
    ],
    [
      ['accounts', 'frob'],
      {},
      'jumpseat: too many arguments for \'accounts\'. Expected 0 arguments but got 1. Run "jumpseat accounts --help".',
    ],
    ...['login', 'logout'].map((command): [string[], Record<string, string>, string] => [
      [command, '--account', ' '],
      {},
      'jumpseat: --account needs a name. Run "jumpseat accounts" for those that there are.',
    ]),
    [
      ['accounts', 'use', 'Work', 'work'],
      {},
      'jumpseat: too many arguments for \'use\'. Expected 1 argument but got 2. Run "jumpseat accounts use --help".',
    ],
    [['help', 'foo'], {}, 'jumpseat: There is no command "foo". Run "jumpseat --help".'],
    [
      ['status'],
      { JUMPSEAT_PORT: 'http' },
      'jumpseat: JUMPSEAT_PORT must be a whole number from 1024 to 65535, or 0 for a free port, not "http".',
    ],
    [
      ['status'],
      { JUMPSEAT_SECRETS: 'paper' },
      'jumpseat: JUMPSEAT_SECRETS must be one of keychain, file, memory, not "paper".',
    ],
    [
      ['status'],
      { JUMPSEAT_KEY: 'with.dot' },
      'jumpseat: JUMPSEAT_KEY may hold no dot, no blank and no accents. Use letters and digits.',
    ],
    [
      ['serve'],
      { JUMPSEAT_KEY: 'short' },
      'jumpseat: JUMPSEAT_KEY has fewer than 16 characters, so that other programs on this machine could ' +
        'guess it. Use a random value, such as the output of "openssl rand -hex 16", or unset it: Jumpseat ' +
        'then makes one.',
    ],
    [
      ['status'],
      { JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:4180', JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9' },
      'jumpseat: JUMPSEAT_GITHUB_URL is Jumpseat itself. Requests would run in a circle. Unset ' +
        'JUMPSEAT_GITHUB_URL, or set it to GitHub’s address.',
    ],
    [
      ['env', '--shell', 'tcsh'],
      {},
      'jumpseat: --shell must be one of bash, zsh, fish, powershell, cmd, json, not "tcsh".',
    ],
    [['acp', '--agent', 'nope'], {}, 'jumpseat: --agent must be one of claude, codex, not "nope".'],
    [
      ['env', '--for', 'emacs'],
      {},
      'jumpseat: --for must be one of claude-code, openai, codex, codex-config, vscode, zed, zed-key, form, mcp, mcp-codex, mcp-zed, acp, acp-zed, acp-jetbrains, docker, devcontainer, wsl, ssh, not "emacs".',
    ],
    [
      ['env', '--for', 'vscode', '--shell', 'bash'],
      {},
      'jumpseat: --shell means nothing with --for vscode: that is a file’s content.',
    ],
    [
      ['env', '--client', 'a b'],
      {},
      'jumpseat: --client must be up to 64 letters, digits, dots, dashes and underscores, and begin with a ' +
        'letter or a digit.',
    ],
    [
      ['setup', 'emacs'],
      {},
      'jumpseat: Jumpseat can’t set up "emacs". "jumpseat setup" lists the programs that it can, and ' +
        '"jumpseat env --help" the lines for others.',
    ],
    [['setup', 'jetbrains', '--as', 'models'], {}, 'jumpseat: --as must be agent for jetbrains.'],
    [
      ['setup', 'codex', '--private'],
      {},
      'jumpseat: --private, --statusline, --keep-days and --skip-webfetch-preflight are for claude-code alone.',
    ],
    [['log', '--limit', '0'], {}, 'jumpseat: --limit must be a whole number from 1, not "0".'],
  ])('%j %j', async (args, env, line) => {
    expect(await jumpseat(args, env)).toEqual({ code: 2, out: '', err: `${line}\n` });
  });

  it('an address that may not be used is refused at the start', async () => {
    const { code, err } = await jumpseat(['status'], { JUMPSEAT_GITHUB_URL: 'http://github.example' });
    expect([code, err]).toEqual([2, expect.stringMatching(/^jumpseat: JUMPSEAT_GITHUB_URL .*\n$/)]);
  });

  it('C16.5 refuses an upstream that is ourselves also on another port', async () => {
    const { code, err } = await jumpseat(['status'], {
      JUMPSEAT_PORT: '5555',
      JUMPSEAT_GITHUB_API_URL: 'http://localhost:5555',
    });
    expect([code, err]).toEqual([2, expect.stringContaining('JUMPSEAT_GITHUB_API_URL is Jumpseat itself.')]);
  });

  it.each(['ghp_abcdefghijklmnop', 'github_pat_abcdefghijklmnop'])(
    'B2.7 refuses %s with the reason and without showing it',
    async (token) => {
      const { code, err } = await jumpseat(['status'], { JUMPSEAT_GITHUB_TOKEN: token });
      expect(code).toBe(2);
      expect(err).toMatch(/^jumpseat: JUMPSEAT_GITHUB_TOKEN can’t be used: .*personal access token/);
      expect(err).not.toContain(token);
    },
  );
});

it('no command is silent about a word too much, or repeats it', async () => {
  const commands = [createProgram({ terminal: paper(), env: {}, open: () => Promise.reject() }, () => undefined)];
  for (const command of commands) commands.push(...command.commands);
  const checked: string[] = [];
  for (const command of commands.slice(1)) {
    // These take any number of words.
    if (command.registeredArguments.some(({ variadic }) => variadic)) continue;
    const path = [...(command.parent === commands[0] ? [] : [command.parent?.name() ?? '']), command.name()];
    const given = [...path, ...command.registeredArguments.map(() => 'word'), 'a-secret'];
    const { code, out, err } = await jumpseat(given);
    expect([code, out, err], given.join(' ')).toEqual([2, '', expect.stringMatching(/^jumpseat: too many arguments/)]);
    expect(err).not.toContain('a-secret');
    checked.push(path.join(' '));
  }
  expect(checked).toEqual(expect.arrayContaining(['login', 'serve', 'status', 'accounts', 'accounts bind', 'reach']));
});

it('every command has an example and says what comes next', async () => {
  for (const name of [
    'login',
    'serve',
    'env',
    'setup',
    'mcp',
    'acp',
    'demo',
    'status',
    'log',
    'sessions',
    'models',
    'search',
    'doctor',
    'logout',
    'uninstall',
  ]) {
    const { code, out, err } = await jumpseat([name, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`\nExample:\n  .*jumpseat ${name}.*\n\nNext:\n  \\S`));
  }
});

it.each([
  ['n', false],
  [null, false],
  ['', true],
  ['Yes', true],
])('setup asks in a terminal that takes answers, and %j is taken as %j', async (answer, writes) => {
  const config = mkdtempSync(join(home, 'claude-'));
  const terminal = paper(false, answer);
  const code = await run(['setup', 'claude-code'], terminal, {
    JUMPSEAT_HOME: home,
    CLAUDE_CONFIG_DIR: config,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_KEY: 'key-of-this-test-alone',
    JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9',
    JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9',
  });
  expect([code, existsSync(join(config, 'settings.json'))]).toEqual([0, writes]);
  expect(terminal.text).toContain(
    writes ? 'Claude Code set up. It takes effect when you start claude.' : 'Nothing was written.',
  );
});

describe.skipIf(process.platform === 'win32')('setup into a settings.json that other users can read', () => {
  const set = async (answer: string | null | undefined, ...more: string[]) => setIn(0o755, answer, ...more);
  const setIn = async (folder: number, answer: string | null | undefined, ...more: string[]) => {
    const open = mkdtempSync(join(tmpdir(), 'jumpseat-open-home-'));
    const settings = join(open, 'claude', 'settings.json');
    try {
      mkdirSync(join(open, 'claude'));
      writeFileSync(settings, '{}');
      chmodSync(open, 0o755);
      chmodSync(join(open, 'claude'), folder);
      chmodSync(settings, 0o644);
      const terminal = paper(false, answer);
      const code = await run(['setup', 'claude-code', ...more], terminal, {
        JUMPSEAT_HOME: home,
        CLAUDE_CONFIG_DIR: join(open, 'claude'),
        JUMPSEAT_SECRETS: 'memory',
        JUMPSEAT_KEY: 'key-of-this-test-alone',
        JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9',
        JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9',
      });
      const said = (text: string): string => text.replaceAll(settings, 'FILE');
      return {
        code,
        mode: (statSync(settings).mode & 0o777).toString(8),
        out: said(terminal.text),
        err: said(terminal.errors),
      };
    } finally {
      rmSync(open, { recursive: true });
    }
  };
  const note = 'Other users of this machine can read FILE (mode 0644), and so the local key in it.';

  it('says so where the terminal takes no answers, and names the option', async () => {
    expect(await set(undefined)).toMatchObject({
      code: 0,
      mode: '644',
      err: expect.stringContaining(`${note} "jumpseat setup claude-code --private" makes it readable only for you.\n`),
    });
    expect(await set(undefined, '--dry-run')).toMatchObject({ mode: '644', err: expect.stringContaining(note) });
  });

  it('closes it with the option, or when the person says yes', async () => {
    const closed = {
      code: 0,
      mode: '600',
      out: expect.stringContaining('FILE is now readable only for you (mode 0600).'),
    };
    expect(await set(undefined, '--private')).toMatchObject(closed);
    const asked = await set('y');
    expect(asked).toMatchObject(closed);
    expect(asked.out).toContain(note);
  });

  it('closes it with the option also where its folder is closed already', async () => {
    const says = (text: string) => expect.stringContaining(text);
    const would = { code: 0, mode: '644', out: says('Would make FILE readable only for you (mode 0600).') };
    expect(await setIn(0o700, undefined, '--private', '--dry-run')).toMatchObject(would);
    const closed = { code: 0, mode: '600', out: says('FILE is now readable only for you (mode 0600).') };
    expect(await setIn(0o700, undefined, '--private')).toMatchObject(closed);
  });
});

it('prints its version', async () => {
  expect(await jumpseat(['--version'])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
});
