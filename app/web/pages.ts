import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import pLimit from 'p-limit';
import { t } from '../language/translate.ts';
import { type Clock, type Dialer, NetworkError } from '../ports.ts';
import type { Launcher } from '../processes/launch.ts';
import { cutAt, shortened } from '../words/text.ts';
import { dialPage, PageError, pageAddress } from './guarded-dial.ts';
import type { ReadablePage } from './readable.ts';

export interface Page {
  kind: 'page';
  /** Where the redirects ended. */
  url: string;
  title: string | null;
  /** Markdown where the page is HTML. Text of others: no order in it is followed. */
  text: string;
  /** Offset in the whole text, in characters. */
  from: number;
  length: number;
  notes: string[];
}

export type PageOutcome = Page | { kind: 'failed'; reason: string; remedy: string; isRefused: boolean };

interface PagesDependencies {
  dialer: Dialer;
  clock: Clock;
  version: string;
  /** Starts the processes that read pages. */
  launcher: Launcher;
}

/** Limit from the first look at the address to the text. */
export const pageWithinMs = 30_000;
const mostRedirects = 5;
/** Characters of one answer: about a half of what Claude Code takes from a tool. */
export const mostText = 40_000;
/** Pages read at the same time: each may take some hundred MiB. */
const atOnce = 2;
const longestTitle = 300;

/**
 * Reads pages of the web for clients: as text, bounded in every direction, and from nowhere but the open internet. No
 * cookie and no key goes along.
 */
export class Pages {
  readonly #dependencies: PagesDependencies;
  readonly #turn = pLimit(atOnce);

  constructor(dependencies: PagesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ends within 30 s once its turn came. Rejects with the signal's reason alone.
   * @param from the first character of the text that is wanted
   */
  read(address: string, from: number, signal: AbortSignal): Promise<PageOutcome> {
    return this.#turn(() => this.#within(address, from, signal));
  }

  async #within(address: string, from: number, left: AbortSignal): Promise<PageOutcome> {
    left.throwIfAborted();
    const late = new AbortController();
    const over = new AbortController();
    this.#dependencies.clock.sleep(pageWithinMs, over.signal).then(
      () => late.abort(new PageError(t('The page took longer than 30 seconds.'), t('Try again, or another page.'))),
      () => undefined,
    );
    const signal = AbortSignal.any([left, late.signal]);
    try {
      return await this.#read(pageAddress(address), from, signal);
    } catch (thrown) {
      left.throwIfAborted();
      return failureOf(late.signal.aborted ? late.signal.reason : thrown);
    } finally {
      over.abort();
    }
  }

  async #read(address: URL, from: number, signal: AbortSignal): Promise<Page> {
    const { url, response } = await this.#open(address, signal);
    const type = pageTypeOf(response.headers['content-type']);
    if (type === null) {
      response.destroy();
      throw new PageError(t('The page is no text.'), t('Only HTML, plain text, JSON and XML are read.'));
    }
    const { bytes, cut } = await readPageBody(response);
    const source = decodePage(bytes, type);
    const readable =
      type.kind === 'text'
        ? { title: null, markdown: source }
        : await makeReadable(source, url.href, signal, this.#dependencies.launcher);
    if (readable === null) throw new PageError(t('The page could not be made readable.'), t('Try another page.'));
    const { length } = readable.markdown;
    const begin = cutAt(readable.markdown, from);
    const text = readable.markdown.slice(begin, cutAt(readable.markdown, begin + mostText));
    const rest = length - begin - text.length;
    return {
      kind: 'page',
      url: url.href,
      title: readable.title === null ? null : shortened(readable.title, longestTitle),
      text,
      from: begin,
      length,
      notes: [
        ...(cut ? [t('The page is longer than 5 MiB; what comes after was not read.')] : []),
        ...(from > 0 && rest <= 0 && text === ''
          ? [t('The page ends after {length} characters, before start {from}.', { length, from })]
          : []),
        ...(rest > 0
          ? [t('There are {rest} characters more: ask again with start {start}.', { rest, start: begin + text.length })]
          : []),
      ],
    };
  }

  /** Each address on the way is looked at anew. */
  async #open(first: URL, signal: AbortSignal): Promise<{ url: URL; response: IncomingMessage }> {
    const headers = {
      Accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, application/json;q=0.9, application/xml;q=0.8',
      'Accept-Encoding': 'gzip, deflate, br',
      'User-Agent': `Jumpseat/${this.#dependencies.version} (web_fetch, for one person)`,
    };
    let url = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const { response } = await dialPage(this.#dependencies.dialer, url, headers, signal);
      const { statusCode = 0 } = response;
      if (statusCode === 200) return { url, response };
      const { location } = response.headers;
      response.destroy();
      if (location === undefined || ![301, 302, 303, 307, 308].includes(statusCode))
        throw new PageError(t('The server answered {statusCode}.', { statusCode }), t('Try another page.'));
      url = pageAddress(location, url);
    }
    throw new PageError(
      t('The page redirects more than {mostRedirects} times.', { mostRedirects }),
      t('Use the address where the redirects end.'),
    );
  }
}

function failureOf(error: unknown): PageOutcome {
  if (error instanceof PageError) {
    const { message: reason, remedy, isRefused } = error;
    return { kind: 'failed', reason, remedy, isRefused };
  }
  return {
    kind: 'failed',
    reason:
      error instanceof NetworkError
        ? t('The page could not be loaded: {why}.', { why: error.message })
        : t('The page could not be loaded.'),
    remedy: t('Try again, or another page.'),
    isRefused: false,
  };
}

/** What is read of a page at most, in bytes, unpacked. */
const mostBytes = 5 * 1024 * 1024;

/** The body, up to `mostBytes`; what comes after is not read. The answer is closed either way. */
async function readPageBody(response: IncomingMessage): Promise<{ bytes: Buffer; cut: boolean }> {
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
    throw new PageError(t('The page is packed in a way that is not known here.'), t('Try another.'));
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

/** The process's file: beside this one in the sources, in `dist/processes/` in a build. */
const file = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './readable-process.ts' : '../processes/page-reader.js', import.meta.url),
);
/** Largest readable page. Making addresses absolute may make it longer than its source. */
const mostPrinted = 32 * 1024 * 1024;

/**
 * Makes a page readable in a process of its own: a page may keep a parser busy for minutes, or take all memory, and V8
 * then ends the whole process. Null: it could not be read, or not within its bounds. Rejects with the signal's reason.
 */
export function makeReadable(
  html: string,
  address: string,
  signal: AbortSignal,
  launcher: Launcher,
): Promise<ReadablePage | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Windows starts no program without it.
    const { SystemRoot } = process.env;
    const reader = launcher({ file, env: SystemRoot === undefined ? {} : { SystemRoot } });
    const stop = (): void => {
      reader.kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop);
    const printed: Buffer[] = [];
    let size = 0;
    reader.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostPrinted) reader.kill();
      else printed.push(chunk);
    });
    reader.stderr.resume();
    reader.stdin.end(JSON.stringify({ html, address }));
    void reader.exited.then(({ code }) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0 ? readPrinted(printed) : null);
    });
  });
}

function readPrinted(chunks: readonly Buffer[]): ReadablePage | null {
  try {
    const { title, markdown } = Object(JSON.parse(Buffer.concat(chunks).toString()));
    return typeof markdown === 'string' ? { title: typeof title === 'string' ? title : null, markdown } : null;
  } catch {
    return null;
  }
}

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
