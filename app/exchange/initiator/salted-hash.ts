import { hash } from 'node:crypto';

const blockBytes = 64;

/** The two pads of a salt. Made once: the salt is the same for every request. */
const pads = new WeakMap<Buffer, readonly [inner: Buffer, outer: Buffer]>();

/**
 * HMAC-SHA256 (RFC 2104) in hex, by Node's plain hash: its own HMAC is a stream, and costs three times as much where it
 * is asked for once or twice a request. The salt is no longer than a block.
 */
export function saltedHash(salt: Buffer, text: string): string {
  const [inner, outer] = padsOf(salt);
  const within = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
  return hash('sha256', Buffer.concat([outer, within]), 'hex');
}

function padsOf(salt: Buffer): readonly [Buffer, Buffer] {
  let made = pads.get(salt);
  if (made === undefined) {
    made = [pad(salt, 0x36), pad(salt, 0x5c)];
    pads.set(salt, made);
  }
  return made;
}

function pad(salt: Buffer, filling: number): Buffer {
  if (salt.length > blockBytes) throw new RangeError('The salt is longer than a block of the hash.');
  const padded = Buffer.alloc(blockBytes, filling);
  for (const [index, byte] of salt.entries()) padded[index] = byte ^ filling;
  return padded;
}
