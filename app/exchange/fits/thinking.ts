import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { Block, MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import {
  type BlockChange,
  type BlockPlace,
  changed,
  type FitContext,
  type FitResult,
  note,
  unchanged,
  without,
} from './fit.ts';

export function thinks(request: MessagesRequest): boolean {
  return request.thinking?.type === 'enabled' || request.thinking?.type === 'adaptive';
}

/**
 * What makes a thinking block this one and no other: its signature, or its data where it is redacted. Null for any
 * other block.
 */
export function thinkingProof(block: Block): string | null {
  if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return null;
  const proof = block.type === 'thinking' ? block.signature : block.data;
  return typeof proof === 'string' ? proof : null;
}

/**
 * The most tokens this request may think: the model's limit, and less than the answer may have. Infinite where nothing
 * says so.
 */
function largestBudget(request: MessagesRequest, model: CatalogModel): number {
  const ofAnswer = typeof request.max_tokens === 'number' ? request.max_tokens - 1 : Number.POSITIVE_INFINITY;
  return Math.min(model.supports.maxThinkingBudget ?? Number.POSITIVE_INFINITY, ofAnswer);
}

/** Anthropic's own floor, for models whose catalog entry names none. */
const floor = 1024;

function smallestBudget(model: CatalogModel): number {
  return model.supports.minThinkingBudget ?? floor;
}

const refusedThinking = note('refused-thinking-removed', 'thinking removed');

/** "Invalid signature in thinking block": Copilot refused this very block before, so it does not get it again. */
export function dropRefusedThinking(block: Block, place: BlockPlace, { learned }: FitContext): BlockChange | null {
  if (learned === undefined || place.role !== 'assistant') return null;
  const proof = thinkingProof(block);
  return proof !== null && learned.refusesThinking(proof) ? { ok: true, block: null, note: refusedThinking } : null;
}

const foreignThinking = note('foreign-thinking-removed', 'foreign thinking removed');

/** How signatures of our own translations from another path begin; Anthropic's are base64 and cannot. */
const ourMark = /^jumpseat[-.:]/;

/**
 * "Invalid signature in thinking block": thinking that another path or provider produced may not come back. A message
 * does not say which model wrote it, so only what can be seen is foreignThinking: no signature, or one of our own
 * translations. A real signature of another Claude is left; should Copilot refuse it, the recovery takes all thinking
 * out.
 *
 * Empty text with a signature stays: that is what `display: "omitted"` looks like, and the signature carries the
 * reasoning on.
 */
export function dropForeignThinking(block: Block, place: BlockPlace): BlockChange | null {
  if (place.role !== 'assistant') return null;
  if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return null;
  const proof = block.type === 'thinking' ? block.signature : block.data;
  const own = typeof proof === 'string' && proof.trim() !== '' && !ourMark.test(proof);
  return own ? null : { ok: true, block: null, note: foreignThinking };
}

/**
 * `display: "updates"` belongs to the beta thinking-display-updates, which Copilot does not get; `"omitted"` needs none
 * and stays.
 */
export function removeThinkingDisplay(request: MessagesRequest): FitResult {
  const { thinking } = request;
  if (thinking?.display !== 'updates') return unchanged(request);
  const next = { ...request, thinking: without(thinking, 'display') };
  return changed(next, 'thinking-display-removed', 'thinking display removed');
}

/** Anthropic's rule: "Thinking may not be enabled when tool_choice forces tool use." */
export function dropThinkingForForcedTool(request: MessagesRequest): FitResult {
  const choice = request.tool_choice;
  if (!thinks(request)) return unchanged(request);
  if (choice?.type !== 'any' && choice?.type !== 'tool') return unchanged(request);
  return changed(without(request, 'thinking'), 'thinking-off', 'thinking off: forced tool');
}

/** Models whose catalog entry says `adaptive_thinking: "required"` refuse a budget (github/copilot-sdk#2352). */
export function budgetThinkingToAdaptive(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'enabled' || model.supports.adaptiveThinking !== 'required') return unchanged(request);
  const adaptive = { ...without(thinking, 'budget_tokens'), type: 'adaptive' };
  return changed({ ...request, thinking: adaptive }, 'thinking-to-adaptive', 'thinking: enabled → adaptive');
}

/**
 * Models without `adaptive_thinking` refuse that type; they think with a budget instead. Where not even the smallest
 * budget fits into max_tokens, or the model lists no budget at all, they answer without thinking.
 */
export function adaptiveThinkingToBudget(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'adaptive' || model.supports.adaptiveThinking !== 'unsupported') return unchanged(request);
  const budget = largestBudget(request, model);
  if (model.supports.maxThinkingBudget === null || budget < smallestBudget(model)) {
    return changed(without(request, 'thinking'), 'thinking-removed', 'thinking: adaptive removed');
  }
  const next = { ...request, thinking: { ...thinking, type: 'enabled', budget_tokens: budget } };
  return changed(next, 'thinking-to-budget', `thinking: adaptive → enabled ${budget}`);
}

/** Claude Code asks for 31999, 63999 or 127999; a budget has to stay within the model's limit and below max_tokens. */
export function clampThinkingBudget(request: MessagesRequest, { model }: FitContext): FitResult {
  const { thinking } = request;
  if (thinking?.type !== 'enabled' || typeof thinking.budget_tokens !== 'number') return unchanged(request);
  const asked = thinking.budget_tokens;
  const most = largestBudget(request, model);
  if (asked <= most) return unchanged(request);
  if (most < smallestBudget(model)) {
    return changed(without(request, 'thinking'), 'thinking-removed', `thinking budget ${asked} removed`);
  }
  const next = { ...request, thinking: { ...thinking, budget_tokens: most } };
  return changed(next, 'thinking-budget-clamped', `thinking budget ${asked} → ${most}`);
}

/**
 * "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive" (anthropics/claude-code#11971):
 * the edit leaves with the thinking it belongs to, and `context_management` with its last edit.
 */
export function removeClearThinkingEdits(request: MessagesRequest): FitResult {
  const management = request.context_management;
  if (thinks(request) || !isObject(management) || !Array.isArray(management.edits)) return unchanged(request);
  const edits = management.edits.filter((edit) => !isObject(edit) || !String(edit.type).startsWith('clear_thinking_'));
  if (edits.length === management.edits.length) return unchanged(request);
  const next =
    edits.length > 0
      ? { ...request, context_management: { ...management, edits } }
      : without(request, 'context_management');
  return changed(next, 'clear-thinking-removed', 'clearing of thinking removed: no thinking');
}
