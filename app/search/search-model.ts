import { type CatalogModel, isOffered, searchesTheWeb } from '../copilot/model.ts';

/**
 * Measured of one search with gpt-5.5 (hooyao/copilot-bridge, July 2026): the pages come in as input, so input is
 * nearly all that is paid.
 */
const usual = { input: 27_834, output: 1016 };

/** Models of this account that can search: the cheapest first, those whose price is not known last. */
export function searchModels(models: readonly CatalogModel[]): CatalogModel[] {
  const able = models.filter((model) => isOffered(model) && searchesTheWeb(model));
  const priced = able.map((model) => ({ model, price: priceOf(model) }));
  priced.sort((one, other) => one.price - other.price || one.model.id.localeCompare(other.model.id));
  return priced.map(({ model }) => model);
}

/** To compare by alone: credits per million tokens and premium requests never stand in one catalog. */
function priceOf({ price }: CatalogModel): number {
  switch (price.kind) {
    case 'credits': {
      const { input, output } = price.default;
      return input === null || output === null ? Number.MAX_VALUE : input * usual.input + output * usual.output;
    }
    case 'multiplier':
      return price.multiplier;
    case 'unknown':
      return Number.MAX_VALUE;
  }
}
