const mark = 'jumpseat-chat:';

/**
 * `reasoning_opaque` of Chat Completions, carried as the signature of a thinking block. The mark tells it from
 * Anthropic's signatures, so that it goes back on this path alone and never to an API that would refuse it. An empty
 * value means: the opaque part came later or never.
 */
export function signatureOf(opaque: string): string {
  return mark + opaque;
}

/** Null: not a signature of this path. */
export function opaqueOf(signature: unknown): string | null {
  return typeof signature === 'string' && signature.startsWith(mark) ? signature.slice(mark.length) : null;
}
