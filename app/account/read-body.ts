import type { IncomingMessage } from 'node:http';

export type ReadBody =
  | { kind: 'whole'; text: string }
  /** More came than was allowed; the connection was closed. */
  | { kind: 'too-large'; text: string }
  /** The answer broke off, or took too long; `text` is what had come until then. */
  | { kind: 'cut'; text: string; error: unknown };

/** Reads an answer to its end, `limitBytes` and `deadlineMs` at most. Never rejects. */
export function readBody(response: IncomingMessage, limitBytes: number, deadlineMs: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const text = () => Buffer.concat(chunks).toString('utf8');
    const settle = (end: ReadBody) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      resolve(end);
    };
    const timer = setTimeout(() => {
      settle({ kind: 'cut', text: text(), error: new Error('the answer took too long') });
      response.destroy();
    }, deadlineMs);
    response.on('data', (chunk: Buffer) => {
      if (settled) return;
      if (size + chunk.length > limitBytes) {
        chunks.push(chunk.subarray(0, limitBytes - size));
        settle({ kind: 'too-large', text: text() });
        response.destroy();
        return;
      }
      size += chunk.length;
      chunks.push(chunk);
    });
    response.on('end', () => settle({ kind: 'whole', text: text() }));
    response.on('error', (error) => settle({ kind: 'cut', text: text(), error }));
    response.on('close', () => settle({ kind: 'cut', text: text(), error: new Error('the connection was closed') }));
  });
}
