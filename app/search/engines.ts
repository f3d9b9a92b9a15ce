import type { Reach } from '../api/account.ts';
import type { EngineName } from '../api/search.ts';
import { isKeyed, type SearchEngineName, searchEngines } from '../api/search-engines.ts';
import type { SearchSettings } from '../api/settings.ts';
import type { OwnAnswer, OwnRequest } from '../exchange/own-requests.ts';
import type { Dialer } from '../ports.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import { reachProblem } from '../words/search.ts';
import { AnthropicEngine } from './anthropic.ts';
import { CopilotEngine, type CopilotEngineDependencies } from './copilot.ts';
import { DuckDuckGoEngine } from './duckduckgo.ts';
import { type Engine, searchFailure } from './engine.ts';
import type { SearchFromOutside } from './from-outside.ts';
import { GithubEngine, type GithubEngineDependencies } from './github.ts';
import type { SearchKeys } from './keys.ts';
import { brave, exa, searxng, serpapi, tavily, WebEngine } from './web-engines.ts';

export interface EngineDependencies {
  dialer: Dialer;
  catalog: CopilotEngineDependencies['catalog'];
  ask(request: OwnRequest): Promise<OwnAnswer>;
  settings(): SearchSettings;
  reach(): Reach;
  githubAccess: GithubEngineDependencies['access'];
  keys: SearchKeys;
  addresses: SearchFromOutside['addresses'];
}

/** Every engine that is there, by its name. */
export function makeEngines(dependencies: EngineDependencies): (name: EngineName) => Engine | null {
  const { dialer, catalog, ask, settings, reach, githubAccess, keys, addresses } = dependencies;
  const addressOf = (name: 'duckduckgo' | 'anthropic'): URL => addresses[name] ?? new URL(searchEngines[name].address);
  const baseOf = (name: SearchEngineName): URL | null => {
    const address = name === 'searxng' ? settings().searxngUrl : searchEngines[name].address;
    return addresses[name] ?? allowedAddress(address ?? '');
  };
  const keyOf = (name: SearchEngineName) => {
    if (!isKeyed(name)) return { key: () => Promise.resolve(null), keyWas: () => undefined };
    return { key: () => keys.get(name), keyWas: (good: boolean) => void keys.was(name, good) };
  };
  const all: readonly Engine[] = [
    new CopilotEngine({ catalog, ask, model: () => settings().model }),
    new GithubEngine({ dialer, access: githubAccess }),
    ...[brave, tavily, exa, serpapi, searxng].map(
      (facts) => new WebEngine(facts, { dialer, base: () => baseOf(facts.name), ...keyOf(facts.name) }),
    ),
    new DuckDuckGoEngine(dialer, addressOf('duckduckgo')),
    new AnthropicEngine({ dialer, base: addressOf('anthropic'), ...keyOf('anthropic') }),
  ];
  const byName = new Map(all.map((engine) => [engine.name, engine]));
  return (name) => {
    const problem = reachProblem(name, reach());
    const engine = byName.get(name) ?? null;
    if (problem === null || engine === null) return engine;
    return {
      name,
      limit: engine.limit,
      search: async () => searchFailure('unavailable', problem.text, problem.remedy),
    };
  };
}
