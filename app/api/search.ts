import { z } from 'zod';
import { reachSchema } from './account.ts';
import { sentenceSchema } from './call.ts';
import { keyedSearchEngineNames, searchEngineNames } from './search-engines.ts';

/** The engines that can search the web for a client. `off`: no engine, and none of those behind it on the list. */
export const engineNameSchema = z.enum([...searchEngineNames, 'off']);
export type EngineName = z.infer<typeof engineNameSchema>;

/** Engines that need a key of the person's. */
export const keyedEngineSchema = z.enum(keyedSearchEngineNames);
export type KeyedEngine = z.infer<typeof keyedEngineSchema>;

/** `kept`: beside the token. `refused`: the engine has refused it since it was entered, or since the start. */
const searchKeyStateSchema = z.enum(['none', 'kept', 'environment', 'refused']);
export type SearchKeyState = z.infer<typeof searchKeyStateSchema>;

/** Roughly where the person is, as a client says; null if it does not. */
export interface SearchLocation {
  city: string | null;
  region: string | null;
  /** ISO 3166-1, two letters. */
  country: string | null;
  /** IANA. */
  timezone: string | null;
}

/** Results of a search for which nothing else was asked: as many as Anthropic's own tool gives. */
export const usualResults = 10;
/** The most results of one search. */
export const mostResults = 20;

export interface SearchQuery {
  query: string;
  /** Domains, perhaps with a path, to which results are limited, including subdomains; empty: all. */
  allowed: readonly string[];
  blocked: readonly string[];
  location: SearchLocation | null;
  /** Results at most. */
  count: number;
}

const searchResultSchema = z.object({
  title: z.string(),
  url: z.string(),
  /** Age in the engine's words: a date, or how long ago. */
  pageAge: z.string().nullable(),
  /** The page's text about the query, as far as the engine has it; may be empty. */
  text: z.string(),
  snippets: z.array(z.string()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

const searchCostSchema = z.object({
  /** Nano-AIU as Copilot reported them; null: not reported. */
  nanoAiu: z.number().nullable(),
  /** Premium requests, on plans that count them; null if unknown. */
  premiumRequests: z.number().nullable(),
  /** Dollars, where an engine says what it took; null if it does not. */
  dollars: z.number().nullable(),
  /** Id of the exchange whose row has the charge; null if no row has it. */
  exchange: z.string().nullable(),
});
export type SearchCost = z.infer<typeof searchCostSchema>;

const searchAnswerSchema = z.object({
  kind: z.literal('found'),
  engine: engineNameSchema,
  /** The query that was sent; it may be cut. */
  query: z.string(),
  cut: z.boolean(),
  results: z.array(searchResultSchema),
  /** What the engine itself makes of the pages; null if it only lists them. Quoted text, like theirs. */
  summary: z.string().nullable(),
  cost: searchCostSchema,
  ms: z.number(),
  /** What a person should know: an engine before it failed, a query was cut, pages were left out. */
  notes: z.array(sentenceSchema),
});
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

/** Anthropic's words for a search that failed. */
export const searchErrorCodeSchema = z.enum([
  'invalid_tool_input',
  'unavailable',
  'max_uses_exceeded',
  'too_many_requests',
  'query_too_long',
  'request_too_large',
]);
export type SearchErrorCode = z.infer<typeof searchErrorCodeSchema>;

const searchFailureSchema = z.object({
  kind: z.literal('failed'),
  /** Null if none was asked. */
  engine: engineNameSchema.nullable(),
  code: searchErrorCodeSchema,
  reason: sentenceSchema,
  remedy: sentenceSchema,
  retryAfterMs: z.number().nullable(),
  /** The reason quotes Copilot or GitHub, so no log may have it. Absent: every word is ours. */
  quotes: z.literal(true).exactOptional(),
  /** Nobody is signed in to GitHub, or GitHub refuses the sign-in. */
  signedOut: z.literal(true).exactOptional(),
});
export type SearchFailure = z.infer<typeof searchFailureSchema>;

export const searchOutcomeSchema = z.discriminatedUnion('kind', [searchAnswerSchema, searchFailureSchema]);
export type SearchOutcome = z.infer<typeof searchOutcomeSchema>;

/** What a search was and brought, held in memory alone until the program ends. */
export const searchRecordSchema = z.object({
  query: z.string(),
  outcome: searchOutcomeSchema,
});
export type SearchRecord = z.infer<typeof searchRecordSchema>;

/** The searches of one day with one engine. */
export const searchTotalsRowSchema = z.object({
  /** `2026-11-20`, in the zone that was chosen. */
  day: z.string(),
  engine: engineNameSchema,
  searches: z.number().int(),
  failed: z.number().int(),
});
export type SearchTotalsRow = z.infer<typeof searchTotalsRowSchema>;

/** How searches are made now. */
export const searchReportSchema = z.object({
  /** Engines in force, without `off` and those behind it. */
  engines: z.array(engineNameSchema),
  /** The variable that decides the order; null if the settings do. */
  enginesFixedBy: z.string().nullable(),
  keys: z.record(keyedEngineSchema, searchKeyStateSchema),
  /** Models that can search at Copilot, the cheapest first; null if the catalog is not known. */
  models: z.array(z.string()).nullable(),
  /** How Copilot is reached: through VS Code, Copilot's and GitHub's engines can't search. */
  reach: reachSchema,
  /** The address of SearXNG. `refused`: neither https nor http on this machine. */
  searxng: z.enum(['none', 'refused', 'usable']),
});
export type SearchReport = z.infer<typeof searchReportSchema>;
