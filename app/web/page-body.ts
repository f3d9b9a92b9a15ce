import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PageError } from './page-error.ts';

/** What is read of a page at most, in bytes, unpacked. */
export const mostBytes = 5 * 1024 * 1024;

/** The body, up to `mostBytes`; what comes after is not read. The answer is closed either way. */
export async function readPageBody(response: IncomingMessage): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked(response)) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    // Leaving the loop closes the stream, and with it the connection.
    if (size > mostBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, mostBytes), cut: size > mostBytes };
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const unpack = unpackers[encoding];
  if (unpack === undefined) {
    response.destroy();
    throw new PageError('The page is packed in a way that is not known here.', 'Try another.');
  }
  // What goes wrong on the way is thrown where its end is read.
  return pipeline(response, unpack(), () => undefined);
}

const unpackers: Readonly<Record<string, (() => ReturnType<typeof createGunzip>) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
