import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { AppEvent } from '../../../app/api/events.ts';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { BodyView } from '../../../app/api/recording.ts';
import { openRequest } from '../live-request.ts';
import { type Answer, prompt, type Stack, startStack } from '../stack.ts';

/** What is held of an exchange in memory, and what is measured of it. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

const needle = 'a-plan-that-nobody-else-knows';
const gho = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';

const post = (path: string, body: unknown): Promise<Answer> =>
  stack.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
async function last(count: number): Promise<Exchange> {
  const row = (await stack.rows(count)).at(-1);
  if (row === undefined) throw new Error('There is no row.');
  return row;
}
async function text(id: string, view: BodyView): Promise<string> {
  return (await stack.app.recordedBody(id, view, { whole: true }))?.text ?? '';
}

const clients: readonly [string, () => Promise<Answer>, string][] = [
  ['messages, streamed', () => stack.messages(prompt(needle)), '— text —'],
  ['messages, whole', () => stack.messages(prompt(needle, { stream: false })), '— text —'],
  [
    'count_tokens',
    () =>
      post('/v1/messages/count_tokens', { model: 'claude-opus-4.8', messages: [{ role: 'user', content: needle }] }),
    '"input_tokens":',
  ],
  [
    'chat',
    () =>
      post('/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: needle }], stream: true }),
    '— finish_reason: stop —',
  ],
  ['responses', () => post('/v1/responses', { model: 'gpt-5.4', input: needle }), '— status: completed —'],
  ['embeddings', () => post('/v1/embeddings', { model: 'text-embedding-3-small', input: [needle] }), '"embedding"'],
  ['a translated answer', () => stack.messages(prompt(needle, { model: 'gpt-4.1' })), '— finish_reason: stop —'],
];

describe('recording bodies', () => {
  it.each(clients)('of %s: what came in, what went out, what came back', async (_name, send, answered) => {
    stack.app.record(true);
    expect((await send()).status).toBe(200);
    const { id } = await last(1);
    const recorded = stack.app.recorded(id);
    expect(recorded.bodies).toBe('there');
    expect(recorded.views).toEqual(expect.arrayContaining(['received', 'sent', 'difference', 'assembled', 'events']));
    expect(await text(id, 'received')).toContain(needle);
    expect(await text(id, 'sent')).toContain(needle);
    expect(await text(id, 'assembled')).toContain(answered);
    expect(recorded.headers?.sent).toContainEqual({ name: 'authorization', value: null });
    expect(JSON.stringify(recorded)).not.toContain(stack.key);
  });

  it('words are found in what came in and in the answer as it is read, whatever their case', async () => {
    await stack.messages(prompt(`not recorded ${needle}`));
    stack.app.record(true);
    await stack.messages(prompt(`first ${needle}`));
    await stack.messages(prompt('second'));
    const [, first, second] = (await stack.rows(3)).map(({ id }) => id);
    expect(await stack.app.searchBodies(needle.toUpperCase())).toEqual([first]);
    // The simulator says it, in pieces.
    expect(await stack.app.searchBodies('no model is behind it')).toEqual([first, second]);
    expect(await stack.app.searchBodies('nobody said this')).toEqual([]);
  });

  it('of a refusal: Copilot’s words, and ours', async () => {
    stack.app.record(true);
    const body = { error: { message: `bad ${gho}`, code: 'model_not_supported' } };
    stack.simulator.script.next({ kind: 'answer', status: 400, body }, '/v1/messages');
    await stack.messages(prompt(needle));
    const { id } = await last(1);
    expect(JSON.parse(await text(id, 'events'))).toEqual({
      error: { message: 'bad [redacted]', code: 'model_not_supported' },
    });
    expect(await text(id, 'returned')).toContain('Jumpseat: ');
  });

  it('of what never went out: what came in, and our answer', async () => {
    stack.app.record(true);
    await stack.messages(prompt(needle, { model: 'no-such-model' }));
    const { id } = await last(1);
    expect(stack.app.recorded(id)).toMatchObject({
      bodies: 'there',
      views: ['received', 'assembled', 'returned'],
      headers: { sent: null, answered: null },
    });
  });

  it('of an answer that was cut: what came of it; the answer itself is not changed by who looks', async () => {
    const events = [{ event: 'message_start', data: { type: 'message_start', message: { usage: {} } } }];
    const block = { index: 0, content_block: { type: 'text', text: 'half a' }, type: 'content_block_start' };
    stack.app.record(true);
    stack.simulator.script.next(
      { kind: 'stream', events: [...events, { event: 'content_block_start', data: block }], end: 'destroy' },
      '/v1/messages',
    );
    const { text: returned } = await stack.messages(prompt(needle));
    expect(returned).toContain('half a');
    const { id, outcome } = await last(1);
    expect([outcome, await text(id, 'assembled')]).toEqual(['cut', '— text —\nhalf a\n']);
  });

  it('shows one that runs', async () => {
    stack.app.record(true);
    const rest = Promise.withResolvers<void>();
    stack.simulator.script.next({ kind: 'usual', before: (index) => (index > 4 ? rest.promise : undefined) });
    const running = openRequest(stack, prompt(needle));
    await running.seen('content_block_delta');
    const [row] = (await stack.app.exchanges({ limit: 1 })) ?? [];
    expect(row?.outcome).toBe('running');
    expect(await text(row?.id ?? '', 'sent')).toContain(needle);
    expect(await text(row?.id ?? '', 'events')).toContain('content_block_delta');
    rest.resolve();
    await running.text;
  });

  it('nothing that was said is on disk, in a log, an event or a row; off again after a restart', async () => {
    const received: AppEvent[] = [];
    stack.app.listen((event) => received.push(event));
    stack.app.record(true);
    const answer = await stack.messages(prompt(`${needle} ${gho}`, { tools: [], system: `${needle}-system` }));
    expect(answer.text).toContain(needle);
    await post('/v1/chat/completions', { model: 'gpt-4.1', messages: [{ role: 'user', content: needle }] });
    const { id } = await last(2);
    expect(await text(id, 'received')).toContain(needle);
    await stack.app.changePreferences({ bodies: { megabytes: 32, minutes: 60 } });
    const returned = [received, stack.log, await stack.app.exchanges({ limit: 10 }), stack.app.state()];
    expect(JSON.stringify(returned)).not.toContain(needle);

    const { home, simulator } = stack;
    await stack.app.close();
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['history.db', 'settings.json']));
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name));
      for (const secret of [needle, gho, stack.key]) expect([name, bytes.includes(secret)]).toEqual([name, false]);
    }

    const again = await startStack({ home });
    expect(again.app.state().recording).toEqual({ on: false, exchanges: 0, bytes: 0 });
    expect(again.app.recorded(id)).toEqual({ headers: null, bodies: 'none', views: [] });
    expect(again.app.preferences().bodies).toEqual({ megabytes: 32, minutes: 60 });
    await again.close();
    await simulator.close();
  });

  it('limits hold at once and are checked; deleting the history deletes them, too', async () => {
    stack.app.record(true);
    await stack.messages(prompt('x'.repeat(700_000)));
    await last(1);
    expect(stack.app.state().recording.exchanges).toBe(1);
    await expect(stack.app.changePreferences({ bodies: { megabytes: 65, minutes: null } })).rejects.toThrow(/bodies/);
    await stack.app.changePreferences({ bodies: { megabytes: 1, minutes: null } });
    expect(stack.app.state().recording).toEqual({ on: true, exchanges: 0, bytes: 0 });
    await stack.messages(prompt('hi'));
    await last(2);
    await stack.app.deleteHistory();
    expect(stack.app.state().recording).toEqual({ on: true, exchanges: 0, bytes: 0 });
  });
});

describe('what is measured of a request', () => {
  const claudeCode = { 'x-claude-code-prev-tool-durations': 'Bash=24;Read=3.5; nonsense;=1;x=y' };

  it('its steps in their order, its shape, and the tools before it; and the same in the history', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const body = prompt('hi', {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yes?' },
        { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
      ],
      tools: [{ name: 'Read', input_schema: { type: 'object' } }],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    });
    await stack.messages(body, claudeCode);
    await stack.messages(prompt('again'));
    const [first, second] = await stack.rows(2);
    if (first === undefined) throw new Error('There is no row.');
    const { times, attempts, shape } = first;
    const [attempt] = attempts;
    const steps = [0, times.read, times.sent, attempt?.at, times.headers, times.firstEvent, times.lastEvent];
    expect(steps.every((at) => typeof at === 'number')).toBe(true);
    expect([...steps].sort((left, right) => Number(left) - Number(right))).toEqual(steps);
    expect(attempt?.connect).toEqual(expect.any(Number));
    expect(second?.attempts[0]).toMatchObject({ token: 0, connect: 0 });
    expect(shape).toEqual({
      request: {
        bytes: JSON.stringify(body).length,
        messages: { user: 2, assistant: 1 },
        tools: 1,
        images: 1,
        thinking: 'adaptive, effort high',
        context: { parts: { tools: 13, user: 2, assistant: 1, images: 1330 }, room: body.max_tokens },
      },
      answer: {
        bytes: expect.any(Number),
        events: expect.any(Number),
        blocks: expect.arrayContaining([{ type: 'text', name: null }]),
        longestGap: expect.any(Number),
        pings: 0,
      },
      toolsBefore: [
        { name: 'Bash', took: 24 },
        { name: 'Read', took: 3.5 },
      ],
    });
    expect(await stack.app.exchange(first.id)).toEqual(first);
  });

  it.each([
    ['chat', '/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }], stream: true }, 'gpt-4.1'],
    ['responses', '/v1/responses', { input: [{ role: 'user', content: 'hi' }], stream: true }, 'gpt-5.4'],
  ])('of %s as well', async (_api, path, body, model) => {
    await post(path, { ...body, model });
    const { shape } = await last(1);
    expect(shape).toMatchObject({
      request: { messages: { user: 1 }, tools: 0, images: 0, thinking: null, context: { parts: { user: 1 } } },
      answer: { events: expect.any(Number), blocks: [{ name: null }] },
    });
  });

  it('leaves the room for the answer that was sent, not what was asked for', async () => {
    await stack.messages(prompt('hi', { model: 'claude-haiku-4.5', max_tokens: 900_000 }));
    const { shape, fits } = await last(1);
    const room = shape?.request?.context?.room;
    expect(fits).toContainEqual({ code: 'max-tokens-clamped', count: 1, text: `max_tokens 900000 → ${room}` });
  });

  it('what never went out has no time of going out', async () => {
    await stack.messages(prompt('hi', { model: 'no-such-model' }));
    const refused = await last(1);
    expect(refused.times).toMatchObject({ read: expect.any(Number), sent: null, headers: null, firstEvent: null });
    const limit = {
      kind: 'answer',
      status: 429,
      headers: { 'retry-after': '465000' },
      body: { error: { code: 'x' } },
    } as const;
    const heal = stack.simulator.script.always(limit, '/v1/messages');
    for (let turn = 0; turn < 3; turn++) await stack.messages(prompt('hi'));
    heal();
    const held = await last(4);
    expect([held.attempts, held.times.sent, held.times.headers]).toEqual([[], null, null]);
  });

  it('a wait for a turn has its time, and one that was none has none', async () => {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-turns-'));
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, openai: { atOnce: 1 } }));
    const clock = nodeClock();
    let ahead = 0;
    const one = await startStack({ home, ports: { clock: { ...clock, ticks: () => clock.ticks() + ahead } } });
    const rest = Promise.withResolvers<void>();
    one.simulator.script.next({ kind: 'usual', gate: rest.promise }, '/chat/completions');
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] });
    const sending = { method: 'POST', path: '/v1/chat/completions', body };
    const waits = new Promise<void>((resolve) => {
      one.app.listen((event) => {
        if (event.event === 'exchange' && one.app.state().health.running === 2) resolve();
      });
    });
    const answers = [one.send(sending), one.send(sending)];
    await waits;
    ahead = 4000;
    rest.resolve();
    await Promise.all(answers);
    const rows = await one.rows(2);
    const held = rows.map(({ times }) => times.held);
    expect(held[0]).toBeUndefined();
    expect((held[1]?.until ?? 0) - (held[1]?.from ?? 0)).toBeGreaterThanOrEqual(4000);
    await one.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('how far a running answer is, ten times a second at most, in tokens that are our estimate', async () => {
    const returned: { id: string; output: number }[][] = [];
    const waiting = Promise.withResolvers<void>();
    stack.app.listen((event) => {
      if (event.event !== 'progress') return;
      returned.push(event.running);
      waiting.resolve();
    });
    const rest = Promise.withResolvers<void>();
    stack.simulator.script.next({ kind: 'usual', before: (index) => (index > 6 ? rest.promise : undefined) });
    const running = openRequest(stack, prompt('count to 50'));
    await waiting.promise;
    const [row] = await stack.app.exchanges({ limit: 1 });
    expect(returned[0]).toMatchObject([
      { id: row?.id, client: 'test', output: expect.any(Number), nanoAiu: expect.any(Number) },
    ]);
    expect(returned[0]?.[0]?.output).toBeGreaterThan(0);
    // A window that opens now, with nothing more coming, asks for these.
    const asked = [...(await stack.app.exchanges({ limit: 1 })), await stack.app.exchange(row?.id ?? '')];
    expect(asked.map((found) => found?.outcome)).toEqual(['running', 'running']);
    for (const found of asked)
      expect(found?.tokens.output).toBeGreaterThanOrEqual(returned[0]?.[0]?.output ?? Infinity);
    rest.resolve();
    await running.text;
    const done = await last(1);
    expect(done.tokens.output).toEqual(expect.any(Number));
    // Hundreds of pieces, and no more than their time allows.
    expect(returned.length).toBeLessThanOrEqual(2 + (done.times.lastEvent ?? 0) / 100);
  });
});
