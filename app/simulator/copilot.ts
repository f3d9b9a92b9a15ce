import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../formats/wire/json.ts';
import type { CopilotUsage } from './answers/answer-parts.ts';
import { refusedStep, think } from './answers/brain.ts';
import { chatAnswer, vendorQuirks } from './answers/chat-answer.ts';
import { messagesAnswer } from './answers/messages-answer.ts';
import { responsesAnswer } from './answers/responses-answer.ts';
import { checkAuto, findModel, type SimulatedModel, withOldBilling } from './catalog.ts';
import { closed, frame, play, playUsual, sendWhole } from './http-server.ts';
import { checkIdentity, type InitiatorRule, isRuntime } from './identity.ts';
import { asList, asNumber, asObject, asText, roughTokens } from './json.ts';
import { chatPrompt, messagesPrompt, responsesPrompt } from './prompt.ts';
import { quotaHeaders } from './quota.ts';
import type { RecordedRequest } from './record.ts';
import { codeRefusal, extraInput, modelNotSupported, type Refusal, textRefusal, wrongPathForModel } from './refusal.ts';
import type { Reply, UsualChange } from './script.ts';
import { isOurs } from './signatures.ts';
import type { Stage } from './stage.ts';
import { checkChat } from './strict/strict-chat.ts';
import { checkMessages } from './strict/strict-messages.ts';
import { checkResponses } from './strict/strict-responses.ts';
import { answerMcp } from './web-engines.ts';

/** One request to Copilot, and where its answer goes. */
interface Call {
  stage: Stage;
  request: RecordedRequest;
  response: ServerResponse;
  body: JsonObject;
  change: UsualChange;
}

interface Route {
  initiator: InitiatorRule;
  answer(call: Call): Promise<void>;
}

const routes: Record<string, Route> = {
  'GET /models': { initiator: 'absent', answer: answerModels },
  'POST /models/session': { initiator: 'optional', answer: answerAuto },
  'POST /v1/messages': { initiator: 'required', answer: answerMessages },
  'POST /v1/messages/count_tokens': { initiator: 'optional', answer: answerCount },
  'POST /chat/completions': { initiator: 'required', answer: answerChat },
  'POST /responses': { initiator: 'required', answer: answerResponses },
  'POST /embeddings': { initiator: 'absent', answer: answerEmbeddings },
};

/** Copilot's API at one address. */
export async function answerCopilot(
  stage: Stage,
  url: string,
  request: RecordedRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST' && request.path === '/mcp') return answerTool(stage, request, response);
  const route = routes[`${request.method} ${request.path}`];
  if (route === undefined) return send(stage, response, textRefusal(404, '404 page not found\n'));
  const refusal = checkIdentity(stage, request, incoming.headers.authorization, url, route.initiator);
  if (refusal !== null) return send(stage, response, refusal);
  const reply: Reply = stage.replies.take(request) ?? { kind: 'usual' };
  if (reply.kind !== 'usual') return play(request, response, reply);
  const { kind: _, ...change } = reply;
  return route.answer({ stage, request, response, body: asObject(request.body), change });
}

/** GitHub's MCP server lies at Copilot's address. It takes a GitHub token. */
async function answerTool(stage: Stage, request: RecordedRequest, response: ServerResponse): Promise<void> {
  const reply: Reply = stage.replies.take(request) ?? { kind: 'usual' };
  if (reply.kind !== 'usual') return play(request, response, reply);
  await Promise.race([reply.gate, closed(response)]);
  sendWhole(response, answerMcp(request));
}

/** Each answer has two ids. What it costs is taken from the quota that the next one states. */
function answerHeaders(stage: Stage, change: UsualChange = {}): Record<string, string> {
  return { ...ids(), ...quotaHeaders(stage.user, stage.windows), ...change.headers };
}

function ids(): Record<string, string> {
  return {
    'x-request-id': randomUUID(),
    'x-github-request-id': `SIM0:${randomUUID().slice(0, 8).toUpperCase()}`,
  };
}

async function send(stage: Stage, response: ServerResponse, answer: Refusal, change: UsualChange = {}): Promise<void> {
  await Promise.race([change.gate, closed(response)]);
  // Whose quota it would be isn't known where the token is refused.
  const quota = answer.status === 401 ? [] : Object.entries(quotaHeaders(stage.user, stage.windows));
  const headers = { ...ids(), ...Object.fromEntries(quota), ...change.headers, ...answer.headers };
  sendWhole(response, { ...answer, headers });
}

function answerModels({ stage, request, response, change }: Call): Promise<void> {
  if (stage.modelsFailure !== null) return send(stage, response, stage.modelsFailure, change);
  const isNew = (request.headers['x-github-api-version'] ?? '') >= '2026-01-01';
  const data = isNew && stage.user.tokenBased ? stage.catalog : withOldBilling(stage.catalog);
  return send(stage, response, { status: 200, body: { data, object: 'list' } }, change);
}

/** Opens a session of Auto for GitHub's own runtime, which sends nothing of a prompt. Others get 404. */
function answerAuto({ stage, request, response, change }: Call): Promise<void> {
  const session = isRuntime(request) ? stage.autoSessions.open() : null;
  if (session === null) return send(stage, response, textRefusal(404, '404 page not found\n'), change);
  const { token, model, expiresAt } = session;
  const body = {
    session_token: token,
    available_models: [model],
    selected_model: model,
    expires_at: expiresAt,
    discounted_costs: { [model]: 0.1 },
  };
  return send(stage, response, { status: 200, body }, change);
}

/** The model, or why not. */
function findFor({ stage, request, body }: Call, path: string): SimulatedModel | Refusal {
  const model = findModel(stage.catalog, asText(body.model));
  if (model === null || !model.enabled || model.type !== 'chat') return modelNotSupported();
  const refusal = checkAuto(stage.autoSessions, request, model);
  if (refusal !== null) return refusal;
  return model.endpoints.includes(path) ? stage.served(model) : wrongPathForModel(model.id, path);
}

/** JSON, a model of this path, and nothing in the body that Copilot refuses there. */
function read(call: Call, path: string, check: (model: SimulatedModel) => Refusal | null): SimulatedModel | Refusal {
  if (!isObject(call.request.body)) return unreadable;
  const model = findFor(call, path);
  if ('status' in model) return model;
  return check(model) ?? checkRefusedFields(call.stage, call.body, model.id) ?? model;
}

function readMessages(call: Call, purpose: 'message' | 'count'): SimulatedModel | Refusal {
  const { stage, request, body } = call;
  const acceptsSignature = (signature: string) => isOurs(signature) || stage.acceptedSignatures.has(signature);
  return read(call, '/v1/messages', (model) =>
    checkMessages({ body, model, betas: request.betas, purpose, acceptsSignature }),
  );
}

const unreadable = codeRefusal('failed to parse request', 'invalid_request_body');

/** Fields that the script has declared unwanted. */
function checkRefusedFields(stage: Stage, body: JsonObject, model: string): Refusal | null {
  for (const { path } of stage.refusedFields) {
    if (!stage.refuses(path, model)) continue;
    const found = findField(body, path.split('.'));
    if (found !== null) return extraInput(found);
  }
  return null;
}

/** Path of the first such field; lists are searched in every item. A tool's path has its tag in front. */
function findField(holder: unknown, [key = '', ...rest]: readonly string[]): string | null {
  const value = asObject(holder)[key];
  if (rest.length === 0) return value === undefined ? null : key;
  if (!Array.isArray(value)) {
    const inside = findField(value, rest);
    return inside === null ? null : `${key}.${inside}`;
  }
  for (const [at, item] of value.entries()) {
    const inside = findField(item, rest);
    if (inside !== null) return `${key}.${at}.${key === 'tools' ? 'custom.' : ''}${inside}`;
  }
  return null;
}

/** Bills an answer and sends it, whole or event by event, as it was asked for. */
async function deliver(
  { stage, request, response, body, change }: Call,
  { usage, whole }: { usage: CopilotUsage; whole: JsonObject },
  frames: readonly string[],
): Promise<void> {
  const headers = answerHeaders(stage, change);
  stage.charge(usage.total_nano_aiu, request.initiator);
  if (body.stream === true) return playUsual(request, response, frames, headers, change, stage.options.thinkMs);
  await Promise.race([change.gate, closed(response)]);
  sendWhole(response, { status: 200, headers, body: whole });
}

function framesOf(events: readonly JsonObject[]): string[] {
  return events.map((event) => frame(asText(event.type), event));
}

async function answerMessages(call: Call): Promise<void> {
  const { stage, response, body, change } = call;
  const model = readMessages(call, 'message');
  if ('status' in model) return send(stage, response, model, change);
  const prompt = messagesPrompt(body);
  const refused = refusedStep(prompt);
  if (refused !== null) return send(stage, response, refused, change);
  const tokens = stage.promptCache.divide(model.id, body);
  const answer = messagesAnswer(think(prompt), model, tokens, body);
  return deliver(call, answer, framesOf(answer.events));
}

async function answerCount(call: Call): Promise<void> {
  const { stage, response, body, change } = call;
  const model = readMessages(call, 'count');
  if ('status' in model) return send(stage, response, model, change);
  const { input, cacheRead, cacheWrite } = stage.promptCache.divide(model.id, body);
  return send(stage, response, { status: 200, body: { input_tokens: input + cacheRead + cacheWrite } }, change);
}

async function answerChat(call: Call): Promise<void> {
  const { stage, request, response, body, change } = call;
  const vision = request.headers['copilot-vision-request'] === 'true';
  const model = read(call, '/chat/completions', (found) => checkChat({ body, model: found, vision }));
  if ('status' in model) return send(stage, response, model, change);
  const quirks = { ...vendorQuirks(model), ...stage.quirks, ...change.quirks };
  const asked = {
    promptTokens: Math.max(1, roughTokens([body.messages, body.tools])),
    includeUsage: asObject(body.stream_options).include_usage === true,
  };
  const answer = chatAnswer(think(chatPrompt(body)), model, asked, quirks);
  const done = quirks.noDone === true ? [] : [frame(null, '[DONE]')];
  return deliver(call, answer, [...answer.chunks.map((chunk) => frame(null, chunk)), ...done]);
}

async function answerResponses(call: Call): Promise<void> {
  const { stage, response, body, change } = call;
  const model = read(call, '/responses', (found) => checkResponses({ body, model: found }));
  if ('status' in model) return send(stage, response, model, change);
  const asked = { promptTokens: Math.max(1, roughTokens([body.instructions, body.input, body.tools])), body };
  const answer = responsesAnswer(think(responsesPrompt(body)), model, asked, change.responses ?? {});
  return deliver(call, answer, framesOf(answer.events));
}

function answerEmbeddings({ stage, response, body, change }: Call): Promise<void> {
  const model = findModel(stage.catalog, asText(body.model));
  const refused = model === null || !model.enabled || model.type !== 'embeddings';
  return send(stage, response, refused ? modelNotSupported() : embed(body, model), change);
}

const defaultDimensions = 8;
/** What `text-embedding-3-small` has. */
const mostDimensions = 1536;

/** Small made-up vectors: the same text always gets the same one. */
function embed(body: JsonObject, model: SimulatedModel): Refusal {
  const inputs = typeof body.input === 'string' ? [body.input] : asList(body.input);
  if (inputs.length === 0) return codeRefusal("Invalid 'input': empty.", 'invalid_request_body');
  if (model.inputs !== null && inputs.length > model.inputs) {
    return codeRefusal(`Invalid 'input': more than ${model.inputs} inputs.`, 'invalid_request_body');
  }
  const dimensions = asNumber(body.dimensions) ?? defaultDimensions;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions)
    return codeRefusal("Invalid value for 'dimensions'.", 'invalid_request_body');
  const tokens = roughTokens(inputs);
  return {
    status: 200,
    body: {
      data: inputs.map((input, index) => ({ embedding: vector(input, dimensions), index, object: 'embedding' })),
      model: model.id,
      object: 'list',
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
  };
}

function vector(input: unknown, dimensions: number): number[] {
  const bytes = createHash('sha512').update(JSON.stringify(input)).digest();
  return Array.from({ length: dimensions }, (_, at) => (bytes.readUInt8(at % bytes.length) - 127.5) / 127.5);
}
