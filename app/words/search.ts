import type { Reach } from '../api/reach.ts';
import type { EngineName, SearchCost } from '../api/search.ts';
import { searchEngines } from '../api/search-engines.ts';
import { creditsOf, premiumRequests } from './numbers.ts';

const rows = Object.entries({ ...searchEngines, off: { title: 'Off', help: '' } });
type Names = Readonly<Record<EngineName, string>>;

/** Engines as people know them. */
export const engineNames = Object.fromEntries(rows.map(([name, { title }]) => [name, title])) as Names;

/** What leaves the machine for it, and what it costs: one or two sentences each. */
export const engineHelp = Object.fromEntries(rows.map(([name, { help }]) => [name, help])) as Names;

/** GitHub's own engines: VS Code passes no search to either of them. */
const notBehindVscode: ReadonlySet<EngineName> = new Set(['copilot', 'github']);

/** Why an engine can't search on this way to Copilot, and what to do; null if it can. */
export function reachProblem(engine: EngineName, reach: Reach): { text: string; remedy: string } | null {
  if (reach === 'directly' || !notBehindVscode.has(engine)) return null;
  return {
    text: `${engineNames[engine]} can’t search while requests go through VS Code.`,
    remedy: 'Add another engine in Settings → Web search (search.engines in settings.json). DuckDuckGo needs no key.',
  };
}

/** `0.48 credits`, `$0.007`, `cost not reported`. */
export function searchCostWords({ nanoAiu, premiumRequests: premium, dollars }: SearchCost): string {
  if (nanoAiu !== null) return `${creditsOf(nanoAiu)} credits`;
  if (premium !== null) return premium === 0 ? 'free' : `${premiumRequests(premium)} premium requests`;
  return dollars === null ? 'cost not reported' : `$${dollars}`;
}
