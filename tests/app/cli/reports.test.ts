import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Quota } from '../../../app/api/account.ts';
import type { ModelRow, ModelsReport } from '../../../app/api/models.ts';
import type { AppState, Check } from '../../../app/api/state.ts';
import { doctorLines } from '../../../app/cli/commands/doctor.ts';
import { oneLine } from '../../../app/cli/commands/env.ts';
import { logLines } from '../../../app/cli/commands/log.ts';
import { canOpenBrowser, codeBox } from '../../../app/cli/commands/login.ts';
import { modelLines } from '../../../app/cli/commands/models.ts';
import { accountWords, cutSessions } from '../../../app/cli/commands/serve.ts';
import { differenceLines } from '../../../app/cli/commands/setup.ts';
import { reportOf, statusLines } from '../../../app/cli/commands/status.ts';
import { canShowTray, packedTray } from '../../../app/cli/commands/tray.ts';
import { exchangeLine } from '../../../app/cli/exchange-line.ts';
import { failureLine as lineOf, wrongUsage } from '../../../app/cli/failure.ts';
import { table } from '../../../app/cli/table.ts';
import { verdictSentence } from '../../../app/words/checks.ts';
import { quotaWords } from '../../../app/words/quota.ts';
import { exchange } from '../../exchange.ts';
import { appState, signedIn, throughRuntime, quota as usualQuota } from '../../main/app-state.ts';
import { session } from '../../main/watched-sessions.ts';
import { paper } from './paper.ts';

const now = new Date(2026, 10, 20, 10, 42, 7).getTime();
const quota = (given: Partial<Quota> = {}): Quota => ({ ...usualQuota, overageUsed: null, asOf: now, ...given });
const state = (given: Partial<AppState> = {}): AppState =>
  appState({
    version: '1.0.0',
    account: {
      ...signedIn,
      apiHost: 'api.individual.githubcopilot.com',
      token: { mintedAt: now - 366_000, usableUntil: now + 19 * 60_000 },
    },
    proxy: { kind: 'off' },
    quota: quota(),
    ...given,
  });

const setUp = { isSetUp: true, problem: null };

describe('status', () => {
  it('says everything at a glance', () => {
    const report = reportOf(
      state(),
      { pid: 48213, port: 4180, baseUrl: 'http://127.0.0.1:4180' },
      [exchange({ startedAt: now - 21_620 })],
      null,
      now,
      setUp,
    );
    expect(statusLines(report, paper(), now)).toEqual([
      'Ready: Claude Code can work through Jumpseat.',
      '',
      'Account       alexr-dev, Copilot Pro+',
      'Sent          as VS Code, with a sign-in of VS Code’s app; requests name vscode/1.139.1 (vscode-chat)',
      '              GitHub supports VS Code’s sign-in only in VS Code.',
      'Copilot host  api.individual.githubcopilot.com',
      'Copilot token 6 min old, good for 19 min',
      'Quota         2,002 of 7,000 credits left, resets 1 Dec 2026, 01:00',
      'Proxy         http://127.0.0.1:4180 (pid 48213)',
      'Last success  10:42:04, 3 s ago',
      'Token storage system keychain',
    ]);
  });

  it('is not ready where Claude Code is set up and can’t work, and says what to do', () => {
    const running = { pid: 48213, port: 4180, baseUrl: 'http://127.0.0.1:4180' };
    const problem = { code: 'other-key', text: 'Its key is another one.', remedy: 'Run "jumpseat setup".' };
    const report = reportOf(state(), running, [], null, now, { isSetUp: true, problem });
    expect(statusLines(report, paper(), now)[0]).toBe('Not ready: Its key is another one. Run "jumpseat setup".');
    expect(report).toMatchObject({ ready: false, problem, claudeCodeIsSetUp: true, claudeCodeProblem: problem });
  });

  it('is not ready until the time that Copilot has said', () => {
    const running = { pid: 48213, port: 4180, baseUrl: 'http://127.0.0.1:4180' };
    const { health } = state();
    const at = (until: number | null) => {
      const failing = { count: 1, why: '429 from Copilot', until };
      return reportOf(state({ health: { ...health, failing } }), running, [], null, now, setUp);
    };
    const limited = at(now + 60_000);
    expect(statusLines(limited, paper(), now)[0]).toMatch(/^Not ready: Copilot limits requests until 10:43\. /);
    expect(limited).toMatchObject({ ready: false, problem: { code: 'limited' } });
    expect(at(now).ready).toBe(true);
    expect(at(null).ready).toBe(true);
  });

  it('says what is in the way and how to fix it', () => {
    const problem = { code: 'signed-out', text: 'Not signed in to GitHub.', remedy: 'Run "jumpseat login".' };
    const report = reportOf(state({ account: { kind: 'signed-out' }, quota: null }), null, [], problem, now, setUp);
    expect(report).toMatchObject({ ready: false, problem, account: null, proxy: null, lastSuccessAt: null });
    expect(statusLines(report, paper(), now)).toEqual([
      'Not ready: Not signed in to GitHub. Run "jumpseat login".',
      '',
      'Account       not signed in',
      'Proxy         off',
      'Last success  –',
      'Token storage system keychain',
    ]);
  });

  it('names what is wrong with the settings', () => {
    const warnings = [{ code: 'settings-broken', text: 'settings.json can’t be used.', remedy: 'Fix it.' }];
    const report = reportOf(state({ warnings }), null, [], null, now, setUp);
    expect(report.warnings).toEqual(warnings);
    expect(statusLines(report, paper(), now).at(-1)).toBe('Warning       settings.json can’t be used. Fix it.');
    expect(statusLines(report, { ...paper(), columns: 44 }, now).at(-1)).toBe(
      'Warning       settings.json can’t be used.\n              Fix it.',
    );
  });

  it('says as whom requests go out on the other way, and why the last endpoint is still used', () => {
    const kept = { code: 'last-endpoint', text: 'It was refused.', remedy: 'Do this.' };
    const report = reportOf(state({ admission: { ...throughRuntime, kept } }), null, [], null, now, setUp);
    expect(report.admission).toMatchObject({ way: 'copilot-sdk', credential: 'token', runtime: { kind: 'ready' } });
    expect(statusLines(report, paper(), now).slice(3, 6)).toEqual([
      'Sent          through GitHub’s Copilot SDK, with a token that you made; requests name copilot/1.0.85 ' +
        '(copilot-sdk)',
      '              GitHub calls the call that this uses experimental: it may change or go.',
      '              It was refused. Do this.',
    ]);
  });

  it('C20.1 gives the quota in absolute numbers with its reset', () => {
    expect([
      quotaWords(quota()),
      quotaWords(quota({ world: 'premium', remaining: 477, entitlement: 1500 })),
      quotaWords(quota({ exhausted: true })),
      quotaWords(quota({ unlimited: true })),
      quotaWords(quota({ remaining: null, entitlement: null, resetsAt: null })),
      quotaWords(null),
    ]).toEqual([
      '2,002 of 7,000 credits left, resets 1 Dec 2026, 01:00',
      '477 of 1,500 premium requests left, resets 1 Dec 2026, 01:00',
      'Out of credits until 1 Dec 2026, 01:00',
      'Unlimited credits, resets 1 Dec 2026, 01:00',
      '28.6% left',
      'Not reported by GitHub',
    ]);
  });
});

describe('doctor', () => {
  const check = (given: Partial<Check>): Check => ({
    id: 'x',
    group: 'account',
    title: 'Signed in',
    verdict: 'passed',
    finding: 'alexr-dev, Copilot Pro+',
    remedy: null,
    ...given,
  });

  it('is wrapped in its columns where the terminal is narrow', () => {
    const long = check({
      title: 'Shell variables',
      verdict: 'warning',
      finding: 'ANTHROPIC_MODEL is set in this shell’s environment. Jumpseat doesn’t set it, so it still applies.',
      remedy: 'Remove it there, unless you mean it.',
    });
    const lines = doctorLines([long], { ...paper(), columns: 50 }, now).join('\n');
    expect(lines).toContain(
      [
        '  ! Shell variables  ANTHROPIC_MODEL is set in',
        '                     this shell’s environment.',
        '                     Jumpseat doesn’t set it, so',
        '                     it still applies.',
        '                     → Remove it there, unless you',
        '                       mean it.',
      ].join('\n'),
    );
    expect(Math.max(...lines.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  it('puts what needs attention first, with its remedy', () => {
    expect(
      doctorLines(
        [
          check({}),
          check({
            group: 'claude-code',
            title: 'Settings',
            verdict: 'warning',
            finding: 'Not set up.',
            remedy: 'Run "jumpseat setup claude-code".',
          }),
          check({ group: 'claude-code', title: 'Version', verdict: 'skipped', finding: 'No "claude" on the PATH' }),
        ],
        paper(),
        now,
      ),
    ).toEqual([
      'Claude Code can work, with 1 warning',
      '1 passed · 1 warning · 1 skipped · checked 10:42:07',
      '',
      'Needs attention',
      '  ! Settings   Not set up.',
      '               → Run "jumpseat setup claude-code".',
      '',
      'Account',
      '  ✓ Signed in  alexr-dev, Copilot Pro+',
      '',
      'Claude Code',
      '  – Version    No "claude" on the PATH',
    ]);
  });

  it('has one sentence for the whole', () => {
    expect([
      verdictSentence([check({})]),
      verdictSentence([check({ verdict: 'warning' }), check({ verdict: 'warning' })]),
      verdictSentence([check({ verdict: 'warning' }), check({ verdict: 'failed', finding: 'Not signed in.' })]),
      verdictSentence([check({ verdict: 'failed', finding: 'octo-demo: GitHub refuses the sign-in.' })]),
    ]).toEqual([
      'Claude Code can work',
      'Claude Code can work, with 2 warnings',
      'Claude Code can’t work: not signed in',
      'Claude Code can’t work: octo-demo: GitHub refuses the sign-in',
    ]);
  });
});

it('fits tables into a narrow terminal: what matters least is left out, long cells are cut', () => {
  const terminal = { style: (_: unknown, text: string) => `\u001b[31m${text}\u001b[39m`, columns: 40 };
  const columns = [
    { head: 'Title', least: 8 },
    { head: 'Agent', spare: 1 },
    { head: 'Folder', spare: 2 },
    { head: 'Id', least: 8 },
  ];
  const id = 'c87b8fe4-82f0-4c11-9d55-0e4effa3c87b';
  const rows = [[terminal.style(null, 'write: notes.txt with three lines'), 'claude', '~/a', id]];
  const lines = table(columns, rows, undefined, terminal.columns);
  expect(lines.map((line) => stripVTControlCharacters(line))).toEqual([
    'Title        Agent   Folder  Id',
    'write: not…  claude  ~/a     c87b8fe4-8…',
  ]);
  expect(lines[1]).toContain('\u001b[31mwrite: not…\u001b[39m');
  expect(table(columns, rows, undefined, 28).map(stripVTControlCharacters)).toEqual([
    'Title      Folder  Id',
    'write: n…  ~/a     c87b8fe4…',
  ]);
  expect(table(columns, rows, undefined, 20)[0]).toBe('Title      Id');
  expect(table(columns, rows)[1]).toContain(id);
  const log = logLines([exchange({ client: 'claude-code' })], 'credits', { ...paper(), columns: 60 });
  for (const line of log) expect(line.length).toBeLessThanOrEqual(60);
  // The number of a column stands below its head.
  const [heads = '', , cells = ''] = log;
  expect(cells.slice(0, heads.indexOf('Credits') + 'Credits'.length)).toMatch(/7\.53$/);
  // Where even the time has no room, the model is whole, and no line is broken by the terminal.
  const narrow = { ...paper(), columns: 40 };
  const [, , row, why] = logLines([exchange()], 'credits', narrow, { why: true });
  expect(row).toBe('User       claude-opus-4.8 ← o…     7.53');
  expect(why).toMatch(/^ {10}First request of a new prompt\.\n {10}Claude Code marked it main,\n/);
  expect(exchangeLine(exchange(), narrow)).toBe('User   claude-opus-4.8 …    7.53 credits');
  // Of one that failed, why; also without --why.
  const failure = { source: 'copilot', code: 'http-504', message: 'Copilot answered 504.' } as const;
  const failed = exchange({ outcome: 'failed', failure: { ...failure, status: 504, clientMessage: null } });
  expect(logLines([failed], 'credits', narrow).at(-1)).toBe(' '.repeat(10) + failure.message);
  for (const most of [140, 80, 60]) {
    const line = exchangeLine(exchange(), { ...paper(), columns: most });
    expect([line.length <= most, line]).toEqual([
      true,
      expect.stringMatching(/^10:39:41 .*User .*opus.* 200 .*7\.53 credits$/),
    ]);
  }
});

describe('models', () => {
  const model = (given: Partial<ModelRow>): ModelRow => ({
    id: 'claude-opus-4.8',
    name: 'Claude Opus 4.8',
    vendor: 'Anthropic',
    family: 'claude-opus',
    type: 'chat',
    offered: true,
    policy: 'enabled',
    preview: false,
    endpoints: ['/v1/messages', '/chat/completions'],
    path: '/v1/messages',
    limits: { prompt: 936_000, output: 64_000, context: 1_000_000, images: 5 },
    efforts: [],
    price: { kind: 'credits', input: 500, cacheRead: 50, cacheWrite: 625, output: 2500 },
    warnings: [],
    absence: null,
    ...given,
  });
  const report = (given: Partial<ModelsReport>): ModelsReport => ({
    readAt: now,
    names: [],
    models: [model({})],
    warnings: [],
    ...given,
  });

  it('shows what names run on and why, limits, prices and policy', () => {
    const lines = modelLines(
      report({
        names: [
          {
            asked: 'opus',
            model: 'claude-opus-4.8',
            because: 'newest',
            text: '',
            absence: null,
            meant: 'claude-opus-4.8',
            override: null,
          },
          {
            asked: 'claude-haiku-9',
            model: null,
            because: 'missing',
            text: '',
            absence: { kind: 'not-in-catalog', text: '', remedy: null },
            meant: null,
            override: null,
          },
        ],
        models: [
          model({}),
          model({
            id: 'gpt-6',
            vendor: 'OpenAI',
            policy: 'disabled',
            preview: true,
            price: { kind: 'unknown' },
            endpoints: ['/responses'],
          }),
        ],
      }),
      paper(),
      now,
    );
    expect(lines).toEqual([
      'Catalog from 10:42:07, 0 s ago',
      '',
      'Models for Claude Code’s names',
      'Claude Code asks for  Copilot runs     Because           Input  Output  Price in  Cached  Price out',
      'opus                  claude-opus-4.8  Newest of family   936k     64k       500      50      2,500',
      'claude-haiku-9        –                Not in catalog        –       –         –       –          –',
      '',
      'All models of this account',
      'Model            Vendor     Input  Output  Price in  Cached  Price out  Endpoints                       Offered',
      'claude-opus-4.8  Anthropic   936k     64k       500      50      2,500  /v1/messages /chat/completions  Enabled',
      'gpt-6 (preview)  OpenAI      936k     64k         –       –          –  /responses                      Off',
      '',
      'Limits in tokens; prices in credits per million tokens.',
    ]);
  });

  it('keeps names of models whole in a narrow terminal, or cuts them at their end', () => {
    const asked = {
      ...{ asked: 'opus', model: 'claude-opus-4.8', because: 'newest' as const, text: '', absence: null },
      ...{ meant: 'claude-opus-4.8', override: null },
    };
    const narrow = { ...paper(), columns: 40 };
    const lines = modelLines(report({ names: [asked], models: [model({})] }), narrow, now);
    expect(lines.filter((line) => line.includes('claude-opus-4.8'))).toHaveLength(2);
    expect(lines.flatMap((line) => line.split('\n')).filter((line) => line.length > 40)).toEqual([]);
  });

  it('shows multipliers on plans that count premium requests', () => {
    const lines = modelLines(
      report({ models: [model({ price: { kind: 'multiplier', multiplier: 27 } })] }),
      paper(),
      now,
    ).join('\n');
    expect(lines).toMatch(/Multiplier/);
    expect(lines).toMatch(/ 27× /);
  });

  it('A5.6 repeats what Copilot says about this client’s version', () => {
    const lines = modelLines(
      report({ warnings: ['This client version is deprecated.'], models: [model({ warnings: ['Going soon.'] })] }),
      paper(),
      now,
    );
    expect(lines.slice(1, 3)).toEqual([
      'Copilot says: This client version is deprecated.',
      'Copilot says: claude-opus-4.8: Going soon.',
    ]);
  });
});

describe('words', () => {
  it('frames the code where a person looks, and only there', () => {
    expect(codeBox('8F43-6FCF', paper())).toEqual(['    8F43-6FCF']);
    expect(codeBox('8F43-6FCF', paper(true))).toEqual([
      '    ╭─────────────────╮',
      '    │    <bold inverse>8F43-6FCF</>    │',
      '    ╰─────────────────╯',
    ]);
  });

  it('shows a difference line by line', () => {
    const terminal = paper();
    expect([
      ...differenceLines({ name: 'A', place: 'env', kind: 'add', before: null, after: '1' }, terminal),
      ...differenceLines({ name: 'B', place: 'env', kind: 'replace', before: 'old', after: '""' }, terminal),
      ...differenceLines({ name: 'C', place: 'env', kind: 'left', before: 'theirs', after: 'theirs' }, terminal),
      ...differenceLines({ name: 'e', place: 'beside', kind: 'add', before: null, after: 'true' }, terminal),
      ...differenceLines({ name: 'D', place: 'env', kind: 'remove', before: '••••••••', after: null }, terminal),
    ]).toEqual([
      '  + "A": "1"',
      '  - "B": "old"',
      '  + "B": ""',
      '    "C": "theirs"',
      '  + "e": true',
      '  - "D": "••••••••"',
    ]);
  });

  it('has the one line for each shell, and for npm', () => {
    expect([
      oneLine({ SHELL: '/bin/bash' }),
      oneLine({ SHELL: '/usr/bin/fish' }),
      oneLine({ SHELL: '/usr/bin/pwsh' }),
      oneLine({ SHELL: '/bin/zsh', npm_lifecycle_event: 'jumpseat' }),
      oneLine({ SHELL: '/bin/bash' }, 'openai'),
      oneLine({ SHELL: '/bin/bash' }, 'claude-code', 'work'),
    ]).toEqual([
      'eval "$(jumpseat env)"',
      'jumpseat env --shell fish | source',
      'jumpseat env --shell powershell | Out-String | Invoke-Expression',
      'eval "$(npm run -s jumpseat -- env)"',
      'eval "$(jumpseat env --for openai)"',
      'eval "$(jumpseat env --client work)"',
    ]);
  });

  it('knows who is signed in, or what is in the way', () => {
    const signedOut = state({ account: { kind: 'signed-out' } });
    const throughSdk = state({ account: { kind: 'signed-out' }, admission: throughRuntime });
    const problem = { code: 'account-unknown', text: 'settings.json was damaged.', remedy: 'Replace it.' };
    const unknown = state({ health: { ...state().health, problem } });
    const noKeychain = { code: 'no-keychain', text: 'There’s no keychain.', remedy: 'Install one.' };
    const without = state({ account: { kind: 'signed-out' }, secrets: { ...state().secrets, problem: noKeychain } });
    expect([state(), signedOut, without, throughSdk, unknown].map(accountWords)).toEqual([
      'alexr-dev, Copilot Pro+',
      'not signed in. Run "jumpseat login".',
      'not signed in. Run "jumpseat login".',
      'not signed in. Run "jumpseat login --way copilot-sdk --token-stdin < FILE".',
      'not known. settings.json was damaged. Replace it.',
    ]);
    const notice = {
      id: 'no_copilot_access',
      title: 'No Copilot',
      message: 'Sign up.',
      url: 'https://github.com/copilot',
    };
    const { account } = state();
    expect(account.kind === 'signed-in' && accountWords(state({ account: { ...account, notice } }))).toBe(
      'No Copilot. Sign up. https://github.com/copilot',
    );
  });

  it('makes every error one line', () => {
    expect([lineOf(new Error('It\nbroke')), lineOf(wrongUsage('Not so.', 'Do this.')), lineOf('odd')]).toEqual([
      'jumpseat: It broke.',
      'jumpseat: Not so. Do this.',
      'jumpseat: odd.',
    ]);
  });

  it('C22.4 needs no display, and as root none is tried', () => {
    expect([
      canShowTray({}, 'linux', 1000),
      canShowTray({ DISPLAY: ':0' }, 'linux', 1000),
      canShowTray({ WAYLAND_DISPLAY: 'w' }, 'linux', 1000),
      canShowTray({ DISPLAY: ':0' }, 'linux', 0),
      canShowTray({}, 'darwin', 501),
      canShowTray({}, 'darwin', 0),
      canShowTray({}, 'win32', undefined),
    ]).toEqual([false, true, true, false, true, true, true]);
  });

  it('finds the tray app that it was installed with, on each system', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-packed-'));
    const places = [
      ['App', 'jumpseat-tray', 'resources/cli/'],
      ['Jumpseat.app', 'Contents/MacOS/Jumpseat', 'Contents/Resources/cli/'],
      ['Windows', 'Jumpseat.exe', 'resources/cli/'],
    ].map(([app = '', program = '', cli = '']) => ({
      program: join(folder, app, program),
      cli: join(folder, app, cli),
    }));
    expect(places.map(({ cli }) => packedTray(cli))).toEqual([null, null, null]);
    for (const { program, cli } of places) {
      for (const path of [dirname(program), cli]) mkdirSync(path, { recursive: true });
      writeFileSync(program, '');
    }
    expect(places.map(({ cli }) => packedTray(cli))).toEqual(places.map(({ program }) => [program]));
    rmSync(folder, { recursive: true });
  });

  it('opens a browser where one would be seen', () => {
    const can = (platform: NodeJS.Platform, env: Record<string, string> = {}, isTty = true) =>
      canOpenBrowser({ terminal: { isTty }, env }, platform);
    expect([can('linux'), can('linux', { DISPLAY: ':0' }), can('linux', { WAYLAND_DISPLAY: 'w' })]).toEqual([
      ...[false, true, true],
    ]);
    for (const platform of ['darwin', 'win32'] as const) {
      expect([can(platform), can(platform, { SSH_CONNECTION: 'x' }), can(platform, {}, false)]).toEqual([
        ...[true, false, false],
      ]);
    }
  });
});

it('the end says which sessions it cuts off', () => {
  const [running, waiting, idle] = (['running', 'waiting', 'idle'] as const).map((at) => session(at, { state: at }));
  expect([[idle!], [idle!, running!], [running!, waiting!]].map(cutSessions)).toEqual([
    null,
    '1 session is stopped in the middle. You can go on later.',
    '2 sessions are stopped in the middle. You can go on later.',
  ]);
});
