import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../../app/cli/program.ts';
import { width } from '../../../app/cli/table.ts';
import { localeIn, tagOf } from '../../../app/cli/terminal-language.ts';
import { inLanguage } from '../../../app/language/language.ts';
import { pseudo } from '../../../app/language/pseudo.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { paper } from './paper.ts';
import { jumpseat, Spawned } from './spawn-jumpseat.ts';

/** What the terminal says in other languages than English, as a person starts it there. */

const folder = mkdtempSync(join(tmpdir(), 'jumpseat-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  HOME: folder,
  JUMPSEAT_HOME: join(folder, 'home'),
  JUMPSEAT_SECRETS: 'memory',
  // Nothing answers there.
  JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9',
  JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9',
};
const inLocale = (args: string[], variables: Record<string, string>) => jumpseat(args, { ...env, ...variables });

describe('the language', () => {
  it('is that of the locale, in POSIX’s order, and English where it says none', () => {
    expect(localeIn({ LC_ALL: 'de_DE', LC_MESSAGES: 'ja_JP', LANG: 'zh_CN' })).toBe('de_DE');
    expect(localeIn({ LC_ALL: '', LC_MESSAGES: 'ja_JP', LANG: 'zh_CN' })).toBe('ja_JP');
    expect([localeIn({ LANG: 'zh_CN' }), localeIn({}, 'linux')]).toEqual(['zh_CN', 'C']);
    expect(localeIn({}, 'darwin')).toBe(new Intl.DateTimeFormat().resolvedOptions().locale);
    expect(['C', 'POSIX', 'C.UTF-8', 'de_DE.ISO-8859-1', 'ja_JP.eucJP'].map(tagOf)).toEqual(Array(5).fill('en'));
    expect(['de_AT.utf8@euro', 'ja_JP.UTF-8', 'zh-CN'].map(tagOf)).toEqual(['de-AT', 'ja-JP', 'zh-CN']);
  });

  it('is chosen by JUMPSEAT_LANG, else by the setting, else by the locale', async () => {
    const home = mkdtempSync(join(folder, 'chosen-'));
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, language: 'ja' }));
    const first = async (variables: Record<string, string>): Promise<string> =>
      (await inLocale(['status', '--help'], variables)).out.split(':')[0] ?? '';
    expect(await first({ JUMPSEAT_LANG: 'zh-CN', JUMPSEAT_HOME: home, LANG: 'de_DE.UTF-8' })).toBe('用法');
    expect(await first({ JUMPSEAT_HOME: home, LANG: 'de_DE.UTF-8' })).toBe('使い方');
    expect(await first({ LANG: 'de_DE.UTF-8' })).toBe('Aufruf');
    expect(await first({ LANG: 'fr_FR.UTF-8' })).toBe('Usage');
    expect(await first({ LANG: 'zh_TW.UTF-8' })).toBe('Usage');
  });
});

describe.each([
  [
    'de_DE.UTF-8',
    'Nicht bereit',
    'Konto',
    'unbekannte Option „--jsn“ (meinten Sie --json?). Führen Sie "jumpseat status',
  ],
  ['ja_JP.UTF-8', '準備ができていません', 'アカウント', '不明なオプション --jsn (候補: --json)。"jumpseat status'],
  ['zh_CN.UTF-8', '未就绪', '账户', '未知选项“--jsn”（是否想输入 --json？）。请运行 "jumpseat status'],
])('in %s', (LANG, notReady, account, wrong) => {
  it('status has its words, with all texts in one column', async () => {
    const { out, code } = await inLocale(['status'], { LANG });
    const [first = '', empty, ...rows] = out.trimEnd().split('\n');
    expect([code, first.startsWith(notReady), empty]).toEqual([1, true, '']);
    expect(rows[0]?.startsWith(account)).toBe(true);
    // Behind the longest label is one blank alone.
    const begins = rows.flatMap((row) => /^(?:\S.*?\S? {2,}| +)(?=\S)/u.exec(row)?.[0] ?? []).map(width);
    expect(begins.length).toBeGreaterThan(2);
    expect(new Set(begins).size).toBe(1);
  });

  it('a line of the help is as wide as the terminal at most', async () => {
    const { out } = await inLocale(['--help'], { LANG });
    const lines = out.split('\n');
    expect(lines.filter((line) => width(line) > 80)).toEqual([]);
    // The descriptions of all commands begin in one column.
    const commands = lines.flatMap(
      (line) => /^ {2}(?:login|serve|status|log|logout) .*? {2,}(?=\S)/u.exec(line)?.[0] ?? [],
    );
    expect(commands).toHaveLength(5);
    expect(new Set(commands.map(width)).size).toBe(1);
  });

  it('says what is wrong about the usage', async () => {
    const { err, code } = await inLocale(['status', '--jsn'], { LANG });
    expect([code, err]).toEqual([
      2,
      `jumpseat: ${wrong} --help"${LANG.startsWith('de') ? ' aus.' : LANG.startsWith('ja') ? ' を実行してください。' : '。'}\n`,
    ]);
  });

  it('with --json nothing changes', async () => {
    const [inEnglish, inLanguage] = await Promise.all([
      inLocale(['status', '--json'], {}),
      inLocale(['status', '--json'], { LANG }),
    ]);
    expect(inLanguage).toEqual(inEnglish);
    expect(JSON.parse(inLanguage.out).problem.text).toMatch(/^[ -~’]+$/);
  });
});

/** Beside each other, against one that speaks English itself. */
describe('three terminals beside one running Jumpseat', () => {
  const locales = ['de_DE.UTF-8', 'ja_JP.UTF-8', 'zh_CN.UTF-8'] as const;
  const shared = mkdtempSync(join(tmpdir(), 'jumpseat-three-'));
  let simulator: Simulator;
  let running: Spawned;
  let variables: Record<string, string>;
  beforeAll(async () => {
    simulator = await startSimulator();
    variables = {
      HOME: shared,
      JUMPSEAT_HOME: join(shared, 'home'),
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    };
    running = new Spawned(['serve', '--port', '0'], { ...variables, LANG: 'en_US.UTF-8' });
    await running.until((out) => out.includes('Ctrl-C stops it.'));
  });
  afterAll(async () => {
    await running.stop();
    await running.ended();
    await simulator.close();
    rmSync(shared, { recursive: true, force: true });
  });
  const inAll = (...args: string[]) => Promise.all(locales.map((LANG) => jumpseat(args, { ...variables, LANG })));

  it.each([
    [['status'], ['Bereit. ', '準備完了。', '已就绪。']],
    [['doctor'], ['Claude Code kann arbeiten', 'Claude Code は動作します', 'Claude Code 可以工作']],
  ])('%s: each has its own language', async (args, begin) => {
    const all = await inAll(...args);
    expect(all.map(({ out }, at) => out.slice(0, begin[at]?.length))).toEqual(begin);
  });

  it.each([
    [
      ['accounts', 'use', 'Nobody'],
      [
        'Es gibt kein Konto mit dem Namen „Nobody“. Vorhanden: Konto 1.',
        '「Nobody」という名前のアカウントはありません。使えるアカウント: アカウント 1。',
        '没有名为“Nobody”的账户。现有账户：账户 1。',
      ],
    ],
    [
      ['search', '--engine', 'brave', 'node'],
      [
        'Brave hat keinen Schlüssel. Geben Sie einen unter „Einstellungen“ → „Websuche“ ein oder setzen Sie JUMPSEAT_BRAVE_KEY.',
        'Brave のキーがありません。「設定」→「Web 検索」で入力するか、JUMPSEAT_BRAVE_KEY を設定してください。',
        'Brave 没有密钥。请在“设置 → 网页搜索”中输入，或设置 JUMPSEAT_BRAVE_KEY。',
      ],
    ],
  ])('%s: so has what the running one refuses', async (args, refusals) => {
    const all = await inAll(...args);
    expect(all).toEqual(refusals.map((refusal) => ({ code: 1, out: '', err: `jumpseat: ${refusal}\n` })));
  });

  it('rows of the log are in each language, and English in JSON, the log file and its own terminal', async () => {
    await inAll('search', '--engine', 'brave', 'node');
    const why = 'Brave has no key.';
    const rows = await inAll('log', '--why');
    expect(rows.map(({ out }) => /^ +(\S.*)$/m.exec(out)?.[1])).toEqual([
      'Brave hat keinen Schlüssel.',
      'Brave のキーがありません。',
      'Brave 没有密钥。',
    ]);
    const [german, ...others] = await inAll('log', '--json');
    expect(german?.out).toContain(why);
    expect(others.map(({ out }) => out)).toEqual([german?.out, german?.out]);
    await running.until((out) => out.includes(why));
    const log = readFileSync(join(shared, 'home', 'logs', 'jumpseat.log'), 'utf8');
    for (const text of [german?.out, running.out, running.err, log])
      expect(text).not.toMatch(/[\u3040-\u9fff]|Schlüssel|Konto/);
  });
});

it('every word of every help is in the catalogs', async () => {
  const terminal = paper();
  const helps = inLanguage(pseudo, () => {
    const program = createProgram(
      { terminal, env: {}, open: () => Promise.reject(new Error('Nothing runs.')) },
      () => undefined,
    );
    return [program, ...program.commands.flatMap((command) => [command, ...command.commands])].map((command) => {
      terminal.text = '';
      command.outputHelp();
      return { name: command.name(), text: terminal.text };
    });
  });
  expect(helps.length).toBeGreaterThan(30);
  const names = new Set(['help', ...shownArguments, ...helps.map(({ name }) => name)]);
  for (const { name, text } of helps) {
    const words =
      text
        .replaceAll(translated, '')
        .replaceAll(typed, '')
        .match(/\p{L}[\p{L}-]{2,}/gu) ?? [];
    expect({ name, left: words.filter((word) => !names.has(word)) }).toEqual({ name, left: [] });
  }
});

describe('every word of what a command says is in the catalogs', () => {
  it.each([
    ['accounts'],
    ['accounts', 'use', 'Nobody'],
    ['accounts', 'unbind', 'nobody'],
    ['login'],
    ['login', '--way', 'paper'],
    ['login', '--token-stdin'],
    ['login', '--account', ''],
    ['logout'],
    ['logout', '--account', 'Nobody'],
    ['setup', '--dry-run'],
    ['setup', 'paper'],
    ['setup', 'codex', '--as', 'paper'],
    ['setup', 'codex', '--private'],
    ['setup', 'claude-code', '--undo'],
    ['setup', 'claude-code', '--as', 'mcp'],
    ['setup', 'claude-code', '--keep-days', '0'],
    ['uninstall', '--yes'],
    ['dashboard'],
    ['doctor', '--inside'],
    ['sessions', '--limit', '0'],
    // The app’s own process, which is in English itself.
    ['serve', '--agree'],
    ['serve', '--port', '1'],
    ['demo', '--plan', 'paper'],
    ['acp', '--agent', 'paper'],
    ['mcp', '--client', '-'],
  ])('%s', async (...args) => {
    const { out, err } = await inLocale(args, { JUMPSEAT_LANG: 'en-XA' });
    expect(`${out}${err}`).toMatch(/⟦/);
    expect(wordsLeft(`${out}${err}`, args)).toEqual([]);
  });

  it('the list of programs, but for their names', async () => {
    const { out } = await inLocale(['setup'], { JUMPSEAT_LANG: 'en-XA' });
    const [heads = '', first = '', ...lines] = out.trimEnd().split('\n');
    expect([heads.match(/⟦/g)?.length, first.match(/⟦/g)?.length]).toEqual([5, 1]);
    for (const line of lines.slice(-2)) expect(wordsLeft(line, [])).toEqual([]);
  });

  it('the banner of serve, a request, and the end', async () => {
    const spawned = new Spawned(['demo', '--port', '0'], { ...env, JUMPSEAT_LANG: 'en-XA' });
    const banner = await spawned.until((out) => /⟦Çţŕļ-Ç/.test(out));
    const [, address = ''] = /ANTHROPIC_BASE_URL="?([^"\s]+)/.exec(banner) ?? [];
    const [, key = ''] = /ANTHROPIC_AUTH_TOKEN="?([^"\s]+)/.exec(banner) ?? [];
    const answer = await fetch(`${address}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-haiku-4.5',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    expect(answer.status).toBe(200);
    await spawned.until((out) => / 200 /.test(out));
    await spawned.stop();
    const { out, err } = await spawned.ended();
    const said = out.replaceAll(/^ {4}\S.*$/gm, '');
    expect(wordsLeft(`${said}${err}`, [])).toEqual(['octo-demo', 'Copilot', 'Pro', 'claude-code', 'claude-haiku-']);
  });
});

/** Words outside of the brackets, but for what is the same in all languages: commands, paths, names and values. */
function wordsLeft(text: string, args: readonly string[]): string[] {
  let left = text;
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replaceAll(translated, '');
  }
  const words = left.replaceAll(/"[^"]*"|[~/][\w./-]*|https?:\S+/g, '').match(/\p{L}[\p{L}-]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !args.includes(word) && !['jumpseat', 'Jumpseat'].includes(word));
}

/** As they stand before their descriptions. */
const shownArguments = ['target', 'client', 'query', 'model', 'how', 'shell'];

const translated = /⟦[^⟦⟧]*⟧/g;
/** What a person types is the same in all languages: commands, options, and names of what they take. */
const typed = /(?:jumpseat|eval|echo|claude|cd|codex)\b[^\n]*|--?[\w-]+|[<[][\w.|-]+[>\]]|\{\w+\}/g;
