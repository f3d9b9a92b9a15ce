import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../../app/api/events.ts';
import type { SessionEvent } from '../../../app/api/sessions.ts';
import { EventStream } from '../../../app/server/dashboard-routes.ts';
import { soon } from '../../soon.ts';
import { exampleExchange } from '../history/example.ts';

/** A window that listens, and stops reading when it is told to. */

let server: Server;
let response: ServerResponse;
let stream: EventStream;
let window: IncomingMessage;
let text: string;
beforeEach(async () => {
  text = '';
  const asked = new Promise<ServerResponse>((resolve) => {
    server = createServer((_, answer) => resolve(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1' });
  sent.on('error', () => undefined);
  sent.end();
  response = await asked;
  stream = new EventStream(response);
  send('first', 0);
  [window] = (await once(sent, 'response')) as [IncomingMessage];
  window.on('error', () => undefined);
  window.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const long = 'x'.repeat(20_000);

function send(id: string, status: number, change: { outcome?: 'running' | 'done' } = {}): void {
  stream.send({ event: 'exchange', exchange: exampleExchange({ id, status, stopReason: long, ...change }) });
}

/** Until the window is known not to read. */
function fill(): number {
  let count = 0;
  for (; !response.writableNeedDrain; count += 1) send(`full-${count}`, 200);
  return count;
}

const received = (): AppEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => JSON.parse(event.replace(/^data: /, '')));
const said = (): string[] =>
  received().map((event) =>
    event.event === 'exchange' ? `${event.exchange.id} ${event.exchange.status}` : event.event,
  );

describe('a window that does not read', () => {
  it('gets the newest of each exchange when it reads again, each once, in the order of their last news', async () => {
    window.pause();
    const full = fill();
    for (let round = 1; round <= 50; round += 1) for (const id of ['a', 'b', 'c']) send(id, round);
    const far = { id: 'a', client: 'test', session: null, output: 5, nanoAiu: null };
    stream.send({ event: 'progress', running: [far] });
    send('b', 51);
    window.resume();
    await soon(() => expect(said().at(-1)).toBe('b 51'));
    expect(said().slice(full + 1)).toEqual(['a 50', 'c 50', 'b 51']);
    expect(said()).toHaveLength(full + 4);
    // And it goes on as before.
    stream.send({ event: 'progress', running: [] });
    await soon(() => expect(said().at(-1)).toBe('progress'));
  });

  it('hears of no request that was deleted meanwhile, but of those that run', async () => {
    window.pause();
    const full = fill();
    send('ended', 200, { outcome: 'done' });
    send('runs', 200, { outcome: 'running' });
    stream.send({ event: 'history-deleted' });
    send('later', 200);
    window.resume();
    await soon(() => expect(said().at(-1)).toBe('later 200'));
    expect(said().slice(full + 1)).toEqual(['runs 200', 'history-deleted', 'later 200']);
  });

  it('gets every event of a session, and no more than the newest state of one', async () => {
    window.pause();
    const full = fill();
    const entry = (seq: number): SessionEvent => ({
      ...{ seq, sessionId: 's', turnId: null, at: 0, kind: 'note', event: {}, cuts: null },
    });
    for (const seq of [1, 2, 3]) {
      stream.send({ event: 'session-event', entry: entry(seq) });
      stream.send({ event: 'session-gone', id: 's' });
      stream.send({ event: 'session-gone', id: 'other' });
      // Of the list, and not of those that are held.
      stream.send({ event: 'session-unlisted', id: 's' });
    }
    window.resume();
    await soon(() => expect(received().at(-1)).toEqual({ event: 'session-unlisted', id: 's' }));
    expect(received().slice(full + 1)).toEqual([
      ...[1, 2, 3].map((seq) => ({ event: 'session-event', entry: entry(seq) })),
      { event: 'session-gone', id: 's' },
      { event: 'session-gone', id: 'other' },
      { event: 'session-unlisted', id: 's' },
    ]);
  });

  it('is cut off before what waits for it has no end', async () => {
    window.pause();
    fill();
    for (let count = 0; count < 2_001; count += 1) send(`more-${count}`, 200);
    await soon(() => expect(response.destroyed).toBe(true));
    send('after', 200);
    window.resume();
    await soon(() => expect(window.destroyed).toBe(true));
    expect(said()).not.toContain('after 200');
  });
});
