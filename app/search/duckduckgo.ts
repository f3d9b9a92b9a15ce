import type { SearchFailure, SearchQuery, SearchResult } from '../api/search.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { askEngine } from './ask-engine.ts';
import { hostsOf } from './domains.ts';
import { type Engine, type Found, type SearchContext, unknownCost } from './engine.ts';
import { searchFailure } from './failure.ts';
import { pageOf } from './read-fields.ts';
import { refusalOf } from './refusal.ts';
import { withSites } from './sites.ts';

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
        'DuckDuckGo takes us for a robot and asks for proof of a person.',
        'Wait some hours, or use another engine: this one is meant for browsers.',
      );
    const refused = refusalOf('DuckDuckGo', answer);
    if (refused !== null) return refused;
    const results = resultsIn(answer.text);
    if (results.length === 0 && !/class="[^"]*\bno-results\b/.test(answer.text))
      return searchFailure(
        'unavailable',
        'The page of DuckDuckGo has no results that Jumpseat can read.',
        'Use another engine: this one has no API.',
      );
    return { kind: 'found', results, summary: null, cost: unknownCost, notes: [] };
  }
}

const link = /<a\b[^>]*\bclass="[^"]*\bresult__a\b[^"]*"[^>]*>([\s\S]{0,2000}?)<\/a>/g;
const snippet = /class="[^"]*\bresult__snippet\b[^"]*"[^>]*>([\s\S]{0,5000}?)<\/(?:a|div|td)>/;

/** A result is what stands from its link to the next one's. */
function resultsIn(html: string): SearchResult[] {
  const links = [...html.matchAll(link)];
  return links.flatMap((found, at) => {
    const href = /\bhref="([^"]{1,4000})"/.exec(found[0])?.[1] ?? '';
    const until = links[at + 1]?.index ?? html.length;
    const said = snippet.exec(html.slice(found.index + found[0].length, until))?.[1] ?? '';
    const url = targetOf(plainText(href));
    return url === null || isAdvertisement(url)
      ? []
      : pageOf(url, plainText(found[1] ?? ''), { text: plainText(said) });
  });
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
    .replace(/<[^>]{0,1000}>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(/\s+/g, ' ')
    .trim();
}
