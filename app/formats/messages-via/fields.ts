import type { MessagesRequest } from '../messages/request.ts';
import { clampEffort, effortName } from '../translation/effort.ts';
import type { Notes } from '../translation/note.ts';

/**
 * The effort for an API that has efforts and no thinking budgets: what the client asked for, else what its thinking
 * comes to, clamped to `listed`. Null if there is none. An absent list lets every effort pass, an empty one none.
 */
export function chooseEffort(
  request: MessagesRequest,
  listed: readonly string[] | undefined,
  notes: Notes,
): string | null {
  const asked = effortOf(request);
  const effort = asked === null ? null : clampEffort(asked, listed);
  if (asked === null) return null;
  if (effort === null) {
    notes.add('effort-removed', `effort ${effortName(asked)} removed`);
    return null;
  }
  if (request.output_config?.effort === undefined) notes.add('thinking-to-effort', `thinking → effort ${effort}`);
  else if (effort !== asked) notes.add('effort-clamped', `effort ${effortName(asked)} → ${effort}`);
  return effort;
}

function effortOf(request: MessagesRequest): string | null {
  const { thinking, output_config: config } = request;
  if (typeof config?.effort === 'string') return config.effort;
  if (thinking?.type === 'adaptive') return 'high';
  const budget = thinking?.type === 'enabled' ? (thinking.budget_tokens ?? 0) : 0;
  if (budget >= 32768) return 'xhigh';
  if (budget >= 24576) return 'high';
  if (budget >= 8192) return 'medium';
  return budget >= 1024 ? 'low' : null;
}

/** `temperature` and `top_p`, or nothing with a note where the model takes none. */
export function sampling(
  request: MessagesRequest,
  taken: boolean,
  notes: Notes,
): { temperature?: number; top_p?: number } {
  const { temperature, top_p } = request;
  if (temperature === undefined && top_p === undefined) return {};
  if (!taken) {
    notes.add('sampling-removed', 'sampling values removed');
    return {};
  }
  return { ...(temperature === undefined ? {} : { temperature }), ...(top_p === undefined ? {} : { top_p }) };
}

const translatedFields = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'thinking', 'output_config', 'tools', 'tool_choice'],
  ...['stop_sequences', 'temperature', 'top_p'],
]);

/**
 * Says by name which fields of a request an OpenAI format has no place for. `output`: what it takes of `output_config`
 * besides effort and format.
 */
export function noteLostFields(request: MessagesRequest, notes: Notes, output: readonly string[] = []): void {
  for (const [key, value] of Object.entries(request)) {
    if (!translatedFields.has(key) && value !== undefined) notes.add('field-dropped', `${key} removed`);
  }
  for (const key of Object.keys(request.output_config ?? {})) {
    if (key !== 'effort' && key !== 'format' && !output.includes(key))
      notes.add('field-dropped', `output_config.${key} removed`);
  }
}
