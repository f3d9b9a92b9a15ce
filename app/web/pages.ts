import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import pLimit from 'p-limit';
import { t } from '../language/translate.ts';
import { type Clock, type Dialer, NetworkError } from '../ports.ts';
import type { Launcher } from '../processes/launch.ts';
import { cutAt, shortened } from '../words/text.ts';
import { dialPage, PageError, pageAddress } from './guarded-dial.ts';
import { makeReadable } from './make-readable.ts';
import { decodePage, pageTypeOf } from './page-text.ts';

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
