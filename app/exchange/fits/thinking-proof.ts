import type { Block } from '../../formats/messages/request.ts';

/** What makes a thinking block this one and no other: its signature, or its data where it is redacted. Null for any other block. */
export function thinkingProof(block: Block): string | null {
  if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return null;
  const proof = block.type === 'thinking' ? block.signature : block.data;
  return typeof proof === 'string' ? proof : null;
}
