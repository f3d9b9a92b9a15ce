import type { CatalogModel } from '../../../copilot/model.ts';
import type { JsonObject } from '../../../formats/wire/json.ts';
import type { Settings } from '../../../settings/settings.ts';
import { refuse } from '../../recover/refuse.ts';
import { Stopped } from '../../recover/stopped.ts';
import { openaiErrorWords } from './recover.ts';

/** What Chat Completions and Responses have in common for a client. */
export const openaiStreaming = {
  ...openaiErrorWords,
  takesTurns: true,
  // Known to no client, and ignored by all.
  ping: ': ping\n\n',
  isStreamed: ({ stream }: JsonObject, { openai }: Pick<Settings, 'openai'>): boolean =>
    stream === undefined || stream === null ? openai.streamByDefault : stream === true,
} as const;

/** No path of the model's can be reached from this API. */
export function notSpoken(model: CatalogModel): Stopped {
  const sentence = `Jumpseat: Copilot serves ${model.id} only through ${model.endpoints.join(', ')}. Ask for it there.`;
  return new Stopped({ ...refuse(404, 'not_found_error', 'path-not-spoken', sentence, false), param: 'model' });
}
