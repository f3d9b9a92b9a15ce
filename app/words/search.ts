import type { EngineName, SearchCost } from '../api/search.ts';
import { premiumRequests, requestCredits } from './numbers.ts';

/** Engines as people know them. */
export const engineNames: Readonly<Record<EngineName, string>> = {
  copilot: 'Copilot',
  github: 'GitHub',
  brave: 'Brave',
  tavily: 'Tavily',
  exa: 'Exa',
  serpapi: 'SerpApi',
  searxng: 'SearXNG',
  duckduckgo: 'DuckDuckGo',
  anthropic: 'Anthropic',
  off: 'Off',
};

/** `0.48 credits`, `$0.007`, `cost not reported`. */
export function searchCostWords({ nanoAiu, premiumRequests: premium, dollars }: SearchCost): string {
  if (nanoAiu !== null) return `${requestCredits(nanoAiu)} credits`;
  if (premium !== null) return premium === 0 ? 'free' : `${premiumRequests(premium)} premium requests`;
  return dollars === null ? 'cost not reported' : `$${dollars}`;
}
