import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prompt, type Stack, startStack } from '../stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

/** A request as bytes, for a connection of the test's own. */
function bytesOf(text: string): string {
  const body = JSON.stringify(prompt(text));
  const head = [
    'POST /v1/messages HTTP/1.1',
    `Host: ${new URL(stack.baseUrl).host}`,
    `Authorization: Bearer ${stack.key}.test`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const dial = () => connect(Number(new URL(stack.baseUrl).port), '127.0.0.1').on('error', () => {});
const never = new Promise(() => {});

describe('a connection with several requests', () => {
  it('that closes takes the ones behind the first along: their upstreams are let go', async () => {
    const { script } = stack.simulator;
    const taken = [0, 1, 2].map(() => script.next({ kind: 'usual', gate: never }).taken);
    const socket = dial();
    socket.write(['one', 'two', 'three'].map(bytesOf).join(''));
    await Promise.all(taken);
    socket.destroy();
    const rows = await stack.rows(3);
    expect(rows.map(({ outcome, failure }) => [outcome, failure?.code])).toEqual(
      rows.map(() => ['cancelled', 'client-left']),
    );
    await Promise.all([script.aborted(), script.aborted(), script.aborted()]);
  });

  it('gets its answers in order', async () => {
    const socket = dial().setEncoding('utf8');
    let text = '';
    const done = new Promise<void>((resolve) => {
      socket.on('data', (more: string) => {
        text += more;
        if (text.split('event: message_stop').length === 3) resolve();
      });
    });
    socket.write(bytesOf('say one') + bytesOf('say two'));
    await done;
    socket.destroy();
    expect((await stack.rows(2)).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

it('a client that says no more but listens on is taken for one that left, and breaks nothing', async () => {
  const socket = dial();
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve()).resume();
    socket.end(bytesOf('hi'));
  });
  expect(await stack.rows(1)).toMatchObject([{ outcome: 'cancelled' }]);
  expect((await stack.messages(prompt('hi'))).status).toBe(200);
});

it('A path with an escape that means nothing is a mistake of who asked: 400', async () => {
  const answer = await stack.send({ path: '/v1/models/%E0%A4%A' });
  expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
  expect(stack.log.filter(({ level }) => level === 'error')).toEqual([]);
});

describe('when the proxy stops', () => {
  it('every answer that it breaks off has its row when that is done', async () => {
    const { script } = stack.simulator;
    const taken = Array.from({ length: 5 }, () => script.next({ kind: 'usual', gate: never }).taken);
    const sockets = taken.map((_, index) => {
      const socket = dial();
      socket.write(bytesOf(`number ${index}`));
      return socket;
    });
    await Promise.all(taken);
    await stack.app.stopProxy({ graceMs: 0 });
    expect(stack.app.state().health.running).toBe(0);
    const kept = await stack.app.exchanges({ limit: 10 });
    expect(kept.map(({ outcome }) => outcome)).toEqual(taken.map(() => 'failed'));
    for (const socket of sockets) socket.destroy();
  });
});
