import type { FitNote } from '../../api/exchange.ts';
import type { Message, MessagesRequest, OutputConfig } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { mapKeeping, without } from './copy-on-write.ts';
import { type FitContext, type FitResult, note, unchanged } from './fit.ts';

/** All words that were seen in catalogs and clients, lowest first. A word that is not here is taken for a newer, higher one. */
const scale = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * `invalid_reasoning_effort`: an effort has to be in the model's list. The nearest lower one costs no more than what was asked for; a
 * model without a list has no such setting. Holds for the request and for the system messages that bring an effort of their own.
 */
export function clampEffort(request: MessagesRequest, { model }: FitContext): FitResult {
  const notes: FitNote[] = [];
  const { efforts } = model.supports;
  let next = withEffort(request, request.output_config, efforts, notes);
  const messages = mapKeeping(request.messages, (message): Message => {
    const config = message.role === 'system' ? message.output_config : undefined;
    return isObject(config) ? withEffort(message, config, efforts, notes) : message;
  });
  if (messages !== request.messages) next = { ...next, messages };
  return next === request ? unchanged(request) : { ok: true, request: next, notes };
}

function withEffort<T extends MessagesRequest | Message>(
  holder: T,
  config: OutputConfig | undefined,
  efforts: readonly string[],
  notes: FitNote[],
): T {
  const asked = config?.effort;
  if (typeof asked !== 'string' || efforts.includes(asked)) return holder;
  const said = scale.includes(asked) ? asked : '(unknown)';
  const given = nearest(asked, efforts);
  if (given !== null) {
    notes.push(note('effort-clamped', `effort ${said} → ${given}`));
    return { ...holder, output_config: { ...config, effort: given } };
  }
  notes.push(note('effort-removed', `effort ${said} removed`));
  const rest = without({ ...config }, 'effort');
  return Object.keys(rest).length > 0 ? { ...holder, output_config: rest } : without(holder, 'output_config');
}

/** The highest listed effort that is not above `asked`, else the lowest listed one. Null: none is listed. */
function nearest(asked: string, efforts: readonly string[]): string | null {
  const listed = efforts.toSorted((a, b) => rank(a) - rank(b));
  return listed.findLast((effort) => rank(effort) <= rank(asked)) ?? listed[0] ?? null;
}

function rank(effort: string): number {
  const found = scale.indexOf(effort);
  return found === -1 ? scale.length : found;
}
