import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import type { BlockPlace, FitContext, Refusal } from './fit.ts';

/** The translated paths have no place for documents. Plain-text documents are translated; a PDF would be lost without a word. */
export function refusePdf(block: Block, _place: BlockPlace, context: FitContext): Refusal | null {
  if (block.type !== 'document' || !isObject(block.source) || block.source.type !== 'base64') return null;
  const other = context.documentModel ?? null;
  const mend = other === null ? 'Switch to a Claude model for it.' : `Switch to ${other} for it.`;
  return {
    ok: false,
    status: 400,
    type: 'policy_blocked',
    message: `Jumpseat: ${context.model.name} can’t read PDFs through Copilot. ${mend}`,
    code: 'pdf-refused',
    shouldRetry: false,
  };
}
