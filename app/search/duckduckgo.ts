import type { SearchFailure, SearchQuery, SearchResult } from '../api/search.ts';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { hostsOf, withSites } from './domains.ts';
import {
  askEngine,
  type Engine,
  type Found,
  pageOf,
  refusalOf,
  type SearchContext,
  searchFailure,
  unknownCost,
} from './engine.ts';

const limit = { characters: 500, words: null, withDomains: true } as const;

/**
 * DuckDuckGo has no search API: what is read is its page for browsers without scripts, which may change any day. HTTP
 * 202 is its challenge to programs.
 */
export class DuckDuckGoEngine implements Engine {
  readonly name = 'duckduckgo';
  readonly limit = limit;
  readonly #dialer: Dialer;
  readonly #base: URL;

  constructor(dialer: Dialer, base: URL) {
    this.#dialer = dialer;
    this.#base = base;
  }

  async search(query: SearchQuery, { signal }: SearchContext): Promise<Found | SearchFailure> {
    const asked = new URLSearchParams({
      q: withSites(query.query, hostsOf(query.allowed), hostsOf(query.blocked), limit),
    });
    const answer = await askEngine(this.#dialer, 'DuckDuckGo', {
      url: addressUnder(this.#base, `/html/?${asked}`),
      method: 'GET',
      headers: { Accept: 'text/html' },
      signal,
    });
    if (answer.kind === 'failed') return answer;
    if (answer.status === 202)
      return searchFailure(
        'too_many_requests',
        t('DuckDuckGo asks for a CAPTCHA, so it can’t be used now.'),
        t('Wait some hours, or use another engine: this one is meant for browsers.'),
      );
    const refused = refusalOf('DuckDuckGo', answer);
    if (refused !== null) return refused;
    const results = resultsIn(answer.text);
    if (results.length === 0 && !/class="[^"]*\bno-results\b/.test(answer.text))
      return searchFailure(
        'unavailable',
        t('The page of DuckDuckGo has no results that Jumpseat can read.'),
        t('Use another engine: this one has no API.'),
      );
    return { kind: 'found', results, summary: null, cost: unknownCost, notes: [] };
  }
}

/** Up to the next tag, so that a page costs its length and no more. */
const tag = /<(?:a|div|td)\b([^<>]*)>/g;
const mostResults = 100;
const longestTitle = 2_000;
const longestSnippet = 5_000;

/** A result begins with its link; the next snippet is its own. */
function resultsIn(html: string): SearchResult[] {
  const found: { href: string; title: string; text: string | null }[] = [];
  for (const { 0: whole, 1: attributes = '', index } of html.matchAll(tag)) {
    const classes = /\bclass="([^"]*)"/.exec(attributes)?.[1]?.split(/\s+/) ?? [];
    const begin = index + whole.length;
    const last = found.at(-1);
    if (classes.includes('result__a')) {
      if (found.length === mostResults) break;
      const title = textUntil(/<\/a>/, html.slice(begin, begin + longestTitle));
      const href = /\bhref="([^"]{1,4000})"/.exec(attributes)?.[1] ?? '';
      if (title !== null) found.push({ href, title, text: null });
    } else if (classes.includes('result__snippet') && last?.text === null) {
      last.text = textUntil(/<\/(?:a|div|td)>/, html.slice(begin, begin + longestSnippet));
    }
  }
  return found.flatMap(({ href, title, text }) => {
    const url = targetOf(plainText(href));
    return url === null || isAdvertisement(url) ? [] : pageOf(url, title, { text: text ?? '' });
  });
}

/** Null if it doesn't end there. */
function textUntil(end: RegExp, html: string): string | null {
  const length = html.search(end);
  return length === -1 ? null : plainText(html.slice(0, length));
}

/** Links lead by way of `//duckduckgo.com/l/?uddg=ADDRESS`. */
function targetOf(href: string): string | null {
  const whole = href.startsWith('//') ? `https:${href}` : href;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  return url.hostname === 'duckduckgo.com' && url.pathname === '/l/' ? url.searchParams.get('uddg') : url.href;
}

function isAdvertisement(url: string): boolean {
  return url.startsWith('https://duckduckgo.com/y.js');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function plainText(html: string): string {
  return html
    .replace(/<[^<>]{0,1000}>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
