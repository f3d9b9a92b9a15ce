import { unlessAborted } from '../account/unless-aborted.ts';
import {
  type EngineName,
  mostResults,
  type SearchAnswer,
  type SearchFailure,
  type SearchOutcome,
  type SearchQuery,
  type SearchResult,
  usualResults,
} from '../api/search.ts';
import { faultFacts, refuse, Stopped } from '../exchange/recover/error.ts';
import { t } from '../language/translate.ts';
import { type Clock, type Log, SecretsError } from '../ports.ts';
import { cutAt, shortened } from '../words/text.ts';
import { hostsOf, isWanted, limitBesideSites } from './domains.ts';
import { type Engine, type Found, type QueryLimit, type SearchContext, searchFailure } from './engine.ts';

interface SearchDependencies {
  clock: Clock;
  log: Log;
  /** Engines in the order in which they are tried; `off` ends the list. */
  order(): readonly EngineName[];
  /** Why no engine is asked. */
  off(): SearchFailure;
  /** Why this engine isn't asked though somebody names it, or none at all where none is named; null: it may be. */
  refusal(name: EngineName | null): SearchFailure | null;
  /** Null if it is not there. */
  engine(name: EngineName): Engine | null;
  /** An engine was asked. */
  asked(entry: { at: number; engine: EngineName; failed: boolean }): void;
  /** A search has come to its end, whatever that was. */
  ended(query: string, outcome: SearchOutcome, context: SearchContext): void;
}

/** Limit of one search, all engines together. Claude Code shows nothing while it waits. */
const searchWithinMs = 30_000;
/** Characters at most; no engine of today comes near. */
const longest = { title: 300, url: 2000, text: 4000, pageAge: 100, summary: 20_000 };
const mostSnippets = 10;

/**
 * Searches the web for a client, with the engines that the person has put in order: the next one is asked where the one
 * before failed, and that is said. What an engine gives is text of others: it is bounded here, and no link in it is
 * followed.
 */
export class Search {
  readonly #dependencies: SearchDependencies;

  constructor(dependencies: SearchDependencies) {
    this.#dependencies = dependencies;
  }

  /** False: the person has switched every engine off. */
  isOn(): boolean {
    return (this.#dependencies.order()[0] ?? 'off') !== 'off';
  }

  /** Why no engine is asked, and what to do. */
  whyOff(): string {
    const { reason, remedy } = this.#dependencies.off();
    return `${reason} ${remedy}`;
  }

  /**
   * Ends within 30 s. Rejects with the signal's reason alone.
   * @param only this engine and no other, on the list or not.
   */
  async search(query: SearchQuery, context: SearchContext, only: EngineName | null = null): Promise<SearchOutcome> {
    const outcome = await this.#inTime(query, context, only);
    this.#dependencies.ended(query.query, outcome, context);
    return outcome;
  }

  async #inTime(query: SearchQuery, context: SearchContext, only: EngineName | null): Promise<SearchOutcome> {
    if (query.query.trim() === '')
      return searchFailure('invalid_tool_input', t('The search has no query.'), t('Add a search query.'));
    const { clock, order } = this.#dependencies;
    const deadline = new AbortController();
    const over = new AbortController();
    clock.sleep(searchWithinMs, over.signal).then(
      () => deadline.abort(new Stopped(tookTooLong())),
      () => undefined,
    );
    const signal = AbortSignal.any([context.signal, deadline.signal]);
    try {
      const refusal = this.#dependencies.refusal(only);
      if (refusal !== null) return refusal;
      const names = only === null ? order() : [only];
      return await this.#inOrder(names, query, { ...context, signal }, context.signal);
    } catch (error) {
      context.signal.throwIfAborted();
      // A fault of ours is no fault of the turn that searches.
      if (!deadline.signal.aborted) {
        this.#dependencies.log.write('error', 'search.broke', { ...faultFacts(error) });
        return searchFailure('unavailable', t('Internal error.'), t('Jumpseat’s log has the details.'));
      }
      return searchFailure(
        'unavailable',
        t('The search took longer than 30 seconds.'),
        t('Try again, or with another engine.'),
      );
    } finally {
      over.abort();
    }
  }

  async #inOrder(
    names: readonly EngineName[],
    query: SearchQuery,
    context: SearchContext,
    left: AbortSignal,
  ): Promise<SearchOutcome> {
    const failed: SearchFailure[] = [];
    for (const name of names) {
      if (name === 'off') break;
      const engine = this.#dependencies.engine(name);
      if (engine === null) continue;
      const outcome = await this.#with(engine, query, context, left);
      if (outcome.kind === 'found')
        return {
          ...outcome,
          notes: [...failed.map((each) => `${each.engine} failed: ${each.reason}`), ...outcome.notes],
        };
      failed.push(outcome);
      this.#dependencies.log.write('info', 'search.failed', { engine: name, code: outcome.code });
    }
    return failed.at(-1) ?? this.#dependencies.off();
  }

  /** @param left aborted when the client left: `context` ends with the time as well */
  async #with(engine: Engine, query: SearchQuery, context: SearchContext, left: AbortSignal): Promise<SearchOutcome> {
    const { clock } = this.#dependencies;
    const from = clock.ticks();
    const at = clock.now();
    const { limit } = engine;
    const room = limit.withDomains ? limitBesideSites(limit, hostsOf(query.allowed)) : limit;
    const { query: words, cut } = cutQuery(query.query, room);
    let failed = true;
    let found: Found | SearchFailure;
    try {
      found = await unlessAborted(asked(engine, { ...query, query: words }, context), context.signal);
      failed = found.kind === 'failed';
    } finally {
      // A client that left is no failure of the engine.
      this.#dependencies.asked({ at, engine: engine.name, failed: failed && !left.aborted });
    }
    if (found.kind === 'failed') return { ...found, engine: engine.name };
    const answer = answerOf(found, query);
    return {
      ...answer,
      engine: engine.name,
      query: words,
      cut,
      ms: Math.round(clock.ticks() - from),
      notes: [...(cut ? [`the query was cut to ${words.length} characters`] : []), ...answer.notes],
    };
  }
}

/** A search that a person asks Jumpseat itself for, in the terminal or the window. */
export function forOneself(query: string, signal?: AbortSignal): [SearchQuery, SearchContext] {
  return [
    { query, allowed: [], blocked: [], location: null, count: usualResults },
    {
      signal: signal ?? new AbortController().signal,
      cause: {
        exchange: null,
        client: 'jumpseat',
        session: null,
        prompt: null,
        interactionId: null,
        counted: false,
      },
    },
  ];
}

/** A store of keys that can't be read is the engine's failure. */
async function asked(engine: Engine, query: SearchQuery, context: SearchContext): Promise<Found | SearchFailure> {
  try {
    return await engine.search(query, context);
  } catch (error) {
    if (error instanceof SecretsError) return searchFailure('unavailable', error.message, error.remedy);
    throw error;
  }
}

type Bounded = Omit<SearchAnswer, 'engine' | 'query' | 'cut' | 'ms'>;

/** What may be shown of what an engine found. */
function answerOf(found: Found, query: SearchQuery): Bounded {
  const pages = found.results.flatMap((page) => {
    // As it is written by its rules: an engine's own spelling may hold what a terminal acts on.
    const url = URL.parse(page.url)?.href ?? null;
    return url === null ? [] : [{ ...page, url }];
  });
  const wanted = pages.filter(({ url }) => url.length <= longest.url && isWanted(url, query));
  const left = pages.length - wanted.length;
  return {
    kind: 'found',
    results: wanted.slice(0, Math.min(query.count, mostResults)).map(bounded),
    // It may rest on a page that was left out.
    summary: left > 0 || found.summary === null ? null : plain(found.summary, longest.summary),
    cost: found.cost,
    notes: [...found.notes, ...(left > 0 ? [t('{left} pages of other domains left out', { left })] : [])],
  };
}

function bounded({ title, url, pageAge, text, snippets }: SearchResult): SearchResult {
  return {
    title: plain(title, longest.title),
    url,
    pageAge: pageAge === null ? null : plain(pageAge, longest.pageAge),
    text: plain(text, longest.text),
    snippets: snippets.slice(0, mostSnippets).map((snippet) => plain(snippet, longest.text)),
  };
}

/** Text without control characters of a terminal. */
function plain(text: string, most: number): string {
  const clean = text.replace(/[^\P{Cc}\n\t]/gu, '').trim();
  return shortened(clean, most);
}

/** For the row of a request of our own that this ended. */
function tookTooLong() {
  return refuse(504, 'api_error', 'search-too-long', t('Jumpseat: the search took longer than 30 seconds.'), false);
}

/** The query as an engine takes it: blanks are one each, and what is too long ends behind a word. */
export function cutQuery(query: string, { characters, words }: QueryLimit): { query: string; cut: boolean } {
  const all = query.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  const kept: string[] = [];
  let length = -1;
  for (const word of all.slice(0, words ?? all.length)) {
    if (length + 1 + word.length > characters) break;
    length += 1 + word.length;
    kept.push(word);
  }
  // One word that is longer than all: there is no end of a word to cut it at.
  const [first] = all;
  if (kept.length === 0 && first !== undefined) return { query: first.slice(0, cutAt(first, characters)), cut: true };
  return { query: kept.join(' '), cut: kept.length < all.length };
}
