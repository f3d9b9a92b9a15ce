import type { Reach } from '../api/reach.ts';
import type { EngineName, KeyedEngine } from '../api/search.ts';
import type { SearchSettings } from '../api/settings.ts';
import type { OwnAnswer, OwnRequest } from '../exchange/own-requests/own-request.ts';
import type { Dialer } from '../ports.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import { reachProblem } from '../words/search.ts';
import { AnthropicEngine } from './anthropic.ts';
import { brave } from './brave.ts';
import { CopilotEngine, type CopilotEngineDependencies } from './copilot.ts';
import { DuckDuckGoEngine } from './duckduckgo.ts';
import type { Engine } from './engine.ts';
import { exa } from './exa.ts';
import { searchFailure } from './failure.ts';
import type { SearchFromOutside } from './from-outside.ts';
import { GithubEngine, type GithubEngineDependencies } from './github.ts';
import type { SearchKeys } from './keys.ts';
import { searxng } from './searxng.ts';
import { serpapi } from './serpapi.ts';
import { tavily } from './tavily.ts';
import { WebEngine, type WebEngineFacts } from './web-engine.ts';

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

/** Addresses of the engines that have one address for all their users. */
const usualAddress = {
  brave: 'https://api.search.brave.com',
  tavily: 'https://api.tavily.com',
  exa: 'https://api.exa.ai',
  serpapi: 'https://serpapi.com',
  duckduckgo: 'https://html.duckduckgo.com',
  anthropic: 'https://api.anthropic.com',
} as const;

/** Every engine that is there, by its name. */
export function searchEngines(dependencies: EngineDependencies): (name: EngineName) => Engine | null {
  const { dialer, catalog, ask, settings, reach, githubAccess, keys, addresses } = dependencies;
  const addressOf = (name: keyof typeof usualAddress): URL => addresses[name] ?? new URL(usualAddress[name]);
  const ownAddress = (): URL | null => addresses.searxng ?? allowedAddress(settings().searxngUrl ?? '');
  const keyOf = (name: KeyedEngine) => ({
    key: () => keys.get(name),
    keyWas: (good: boolean) => void keys.was(name, good),
  });
  const noKey = { key: () => Promise.resolve(null), keyWas: () => undefined };
  const keyed = (name: 'brave' | 'tavily' | 'exa' | 'serpapi', facts: WebEngineFacts): Engine =>
    new WebEngine(facts, { dialer, base: () => addressOf(name), ...keyOf(name) });
  const all: readonly Engine[] = [
    new CopilotEngine({ catalog, ask, model: () => settings().model }),
    new GithubEngine({ dialer, access: githubAccess }),
    keyed('brave', brave),
    keyed('tavily', tavily),
    keyed('exa', exa),
    keyed('serpapi', serpapi),
    new WebEngine(searxng, { dialer, base: ownAddress, ...noKey }),
    new DuckDuckGoEngine(dialer, addressOf('duckduckgo')),
    new AnthropicEngine({ dialer, base: addressOf('anthropic'), ...keyOf('anthropic') }),
  ];
  const byName = new Map(all.map((engine) => [engine.name, engine]));
  return (name) => {
    const problem = reachProblem(name, reach());
    const engine = byName.get(name) ?? null;
    if (problem === null || engine === null) return engine;
    return { name, limit: engine.limit, search: async () => searchFailure('unavailable', problem.text, problem.mend) };
  };
}
