import { randomBytes } from 'node:crypto';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** `msg_bdrk_01…`, `toolu_bdrk_01…`: a prefix and 24 characters without look-alikes. */
export function modelId(prefix: string): string {
  return `${prefix}01${randomLetters(22)}`;
}

/** `call_…`, `chatcmpl-…`. */
export function plainId(prefix: string, length = 24): string {
  return prefix + randomLetters(length);
}

function randomLetters(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte % alphabet.length];
  return text;
}
