import { joined } from '../language/sentences.ts';
import { t } from '../language/translate.ts';

/**
 * How large a conversation may grow before Claude Code compacts it, by model. It takes 200k or a million tokens for
 * granted, whatever a gateway's model accepts; a conversation that outgrows the model costs a refused request, and then
 * a compaction of more than the model accepts. `autoCompactWindow` in its `modelSettings` says it for one model; the
 * variables CLAUDE_CODE_MAX_CONTEXT_TOKENS and CLAUDE_CODE_AUTO_COMPACT_WINDOW are one number for all of them.
 */

/** Prompt limits by model, in tokens; null where Copilot names none. */
export type PromptLimits = Readonly<Record<string, number | null>>;

/**
 * Claude Code compacts 33,000 tokens below the window: 20,000 of them are for the answer, which Copilot's limit for a
 * prompt doesn't count (measured with 2.1.328: `/context` calls the 33,000 "Autocompact buffer").
 */
const roomForAnswer = 20_000;
/** Claude Code ignores a smaller one. */
const leastWindow = 100_000;

/** Auto-compact windows in tokens, by the names that Claude Code keeps a model's settings under. */
export function contextWindows(limits: PromptLimits): Record<string, number> {
  const windows: Record<string, number> = {};
  for (const [model, limit] of Object.entries(limits)) {
    // `[1m]` behind a name means another model at Copilot, and the same to these settings.
    const hasTwoSizes = model.endsWith('-1m') || `${model}-1m` in limits;
    if (limit === null || hasTwoSizes || limit + roomForAnswer < leastWindow) continue;
    windows[model.startsWith('claude-') ? model.replaceAll('.', '-') : model] = limit + roomForAnswer;
  }
  return windows;
}

/** The context window that Claude Code takes for granted of most models, in tokens. */
const assumedContextTokens = 200_000;

/**
 * The named models that take less than that, in a sentence for those who paste the lines: a window for each model needs
 * the settings file. Null if there are none.
 */
export function smallModels(models: readonly string[], limits: PromptLimits): string | null {
  const small = [...new Set(models)].flatMap((model) => {
    const limit = limits[model] ?? null;
    return limit !== null && limit < assumedContextTokens
      ? [t('{model} accepts {limit}k', { model, limit: Math.floor(limit / 1000) })]
      : [];
  });
  if (small.length === 0) return null;
  return t(
    'Claude Code assumes that a model accepts 200k tokens, but {models}. After jumpseat setup claude-code it compacts in time. With these lines alone it compacts once a request is refused as too long.',
    { models: joined(small) },
  );
}
