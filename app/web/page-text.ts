/** What a page is written in, as far as its server and its first bytes say. */
interface PageType {
  kind: 'html' | 'text';
  charset: string | null;
}

/** Null if it is no text, or its type is not given. */
export function pageTypeOf(contentType: string | undefined): PageType | null {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = /^\s*charset\s*=\s*"?([^\s"]+)/.exec(parameters.find((each) => each.includes('charset')) ?? '')?.[1];
  const said = { charset: charset ?? null };
  const media = type.trim();
  if (media === 'text/html' || media === 'application/xhtml+xml') return { kind: 'html', ...said };
  return texts.test(media) ? { kind: 'text', ...said } : null;
}

const texts = /^(?:text\/(?:plain|markdown|xml|csv)|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/yaml)$/;

/**
 * The text of a page. What the first bytes say (a byte order mark) counts more than the server, the server more than
 * the page itself. An unknown charset is taken for UTF-8, and bytes that mean nothing become U+FFFD.
 */
export function decodePage(bytes: Buffer, { kind, charset }: PageType): string {
  return decoderFor(markOf(bytes) ?? charset ?? declaredIn(bytes, kind) ?? 'utf-8').decode(bytes);
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null;
}

/** HTML says it within its first 1024 bytes. What says so in one byte a letter is not UTF-16. */
function declaredIn(bytes: Buffer, kind: PageType['kind']): string | null {
  const start = bytes.toString('latin1', 0, 1024);
  const said = kind === 'html' ? /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)/i : /^<\?xml[^>]*encoding=["']([\w-]+)/;
  const charset = said.exec(start)?.[1] ?? null;
  return charset?.toLowerCase().startsWith('utf-16') ? 'utf-8' : charset;
}
