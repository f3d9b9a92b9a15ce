import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { claudeCodeSample } from '../exchange/features/web-search/sample.ts';
import { type Stack, startStack } from '../stack.ts';

/** What a turn with searches costs: by Copilot's own engine, with a row for all that was billed. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.refresh();
});
afterEach(() => stack.close());

const sum = (rows: readonly Exchange[]) => rows.reduce((total, { charge }) => total + (charge.nanoAiu ?? 0), 0);
const reported = (rows: readonly Exchange[]) =>
  rows.map(({ initiator, path, charge }) => `${initiator} ${path} ${charge.kind}`).sort();
/** What Copilot has billed, in the words that it wrote itself. */
const billed = (text: string) => Number(/"total_nano_aiu":(\d+)/.exec(text)?.[1] ?? 0);

describe.each([
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-5.4', '/responses'],
  ['gpt-4.1', '/chat/completions'],
])('on %s, through %s', (model, path) => {
  it('Claude Code’s turn with two searches is the sum of its six rows, and one user', async () => {
    const { headers, body } = claudeCodeSample;
    const prompt = '5f0c6a58-0000-4000-8000-000000000001';
    const main = { ...headers, 'x-claude-code-request-class': 'main', 'x-claude-code-prompt-id': prompt };
    const { tool_choice: _, temperature: __, ...rest } = body;
    const tools = [{ name: 'WebSearch', input_schema: { type: 'object', properties: { query: { type: 'string' } } } }];
    const words = 'use: WebSearch {"query":"x y"}\nuse: WebSearch {"query":"x z"}';
    const asked = { ...rest, model, tools, messages: [{ role: 'user', content: words }] };
    const first = await stack.messages({ ...asked, stream: false }, main);
    expect(first.status).toBe(200);
    const { content } = first.json() as Anthropic.Message;
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(calls).toHaveLength(2);
    // As Claude Code sends them: without the id of the prompt.
    for (const query of ['x y', 'x z']) {
      const said = [
        { role: 'user', content: [{ type: 'text', text: `Perform a web search for the query: ${query}` }] },
      ];
      expect((await stack.messages({ ...body, model, messages: said }, headers)).status).toBe(200);
    }
    const results = calls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'found' }));
    const messages = [...asked.messages, { role: 'assistant', content }, { role: 'user', content: results }];
    const last = await stack.messages({ ...asked, stream: false, messages }, main);
    const rows = await stack.rows(6);
    expect(reported(rows)).toEqual(
      [
        `user ${path} billed`,
        ...['agent null none', 'agent null none', 'agent /responses billed', 'agent /responses billed'],
        `agent ${path} billed`,
      ].sort(),
    );
    expect(new Set(rows.map((row) => row.prompt))).toEqual(new Set([prompt]));
    const { session, client } = rows[0]!;
    const [turn, ...others] = await stack.app.conversation({ since: 0, client, session });
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ prompt, requests: 6, user: 1, nanoAiu: sum(rows) });
    // No row is missing, and none counts twice.
    const searches = rows.filter((row) => row.path === '/responses' && row.reason?.rule === 'own-request');
    expect(searches).toHaveLength(2);
    expect(sum(rows)).toBe(sum(searches) + billed(first.text) + billed(last.text));
    expect(sum(searches)).toBeGreaterThan(0);
    expect(stack.simulator.script.violations).toEqual([]);
  });

  it('a search within one answer: the sum of its three rows, and one user', async () => {
    const sdk = new Anthropic({ baseURL: stack.baseUrl, apiKey: `${stack.key}.sdk`, maxRetries: 0 });
    const message = await sdk.messages.create({
      ...{ model, max_tokens: 2000, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      messages: [{ role: 'user', content: 'use: web_search {"query":"node 24"}' }],
    });
    expect(message.usage.server_tool_use?.web_search_requests).toBe(1);
    const rows = await stack.rows(3);
    expect(reported(rows)).toEqual([`user ${path} billed`, 'agent /responses billed', `agent ${path} billed`].sort());
    const [turn] = await stack.app.conversation({ since: 0, client: 'sdk', session: null });
    expect(turn).toMatchObject({ requests: 3, user: 1, nanoAiu: sum(rows) });
    const search = rows.filter(({ reason }) => reason?.rule === 'own-request');
    // The bill that the client is told is that of its own answer; the engine's request has its own.
    expect(sum(rows)).toBe(sum(search) + billed(JSON.stringify(message)));
  });
});

it('a search of a session that called for none belongs to no prompt', async () => {
  await stack.messages(claudeCodeSample.body, claudeCodeSample.headers);
  expect((await stack.rows(2)).map(({ prompt }) => prompt)).toEqual([null, null]);
});
