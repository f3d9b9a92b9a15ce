import { createHash } from 'node:crypto';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { asList, asNumber, roughTokens } from '../json.ts';
import { codeRefusal, type Refusal } from '../refusal.ts';

const defaultDimensions = 8;
/** What `text-embedding-3-small` has. */
const mostDimensions = 1536;

/** Small made-up vectors: the same text always gets the same one. */
export function embed(body: JsonObject, model: SimulatedModel): Refusal {
  const inputs = typeof body.input === 'string' ? [body.input] : asList(body.input);
  if (inputs.length === 0) return codeRefusal("Invalid 'input': empty.", 'invalid_request_body');
  if (model.inputs !== null && inputs.length > model.inputs) {
    return codeRefusal(`Invalid 'input': more than ${model.inputs} inputs.`, 'invalid_request_body');
  }
  const dimensions = asNumber(body.dimensions) ?? defaultDimensions;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions)
    return codeRefusal("Invalid value for 'dimensions'.", 'invalid_request_body');
  const tokens = roughTokens(inputs);
  return {
    status: 200,
    body: {
      data: inputs.map((input, index) => ({ embedding: vector(input, dimensions), index, object: 'embedding' })),
      model: model.id,
      object: 'list',
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
  };
}

function vector(input: unknown, dimensions: number): number[] {
  const bytes = createHash('sha512').update(JSON.stringify(input)).digest();
  return Array.from({ length: dimensions }, (_, at) => (bytes.readUInt8(at % bytes.length) - 127.5) / 127.5);
}
