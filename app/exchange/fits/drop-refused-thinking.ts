import type { Block } from '../../formats/messages/request.ts';
import { type BlockChange, type BlockPlace, type FitContext, note } from './fit.ts';
import { thinkingProof } from './thinking-proof.ts';

const dropped = note('refused-thinking-removed', 'thinking removed');

/** "Invalid signature in thinking block": Copilot refused this very block before, so it does not get it again. */
export function dropRefusedThinking(block: Block, place: BlockPlace, { learned }: FitContext): BlockChange | null {
  if (learned === undefined || place.role !== 'assistant') return null;
  const proof = thinkingProof(block);
  return proof !== null && learned.refusesThinking(proof) ? { ok: true, block: null, note: dropped } : null;
}
