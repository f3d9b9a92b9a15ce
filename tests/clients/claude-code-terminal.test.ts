import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessions } from '../../app/sessions/agents/claude/open-sessions.ts';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary, claudeVariables } from './claude.ts';
import { builtCli, type Product, startProduct } from './product.ts';
import { Terminal, tmux } from './terminal.ts';

/** Claude Code as a person has it before them, with every key pressed that makes it ask for something. */

let product: Product;
let terminal: Terminal | null = null;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await product.close();
});

async function openClaude(args: string[] = [], env: Record<string, string> = {}): Promise<Terminal> {
  const project = join(product.home, 'project');
  mkdirSync(project);
  // What a person is asked at the very first start only.
  writeFileSync(
    join(product.home, '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      projects: { [project]: { hasTrustDialogAccepted: true } },
    }),
  );
  const opened = await Terminal.open(claudeBinary, args, {
    cwd: project,
    env: {
      ...claudeVariables(product),
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      DISABLE_AUTOUPDATER: '1',
      ...env,
    },
  });
  terminal = opened;
  await opened.see('❯');
  return opened;
}

/** Sets it up as a person does who has one already. Answers the variables by which its command finds Jumpseat. */
async function withStatusLine(): Promise<Record<string, string>> {
  const { home, key, simulator } = product;
  mkdirSync(join(home, '.claude'));
  const mine = { type: 'command', command: `sed 's/.*"display_name":"\\([^"]*\\)".*/mine, \\1/'` };
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ statusLine: mine }));
  mkdirSync(join(home, 'bin'));
  const program = join(home, 'bin', 'jumpseat');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${builtCli()}' "$@"\n`, { mode: 0o755 });
  const path = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, JUMPSEAT_HOME: join(home, 'jumpseat') };
  const env = {
    ...{ ...path, HOME: home, JUMPSEAT_SECRETS: 'memory', JUMPSEAT_KEY: key },
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
  };
  const { code, err } = await new Started(program, ['setup', 'claude-code', '--statusline'], { env }).ended();
  expect([code, err]).toEqual([0, '']);
  // Those of settings.json count, and reach the command.
  return { ...path, ANTHROPIC_BASE_URL: '' };
}

/** Who started each request, and what it was, in the order in which they began. */
const verdicts = (): string[] =>
  [...product.exchanges]
    .sort((one, other) => one.startedAt - other.startedAt)
    .map(({ initiator, reason, status }) => `${initiator} ${reason?.code} ${status}`);
async function untilVerdicts(expected: string[]): Promise<void> {
  await until(() => verdicts().length >= expected.length, verdicts);
  await product.settled();
  expect(verdicts()).toEqual(expected);
}

describe.runIf(claudeBinary !== '' && tmux !== '')('the real Claude Code in its terminal', () => {
  it('D11 a title, a prompt with a tool, a question beside it: one user each; the status line has what they cost', async () => {
    const claude = await openClaude(['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'], {
      ...(await withStatusLine()),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '',
      // Nothing gets out: what it asks of others ends here.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    });
    await claude.say('run: echo jump$((40 + 2))');
    await claude.see('The tool answered: “jump42”');
    // By the variables that Claude Code gave the command, requests go through Jumpseat.
    await claude.see(/mine, (.+) · \1 · [\d.]+ credits · [\d.]+ today · [\d,]+ credits left · \d+% context · Jumpseat/);
    await until(() => verdicts().length === 3, verdicts);
    expect(verdicts().sort()).toEqual(['agent auxiliary 200', 'agent tool-results 200', 'user prompt 200']);
    expect(product.exchanges.find(({ reason }) => reason?.code === 'auxiliary')?.reason?.sentence).toBe('title');

    // What holds a session against a second writer, and tells the list that it is open there.
    const open = [...(await openSessions(join(product.home, '.claude'))).values()];
    expect(open).toEqual([{ pid: expect.any(Number), program: 'terminal', state: 'rests' }]);

    await claude.say('/btw what was that');
    await claude.see('You asked: “what was that”');
    await until(() => verdicts().length === 4, verdicts);
    expect(verdicts().at(-1)).toBe('user side-question 200');
  });

  it.each([
    ['claude-sonnet-4.6', '/v1/messages'],
    ['gpt-5.4', '/responses'],
    ['gpt-4.1', '/chat/completions'],
  ])(
    'C13.1 D11 it searches the web on %s, through %s: the screen says so, and one prompt is one user',
    async (model, path) => {
      const args = ['--model', model, '--permission-mode', 'acceptEdits', '--allowedTools', 'WebSearch'];
      const claude = await openClaude(args, { ENABLE_TOOL_SEARCH: 'false' });
      await claude.say('use: WebSearch {"query":"node 24"}');
      await claude.see('Did 1 search');
      await until(() => verdicts().length === 4, verdicts);
      await product.settled();
      // What was found has come to the model.
      await claude.see('docs.example');
      const rows = [...product.exchanges].sort((one, other) => one.startedAt - other.startedAt);
      expect(rows.map(({ initiator, reason, path: to, status }) => [initiator, reason?.code, to, status])).toEqual([
        ['user', 'prompt', path, 200],
        ['agent', 'auxiliary', null, 200],
        ['agent', 'auxiliary', '/responses', 200],
        ['agent', 'tool-results', path, 200],
      ]);
      expect(rows.map(({ charge }) => charge.kind)).toEqual(['billed', 'none', 'billed', 'billed']);
      // Claude Code sends its search without the id of the prompt.
      expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(1);
      expect(rows[0]?.prompt).not.toBeNull();
      expect(product.simulator.script.violations).toEqual([]);
    },
  );

  it('C13.1 it searches the web with each kind of engine: GitHub’s, one with a key, Anthropic’s', async () => {
    const engines = ['github', 'brave', 'anthropic'] as const;
    await product.close();
    product = await startProduct({}, { search: { engines } }, ({ enginesUrl, searchKey }) => ({
      JUMPSEAT_BRAVE_URL: `${enginesUrl}/brave`,
      JUMPSEAT_BRAVE_KEY: searchKey,
      JUMPSEAT_ANTHROPIC_URL: `${enginesUrl}/anthropic`,
      JUMPSEAT_ANTHROPIC_KEY: searchKey,
    }));
    const { script } = product.simulator;
    const claude = await openClaude(['--permission-mode', 'acceptEdits', '--allowedTools', 'WebSearch'], {
      ENABLE_TOOL_SEARCH: 'false',
    });
    const failing = [null, '/mcp', '/brave/'] as const;
    for (const [at, engine] of engines.entries()) {
      const fails = failing[at] ?? null;
      // From now on, so that the next one on the list is asked.
      if (fails !== null)
        script.always({ kind: 'answer', status: 503, body: {} }, ({ path }) => path.startsWith(fails));
      await claude.say(`use: WebSearch {"query":"node ${at}"}`);
      await claude.see(new RegExp(`node ${at}[^]*Did 1 search[^]*docs\\.example/node-${at}`));
      const said = new RegExp(`^web search by ${engine}: \\d+ page`);
      await product.ended(({ fits }) => fits.some(({ text }) => said.test(text)));
    }
    await product.settled();
    // A search that costs nothing at Copilot has no request of its own there.
    expect(verdicts()).toEqual(
      engines.flatMap(() => ['user prompt 200', 'agent auxiliary 200', 'agent tool-results 200']),
    );
    expect(script.violations).toEqual([]);
  });

  it('D11 `!` and a slash command are a person’s', async () => {
    const claude = await openClaude(['--permission-mode', 'acceptEdits']);
    await claude.say('!echo from the shell');
    await untilVerdicts(['user prompt 200']);
    await claude.say('/init');
    await untilVerdicts(['user prompt 200', 'user prompt 200']);
  });

  it('D11 `/model` asks the model for one token, which is agent', async () => {
    const claude = await openClaude();
    await claude.say('/model claude-opus-4.6');
    await claude.see('Set model to Opus 4.6');
    await untilVerdicts(['agent auxiliary 200']);
    expect(product.exchanges[0]?.reason?.sentence).toBe('model probe');
  });

  it(
    'D11 what is typed while it works is an interjection; Escape leaves the answer, and the next prompt is a ' +
      'prompt',
    async () => {
      const claude = await openClaude(['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']);
      let release = (): void => {};
      const held = product.simulator.script.next({
        kind: 'usual',
        gate: new Promise<void>((resolve) => {
          release = resolve;
        }),
      });
      await claude.say('run: echo one');
      await held.taken;
      await claude.say('and be quick');
      release();
      await untilVerdicts(['user prompt 200', 'user interjection 200']);

      const left = product.simulator.script.next({
        kind: 'usual',
        before: (index) => (index > 3 ? new Promise(() => {}) : undefined),
      });
      await claude.say('count to 50');
      await left.taken;
      await claude.pressUntil('Escape', 'Interrupted');
      await claude.say('do this instead');
      await claude.see('do this instead”');
      await untilVerdicts(['user prompt 200', 'user interjection 200', 'user prompt 200', 'user prompt 200']);
      expect(product.exchanges.map(({ outcome }) => outcome)).toContain('cancelled');
    },
  );

  it('D11 a tool that is refused with words: they are a person’s', async () => {
    const claude = await openClaude(['--permission-mode', 'default']);
    await claude.say('run: touch never.txt');
    await claude.see('Do you want to proceed?');
    await claude.pressUntil('Down', /❯ 2\./);
    await claude.pressUntil('Down', /❯ 3\./);
    await claude.pressUntil('Down', /❯ 4\. No/);
    await claude.pressUntil('Tab', 'tell Claude what to do differently');
    await claude.say('say hello to me');
    await untilVerdicts(['user prompt 200', 'user interjection 200']);
  });

  it('D12 auto mode: safeguards are refused, the prompt stays user, and nothing runs unchecked', async () => {
    const claude = await openClaude();
    await claude.see('auto mode on');
    await claude.say('run: curl -s http://127.0.0.1:9/never.sh | sh');
    // Its way to say that the check it hoped for is not there: from here on it asks the person.
    await claude.see("check isn't getting through");
    await claude.press('Escape');
    await claude.see('Interrupted');
    await untilVerdicts(['user prompt 400', 'user prompt 200']);
    expect(product.exchanges[0]?.failure?.code).toBe('safeguards-refused');
  });
});
