import type { CatalogModel } from '../../copilot/model-entry.ts';
import { type Block, isToolResultBlock, type MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { t } from '../../language/translate.ts';
import {
  type BlockChange,
  type BlockPlace,
  changed,
  type Fit,
  type FitContext,
  type FitResult,
  mapKeeping,
  note,
  type Refusal,
  textInPlaceOf,
  unchanged,
} from './fit.ts';

/** Images of all messages, also those inside tool results. */
export function countImages(request: MessagesRequest): number {
  let count = 0;
  for (const { content } of request.messages) if (typeof content !== 'string') count += imagesIn(content);
  return count;
}

function imagesIn(blocks: readonly Block[]): number {
  let count = 0;
  for (const block of blocks) {
    if (block.type === 'image') count += 1;
    else if (isToolResultBlock(block) && Array.isArray(block.content)) count += imagesIn(block.content);
  }
  return count;
}

/** What an image by its data weighs once it is decoded; null for any other block. */
function imageBytes(block: Block): number | null {
  if (block.type !== 'image' || !isObject(block.source) || block.source.type !== 'base64') return null;
  const { data } = block.source;
  return typeof data === 'string' ? sizeOfBase64(data) : 0;
}

/** A person is told that the image they have just attached is too large, not a model that is told nothing but that. */
export const refuseLargeImages: Fit = (request, { model, purpose }) => {
  if (purpose === 'count') return unchanged(request);
  const newest = request.messages.findLast(({ role }) => role !== 'system');
  if (newest?.role !== 'user' || typeof newest.content === 'string') return unchanged(request);
  // What stands beside a tool's result is the tool's.
  if (newest.content.some(({ type }) => type === 'tool_result')) return unchanged(request);
  for (const block of newest.content) {
    const unfit = unfitBlock(block, model);
    if (unfit?.kind === 'too-large') return { ok: false, ...unfit.refusal };
  }
  return unchanged(request);
};

export function leaveOutUnfitImages(block: Block, _place: BlockPlace, { model }: FitContext): BlockChange | null {
  const unfit = unfitBlock(block, model);
  if (unfit === null) return null;
  return { ok: true, block: textInPlaceOf(block, `[${unfit.text}]`), note: note('image-left-out', unfit.text) };
}

function unfitBlock(block: Block, model: CatalogModel): Unfit | null {
  const bytes = imageBytes(block);
  if (bytes === null || !isObject(block.source)) return null;
  return unfitImage({ bytes, type: block.source.media_type }, model);
}

export function limitImages(request: MessagesRequest, { model }: FitContext): FitResult {
  const most = mostImages(model);
  if (most === Number.POSITIVE_INFINITY) return unchanged(request);
  const leaving = countImages(request) - most;
  if (leaving <= 0) return unchanged(request);
  let left = leaving;
  const text = surplusText(most);
  const change = (block: Block): Block => {
    if (left === 0) return block;
    if (block.type === 'image') {
      left -= 1;
      return textInPlaceOf(block, text);
    }
    if (!isToolResultBlock(block) || !Array.isArray(block.content)) return block;
    const content = mapKeeping(block.content, change);
    return content === block.content ? block : { ...block, content };
  };
  const messages = mapKeeping(request.messages, (message) => {
    if (typeof message.content === 'string') return message;
    const content = mapKeeping(message.content, change);
    return content === message.content ? message : { ...message, content };
  });
  return changed({ ...request, messages }, 'images-left-out', 'images left out', leaving);
}

/**
 * What a model takes of images, for every client API: how many in one request, how large, and of which types.
 * The catalog says it; anything else fails the whole request.
 */
type Unfit = { kind: 'too-large'; text: string; refusal: typeof tooLarge & { message: string } } | OfWrongType;

interface OfWrongType {
  kind: 'wrong-type';
  text: string;
}

const tooLarge = { status: 413, type: 'request_too_large', code: 'image-too-large', shouldRetry: false } as const;

/**
 * Why the model does not take an image; null if it does. An image that a person has just attached and that is too large
 * is refused with `refusal`: it is what they ask about. One from a tool or from earlier in the conversation becomes
 * `text`, so that the work goes on.
 */
export function unfitImage(image: { bytes: number; type: unknown }, { limits }: CatalogModel): Unfit | null {
  const { bytes } = image;
  const most = limits.imageBytes;
  if (most !== null && bytes > most) {
    // One digit after the point, away from the limit, so that the two never read alike.
    const [size, limit] = [megabytes(bytes, Math.ceil), megabytes(most, Math.floor)];
    const message = t('Jumpseat: an image is {size}; Copilot accepts {limit}.', { size, limit });
    return { kind: 'too-large', text: `image left out: ${size} > ${limit}`, refusal: { ...tooLarge, message } };
  }
  const { type } = image;
  if (limits.imageTypes.length === 0 || typeof type !== 'string' || limits.imageTypes.includes(type)) return null;
  const named = /^image\/[a-z0-9.+-]{1,30}$/.test(type) ? type : 'its type';
  return { kind: 'wrong-type', text: `image left out: ${named} is not taken` };
}

/**
 * How many images of one request a model takes (Opus 4.6: one). The oldest leave: the newest are what the turn is
 * about.
 */
export function mostImages({ limits, supports }: CatalogModel): number {
  return limits.images ?? (supports.vision ? Number.POSITIVE_INFINITY : 0);
}

/** The text that replaces an image above that number. */
export function surplusText(most: number): string {
  return `[image left out: the model accepts ${most === 0 ? 'none' : most}]`;
}

/** Size of the bytes in a base64 text; it is not decoded. */
export function sizeOfBase64(data: string, from = 0): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - from) * 3) / 4) - padding;
}

/** `2.9 MB` */
export function megabytes(bytes: number, round: (value: number) => number): string {
  return `${round((bytes / 2 ** 20) * 10) / 10} MB`;
}

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
    message: t('Jumpseat: Copilot accepts no {type} by URL. Send its data instead, as a base64 source.', {
      type: block.type,
    }),
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
  const remedy = other === null ? t('Switch to a Claude model for it.') : t('Switch to {other} for it.', { other });
  return {
    ok: false,
    status: 400,
    type: 'policy_blocked',
    message: t('Jumpseat: {name} can’t read PDFs through Copilot. {remedy}', { name: context.model.name, remedy }),
    code: 'pdf-refused',
    shouldRetry: false,
  };
}

const leftOut = note('file-reference-left-out', 'file reference left out');

/** Copilot has no files API (its routes answer 404), so an id of a file means nothing there. */
export function replaceFileReferences(block: Block): BlockChange | null {
  const byId = isObject(block.source) && block.source.type === 'file';
  if (!byId && block.type !== 'container_upload') return null;
  return { ok: true, block: textInPlaceOf(block, '[file left out: Copilot accepts no file ids]'), note: leftOut };
}
