import type { FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { type AnswerFacts, type CopilotUsage, readCopilotUsage } from '../../formats/answer/answer.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../../formats/wire/json.ts';
import type { Sender } from '../send.ts';
import { applyRules, drop, type FieldRule, only, pass, refuseField } from './openai-fields.ts';

/** Fields of an embeddings request; docs/openai-fields.md has a row for each. One without a rule goes on as it came. */
export const embeddingsRules: Readonly<Record<string, FieldRule>> = {
  // Written by `embeddingsBatches`.
  model: () => pass,
  input: () => pass,
  // Copilot answers in numbers; base64 is made here.
  encoding_format: only(['float', 'base64'], 'float and base64 are known.'),
  dimensions: (value) =>
    value === null || (Number.isInteger(value) && Number(value) > 0)
      ? pass
      : { kind: 'refuse', message: 'a whole number above 0 is required.', code: 'invalid_type' },
  user: drop('user'),
};

export interface EmbeddingsRequest extends JsonObject {
  model: string;
  /** Texts, or lists of tokens. */
  input: unknown[];
}

/** Sixteen requests of Copilot's size, and four times what OpenAI takes; beyond it a request is a mistake. */
const mostInputs = 8192;

export function readEmbeddings(body: unknown): EmbeddingsRequest {
  if (!isObject(body)) throw refuseField('body', 'a JSON object is required.', 'invalid_body');
  const { model, input } = body;
  if (typeof model !== 'string' || model === '') throw refuseField('model', 'a string is required.', 'invalid_type');
  const inputs = typeof input === 'string' || isTokens(input) ? [input] : input;
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw refuseField('input', 'a text, a list of texts or lists of tokens is required.', 'invalid_type');
  // One that is refused would take the others with it, and what they cost.
  const wrong = inputs.findIndex((each) => each === '' || (typeof each !== 'string' && !isTokens(each)));
  if (wrong !== -1) {
    const place = inputs === input ? `input[${wrong}]` : 'input';
    throw refuseField(place, 'a text that isn’t empty or a list of tokens is required.', 'invalid_type');
  }
  if (inputs.length > mostInputs)
    throw refuseField('input', `at most ${mostInputs} at once.`, 'array_above_max_length');
  return { ...body, model, input: inputs };
}

function isTokens(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
}

/** Splits the request into bodies within the model's limit. */
export function embeddingsBatches(
  request: EmbeddingsRequest,
  model: CatalogModel,
): { bodies: Buffer[]; notes: FitNote[] } {
  const { body, notes } = applyRules(request, embeddingsRules, model);
  const size = Math.max(1, model.limits.inputs ?? request.input.length);
  const bodies: Buffer[] = [];
  for (let from = 0; from < request.input.length; from += size) {
    const input = request.input.slice(from, from + size);
    bodies.push(Buffer.from(JSON.stringify({ ...body, model: model.id, input })));
  }
  if (bodies.length > 1)
    notes.push({ code: 'batched', count: bodies.length, text: `inputs sent in ${bodies.length} requests` });
  return { bodies, notes };
}

/** Vectors are long: 8192 of them with 3072 numbers each are about 300 MB; one batch is far below this. */
const largestAnswer = 128 * 1024 * 1024;

/** One answer of Copilot's; null if it is none. */
export async function readEmbeddingsAnswer(response: AsyncIterable<Buffer>): Promise<JsonObject | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      size += chunk.length;
      if (size > largestAnswer) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  const answer = parseObject(Buffer.concat(chunks).toString('utf8'));
  return answer !== null && Array.isArray(answer.data) ? answer : null;
}

/** Adds what one answer says of tokens and its bill: it holds whatever becomes of the batches after it. */
export function meterEmbeddings(answer: JsonObject, facts: AnswerFacts): void {
  facts.started = true;
  facts.usage.input = (facts.usage.input ?? 0) + promptTokens(answer);
  facts.copilotUsage = added(facts.copilotUsage, answer);
}

function promptTokens({ usage }: JsonObject): number {
  return isObject(usage) && isFiniteNumber(usage.prompt_tokens) ? usage.prompt_tokens : 0;
}

/** The answers of all batches as one, with the name that was asked for. */
export function joinEmbeddings(request: EmbeddingsRequest, answers: readonly JsonObject[]): JsonObject {
  const data = answers
    .flatMap((answer) => (Array.isArray(answer.data) ? answer.data : []))
    .map((entry: unknown, index) =>
      isObject(entry) ? { ...entry, index, embedding: encoded(entry.embedding, request.encoding_format) } : entry,
    );
  const tokens = answers.reduce((sum, answer) => sum + promptTokens(answer), 0);
  const bill = answers.length === 1 ? answers[0]?.copilot_usage : undefined;
  return {
    object: 'list',
    data,
    model: request.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
    ...(bill === undefined ? {} : { copilot_usage: bill }),
  };
}

function added(sum: CopilotUsage | null, answer: JsonObject): CopilotUsage | null {
  const bill = readCopilotUsage(answer.copilot_usage);
  if (sum === null || bill === null) return sum ?? bill;
  return { totalNanoAiu: sum.totalNanoAiu + bill.totalNanoAiu, details: [...sum.details, ...bill.details] };
}

/**
 * OpenAI's SDKs ask for base64 unless told otherwise, and would read numbers as nonsense: 32-bit floats, little-endian.
 */
function encoded(embedding: unknown, format: unknown): unknown {
  if (format !== 'base64' || !Array.isArray(embedding)) return embedding;
  const bytes = Buffer.alloc(embedding.length * 4);
  for (const [at, value] of embedding.entries()) bytes.writeFloatLE(typeof value === 'number' ? value : 0, at * 4);
  return bytes.toString('base64');
}

/** Embeddings say no initiator; the client of Copilot leaves it out there. */
export const nobody: Sender = {
  initiator: 'agent',
  interactionType: 'conversation-background',
  intent: 'conversation-agent',
};
