import { asNumber, asObject, asText } from '../account/json.ts';
import type { CatalogModel } from '../copilot/model.ts';
import { MalformedCatalogError } from '../copilot/read-catalog.ts';
import { catalogModel } from './catalog-model.ts';

/** Reads the extension's `GET /v1/models`, which lists what VS Code offers of Copilot's. */
export function readModels(json: unknown): CatalogModel[] {
  const entries = asObject(json)?.data;
  if (!Array.isArray(entries)) throw new MalformedCatalogError('the list of models is no list');
  return entries.flatMap((value) => {
    const entry = asObject(value);
    const id = entry && asText(entry.id);
    if (!entry || !id) return [];
    const images = asObject(asObject(entry.capabilities)?.image_input)?.supported;
    const facts = { id, name: asText(entry.display_name) ?? id, family: id, version: '' };
    // The list says nothing of tools: VS Code refuses them itself where a model has none.
    const can = { takesImages: images === true, callsTools: true };
    return [catalogModel({ ...facts, ...can, maxInputTokens: asNumber(entry.max_input_tokens) })];
  });
}
