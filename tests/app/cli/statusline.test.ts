import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineFor } from '../../../app/cli/commands/statusline.ts';
import { creditsOf } from '../../../app/words/numbers.ts';
import { startImpostor } from '../../impostor.ts';
import { prompt, type Stack, startStack } from '../stack.ts';
import { Spawned } from './spawn-jumpseat.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const session = '0f8fad5b-d9cb-469f-a165-70867728950e';
const sent = (more: Record<string, unknown> = {}) =>
  JSON.stringify({
    hook_event_name: 'Status',
    session_id: session,
    model: { id: 'claude-sonnet-4.6', display_name: 'Sonnet 4.6' },
    context_window: { used_percentage: 41.6 },
    ...more,
  });
const environment = (more: Record<string, string> = {}) => ({
  ...{ JUMPSEAT_HOME: stack.home, ANTHROPIC_BASE_URL: stack.baseUrl, NO_COLOR: '1' },
  ...more,
});
const line = (input = sent(), more: Record<string, string> = {}, options: { format?: string; with?: string } = {}) =>
  lineFor(Promise.resolve(input), options, environment(more));

it('has what the conversation cost by the history, today, and what is left, as the sessions list has it', async () => {
  // GitHub's figure is read beside the start.
  await stack.app.refresh();
  const before = await line(sent({ session_id: 'another' }));
  expect(before).toMatch(/^Sonnet 4\.6 · 0 today · [\d,]+ credits left · 42% context · Jumpseat$/);
  for (const text of ['one', 'two']) await stack.messages(prompt(text), { 'x-claude-code-session-id': session });
  await stack.messages(prompt('three'), { 'x-claude-code-session-id': 'another' });
  await stack.rows(3);
  const costs = await stack.app.sessionCosts();
  const credits = (id: string) => creditsOf(costs.find((cost) => cost.id === id)?.cost.nanoAiu ?? 0);
  const [today] = await stack.app.totals('day', 0);
  expect(Number(credits(session))).toBeGreaterThan(Number(credits('another')));
  expect(await line()).toContain(
    `Sonnet 4.6 · ${credits(session)} credits · ${creditsOf(today?.nanoAiu ?? 0)} today · `,
  );
  expect(await line(sent({ session_id: 'another' }), {}, { format: '{credits}' })).toBe(
    `${credits('another')} credits`,
  );
});

describe('what keeps requests from going through Jumpseat is said, in red where colours are allowed', () => {
  const why = async (more: Record<string, string> = {}, input = sent()) =>
    (await line(input, more, { format: '{jumpseat}' })).replaceAll('\u001b', 'ESC');

  it('another address, none, and another provider', async () => {
    expect(await why()).toBe('Jumpseat');
    expect(await why({ NO_COLOR: '' })).toBe('Jumpseat');
    expect(await why({ ANTHROPIC_BASE_URL: 'https://me:secret@api.example/v1', NO_COLOR: '' })).toBe(
      'ESC[31mJumpseat: Requests go to api.example' + 'ESC[39m',
    );
    expect(await why({ ANTHROPIC_BASE_URL: '' })).toContain('Requests go to Anthropic');
    for (const name of ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_MANTLE']) {
      expect(await why({ [name]: '1' })).toContain(name);
    }
  });

  it('nobody is signed in, and a limit of one’s own', async () => {
    await stack.app.changePreferences({ limits: { ...stack.app.preferences().limits, requestsPerMinute: 1 } });
    await stack.messages(prompt('one'));
    expect(await why()).toMatch(/^Jumpseat: More than 1 request started within a minute/);
    await stack.app.signOut();
    expect(await why()).toMatch(/^Jumpseat: Not signed in/);
  });

  it('the proxy is off, or another program has its port', async () => {
    const owner = readFileSync(join(stack.home, 'lock'), 'utf8');
    await stack.app.stopProxy();
    expect(await line()).toBe('Sonnet 4.6 · 42% context · Jumpseat: The proxy is off');
    const { port } = await startImpostor();
    writeFileSync(join(stack.home, 'lock'), JSON.stringify({ ...JSON.parse(owner), port }));
    expect(await why()).toBe('Jumpseat: The proxy is off');
  });

  it.each([
    ['', 'Jumpseat: Claude Code sent nothing that can be read'],
    ['[1', 'Jumpseat: Claude Code sent nothing that can be read'],
    ['[]', 'Jumpseat: Claude Code sent nothing that can be read'],
    ['{"session_id":7,"model":null,"context_window":[]}', 'Jumpseat'],
  ])('input %j', async (input, expected) => {
    expect(await why({}, input)).toBe(expected);
  });
});

describe('a command of the person’s', () => {
  const both = (command: string) => line(sent(), {}, { format: '{model}', with: command });

  it('gets the same input, and its output comes first: on the line, or as it was', async () => {
    expect(await both('grep -o Sonnet | head -1')).toBe('Sonnet · Sonnet 4.6');
    expect(await both(`cat > /dev/null; printf '\\033[32mone\\ntwo\\n'`)).toBe(
      '\u001b[32mone\ntwo\u001b[0m\nSonnet 4.6',
    );
  });

  it('that fails or prints nothing leaves ours', async () => {
    expect(await both('exit 3')).toBe('Sonnet 4.6');
    expect(await both('/nowhere/at-all')).toBe('Sonnet 4.6');
    expect(await both('')).toBe('Sonnet 4.6');
  });

  it('that hangs is left, also where what it started goes on', async () => {
    const shown = await both('sleep 600 & echo $!; wait');
    expect(shown).toMatch(/^\d+ · Sonnet 4\.6$/);
    process.kill(Number.parseInt(shown, 10));
  });
});

describe('the command itself', () => {
  const started = async (args: string[], input: string, more: Record<string, string> = {}) => {
    const { code, out, err } = await new Spawned(
      ['statusline', ...args],
      environment({ HOME: stack.home, ...more }),
      input,
    ).ended();
    return { code, out, err };
  };

  it('ends with 0 and one line whatever it is sent', async () => {
    for (const input of ['', '\u0000', sent({ model: { display_name: 'a\nb' } })]) {
      const { code, out, err } = await started([], input);
      expect({ code, err, lines: out.split('\n').length }).toEqual({ code: 0, err: '', lines: 2 });
    }
    expect((await started(['--format', '{model}'], sent())).out).toBe('Sonnet 4.6\n');
    const { code, err } = await started(['--formt', 'x'], sent());
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("unknown option '--formt'") });
  });

  it.runIf(process.env.JUMPSEAT_TEST_CLI)('is built of a few files of its own: neither zod nor commander', async () => {
    const covered = join(stack.home, 'covered');
    expect((await started([], sent(), { NODE_V8_COVERAGE: covered })).out).toContain('Jumpseat');
    const urls = readdirSync(covered).flatMap((name): string[] =>
      JSON.parse(readFileSync(join(covered, name), 'utf8')).result.map(({ url }: { url: string }) => url),
    );
    const texts = urls.filter((url) => url.startsWith('file:')).map((url) => readFileSync(fileURLToPath(url), 'utf8'));
    const made = texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ ((?:app|node_modules)\/\S+)$/gm)].map(([, file]) => file),
    );
    expect(made.toSorted()).toEqual([
      'app/adapters/paths.ts',
      'app/claude-code/leading-variables.ts',
      'app/cli/commands/statusline.ts',
      'app/cli/line-format.ts',
      'app/language/language.ts',
      'app/language/messages.ts',
      'app/server/who-answers.ts',
      'app/words/text.ts',
    ]);
  });
});
