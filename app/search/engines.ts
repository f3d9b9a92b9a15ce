import type { EngineName } from '../api/search.ts';
import type { SearchSettings } from '../api/settings.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { OwnAnswer, OwnRequest } from '../exchange/own-request.ts';
import { CopilotEngine } from './copilot.ts';
import type { Engine } from './engine.ts';

export interface EngineDependencies {
  catalog: Catalog;
  ask(request: OwnRequest): Promise<OwnAnswer>;
  settings(): SearchSettings;
}

/** Every engine that is there, by its name. */
export function searchEngines(dependencies: EngineDependencies): (name: EngineName) => Engine | null {
  const { catalog, ask, settings } = dependencies;
  const all: readonly Engine[] = [new CopilotEngine({ catalog, ask, model: () => settings().model })];
  const byName = new Map(all.map((engine) => [engine.name, engine]));
  return (name) => byName.get(name) ?? null;
}
