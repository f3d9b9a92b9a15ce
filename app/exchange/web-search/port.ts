import type { IncomingHttpHeaders } from 'node:http';
import type { SearchOutcome, SearchQuery } from '../../api/search.ts';
import type { Cause } from './cause.ts';

/** Who searches the web for the requests of clients. */
export interface WebSearch {
  /** False: the person has switched every engine off. */
  isOn(): boolean;
  /** Ends within 30 s. Rejects with the signal's reason alone. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchOutcome>;
}

export interface SearchContext {
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  cause: Cause;
  /** The client's own request, where it is a search and nothing else. */
  original?: { body: Buffer; headers: IncomingHttpHeaders };
}
