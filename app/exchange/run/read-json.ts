import { isUtf8 } from 'node:buffer';
import { parseRequestJson } from '../../formats/wire/exact-json.ts';
import { RepeatedKey } from '../../formats/wire/repeated-key.ts';
import { refuse } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';

/** The body of a request as JSON. Throws `Stopped` where it is none. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) throw wrong('Jumpseat: the request has no body. Send one JSON object.');
  // Decoding would put other characters in the place of bytes that are none.
  if (!isUtf8(body)) throw wrong('Jumpseat: the body isn’t valid UTF-8. Send one JSON object in UTF-8.');
  try {
    return parseRequestJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    if (error instanceof RepeatedKey) throw wrong(repeatedKeyText(error.key));
    throw wrong('Jumpseat: the body isn’t valid JSON. Send one JSON object.');
  }
}

function wrong(message: string): Stopped {
  return new Stopped(refuse(400, 'invalid_request_error', 'invalid_body', message));
}

/** Names the key where it is one of the kind that formats have; anything else might say something. */
function repeatedKeyText(key: string | null): string {
  const named = key !== null && /^[\w.$-]{1,64}$/.test(key) ? `the key “${key}”` : 'a key';
  return `Jumpseat: the body has ${named} twice in one object, so that nobody knows which value counts. Send it once.`;
}
