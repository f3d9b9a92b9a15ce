import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asObject, asText } from '../json.ts';
import { codeRefusal, extraInput, flatRefusal, type Refusal, vendorRefusal } from '../refusal.ts';
import { type MessagesCheck, messagesOf } from './check.ts';

/** Sample: `error-400-empty-text-block.messages`. */
const emptyText = 'messages: text content blocks must contain non-whitespace text';

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
function checkScope(block: JsonObject, path: string): Refusal | null {
  if (!isObject(block.cache_control)) return null;
  const extra = Object.keys(block.cache_control).find((key) => key !== 'type' && key !== 'ttl');
  return extra === undefined
    ? null
    : vendorRefusal(`${path}.cache_control.ephemeral.${extra}: Extra inputs are not permitted`);
}

function isBlank(block: JsonObject): boolean {
  return block.type === 'text' && (asText(block.text) ?? '').trim() === '';
}

/**
 * The tool tags that the service lists; sample: `error-400-code_execution-tool-tag`. Without a tag a tool is `custom`.
 */
const tags = [
  'bash_20250124',
  'custom',
  'memory_20250818',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex',
  'tool_search_tool_regex_20251119',
] as const;

/** Fields of newer APIs that the backend behind Copilot does not know. */
const refusedToolFields = ['eager_input_streaming', 'input_examples'] as const;

export function checkTools({ body }: MessagesCheck): Refusal | null {
  const tools = asList(body.tools).filter(isObject);
  for (const [at, tool] of tools.entries()) {
    const refusal = checkTool(tool, at);
    if (refusal !== null) return refusal;
  }
  const names = tools.map((tool) => tool.name);
  if (new Set(names).size < names.length) return flatRefusal('tools: Tool names must be unique.');
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading === true)) {
    return flatRefusal('At least one tool must have defer_loading=false.');
  }
  return checkChoice(asObject(body.tool_choice), names);
}

function checkTool(tool: JsonObject, at: number): Refusal | null {
  const type = asText(tool.type) ?? 'custom';
  if (type.startsWith('web_search_')) {
    return codeRefusal('The use of the web search tool is not supported.', 'unsupported_value');
  }
  if (type.startsWith('web_fetch_')) return codeRefusal('rejected tool(s): web_fetch', 'invalid_request_body');
  if (!tags.some((tag) => tag === type) && !type.startsWith('computer_')) {
    const expected = tags.map((tag) => `'${tag}'`).join(', ');
    return flatRefusal(
      `tools.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`,
    );
  }
  return checkScope(tool, `tools.${at}`) ?? (type === 'custom' ? checkCustom(tool, at) : null);
}

function checkCustom(tool: JsonObject, at: number): Refusal | null {
  const extra = refusedToolFields.find((field) => tool[field] !== undefined);
  if (extra !== undefined) return extraInput(`tools.${at}.custom.${extra}`);
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(asText(tool.name) ?? '')) {
    return flatRefusal(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  if (!isObject(tool.input_schema)) return flatRefusal(`tools.${at}.custom.input_schema: Field required`);
  return tool.input_schema.type === 'object'
    ? null
    : flatRefusal(`tools.${at}.custom.input_schema.type: Field required`);
}

function checkChoice(choice: JsonObject, names: readonly unknown[]): Refusal | null {
  if (choice.type === undefined || choice.type === 'none') return null;
  if (names.length === 0) return flatRefusal('tool_choice may only be specified while providing tools.');
  return choice.type === 'tool' && !names.includes(choice.name)
    ? flatRefusal(`Tool '${String(choice.name)}' not found in provided tools`)
    : null;
}
