import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import {
  engineNameSchema,
  keyedEngineSchema,
  searchOutcomeSchema,
  searchRecordSchema,
  searchReportSchema,
  searchTotalsRowSchema,
} from '../search.ts';

/** Searching the web. */
export const searchCalls = {
  /**
   * Searches as it is done for clients, with this engine alone or in the order of the settings. It is the person’s own
   * request, and may cost.
   */
  search: both(
    z.tuple([
      z.string().min(1).max(4000),
      z.strictObject({ engine: engineNameSchema.nullable().exactOptional() }).optional(),
    ]),
    searchOutcomeSchema,
  ),
  /** Engines that search now, and whether they can. None is asked. */
  searchReport: both(z.tuple([]), searchReportSchema),
  /**
   * Keeps the key of an engine beside the token; null takes it away. Rejects where it can’t be one or can’t be kept.
   */
  setSearchKey: both(z.tuple([keyedEngineSchema, z.string().max(1000).nullable()]), z.void()),
  /** What was searched for the exchange of that id, or by it, as it came; none is held for long. */
  searched: both(z.tuple([z.string().max(100)]), z.array(searchRecordSchema)),
  /** Searches by day and engine, the oldest day first. Rejects when the history can’t be read. */
  searchTotals: both(z.tuple([z.number().min(0)]), z.array(searchTotalsRowSchema)),
} satisfies CallTable;
