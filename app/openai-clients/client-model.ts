/**
 * What the lines for a client have to know of a model; the catalog's own entries have all of it. Limits are in tokens.
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
