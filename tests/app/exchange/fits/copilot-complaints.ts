import { isDeepStrictEqual } from 'node:util';
import type { CatalogModel } from '../../../../app/copilot/model-entry.ts';
import type { Block, MessagesRequest } from '../../../../app/formats/messages/request.ts';

/**
 * Everything that Copilot's `/v1/messages` would refuse in a request, and what it has no business to see. Written from
 * the recorded refusals and Anthropic's rules, knowing nothing of the fits. Empty: it would be accepted.
 */
export function copilotComplaints(request: MessagesRequest, betas: readonly string[], model: CatalogModel): string[] {
  return [
    ...fieldComplaints(request, betas, model),
    ...thinkingComplaints(request, model),
    ...toolComplaints(request),
    ...allBlocks(request).flatMap((block) => blockComplaints(block, model)),
    ...messageComplaints(request, model),
    ...betaComplaints(request, betas),
  ];
}

const when = (condition: boolean, complaint: string): string[] => (condition ? [complaint] : []);

function fieldComplaints(request: MessagesRequest, betas: readonly string[], model: CatalogModel): string[] {
  const extra = [
    'cache_control',
    'inference_geo',
    'fallbacks',
    'mcp_servers',
    'advisor',
    'safeguards',
    'metadata',
    'container',
  ];
  const effort = request.output_config?.effort;
  const marks = [...allBlocks(request), ...(request.tools ?? [])].filter(
    (holder) => holder.cache_control !== undefined,
  );
  return [
    ...extra.filter((field) => request[field] !== undefined).map((field) => `${field}: Extra inputs are not permitted`),
    ...when(request.model !== model.id, 'The requested model is not supported.'),
    ...when(typeof request.system === 'string', 'system is a string'),
    ...when(JSON.stringify(request.system ?? '').includes('x-anthropic-billing-header'), 'attribution block'),
    ...when(
      request.context_management !== undefined && !betas.some((beta) => beta.startsWith('context-management-')),
      'context_management: Extra inputs are not permitted',
    ),
    ...when(
      (request.max_tokens ?? 0) > (model.limits.outputTokens ?? Infinity),
      'The maximum tokens you requested exceeds',
    ),
    ...when(effort !== undefined && !model.supports.efforts.includes(effort), 'invalid_reasoning_effort'),
    ...when(marks.length > 4, 'A maximum of 4 blocks with cache_control'),
  ];
}

function thinkingComplaints({ thinking, ...request }: MessagesRequest, model: CatalogModel): string[] {
  const edits = JSON.stringify(request.context_management ?? '');
  const on = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  if (!on) return when(edits.includes('clear_thinking_'), 'clear_thinking strategy requires thinking');
  const { adaptiveThinking, maxThinkingBudget, minThinkingBudget } = model.supports;
  const budget = thinking.budget_tokens ?? 0;
  const forced = request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool';
  return [
    ...when(thinking.type === 'adaptive' && adaptiveThinking === 'unsupported', 'adaptive thinking is not supported'),
    ...when(thinking.type === 'enabled' && adaptiveThinking === 'required', 'thinking.type.enabled is not supported'),
    ...when(
      thinking.type === 'enabled' && budget >= (request.max_tokens ?? Infinity),
      'max_tokens must be greater than budget',
    ),
    ...when(thinking.type === 'enabled' && budget > (maxThinkingBudget ?? Infinity), 'budget over the limit'),
    ...when(thinking.type === 'enabled' && budget < (minThinkingBudget ?? 0), 'budget below the limit'),
    ...when(thinking.display === 'updates', 'thinking.display: Input should be omitted or summarized'),
    ...when(forced, 'Thinking may not be enabled when tool_choice forces tool use'),
    ...when((request.temperature ?? 1) !== 1, 'temperature may only be set to 1 when thinking is enabled'),
    ...when(request.top_p !== undefined || request.top_k !== undefined, 'top_p, top_k with thinking'),
  ];
}

const toolTags =
  /^(custom|bash_20250124|memory_20250818|computer_\d+|text_editor_(20250124|20250429|20250728)|tool_search_tool_(bm25|regex)(_20251119)?)$/;

function toolComplaints({ tools = [], tool_choice: choice }: MessagesRequest): string[] {
  return [
    ...tools.filter((tool) => !toolTags.test(tool.type ?? 'custom')).map((tool) => `tool tag ${tool.type}`),
    ...tools.filter((tool) => 'eager_input_streaming' in tool || 'input_examples' in tool).map(() => 'tool field'),
    ...tools
      .filter((tool) => JSON.stringify(tool.cache_control ?? '').includes('"scope"'))
      .map(() => 'ephemeral.scope'),
    ...when(choice?.type === 'tool' && !tools.some((tool) => tool.name === choice.name), 'tool_choice names no tool'),
  ];
}

const blockTags =
  /^(text|image|document|search_result|thinking|redacted_thinking|tool_use|tool_result|tool_reference|tool_search_tool_result)$/;

function blockComplaints(block: Block, model: CatalogModel): string[] {
  const source = JSON.stringify(block.source ?? '');
  const known =
    blockTags.test(block.type) || (block.type === 'server_tool_use' && String(block.name).startsWith('tool_search'));
  return [
    ...when(!known, `block tag ${block.type}`),
    ...when(
      JSON.stringify(block.cache_control ?? '').includes('"scope"'),
      'ephemeral.scope: Extra inputs are not permitted',
    ),
    ...when(
      block.type === 'text' && String(block.text).trim() === '',
      'text content blocks must contain non-whitespace text',
    ),
    ...when(source.includes('"type":"url"'), 'external image URLs are not supported'),
    ...when(source.includes('"type":"file"'), 'no such file'),
    ...when(
      block.type === 'image' && !model.limits.imageTypes.some((type) => source.includes(`"${type}"`)),
      'image type is not supported',
    ),
    ...when(
      block.type === 'image' && source.length * 0.75 > (model.limits.imageBytes ?? Infinity) + 100,
      'image too large',
    ),
    ...when(
      block.type === 'thinking' && !/^[A-Za-z0-9+/=]+$/.test(String(block.signature ?? '')),
      'Invalid signature in thinking block',
    ),
    ...when(block.type === 'redacted_thinking' && !block.data, 'Invalid data in redacted_thinking'),
  ];
}

function messageComplaints({ messages }: MessagesRequest, model: CatalogModel): string[] {
  const ids = messages
    .flatMap((message) => blocksOf(message.content))
    .flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  const images = messages
    .flatMap((message) => allIn(blocksOf(message.content)))
    .filter((block) => block.type === 'image');
  const modern = /^claude-[a-z]+-(4\.[6-9]|[5-9])/.test(model.id);
  return [
    ...messages.flatMap(({ role, content }) => [
      ...when(role === 'system' && !/^claude-(opus-4\.8|[a-z]+-5)/.test(model.id), 'Unexpected role "system"'),
      ...when(
        content.length === 0 || (typeof content === 'string' && content.trim() === ''),
        'message without content',
      ),
    ]),
    ...when(messages.length === 0 || messages[0]?.role === 'assistant', 'first message must use the user role'),
    ...when(modern && messages.at(-1)?.role === 'assistant', 'This model does not support assistant message prefill'),
    ...when(new Set(ids).size !== ids.length, 'tool_use ids must be unique'),
    ...when(images.length > (model.limits.images ?? Infinity), 'too many images'),
    ...pairingComplaints(messages),
  ];
}

/** Anthropic joins neighbours of one role; then the results of a turn answer exactly the calls of the turn before. */
function pairingComplaints(messages: MessagesRequest['messages']): string[] {
  const turns: { role: string; blocks: Block[] }[] = [];
  for (const { role, content } of messages.filter((message) => message.role !== 'system')) {
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocksOf(content));
    else turns.push({ role, blocks: [...blocksOf(content)] });
  }
  return turns.flatMap(({ role, blocks }, index) => {
    const next = turns[index + 1]?.blocks ?? [];
    const before = turns[index - 1]?.blocks ?? [];
    const calls = (list: Block[]) =>
      list.flatMap((block) => (block.type === 'tool_use' ? [String(block.id)] : [])).sort();
    const results = (list: Block[]) =>
      list.flatMap((block) => (block.type === 'tool_result' ? [String(block.tool_use_id)] : [])).sort();
    return role === 'assistant'
      ? when(!isDeepStrictEqual(calls(blocks), results(next)), 'tool_use without tool_result right after')
      : [
          ...when(!isDeepStrictEqual(results(blocks), calls(before)), 'unexpected tool_use_id in tool_result'),
          ...when(
            blocks.slice(results(blocks).length).some((block) => block.type === 'tool_result'),
            'tool_result blocks must come before any other content',
          ),
        ];
  });
}

function betaComplaints(request: MessagesRequest, betas: readonly string[]): string[] {
  const known =
    /^(interleaved-thinking|context-management|advanced-tool-use|per-turn-control|compact)-\d{4}-\d\d-\d\d$/;
  const controls = request.messages.some((message) => message.role === 'system' && message.output_config !== undefined);
  return [
    ...betas.filter((beta) => !known.test(beta)).map((beta) => `beta ${beta}`),
    ...when(
      request.context_management === undefined && betas.some((beta) => beta.startsWith('context-management')),
      'beta context-management without its field',
    ),
    ...when(!controls && betas.some((beta) => beta.startsWith('per-turn')), 'beta per-turn-control without its field'),
  ];
}

function blocksOf(content: string | Block[]): Block[] {
  return typeof content === 'string' ? [] : content;
}

function allIn(blocks: Block[]): Block[] {
  return blocks.flatMap((block) => [block, ...(Array.isArray(block.content) ? allIn(block.content) : [])]);
}

function allBlocks(request: MessagesRequest): Block[] {
  const system = typeof request.system === 'string' ? [] : (request.system ?? []);
  return [...system, ...request.messages.flatMap(({ content }) => allIn(blocksOf(content)))];
}
