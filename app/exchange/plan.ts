import type { IncomingHttpHeaders } from 'node:http';
import type { FitNote } from '../api/exchange.ts';
import type { ChatPath } from '../copilot/catalog.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { MessagesRelay } from '../formats/messages/relay.ts';
import type { MessagesRequest } from '../formats/messages/request.ts';
import { MessagesFromChat, messagesToChat } from '../formats/messages-via-chat/request.ts';
import { MessagesFromResponses, messagesToResponses } from '../formats/messages-via-responses/request.ts';
import { writeSpliced } from '../formats/wire/json-bytes.ts';
import { type Learned, malformed, type Refusal } from './fits/fit.ts';
import { fitMessages } from './fits/fit-messages.ts';
import { withoutUnknownFields } from './fits/unknown-fields.ts';

/** What goes to Copilot, and who reads the answer. */
export interface Plan {
  ok: true;
  path: ChatPath;
  body: Buffer;
  anthropicVersion: string | null;
  anthropicBeta: string | null;
  vision: boolean;
  notes: FitNote[];
  reader: AnswerReader;
  /** Tokens that are left for the answer, if a fit changed what the client asked for. */
  room?: number;
}

export interface PlanContext {
  model: CatalogModel;
  path: ChatPath;
  headers: IncomingHttpHeaders;
  /** A model that reads PDFs, for the words that refuse one. */
  documentModel: string | null;
  /** For the refusal of a search; absent where none is asked for. */
  whySearchIsOff?: () => string;
  /** Our own id, for a message whose upstream names none. */
  messageId: string;
  /** What refusals have taught about the model. */
  learned?: Learned | null;
  /** What the request was read from, where it is what the client sent: then only what changes is written anew. */
  bytes?: Buffer;
  /** The request read from `bytes`, if another one is planned. */
  original?: object;
  /** `strict` of a tool is meant as OpenAI means it. */
  strictTools?: boolean;
}

const defaultVersion = '2023-06-01';
/** Smaller bodies are written anew in no time. */
const worthSplicing = 16_000;

/** Fits a Messages request to the chosen model and writes it in the format of the chosen path. Pure. */
export function planMessages(request: MessagesRequest, context: PlanContext): Plan | Refusal {
  const { path, headers, learned = null } = context;
  const model = learned?.model ?? context.model;
  const fitted = fitMessages(request, {
    model,
    path,
    betas: lines(headers['anthropic-beta']),
    purpose: 'message',
    documentModel: context.documentModel,
    whySearchIsOff: context.whySearchIsOff,
    learned: learned ?? undefined,
  });
  if (!fitted.ok) return fitted;
  const native = path === '/v1/messages';
  if (!native && saysNothing(request, path)) return malformed('messages: at least one message is required');
  // The answer bears the name that the client asked for.
  const written = writeFor[path](fitted.request, { ...context, model }, request.model);
  if (!written.ok) {
    const { code, message } = written;
    return { ok: false, status: 400, type: 'invalid_request_error', code, message, shouldRetry: false };
  }
  const room = fitted.request.max_tokens;
  // The fits have taken them out of a body of ours already, with their betas.
  const known = native ? { body: written.body, notes: [] } : knownFields(written.body, learned);
  return {
    ok: true,
    path,
    body:
      native && context.bytes !== undefined && context.bytes.length >= worthSplicing
        ? writeSpliced(known.body, { request: context.original ?? request, bytes: context.bytes })
        : Buffer.from(JSON.stringify(known.body)),
    anthropicVersion: native ? String(headers['anthropic-version'] ?? '').trim() || defaultVersion : null,
    anthropicBeta: fitted.betas.length > 0 ? fitted.betas.join(',') : null,
    vision: fitted.vision,
    ...(typeof room === 'number' && room !== request.max_tokens && { room }),
    notes: native ? fitted.notes : [...fitted.notes, ...notSaidIn(fitted.notes, written.notes), ...known.notes],
    reader: written.reader,
  };
}

/** The body without fields that Copilot does not know on this path. */
function knownFields<Body extends object>(body: Body, learned: Learned | null): { body: Body; notes: FitNote[] } {
  return learned === null ? { body, notes: [] } : withoutUnknownFields(body, learned.unknownFields);
}

/** An effort is chosen twice, from its own field and from the thinking, and may be changed twice. */
const saidTwice: ReadonlySet<string> = new Set(['effort-removed', 'effort-clamped']);

function notSaidIn(said: readonly FitNote[], notes: readonly FitNote[]): FitNote[] {
  return notes.filter(({ code }) => !saidTwice.has(code) || said.every((note) => note.code !== code));
}

type Written =
  | { ok: true; body: object; notes: FitNote[]; reader: AnswerReader }
  | { ok: false; code: string; message: string };

/** A fitted request in the format of a path, and who reads that path's answers under the name that was asked for. */
const writeFor: Record<ChatPath, (request: MessagesRequest, context: PlanContext, asked: string) => Written> = {
  '/v1/messages': (request, _context, model) => ({
    ok: true,
    body: request,
    notes: [],
    reader: new MessagesRelay({ model }),
  }),
  '/chat/completions': (request, { model: { supports, vendor }, messageId, learned }, model) => {
    const stops = learned?.refusesStop === true ? 'cut' : 'send';
    const translated = messagesToChat(request, { efforts: supports.efforts, claude: vendor === 'Anthropic', stops });
    if (!translated.ok) return translated;
    const { body, notes, toolNames, localStops: stopSequences } = translated;
    return {
      ok: true,
      body,
      notes: [...notes, translatedTo('chat')],
      reader: new MessagesFromChat({ model, messageId: `msg_${messageId}`, toolNames, stopSequences }),
    };
  },
  '/responses': (request, { model: { supports }, messageId, strictTools = false }, model) => {
    const translated = messagesToResponses(request, { efforts: supports.efforts, strictTools });
    if (!translated.ok) return translated;
    const { body, notes, toolNames, localStops: stopSequences } = translated;
    const common = { messageId: `msg_${messageId}`, toolNames, stopSequences, servedModel: body.model };
    return {
      ok: true,
      body,
      notes: [...notes, translatedTo('responses')],
      reader: new MessagesFromResponses({ ...common, model }),
    };
  },
};

function translatedTo(format: string): FitNote {
  return { code: 'translated', count: 1, text: `translated: messages → ${format}` };
}

/** A header as the client sent it; Node joins repeated lines with commas. */
export function lines(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat();
}

/** Avoids Copilot's error about a field that the client doesn't know. Chat Completions allows a system prompt only. */
function saysNothing({ messages, system }: MessagesRequest, path: ChatPath): boolean {
  return messages.length === 0 && (path === '/responses' || (path === '/chat/completions' && system === undefined));
}
