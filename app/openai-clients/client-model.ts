/**
 * What the lines for a client need of a model; the catalog's own entries have all of it. Limits are in tokens.
 */
export interface ClientModel {
  id: string;
  name: string;
  preview: boolean;
  /** At Copilot. */
  endpoints: readonly string[];
  limits: { promptTokens: number | null; outputTokens: number | null };
  supports: { vision: boolean; efforts: readonly string[]; maxThinkingBudget: number | null };
}

/** What GitHub chooses for each conversation, so that nothing is known of it but that every path leads there. */
export const autoClientModel: ClientModel = {
  id: 'auto',
  name: 'Auto',
  preview: false,
  endpoints: ['/chat/completions', '/responses'],
  limits: { promptTokens: null, outputTokens: null },
  supports: { vision: false, efforts: [], maxThinkingBudget: null },
};
