import { pathFor } from '../../copilot/catalog.ts';
import { type CatalogModel, isOffered } from '../../copilot/model.ts';

/** The API of a client, or its embeddings. */
export type Speaks = 'messages' | 'chat' | 'responses' | 'embeddings';

const known = new WeakMap<readonly CatalogModel[], Map<Speaks, readonly string[]>>();

/** Ids of the models that a request may name. Gone through once for each list of models, not for each request. */
export function usableModels(models: readonly CatalogModel[], speaks: Speaks): readonly string[] {
  let found = known.get(models);
  if (found === undefined) {
    found = new Map();
    known.set(models, found);
  }
  let ids = found.get(speaks);
  if (ids === undefined) {
    ids = models.filter((model) => isUsable(model, speaks)).map(({ id }) => id);
    found.set(speaks, ids);
  }
  return ids;
}

function isUsable(model: CatalogModel, speaks: Speaks): boolean {
  if (speaks === 'embeddings') return model.type === 'embeddings' && model.policy !== 'disabled';
  return isOffered(model) && pathFor(model, speaks) !== null;
}
