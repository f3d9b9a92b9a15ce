import type { FitContext } from './fit.ts';

/** Models that were seen to take `role: "system"` inside `messages` (measured; Sonnet 4.6 refuses it). What is learned later comes with the context. */
const known: ReadonlySet<string> = new Set(['claude-opus-4.8']);

export function takesSystemMessages(context: FitContext): boolean {
  if (context.learned?.refusesSystemMessages === true) return false;
  return context.takesSystemMessages ?? known.has(context.model.id);
}
