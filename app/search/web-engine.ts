import type { EngineName, SearchFailure, SearchQuery, SearchResult } from '../api/search.ts';
import { type SearchEngineName, searchEngines } from '../api/search-engines.ts';
import { type JsonObject, parseObject } from '../formats/wire/json.ts';
import type { Dialer } from '../ports.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { askEngine, type EngineAnswer } from './ask-engine.ts';
import { type Engine, type Found, type QueryLimit, type SearchContext, unknownCost } from './engine.ts';
import { enterKey, searchFailure } from './failure.ts';
import { isGood, isKeyRefused, keyRefused, refusalOf } from './refusal.ts';

export interface EngineRequest {
  method: 'GET' | 'POST';
  /** Below the engine's address, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: JsonObject;
}

/** What differs between engines that answer one request with one JSON object. */
export interface WebEngineFacts {
  name: SearchEngineName;
  limit: QueryLimit;
  /** @param key null: there is none */
  request(query: SearchQuery, key: string | null): EngineRequest;
  /** Null: the answer has not this engine's form. */
  read(answer: JsonObject): SearchResult[] | null;
  /** What it says it took, in dollars. */
  dollars?(answer: JsonObject): number | null;
  /** Where its word for a wrong key is not 401 or 403. */
  refusesKey?(answer: EngineAnswer): boolean;
  /** What a status means here and nowhere else; null: what it means everywhere. */
  refusal?(answer: EngineAnswer): SearchFailure | null;
}

export interface WebEngineDependencies {
  dialer: Dialer;
  /** Null: the person has named none, and there is no usual one. Throws `SearchAddressError`. */
  base(): URL | null;
  key(): Promise<string | null>;
  /** Told where the engine took the key or refused it: an answer of another kind says neither. */
  keyWas(good: boolean): void;
}

/** An engine of the person's own choice, asked over https. */
export class WebEngine implements Engine {
  readonly name: EngineName;
  readonly limit: QueryLimit;
  readonly #facts: WebEngineFacts;
  readonly #dependencies: WebEngineDependencies;

  constructor(facts: WebEngineFacts, dependencies: WebEngineDependencies) {
    this.name = facts.name;
    this.limit = facts.limit;
    this.#facts = facts;
    this.#dependencies = dependencies;
  }

  async search(query: SearchQuery, { signal }: SearchContext): Promise<Found | SearchFailure> {
    const { title: who, key: needsKey } = searchEngines[this.#facts.name];
    const { dialer, keyWas } = this.#dependencies;
    const base = this.#dependencies.base();
    if (base === null)
      return searchFailure(
        'unavailable',
        `${who} has no address that may be used.`,
        'Enter one in Settings → Web search: https, or http on this machine.',
      );
    const key = needsKey === 'never' ? null : await this.#dependencies.key();
    if (key === null && needsKey === 'always')
      return searchFailure('unavailable', `${who} has no key.`, enterKey(this.#facts.name));
    const { path, method, headers, body } = this.#facts.request(query, key);
    const answer = await askEngine(dialer, who, {
      url: addressUnder(base, path),
      method,
      headers: { Accept: 'application/json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    if (answer.kind === 'failed') return answer;
    if (key !== null && (isKeyRefused(answer.status) || this.#facts.refusesKey?.(answer) === true)) {
      keyWas(false);
      return keyRefused(who);
    }
    if (key !== null && isGood(answer.status)) keyWas(true);
    if (key === null && needsKey === 'perhaps' && isKeyRefused(answer.status))
      return searchFailure(
        'unavailable',
        `${who} answers no more without a key (${answer.status}).`,
        'Enter one in Settings → Web search.',
      );
    return this.#facts.refusal?.(answer) ?? refusalOf(who, answer) ?? this.#read(answer);
  }

  #read({ text }: EngineAnswer): Found | SearchFailure {
    const { read, dollars } = this.#facts;
    const who = searchEngines[this.#facts.name].title;
    const json = parseObject(text);
    const results = json === null ? null : read(json);
    if (json === null || results === null) {
      const what = json === null ? 'no JSON' : 'something else than results';
      return searchFailure('unavailable', `${who} answered with ${what}.`, 'Try again, or with another engine.');
    }
    const cost = { ...unknownCost, dollars: dollars?.(json) ?? null };
    return { kind: 'found', results, summary: null, cost, notes: [] };
  }
}
