import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerTarget, relay, UnreadableAnswer } from '../../../app/exchange/client-stream.ts';
import { type AnswerReader, noFacts } from '../../../app/formats/answer/answer.ts';
import { cutFailure } from '../../../app/formats/answer/stream-error.ts';

/** A reader that passes bytes on and does what a test wants at its two calls. */
function reader(push: (chunk: Buffer) => Buffer | null, end: () => Buffer | null): AnswerReader {
  return { facts: noFacts(), push, end };
}

class Taken implements AnswerTarget {
  text = '';
  write(bytes: Buffer): boolean {
    this.text += bytes.toString();
    return true;
  }
  drained(then: () => void): void {
    then();
  }
}

describe('an upstream answer', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    server = createServer((_request, response) => {
      response.write('hello');
      server.once('cut', () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject));
  const closed = (upstream: IncomingMessage): Promise<void> =>
    upstream.closed ? Promise.resolve() : new Promise((resolve) => upstream.once('close', resolve));
  const broken = (): never => {
    throw new RangeError('a fault');
  };

  it('a fault of the reader ends this answer and lets go of the upstream, not of the process', async () => {
    const upstream = await open();
    const running = relay(upstream, reader(broken, broken), new Taken(), () => {});
    await expect(running).rejects.toThrow(new UnreadableAnswer(new RangeError('a fault')));
    await closed(upstream);
  });

  it('a fault at the end of it, too', async () => {
    const upstream = await open();
    const running = relay(
      upstream,
      reader((chunk) => chunk, broken),
      new Taken(),
      () => server.emit('cut'),
    );
    await expect(running).rejects.toThrow(UnreadableAnswer);
  });

  it('a fault of who is told', async () => {
    const upstream = await open();
    const running = relay(
      upstream,
      reader((chunk) => chunk, broken),
      new Taken(),
      broken,
    );
    await expect(running).rejects.toThrow('a fault');
    await closed(upstream);
  });

  it('that closed before it was read ends as a cut', async () => {
    const upstream = await open();
    upstream.on('error', () => {});
    server.emit('cut');
    await new Promise((resolve) => upstream.once('aborted', resolve));
    upstream.destroy();
    await closed(upstream);
    const reading = reader(
      (chunk) => chunk,
      () => {
        reading.facts.failure = cutFailure();
        return null;
      },
    );
    await expect(relay(upstream, reading, new Taken(), () => {})).resolves.toEqual({ cause: null });
    expect(reading.facts.failure?.kind).toBe('cut');
  });
});
