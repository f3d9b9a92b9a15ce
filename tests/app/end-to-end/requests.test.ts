import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sample as claudeCodeSample } from '../exchange/initiator/claude-code-requests.ts';
import { eventsOf, prompt, type Stack, startStack } from '../stack.ts';

/** Requests that Copilot would refuse as they are, through the product and against a Copilot that refuses them. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const sent = () =>
  stack.simulator.requests.filter(({ path }) => ['/v1/messages', '/chat/completions', '/responses'].includes(path));
const bodyOf = (at: number): Record<string, unknown> => sent().at(at)?.body as Record<string, unknown>;
const codes = async (count: number): Promise<string[]> =>
  (await stack.rows(count)).at(-1)?.fits.map(({ code }) => code) ?? [];
const claudes = ['claude-opus-4.8', 'claude-opus-4.6', 'claude-sonnet-4.6', 'claude-sonnet-4.5', 'claude-haiku-4.5'];
const others = ['gpt-4.1', 'gpt-5.4', 'gpt-5-mini', 'gemini-3.1-pro-preview'];

/** One recorded request, sent again as it was, but for the key, the connection's own headers, and the model. */
async function replay(name: string, model: string, changes = {}): Promise<{ status: number; json: () => unknown }> {
  const { headers, body } = claudeCodeSample(name);
  const kept = Object.entries(headers).filter(
    ([key]) => !['authorization', 'host', 'connection', 'content-length', 'accept-encoding'].includes(key),
  );
  return stack.messages(
    { ...(body as Record<string, unknown>), model, ...changes },
    Object.fromEntries(kept) as Record<string, string>,
  );
}

const recorded = readdirSync(join(import.meta.dirname, '../../samples'))
  .map((file) => /^claude-code-2\.1\.328-(.*)\.request\.json$/.exec(file)?.[1] ?? '')
  .filter((name) => /^(main|subagent|auxiliary)/.test(name));
/** Refused by ourselves, in words that the client understands. */
const refused: Record<string, { type: string; message: RegExp }> = {
  'main-user-turn-with-safeguards.sonnet-4.6': { type: 'invalid_request_error', message: /safeguards/ },
};

describe('C2.1 every recorded request of Claude Code, for each model', () => {
  it.each([...claudes, ...others])('C2.1 %s', async (model) => {
    expect(recorded.length).toBeGreaterThan(10);
    for (const name of recorded) {
      const answer = await replay(name, model);
      const expected = refused[name];
      if (expected === undefined) {
        expect([name, answer.status === 200 ? null : answer.json()]).toEqual([name, null]);
      } else {
        expect([name, answer.status, answer.json()]).toMatchObject([
          name,
          400,
          { error: { type: expected.type, message: expect.stringMatching(expected.message) } },
        ]);
      }
    }
    expect(sent().map(({ status }) => status)).toEqual(
      recorded.filter((name) => refused[name] === undefined).map(() => 200),
    );
    expect(stack.simulator.script.violations).toEqual([]);
  });
});

it('a prompt of very many blocks is too long, in the words after which Claude Code compacts', async () => {
  const content = Array.from({ length: 150_000 }, () => ({ type: 'text', text: 'a word' }));
  const messages = [{ role: 'user', content }];
  const answer = await replay('main-user-turn.sonnet-4.6', 'claude-sonnet-4.6', { messages });
  expect(answer.json()).toMatchObject({
    error: { message: expect.stringMatching(/^prompt is too long: \d+ tokens > 168000 maximum$/) },
  });
});

describe('auto mode', () => {
  it(
    'D12 safeguards are refused by name without asking Copilot; the repeat without them is still user; the ' +
      'checks are agent',
    async () => {
      const name = 'main-user-turn-with-safeguards.sonnet-4.6';
      const first = await replay(name, 'claude-sonnet-4.6');
      expect(first.status).toBe(400);
      expect(first.json()).toMatchObject({
        error: { type: 'invalid_request_error', message: expect.stringContaining('safeguards') },
      });
      expect(sent()).toEqual([]);

      // What the client does then: the same prompt id, without the field and its beta.
      const { headers, body } = claudeCodeSample(name);
      const { safeguards, ...without } = body as Record<string, unknown>;
      expect(safeguards).toBeDefined();
      const again = await stack.messages(without, {
        'user-agent': String(headers['user-agent']),
        'x-claude-code-session-id': String(headers['x-claude-code-session-id']),
        'x-claude-code-request-class': 'main',
        'x-claude-code-prompt-id': String(headers['x-claude-code-prompt-id']),
        'anthropic-beta': String(headers['anthropic-beta']).replace(/,dangerous-tool-use-[\d-]+/, ''),
      });
      expect(again.status).toBe(200);
      await replay('auxiliary-auto-mode-check-1.sonnet-4.6', 'claude-sonnet-4.6');
      await replay('auxiliary-auto-mode-check-2.sonnet-4.6', 'claude-sonnet-4.6');
      expect((await stack.rows(4)).map(({ initiator, reason, status }) => [initiator, reason?.code, status])).toEqual([
        ['user', 'prompt', 400],
        ['user', 'prompt', 200],
        ['agent', 'auxiliary', 200],
        ['agent', 'auxiliary', 200],
      ]);
      // An intended step: no failure for who counts them.
      const [refused] = await stack.rows(4);
      expect(refused).toMatchObject({ outcome: 'declined', failure: { code: 'safeguards-refused' } });
      expect((await stack.app.totals('day', 0)).map(({ requests, failed }) => [requests, failed])).toEqual([[4, 0]]);
      // The field tells paths of this machine: no word of it is kept.
      expect(JSON.stringify([stack.log, await stack.rows(4)])).not.toContain('classifier_context');
    },
  );
});

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const tools = [{ name: 'Read', input_schema: { type: 'object', properties: {} } }];
const user = (...content: unknown[]): unknown => ({ role: 'user', content });
const assistant = (...content: unknown[]): unknown => ({ role: 'assistant', content });
const text = (words: string): unknown => ({ type: 'text', text: words });
const use = (id: string): unknown => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string): unknown => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

describe.each(['claude-sonnet-4.6', 'gpt-4.1', 'gpt-5.4'])('broken conversations reach %s fixed', (model) => {
  it.each([
    [
      'C5.1 a call without its result',
      [user(text('a')), assistant(use('t1')), user(text('b'))],
      'missing-tool-result-added',
    ],
    [
      'C5.2 a result without its call',
      [user(text('a')), assistant(text('b')), user(result('t9'), text('c'))],
      'stray-tool-result',
    ],
    [
      'C5.3 two calls of one id',
      [user(text('a')), assistant(use('t1')), user(result('t1')), assistant(use('t1')), user(result('t1'))],
      'duplicate-tool-id',
    ],
    ['C6.1 an empty text', [user(text('a')), assistant(text('')), user(text('b'))], 'empty-text'],
    ['C6.1 white space', [user(text('a'), text(' \n\t'))], 'empty-text'],
    ['C6.1 nothing left', [user(text(''))], 'empty-text'],
    ['C6.1 only an image beside it', [user(image, text(''))], 'empty-text'],
  ])('%s', async (_, messages, note) => {
    const answer = await stack.messages({ ...prompt('', { model, tools }), messages });
    expect([answer.status, answer.text.startsWith('event: ')]).toEqual([200, true]);
    expect(sent().map(({ status }) => status)).toEqual([200]);
    expect((await codes(1)).some((code) => code.startsWith(note))).toBe(true);
  });
});

describe('prefill', () => {
  it.each([
    { model: 'claude-opus-4.8', extra: true },
    { model: 'claude-sonnet-4.6', extra: true },
    { model: 'claude-sonnet-4.5', extra: false },
  ])('C7.1 $model gets an extra message: $extra', async ({ model, extra }) => {
    const messages = [user(text('a')), assistant(text('It begins'))];
    expect((await stack.messages({ ...prompt('', { model }), messages })).status).toBe(200);
    const last = (bodyOf(0).messages as { role: string }[]).at(-1);
    expect(last?.role).toBe(extra ? 'user' : 'assistant');
  });
});

describe('images', () => {
  it('C10.2 too many, too large, of a type that is not taken: left out and said', async () => {
    const large = { ...image, source: { ...image.source, data: 'A'.repeat(4_500_000) } };
    const bitmap = { ...image, source: { ...image.source, media_type: 'image/bmp' } };
    const attached = [user(text('look'), ...Array.from({ length: 7 }, () => image), large, bitmap)];
    const refused = await stack.messages({ ...prompt(''), messages: attached });
    expect([refused.status, refused.json()]).toMatchObject([
      413,
      { error: { type: 'request_too_large', message: 'Jumpseat: an image is 3.3 MB; Copilot accepts 3 MB.' } },
    ]);
    const messages = [...attached, { role: 'assistant', content: 'Well' }, user(text('and?'))];
    expect((await stack.messages({ ...prompt(''), messages })).status).toBe(200);
    expect((await codes(2)).filter((code) => code.startsWith('image'))).toEqual([
      'image-left-out',
      'image-left-out',
      'images-left-out',
    ]);
    const blocks = (bodyOf(0).messages as { content: { type: string }[] }[])[0]?.content ?? [];
    expect(blocks.filter(({ type }) => type === 'image')).toHaveLength(5);
  });
});

describe('thinking', () => {
  it('C12.1 a conversation that goes from one model to another and back', async () => {
    const messages: unknown[] = [];
    const models = [
      'gemini-3.1-pro-preview',
      'claude-sonnet-4.6',
      'gemini-3.1-pro-preview',
      'gpt-4.1',
      'claude-opus-4.8',
    ];
    const answers: { type: string; signature?: string }[][] = [];
    for (const model of models) {
      messages.push(user(text('think about it')));
      const answer = await stack.messages({
        ...prompt('', { model, stream: false, max_tokens: 4000, thinking: { type: 'adaptive' } }),
        messages,
      });
      expect([model, answer.status]).toEqual([model, 200]);
      const { content } = answer.json() as { content: { type: string; signature?: string }[] };
      answers.push(content);
      messages.push(assistant(...content));
    }
    expect(answers.map((content) => content.filter(({ type }) => type === 'thinking').length)).toEqual([1, 1, 1, 0, 1]);
    expect(sent().map(({ status }) => status)).toEqual(models.map(() => 200));
    // The last one is a Claude: thinking of its own kind came back to it, that of the others did not.
    const back = (bodyOf(-1).messages as { content: { type: string; signature?: string }[] }[])
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'thinking');
    const [, fromClaude] = answers;
    expect(back.map(({ signature }) => signature)).toEqual(
      fromClaude?.filter(({ type }) => type === 'thinking').map(({ signature }) => signature),
    );
    expect(back).toHaveLength(1);
  });

  it('C12.3 thinking as adaptive, with or without a model that knows it', async () => {
    for (const model of claudes) {
      const answer = await stack.messages(prompt('hi', { model, max_tokens: 4000, thinking: { type: 'adaptive' } }));
      expect([model, answer.status]).toEqual([model, 200]);
    }
    const thinking = sent().map(({ body }) => (body as { thinking?: { type: string } }).thinking?.type);
    expect(thinking).toEqual(['adaptive', 'adaptive', 'adaptive', 'enabled', 'enabled']);
  });
});

describe('web search', () => {
  it('C13.1 beside other tools it is told as a function, and the log says so', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search' };
    const answer = await stack.messages(prompt('hi', { tools: [...tools, search] }));
    expect(eventsOf(answer.text).at(-1)?.event).toBe('message_stop');
    expect(bodyOf(0).tools).toMatchObject([{ name: 'Read' }, { name: 'web_search', input_schema: { type: 'object' } }]);
    expect(await codes(1)).toContain('web-search-here');
  });
});
