import type { JsonObject } from '../../formats/wire/json.ts';
import type { SimulatedModel } from '../catalog.ts';
import { roughTokens } from '../json.ts';
import type { Answer, Thought } from '../prompt.ts';
import type { ChatQuirks } from '../script.ts';
import { sign } from '../signatures.ts';
import { argumentPieces, bill, type CopilotUsage, pieces, plainId } from './answer-parts.ts';

/** A simulated answer as Copilot's `/chat/completions` writes it, with the habits of the model's vendor. */
interface ChatAnswer {
  /** Chunks without the closing `[DONE]`. */
  chunks: JsonObject[];
  whole: JsonObject;
  usage: CopilotUsage;
}

interface ChatRequestFacts {
  promptTokens: number;
  /** `stream_options.include_usage`: without it a stream has no usage. */
  includeUsage: boolean;
}

const finishReasons = { end: 'stop', calls: 'tool_calls', length: 'length', sequence: 'stop' } as const;

/** What is normal for the model; a script may change each of them. */
export function vendorQuirks(model: SimulatedModel): ChatQuirks {
  if (model.claude !== null) return { sameIndex: true, usageOn: 'finish', reasoning: true };
  if (model.id.startsWith('gemini')) return { usageOn: 'finish', reasoning: true };
  return { promptFilter: true, usageNull: true, usageOn: 'last', reasoning: false };
}

export function chatAnswer(
  answer: Answer,
  model: SimulatedModel,
  asked: ChatRequestFacts,
  quirks: ChatQuirks,
): ChatAnswer {
  const thoughts = answer.thoughts.filter((thought) => thought.kind !== 'thinking' || quirks.reasoning === true);
  const output = Math.max(
    1,
    thoughts.reduce((sum, thought) => sum + outputTokens(thought), 0),
  );
  const charge = bill({ input: asked.promptTokens, cacheRead: 0, cacheWrite: 0, output, thinking: 0 }, model.prices);
  const usage = {
    completion_tokens: output,
    completion_tokens_details: { accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
    prompt_tokens: asked.promptTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    total_tokens: asked.promptTokens + output,
  };
  const said = { thoughts: thoughts.map((thought) => spell(thought, model.id)), finish: finishReasons[answer.stop] };
  const head = { created: Math.floor(Date.now() / 1000), id: plainId('chatcmpl-', 29), model: model.id };
  return {
    chunks: chunksOf(said, head, { usage, charge, includeUsage: asked.includeUsage }, quirks),
    whole: {
      choices: choicesOf(said, quirks),
      ...head,
      copilot_usage: charge,
      usage,
      prompt_filter_results: [filters],
    },
    usage: charge,
  };
}

type Spelt =
  | { kind: 'thinking'; text: string; opaque: string }
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; json: string };

interface Said {
  thoughts: Spelt[];
  finish: string;
}

function spell(thought: Thought, model: string): Spelt {
  switch (thought.kind) {
    case 'text':
      return thought;
    case 'thinking':
      return { ...thought, opaque: sign(model, thought.text) };
    case 'call':
      return { kind: 'call', id: plainId('call_'), name: thought.name, json: JSON.stringify(thought.input) };
  }
}

function outputTokens(thought: Thought): number {
  return thought.kind === 'call' ? roughTokens(thought.input) + 20 : roughTokens(thought.text);
}

const filters = { content_filter_results: { hate: { filtered: false, severity: 'safe' } }, prompt_index: 0 };

interface Closing {
  usage: JsonObject;
  charge: CopilotUsage;
  includeUsage: boolean;
}

function chunksOf(said: Said, head: JsonObject, closing: Closing, quirks: ChatQuirks): JsonObject[] {
  const noUsage = quirks.usageNull === true ? { usage: null } : {};
  const chunk = (choice: JsonObject, more: JsonObject = noUsage): JsonObject => ({
    choices: [{ index: 0, ...choice }],
    ...head,
    ...more,
  });
  const chunks: JsonObject[] = [];
  if (quirks.promptFilter === true) {
    chunks.push({ choices: [], created: 0, id: '', model: '', prompt_filter_results: [filters] });
  }
  for (const delta of deltasOf(said, quirks)) chunks.push(chunk({ delta }));
  const bill = { copilot_usage: closing.charge };
  const spent = { ...bill, usage: closing.usage };
  const onFinish = closing.includeUsage && quirks.usageOn === 'finish';
  const onLast = closing.includeUsage && !onFinish;
  const finishMore = onFinish ? spent : onLast ? noUsage : { ...noUsage, ...bill };
  chunks.push(chunk({ delta: { content: null }, finish_reason: said.finish }, finishMore));
  if (quirks.deltaAfterFinish === true) chunks.push(chunk({ delta: { cot_id: 'cot_simulated' } }, {}));
  if (onLast) chunks.push({ choices: [], ...head, ...spent });
  return chunks;
}

function* deltasOf(said: Said, quirks: ChatQuirks): Generator<JsonObject> {
  const role = 'assistant';
  let call = 0;
  for (const thought of said.thoughts) {
    switch (thought.kind) {
      case 'text':
        for (const content of pieces(thought.text)) yield { content, role };
        break;
      case 'thinking':
        for (const text of pieces(thought.text)) yield { content: null, reasoning_text: text, role };
        yield { content: null, reasoning_opaque: thought.opaque, role };
        break;
      case 'call': {
        const index = quirks.sameIndex === true ? 0 : call;
        call += 1;
        const { id, name } = thought;
        yield { content: null, role, tool_calls: [{ function: { arguments: '', name }, id, index, type: 'function' }] };
        for (const text of argumentPieces(thought.json)) {
          yield { content: null, tool_calls: [{ function: { arguments: text }, index, type: 'function' }] };
        }
      }
    }
  }
}

/** One choice; or, as Claude sometimes has it, the text in one and the calls in another. */
function choicesOf(said: Said, quirks: ChatQuirks): JsonObject[] {
  const text = said.thoughts.filter((thought) => thought.kind === 'text').map((thought) => thought.text);
  const [thinking] = said.thoughts.filter((thought) => thought.kind === 'thinking');
  const calls = said.thoughts
    .filter((thought) => thought.kind === 'call')
    .map(({ id, name, json }) => ({ function: { arguments: json, name }, id, type: 'function' }));
  const content = text.length === 0 ? null : text.join('');
  const reasoning = thinking === undefined ? {} : { reasoning_opaque: thinking.opaque, reasoning_text: thinking.text };
  const toolCalls = calls.length === 0 ? {} : { tool_calls: calls };
  const choice = (message: JsonObject): JsonObject => ({
    finish_reason: said.finish,
    index: 0,
    message: { padding: 'abcdef', role: 'assistant', ...message },
  });
  if (quirks.twoChoices === true && content !== null && calls.length > 0) {
    return [choice({ content, ...reasoning }), choice({ content: null, ...toolCalls })];
  }
  return [choice({ content, ...reasoning, ...toolCalls })];
}
