import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type BlockChange, type BlockPlace, type FitContext, note, type Refusal, textInPlaceOf } from './fit.ts';

/**
 * "external image URLs are not supported". Fetching it for the client would turn the proxy into a way to send requests
 * into the network of the person who runs it.
 */
export function refuseUrlSources(block: Block): Refusal | null {
  if (block.type !== 'image' && block.type !== 'document') return null;
  if (!isObject(block.source) || block.source.type !== 'url') return null;
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message: `Jumpseat: Copilot takes no ${block.type} by URL. Send its data instead, as a base64 source.`,
    code: 'url-source-refused',
    shouldRetry: false,
  };
}

/**
 * The translated paths have no place for documents. Plain-text documents are translated; a PDF would be lost without a
 * word.
 */
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

const leftOut = note('file-reference-left-out', 'file reference left out');

/** Copilot has no files API (its routes answer 404), so an id of a file means nothing there. */
export function replaceFileReferences(block: Block): BlockChange | null {
  const byId = isObject(block.source) && block.source.type === 'file';
  if (!byId && block.type !== 'container_upload') return null;
  return { ok: true, block: textInPlaceOf(block, '[file left out: Copilot takes no file ids]'), note: leftOut };
}
