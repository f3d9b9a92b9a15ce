import type { Block } from '../../formats/messages/request.ts';
import { type BlockChange, type BlockPlace, note } from './fit.ts';

const dropped = note('foreign-thinking-removed', 'foreign thinking removed');

/** How signatures of our own translations from another path begin; Anthropic's are base64 and cannot. */
const ourMark = /^jumpseat[-.:]/;

/**
 * "Invalid signature in thinking block": thinking that another path or provider produced may not come back. A message does not say which
 * model wrote it, so only what can be seen is dropped: no signature, or one of our own translations. A real signature of another Claude
 * is left; should Copilot refuse it, the recovery takes all thinking out.
 *
 * Empty text with a signature stays: that is what `display: "omitted"` looks like, and the signature carries the reasoning on.
 */
export function dropForeignThinking(block: Block, place: BlockPlace): BlockChange | null {
  if (place.role !== 'assistant') return null;
  if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return null;
  const proof = block.type === 'thinking' ? block.signature : block.data;
  const own = typeof proof === 'string' && proof.trim() !== '' && !ourMark.test(proof);
  return own ? null : { ok: true, block: null, note: dropped };
}
