import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { asList, asObject, roughTokens } from '../json.ts';
import type { Answer, Thought } from '../prompt.ts';
import type { ResponsesQuirks } from '../script.ts';
import { encrypt } from '../signatures.ts';
import { argumentPieces, bill, type CopilotUsage, pieces, plainId } from './answer-parts.ts';

/**
 * A simulated answer as Copilot's `/responses` writes it: the events of OpenAI's API, each with ids of its own (Copilot
 * encrypts them anew every time), `output_text` null, and `copilot_usage` on the last event.
 */
interface ResponsesAnswer {
  events: JsonObject[];
  whole: JsonObject;
  usage: CopilotUsage;
}

interface ResponsesRequestFacts {
  promptTokens: number;
  body: JsonObject;
}

export function responsesAnswer(
  answer: Answer,
  model: SimulatedModel,
  { promptTokens, body }: ResponsesRequestFacts,
  quirks: ResponsesQuirks,
): ResponsesAnswer {
  const sizes = answer.thoughts.map(outputTokens);
  const output = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  const reasoning = sizes.reduce((sum, size, at) => sum + (answer.thoughts[at]?.kind === 'thinking' ? size : 0), 0);
  const charge = bill({ input: promptTokens, cacheRead: 0, cacheWrite: 0, output, thinking: 0 }, model.prices);
  // Without being asked for a summary it shows none of its thinking.
  const silent = asObject(body.reasoning).summary === undefined;
  const withSources = asList(body.include).includes('web_search_call.action.sources');
  const items = answer.thoughts.flatMap((thought) => [
    ...searchesOf(thought, withSources),
    itemOf(thought, model.id, silent),
  ]);
  const response = (status: string, more: JsonObject = {}): JsonObject => ({
    created_at: Math.floor(Date.now() / 1000),
    error: null,
    id: encryptedId(),
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: model.id,
    object: 'response',
    output: [],
    output_text: null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...asObject(body.reasoning) },
    status,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    truncation: 'disabled',
    usage: null,
    ...more,
  });
  const status = answer.stop === 'length' ? 'incomplete' : 'completed';
  const done = response(status, {
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: items.map(doneItem),
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: promptTokens + output,
    },
  });
  const billed =
    quirks.billInside === true
      ? { response: { ...done, copilot_usage: charge } }
      : { response: done, copilot_usage: charge };
  const events = [
    { response: response('in_progress'), type: 'response.created' },
    { response: response('in_progress'), type: 'response.in_progress' },
    ...items.flatMap((item, index) => itemEvents(item, index, quirks)),
    { ...billed, type: `response.${status}` },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
  return { events, whole: { ...done, copilot_usage: charge }, usage: charge };
}

type Item =
  | { type: 'message'; text: string; annotations: JsonObject[] }
  | { type: 'web_search_call'; action: JsonObject }
  | { type: 'reasoning'; text: string; encrypted: string }
  | { type: 'function_call'; callId: string; name: string; json: string };

function itemOf(thought: Thought, model: string, silent: boolean): Item {
  switch (thought.kind) {
    case 'text':
      return { type: 'message', text: thought.text, annotations: citationsIn(thought) };
    case 'thinking':
      return { type: 'reasoning', text: silent ? '' : thought.text, encrypted: encrypt(model, thought.text) };
    case 'call':
      return {
        type: 'function_call',
        callId: plainId('call_'),
        name: thought.name,
        json: JSON.stringify(thought.input),
      };
  }
}

function searchesOf(thought: Thought, withSources: boolean): Item[] {
  if (thought.kind !== 'text' || thought.searched === undefined) return [];
  const { query, pages } = thought.searched;
  const sources = pages.map(({ url }) => ({ type: 'url', url }));
  const action = { type: 'search', query, queries: [query], ...(withSources ? { sources } : {}) };
  return [{ type: 'web_search_call', action }];
}

/** A citation for each page that the text quotes. */
function citationsIn({ text, searched }: Thought & { kind: 'text' }): JsonObject[] {
  return (searched?.pages ?? []).flatMap(({ title, url, text: quoted }) => {
    const at = text.indexOf(quoted);
    if (at === -1) return [];
    return [{ type: 'url_citation', start_index: at, end_index: at + quoted.length, title, url }];
  });
}

function outputTokens(thought: Thought): number {
  return thought.kind === 'call' ? roughTokens(thought.input) + 20 : roughTokens(thought.text);
}

/** Different each time, even for the same item. */
function encryptedId(): string {
  return randomBytes(240).toString('base64');
}

function doneItem(item: Item): JsonObject {
  const head = { id: encryptedId(), type: item.type };
  switch (item.type) {
    case 'message': {
      const part = { annotations: item.annotations, logprobs: [], text: item.text, type: 'output_text' };
      return { ...head, content: [part], role: 'assistant', status: 'completed' };
    }
    case 'web_search_call':
      return { ...head, action: item.action, status: 'completed' };
    case 'reasoning':
      return { ...head, encrypted_content: item.encrypted, summary: summaryOf(item.text) };
    case 'function_call':
      return { ...head, arguments: item.json, call_id: item.callId, name: item.name, status: 'completed' };
  }
}

function summaryOf(text: string): JsonObject[] {
  return text === '' ? [] : [{ text, type: 'summary_text' }];
}

function beganItem(item: Item): JsonObject {
  const done = doneItem(item);
  switch (item.type) {
    case 'message':
      return { ...done, content: [], status: 'in_progress' };
    case 'web_search_call':
      return { id: done.id, status: 'in_progress', type: item.type };
    case 'reasoning':
      return { ...done, encrypted_content: encrypt('', ''), summary: [] };
    case 'function_call':
      return { ...done, arguments: '', status: 'in_progress' };
  }
}

function itemEvents(item: Item, output_index: number, quirks: ResponsesQuirks): JsonObject[] {
  const event = (type: string, more: JsonObject): JsonObject => ({
    item_id: encryptedId(),
    output_index,
    ...more,
    type: `response.${type}`,
  });
  const added = { item: beganItem(item), output_index, type: 'response.output_item.added' };
  const done = { item: doneItem(item), output_index, type: 'response.output_item.done' };
  switch (item.type) {
    case 'message': {
      const at = { content_index: 0 };
      const part = { annotations: item.annotations, logprobs: [], text: item.text, type: 'output_text' };
      return [
        added,
        event('content_part.added', { ...at, part: { ...part, annotations: [], text: '' } }),
        ...pieces(item.text).map((delta) => event('output_text.delta', { ...at, delta, logprobs: [] })),
        ...item.annotations.map((annotation, annotation_index) =>
          event('output_text.annotation.added', { ...at, annotation, annotation_index }),
        ),
        event('output_text.done', { ...at, logprobs: [], text: item.text }),
        event('content_part.done', { ...at, part }),
        done,
      ];
    }
    case 'web_search_call':
      return [
        added,
        ...['in_progress', 'searching', 'completed'].map((state) => event(`web_search_call.${state}`, {})),
        done,
      ];
    case 'reasoning': {
      if (item.text === '') return [added, done];
      const at = { summary_index: 0 };
      const part = { text: item.text, type: 'summary_text' };
      return [
        added,
        event('reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
        ...pieces(item.text).map((delta) => event('reasoning_summary_text.delta', { ...at, delta })),
        event('reasoning_summary_text.done', { ...at, text: item.text }),
        event('reasoning_summary_part.done', { ...at, part }),
        done,
      ];
    }
    case 'function_call':
      return [
        added,
        ...argumentPieces(item.json).map((piece) => {
          const delta = quirks.encryptedArguments === true ? randomBytes(24).toString('base64') : piece;
          return event('function_call_arguments.delta', { delta, obfuscation: 'aBcD' });
        }),
        event('function_call_arguments.done', { arguments: item.json, name: item.name }),
        done,
      ];
  }
}
