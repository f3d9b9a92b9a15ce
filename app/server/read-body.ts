import type { IncomingMessage } from 'node:http';
import { largestBody } from './door.ts';

/** `left`: the client broke off while it was sending. */
export type ReadBody = { ok: true; body: Buffer } | { ok: false; why: 'too-large' | 'left' };

/** Reads a body as it is, chunked or not. Stops at the limit: nothing larger is ever held. */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: ReadBody): void => {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= largestBody) {
        chunks.push(chunk);
        return;
      }
      settle({ ok: false, why: 'too-large' });
    };
    const onEnd = (): void => {
      const [only] = chunks;
      settle({ ok: true, body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size) });
    };
    const onClose = (): void => settle({ ok: false, why: 'left' });
    request.on('error', () => {});
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
  });
}
