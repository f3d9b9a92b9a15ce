import type { Reach } from '../api/account.ts';
import type { EngineName, SearchCost } from '../api/search.ts';
import { searchEngines } from '../api/search-engines.ts';
import type { Message } from '../language/messages.ts';
import { t } from '../language/translate.ts';
import { creditsOf, premiumRequests } from './numbers.ts';

const rows = Object.entries({ ...searchEngines, off: { title: 'Off', help: null } });
type Of<Words> = Readonly<Record<EngineName, Words>>;

/** Engines as people know them. */
export const engineNames = Object.fromEntries(rows.map(([name, { title }]) => [name, title])) as Of<string>;

/** What leaves the machine for it, and what it costs: one or two sentences each. */
export const engineHelp = Object.fromEntries(rows.map(([name, { help }]) => [name, help])) as Of<Message | null>;

/** GitHub's own engines: VS Code passes no search to either of them. */
const notBehindVscode: ReadonlySet<EngineName> = new Set(['copilot', 'github']);

/** Why an engine can't search on this way to Copilot, and what to do; null if it can. */
export function reachProblem(engine: EngineName, reach: Reach): { text: string; remedy: string } | null {
  if (reach === 'directly' || !notBehindVscode.has(engine)) return null;
  return {
    text: t('{engine} can’t search while requests go through VS Code.', { engine: engineNames[engine] }),
    remedy: t(
      'Add another engine in Settings → Web search (search.engines in settings.json). DuckDuckGo needs no key.',
    ),
  };
}

/** `0.48 credits`, `$0.007`, `cost not reported`. */
export function searchCostWords({ nanoAiu, premiumRequests: premium, dollars }: SearchCost): string {
  if (nanoAiu !== null) return t('{amount} credits', { amount: creditsOf(nanoAiu) });
  if (premium === 0) return t('free');
  if (premium !== null) return t('{amount} premium requests', { amount: premiumRequests(premium) });
  return dollars === null ? t('cost not reported') : `$${dollars}`;
}
