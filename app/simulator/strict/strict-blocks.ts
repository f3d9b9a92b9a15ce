import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asObject, asText } from '../json.ts';
import { codeRefusal, flatRefusal, type Refusal, vendorRefusal } from '../refusal.ts';
import { type MessagesCheck, messagesOf } from './messages-check.ts';

/** Sample: `error-400-empty-text-block.messages`. */
export const emptyText = 'messages: text content blocks must contain non-whitespace text';

/** Kinds of blocks the service takes in a conversation. */
const knownBlocks = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'tool_search_tool_result',
  'tool_reference',
  'compaction',
]);

/** Pictures seen on the way. */
interface Seen {
  images: number;
}

/** Every content block, one after the other; then what holds for all pictures together. */
export function checkBlocks(check: MessagesCheck): Refusal | null {
  const { body, model } = check;
  const seen: Seen = { images: 0 };
  const refusal = checkSystem(body) ?? checkMessages(check, seen);
  if (refusal !== null) return refusal;
  if (model.images !== null && seen.images > model.images) {
    return codeRefusal(
      `too many images in request: ${seen.images} images exceed the limit of ${model.images}`,
      'invalid_request_body',
    );
  }
  return null;
}

function checkSystem(body: JsonObject): Refusal | null {
  for (const [at, block] of asList(body.system).entries()) {
    if (!isObject(block)) return flatRefusal(`system.${at}: Input should be a valid dictionary`);
    if (isBlank(block)) return flatRefusal('system: text content blocks must be non-empty');
    const refusal = checkScope(block, `system.${at}`);
    if (refusal !== null) return refusal;
  }
  return null;
}

function checkMessages(check: MessagesCheck, seen: Seen): Refusal | null {
  const messages = messagesOf(check.body);
  for (const [at, message] of messages.entries()) {
    const { content } = message;
    if (typeof content === 'string') {
      if (content.trim() === '') return flatRefusal(emptyText);
      continue;
    }
    const blocks = asList(content);
    if (blocks.length === 0 && !(message.role === 'assistant' && at === messages.length - 1)) {
      return flatRefusal(`messages.${at}: all messages must have non-empty content`);
    }
    for (const [index, block] of blocks.entries()) {
      const refusal = checkBlock(check, block, `messages.${at}.content.${index}`, seen);
      if (refusal !== null) return refusal;
    }
  }
  return null;
}

function checkBlock(check: MessagesCheck, block: unknown, path: string, seen: Seen): Refusal | null {
  if (!isObject(block)) return flatRefusal(`${path}: Input should be a valid dictionary`);
  const type = asText(block.type) ?? '';
  if (!knownBlocks.has(type)) return unknownTag(path, type);
  const scope = checkScope(block, path);
  if (scope !== null) return scope;
  switch (type) {
    case 'text':
      return isBlank(block) ? flatRefusal(emptyText) : null;
    case 'image':
      seen.images += 1;
      return checkSource(check, block, path);
    case 'document':
      return checkSource(check, block, path);
    case 'thinking':
      return check.acceptsSignature(asText(block.signature) ?? '')
        ? null
        : codeRefusal(`${path}: Invalid signature in thinking block`, 'invalid_request_body');
    case 'redacted_thinking':
      return check.acceptsSignature(asText(block.data) ?? '')
        ? null
        : codeRefusal(`${path}: Invalid data in redacted_thinking block`, 'invalid_request_body');
    case 'server_tool_use':
      return asText(block.name)?.startsWith('tool_search_tool') ? null : unknownTag(path, type);
    case 'tool_reference':
      return checkReference(check, block, path);
    case 'tool_result':
      return checkResult(check, block, path, seen);
    default:
      return null;
  }
}

function checkResult(check: MessagesCheck, block: JsonObject, path: string, seen: Seen): Refusal | null {
  for (const [index, part] of asList(block.content).entries()) {
    const refusal = checkBlock(check, part, `${path}.tool_result.content.${index}`, seen);
    if (refusal !== null) return refusal;
  }
  return null;
}

function checkReference({ body }: MessagesCheck, block: JsonObject, path: string): Refusal | null {
  const found = asList(body.tools).some((tool) => asObject(tool).name === block.tool_name);
  return found
    ? null
    : flatRefusal(`${path}: Tool reference '${String(block.tool_name)}' not found in available tools`);
}

/** Sample: `error-400-external-image-url`; there is no files API either. */
function checkSource({ model }: MessagesCheck, block: JsonObject, path: string): Refusal | null {
  const source = asObject(block.source);
  if (source.type === 'url') return codeRefusal('external image URLs are not supported', '');
  if (source.type === 'file') return unknownTag(`${path}.${String(block.type)}.source`, 'file');
  if (block.type !== 'image') return null;
  if (!/^image\/(jpeg|png|webp|gif)$/.test(asText(source.media_type) ?? '')) {
    return flatRefusal(
      `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  const bytes = Math.floor(((asText(source.data) ?? '').length * 3) / 4);
  return model.imageBytes !== null && bytes > model.imageBytes
    ? flatRefusal(`${path}.image.source.base64: image exceeds ${model.imageBytes} bytes: ${bytes} bytes`)
    : null;
}

function unknownTag(path: string, type: string): Refusal {
  const expected = [...knownBlocks].map((one) => `'${one}'`).join(', ');
  return flatRefusal(
    `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`,
  );
}

/** Sample: `error-400-cache_control-scope`, in the vendor's own envelope. */
export function checkScope(block: JsonObject, path: string): Refusal | null {
  if (!isObject(block.cache_control)) return null;
  const extra = Object.keys(block.cache_control).find((key) => key !== 'type' && key !== 'ttl');
  return extra === undefined
    ? null
    : vendorRefusal(`${path}.cache_control.ephemeral.${extra}: Extra inputs are not permitted`);
}

function isBlank(block: JsonObject): boolean {
  return block.type === 'text' && (asText(block.text) ?? '').trim() === '';
}
