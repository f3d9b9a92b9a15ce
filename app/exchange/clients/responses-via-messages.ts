import type { FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { MessagesRequest, Thinking } from '../../formats/messages/request.ts';
import { ClientToolCalls, plainFunctions } from '../../formats/responses/client-tools.ts';
import type { ResponseHead } from '../../formats/responses/writer.ts';
import { ResponsesFromMessages } from '../../formats/responses-via-messages/answer.ts';
import { responsesToMessages } from '../../formats/responses-via-messages/request.ts';
import { budgetOf } from '../../formats/translation/effort.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { type OpenaiContext, type OpenaiPlan, planViaMessages } from './openai.ts';
import { applyRules, dropQuietly, type FieldRule, only, pass, refuseField } from './openai-fields.ts';
import { takeHostedSearch, withSearchTool } from './openai-search.ts';
import { fitResponsesImages, responsesRules, sentAsFunctions } from './responses-native.ts';

const noCounterpart = 'this model’s own API has nothing like it. Leave it out, or use a model that lists /responses.';
const neutral = (...allowed: readonly unknown[]): FieldRule => only(allowed, noCounterpart);
const translated: FieldRule = () => pass;

/**
 * The reasoning is always given encrypted; the rest is about tools that OpenAI's service runs, so there is nothing of
 * it.
 */
const include: FieldRule = (value) =>
  Array.isArray(value) && value.includes('message.output_text.logprobs')
    ? { kind: 'refuse', message: 'this model has no log probabilities. Leave message.output_text.logprobs out.' }
    : dropQuietly;

/**
 * Responses to a model that has only `/v1/messages` or `/chat/completions`. What `responsesToMessages` maps passes
 * here; what has no counterpart is refused by name, unless it asks for what is done without it as well.
 */
export const responsesViaMessagesRules: Readonly<Record<string, FieldRule>> = {
  ...responsesRules,
  input: translated,
  instructions: translated,
  temperature: translated,
  top_p: translated,
  parallel_tool_calls: translated,
  text: translated,
  include,
  truncation: neutral('disabled'),
  top_logprobs: neutral(0),
  // Counts calls of tools that OpenAI's service runs; there are none.
  max_tool_calls: () => ({ kind: 'drop', note: 'max_tool_calls removed' }),
};

const noSearch = { tool: null, ordered: false } as const;

export function planResponsesViaMessages(
  asked: JsonObject & { model: string },
  model: CatalogModel,
  path: Exclude<ChatPath, '/responses'>,
  context: OpenaiContext,
): OpenaiPlan {
  const { request, tool, ordered } =
    context.search !== null ? takeHostedSearch(asked) : { ...noSearch, request: asked };
  const unknown = Object.keys(request).find((field) => !Object.hasOwn(responsesViaMessagesRules, field));
  if (unknown !== undefined) throw refuseField(unknown, noCounterpart);
  const { input, notes: imageNotes } = fitResponsesImages(request.input, model);
  const { body, notes: fieldNotes } = applyRules({ ...request, input }, responsesViaMessagesRules, model);
  const plain = plainFunctions({ ...body, model: request.model });
  const mapped = responsesToMessages(plain.body);
  if (!mapped.ok) throw refuseField(mapped.field, mapped.message);
  const thinking = path === '/v1/messages' ? thinkingFor(request.reasoning, mapped.request, model) : null;
  const thought = thinking === null ? mapped.request : { ...mapped.request, thinking };
  const messages = tool === null ? thought : withSearchTool(thought, tool, ordered);
  const notes: FitNote[] = [
    ...fieldNotes,
    ...imageNotes,
    ...(plain.tools.none ? [] : [sentAsFunctions]),
    ...mapped.notes,
    { code: 'translated', count: 1, text: 'translated: responses → messages' },
  ];
  const head = headOf(asked, tool === null ? body : { ...body, tools: asked.tools }, context);
  return planViaMessages({ request: messages, model, path, context, notes }, (inner) => {
    const reader = new ResponsesFromMessages(inner, { head, summary: mapped.summary });
    return {
      reader: plain.tools.none ? reader : new ClientToolCalls(reader, plain.tools),
      failureEvents: reader.failure,
    };
  });
}

/**
 * A request that names an effort or a summary wants reasoning; the other APIs of OpenAI's say it by the effort alone.
 */
function thinkingFor(reasoning: unknown, { messages }: MessagesRequest, { supports }: CatalogModel): Thinking | null {
  if (!isObject(reasoning) || reasoning.effort === 'none') return null;
  const effort = typeof reasoning.effort === 'string' ? reasoning.effort : null;
  if (effort === null && typeof (reasoning.summary ?? reasoning.generate_summary) !== 'string') return null;
  if (supports.adaptiveThinking !== 'unsupported') return { type: 'adaptive' };
  if (supports.maxThinkingBudget === null || isInUnthoughtTurn(messages)) return null;
  return { type: 'enabled', budget_tokens: budgetOf(effort ?? 'medium') };
}

/**
 * With a budget, Anthropic's API refuses results of calls that no thinking stands before: the turn was begun by another
 * model, or without.
 */
function isInUnthoughtTurn(messages: MessagesRequest['messages']): boolean {
  const asked = messages.findLast(({ role }) => role === 'assistant');
  const answered = messages.at(-1);
  if (asked === undefined || answered?.role !== 'user' || typeof answered.content === 'string') return false;
  if (!answered.content.some(({ type }) => type === 'tool_result') || typeof asked.content === 'string') return false;
  const first = asked.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}

/** Every event about the response repeats what was asked for, as far as it holds. */
function headOf(request: JsonObject & { model: string }, fitted: JsonObject, { id, now }: OpenaiContext): ResponseHead {
  const reasoning = isObject(request.reasoning) ? request.reasoning : {};
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(now / 1000),
    background: false,
    error: null,
    instructions: request.instructions ?? null,
    max_output_tokens: fitted.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: request.model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    service_tier: 'default',
    store: false,
    temperature: request.temperature ?? null,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: fitted.tool_choice ?? 'auto',
    tools: fitted.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: 'disabled',
  };
}
