import type { MessagesRequest } from '../messages/request.ts';
import type { Notes } from './note.ts';

/**
 * All words that were seen in catalogs and clients, lowest first. A word that is not here is taken for a newer, higher
 * one.
 */
const effortsInOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The effort for an API that has efforts and no thinking budgets: what the client asked for, else what its thinking
 * comes to, clamped to `listed`. Null: none. An absent list lets every effort pass, an empty one none.
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

/** The other way round, for models that think by a budget. */
export function budgetOf(effort: string): number {
  switch (effort) {
    case 'none':
    case 'minimal':
    case 'low':
      return 1024;
    case 'medium':
      return 8192;
    case 'high':
      return 24_576;
    default:
      return 32_768;
  }
}

/** An effort as a note names it: what a client made up is in no log. */
export function effortName(asked: string): string {
  return effortsInOrder.includes(asked) ? asked : '(unknown)';
}

/**
 * `invalid_reasoning_effort`: an effort has to be in the model's list. The nearest lower one of the list costs no more
 * than what was asked for; where there is none, the lowest is taken. Null: a model with an empty list has no such
 * setting. An absent list lets every effort pass.
 */
export function clampEffort(asked: string, listed: readonly string[] | undefined): string | null {
  if (listed === undefined || listed.includes(asked)) return asked;
  const place = effortsInOrder.indexOf(asked);
  const most = place === -1 ? effortsInOrder.length : place;
  const known = effortsInOrder.filter((effort) => listed.includes(effort));
  return known.findLast((effort) => effortsInOrder.indexOf(effort) <= most) ?? known[0] ?? listed[0] ?? null;
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
