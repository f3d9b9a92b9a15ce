import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Stack, startStack } from '../stack.ts';

/** Requests of one client at once, over real connections: 8 run, 32 wait, no more. */

let stack: Stack;
/** Copilot answers nothing before it is opened. */
let gate: PromiseWithResolvers<void>;
beforeEach(async () => {
  stack = await startStack();
  await stack.send({ path: '/v1/models' });
  gate = Promise.withResolvers();
  stack.simulator.script.always({ kind: 'usual', gate: gate.promise }, '/chat/completions');
});
afterEach(async () => {
  gate.resolve();
  await stack.close();
});

const path = '/v1/chat/completions';
const body = (text: string): string =>
  JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: text }] });
const chat = (label: string, text: string): Promise<Answer> =>
  stack.send({ method: 'POST', path, headers: { authorization: `Bearer ${stack.key}.${label}` }, body: body(text) });
/** What has come to Copilot, by its words. */
const arrived = (): string[] =>
  stack.simulator.requests
    .filter((each) => each.path === '/chat/completions')
    .map((each) => Object(each.body).messages[0].content);
const running = async (): Promise<number> =>
  (await stack.app.exchanges({ limit: 200 })).filter(({ outcome }) => outcome === 'running').length;

/** One that hangs up when it is told to. */
function leaver(text: string): ClientRequest {
  const outgoing = request(new URL(path, stack.baseUrl), {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${stack.key}.test` },
  });
  outgoing.on('error', () => {});
  outgoing.end(body(text));
  return outgoing;
}

describe('requests of one client at once', () => {
  it('8 run, 32 wait, the 41st is refused, none is lost; another label has its own turns', async () => {
    const all = Array.from({ length: 41 }, (_, at) => chat('test', `ask ${at}`));
    const first = await Promise.race(all);
    expect([first.status, first.headers['retry-after'], first.json()]).toMatchObject([
      429,
      '5',
      { error: { type: 'rate_limit_error', code: 'too_many_at_once', param: null } },
    ]);
    await expect.poll(() => arrived().length).toBe(8);
    const other = chat('other', 'of another');
    await expect.poll(() => arrived().length).toBe(9);
    gate.resolve();
    const answers = await Promise.all(all);
    const answered = answers.flatMap((answer, at) => (answer.status === 200 ? [`ask ${at}`] : []));
    expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
    // Each once, and each its own answer.
    expect(arrived().toSorted()).toEqual([...answered, 'of another'].toSorted());
    for (const [at, { status, text }] of answers.entries()) if (status === 200) expect(text).toContain(`ask ${at}`);
    expect((await other).status).toBe(200);
    expect((await stack.rows(42)).map(({ outcome }) => outcome).filter((outcome) => outcome === 'done')).toHaveLength(
      41,
    );
  });

  it('who hangs up while waiting gives the place to another, and never reaches Copilot', async () => {
    const ahead = Array.from({ length: 8 }, (_, at) => chat('test', `ahead ${at}`));
    await expect.poll(() => arrived().length).toBe(8);
    const leaving = Array.from({ length: 20 }, (_, at) => leaver(`leaves ${at}`));
    const staying = Array.from({ length: 12 }, (_, at) => chat('test', `stays ${at}`));
    await expect.poll(running).toBe(40);
    expect((await chat('test', 'one too many')).status).toBe(429);

    for (const each of leaving) each.destroy();
    await expect.poll(running).toBe(20);
    const late = Array.from({ length: 20 }, (_, at) => chat('test', `late ${at}`));
    await expect.poll(running).toBe(40);
    expect((await chat('test', 'one too many')).status).toBe(429);

    gate.resolve();
    const answers = await Promise.all([...ahead, ...staying, ...late]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(arrived().filter((text) => text.startsWith('leaves'))).toEqual([]);
    expect(arrived()).toHaveLength(40);
    const rows = await stack.rows(62);
    const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
    expect([count('done'), count('cancelled'), count('failed')]).toEqual([40, 20, 2]);
    // All turns are free again.
    const again = await Promise.all(Array.from({ length: 40 }, (_, at) => chat('test', `again ${at}`)));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('who hangs up while running frees the turn at once', async () => {
    const leaving = Array.from({ length: 8 }, (_, at) => leaver(`leaves ${at}`));
    await expect.poll(() => arrived().length).toBe(8);
    const next = chat('test', 'next');
    await expect.poll(running).toBe(9);
    for (const each of leaving) each.destroy();
    await expect.poll(() => arrived().length).toBe(9);
    gate.resolve();
    expect((await next).status).toBe(200);
  });

  it('who waits goes as soon as more of them may run', async () => {
    const all = Array.from({ length: 12 }, (_, at) => chat('test', `ask ${at}`));
    await expect.poll(() => arrived().length).toBe(8);
    const path = join(stack.home, 'settings.json');
    const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    writeFileSync(path, JSON.stringify({ ...before, openai: { atOnce: 11 } }));
    await expect.poll(() => arrived().length).toBe(11);
    gate.resolve();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  });
});
