import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../app/simulator/script.ts';
import { messageEnd, messageStart, toolBlock } from '../app/events.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/** One typed prompt is one `user`, also when the real Claude Code compacts the conversation while it works on it. */

let product: Product;
beforeEach(async () => {
  // Setup is for a key that works tomorrow.
  product = await startProduct({}, null, { JUMPSEAT_KEY: 'key-of-the-tests'.repeat(3) });
});
afterEach(() => product.close());

const tooLong: Reply = {
  kind: 'answer',
  status: 400,
  body: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 209000 tokens > 200000 maximum' },
  },
};

/** An answer that calls a tool. Each has an id of its own: Claude Code joins what has the same. */
function calls(inputTokens: number): Reply {
  const start = messageStart();
  const usage = { input_tokens: inputTokens, output_tokens: 1 };
  const message = { ...Object(start.data.message), id: `msg_${inputTokens}`, usage };
  const [begin, ...rest] = toolBlock(0, 'Bash', '{"command": "echo hi", "description": "x"}');
  const content_block = { ...Object(begin?.data.content_block), id: `toolu_${inputTokens}` };
  const [ends, stop] = messageEnd('tool_use');
  const events = [
    { ...start, data: { ...start.data, message } },
    { event: 'content_block_start', data: { ...begin?.data, content_block } },
    ...rest,
    { event: 'message_delta', data: { ...ends?.data, usage } },
    { event: 'message_stop', data: { ...stop?.data } },
  ];
  return { kind: 'stream', events };
}

const rows = () => product.exchanges.map(({ initiator, reason }) => [initiator, reason?.code]);
const prompts = () => product.exchanges.map(({ prompt }) => prompt);

/** As `jumpseat setup claude-code` leaves it for this Claude Code. */
async function setUp(): Promise<void> {
  expect((await product.run(['setup', 'claude-code']).ended()).code).toBe(0);
}

describe.runIf(claudeBinary !== '')('the real Claude Code knows how much a model takes', () => {
  it.each([
    // Alone it takes 200k, a million and a million for granted.
    ['claude-haiku-4.5', '136k', '200k', '156k'],
    ['claude-opus-4.8', '936k', '1m', '956k'],
    ['gpt-5.4', '272k', '1m', '292k'],
    ['claude-sonnet-4-6', '168k', '200k', '188k'],
  ])('%s, which takes %s: %s before it is set up, %s afterwards', async (model, _takes, before, after) => {
    const window = async (...args: string[]): Promise<string | undefined> =>
      /\*\*Tokens:\*\* \S+ \/ (\S+)/.exec((await runClaude(product, '/context', { model, args })).text)?.[1];
    expect(await window()).toBe(before);
    await setUp();
    expect(await window()).toBe(after);
    expect((await runClaude(product, 'hello', { model })).code).toBe(0);
    expect(await window('--continue')).toBe(after);
  });

  it('a window that the person has set stays, also after a resume', async () => {
    const model = 'claude-haiku-4.5';
    const own = join(product.home, '.claude', 'settings.json');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, '{ "modelSettings": { "claude-haiku-4-5": { "autoCompactWindow": 120000 } } }');
    await setUp();
    const context = async (...args: string[]) => (await runClaude(product, '/context', { model, args })).text;
    expect(await context()).toContain('/ 120k');
    expect((await runClaude(product, 'hello', { model })).code).toBe(0);
    expect(await context('--continue')).toContain('/ 120k');
  });

  it('and compacts in time, also after a resume: nothing is refused as too long', async () => {
    await setUp();
    const model = 'claude-haiku-4.5';
    product.simulator.script.next(calls(20));
    product.simulator.script.next(calls(124_000));
    expect((await runClaude(product, 'do it all', { model })).code).toBe(0);
    expect(rows()).toEqual([
      ['user', 'prompt'],
      ['agent', 'tool-results'],
      ['agent', 'compaction'],
      ['agent', 'tool-results'],
    ]);
    product.simulator.script.next(calls(125_000));
    expect((await runClaude(product, 'and now', { model, args: ['--continue'] })).code).toBe(0);
    expect(rows().slice(4)).toEqual([
      ['user', 'prompt'],
      ['agent', 'compaction'],
      ['agent', 'tool-results'],
    ]);
    expect(product.exchanges.every(({ status }) => status === 200)).toBe(true);
  });
});

describe.runIf(claudeBinary !== '')('the real Claude Code compacts while it works', () => {
  it('after results that are too long: it goes on with the summary alone, under the id of the prompt', async () => {
    product.simulator.script.next(calls(20));
    product.simulator.script.next(tooLong);
    expect((await runClaude(product, 'do it all')).code).toBe(0);
    expect(rows()).toEqual([
      ['user', 'prompt'],
      ['agent', 'tool-results'],
      ['agent', 'compaction'],
      ['agent', 'continuation'],
    ]);
    const [typed] = prompts();
    expect(prompts()).toEqual([expect.any(String), typed, null, typed]);
  });

  it('by itself when its context is nearly full: it goes on with the summary and its last results', async () => {
    product.simulator.script.next(calls(20));
    product.simulator.script.next(calls(90_000));
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '100000', CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' };
    expect((await runClaude(product, 'do it all', { env, model: 'claude-sonnet-4.6' })).code).toBe(0);
    expect(rows()).toEqual([
      ['user', 'prompt'],
      ['agent', 'tool-results'],
      ['agent', 'compaction'],
      ['agent', 'tool-results'],
    ]);
    const [typed] = prompts();
    expect(prompts()).toEqual([expect.any(String), typed, null, typed]);
  });

  it('a typed prompt that begins as the summary does is the person’s, also when it comes again compacted', async () => {
    expect((await runClaude(product, 'hello there')).code).toBe(0);
    product.simulator.script.next(tooLong);
    const typed = 'This session is being continued from a previous conversation. Go on.';
    expect((await runClaude(product, typed, { args: ['--continue'] })).code).toBe(0);
    expect(rows()).toEqual([
      ['user', 'prompt'],
      ['user', 'prompt'],
      ['agent', 'compaction'],
      ['user', 'prompt'],
    ]);
  });
});
