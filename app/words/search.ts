import type { Reach } from '../api/reach.ts';
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

/** GitHub's own engines: VS Code passes no search to either of them. */
const notBehindVscode: ReadonlySet<EngineName> = new Set(['copilot', 'github']);

/** Why an engine can't search on this way to Copilot, and what to do; null: it can. */
export function reachProblem(engine: EngineName, reach: Reach): { text: string; mend: string } | null {
  if (reach === 'directly' || !notBehindVscode.has(engine)) return null;
  return {
    text: `${engineNames[engine]} can’t search while requests go through VS Code.`,
    mend: 'Add another engine in Settings → Web search (search.engines in settings.json). DuckDuckGo needs no key.',
  };
}

/** `0.48 credits`, `$0.007`, `cost not reported`. */
export function searchCostWords({ nanoAiu, premiumRequests: premium, dollars }: SearchCost): string {
  if (nanoAiu !== null) return `${requestCredits(nanoAiu)} credits`;
  if (premium !== null) return premium === 0 ? 'free' : `${premiumRequests(premium)} premium requests`;
  return dollars === null ? 'cost not reported' : `$${dollars}`;
}

/** What leaves the machine for it, and what it costs: one line each. */
export const engineHelp: Readonly<Record<EngineName, string>> = {
  copilot: 'A GPT model of your account searches. Costs its tokens, in a row of its own. Needs no key.',
  github: 'GitHub’s own search tool, with your GitHub sign-in. 10 to 20 s; its cost is not reported.',
  brave: 'The query goes to Brave, with your key.',
  tavily: 'The query goes to Tavily, with your key, or without one in its keyless mode.',
  exa: 'The query goes to Exa, with your key.',
  serpapi: 'The query goes to SerpApi, with your key, and from there to Google.',
  searxng: 'The query goes to a SearXNG of your own.',
  duckduckgo: 'The query goes to DuckDuckGo’s page for browsers, which may take Jumpseat for a robot.',
  anthropic: 'The whole request goes to Anthropic, with your own key: $10 for 1000 searches, and tokens.',
  off: '',
};
