const mark = 'jumpseat-responses:';

/**
 * `encrypted_content` of a reasoning item, carried as the signature of a thinking block. The mark tells it from
 * Anthropic's signatures, so that it goes back on this path alone; and only to the model that wrote it, since no other
 * can read it.
 */
export function signatureOf(encrypted: string, model: string): string {
  return `${mark}${model}:${encrypted}`;
}

/** Null: not a signature of this path and model. Empty: there was nothing encrypted. */
export function encryptedOf(signature: unknown, model: string): string | null {
  const start = `${mark}${model}:`;
  return typeof signature === 'string' && signature.startsWith(start) ? signature.slice(start.length) : null;
}
