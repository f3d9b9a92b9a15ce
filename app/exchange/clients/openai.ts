import type { FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { AnswerReader } from '../../formats/answer/answer.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { type OpenAiError, openaiError, openaiWords } from '../../formats/openai/error.ts';
import type { JsonObject } from '../../formats/wire/json.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Learned } from '../fits/fit.ts';
import { mostImages, sizeOfBase64, surplusText, unfitImage } from '../fits/images.ts';
import { withoutUnknownFields } from '../fits/unknown-fields.ts';
import { type Plan, planMessages } from '../plan.ts';
import { type ClientError, type ErrorWords, type ReportedError, refuse, refuseFit, Stopped } from '../recover/error.ts';
import { type ClientPlan, type PlanInputs, replannable } from './client.ts';
import { applyRules, type FieldRule, refuseField, withoutRefused } from './openai-fields.ts';

export const openaiErrorWords: ErrorWords<OpenAiError> = { requestIdHeader: 'x-request-id', tell: tellOpenai };

/**
 * What `recover.ts` says, for OpenAI's clients: their types and codes, and the statuses that their official SDK knows.
 * Not being signed in is not a wrong key: it is 503 `copilot_unavailable`.
 */
export function tellOpenai(error: ClientError): ReportedError<OpenAiError> {
  const { failure, message, param = null } = error;
  const quoting = (status: number, said: string, code: string, named: string | null): ReportedError<OpenAiError> => ({
    status,
    body: openaiError('invalid_request_error', said, code, named),
    kept: null,
  });
  const theirs = error.theirs === null ? '' : sentence(error.theirs);
  switch (error.kind) {
    case 'signed-out':
    case 'authorize':
    case 'tokens-refused':
      return {
        status: 503,
        body: openaiError('server_error', message, 'copilot_unavailable', param),
        kept: failure.clientMessage,
      };
    case 'too-long': {
      const said = sentences(t('Jumpseat: the conversation is too long for this model.'), theirs);
      return quoting(400, said, 'context_length_exceeded', 'messages');
    }
    case 'lost-reasoning': {
      const said = sentences(
        t('Jumpseat: Copilot can’t read the reasoning in this conversation any more. Leave it out.'),
        theirs,
      );
      return quoting(400, said, 'invalid_encrypted_content', param);
    }
    case 'too-slow':
    case 'too-large': {
      const said = sentences(
        t('Jumpseat: the request is too large for Copilot. Leave out images or older messages.'),
        theirs,
      );
      return quoting(413, said, 'request_too_large', param);
    }
    default: {
      const words = openaiWords(error.type);
      const body = openaiError(words.type, message, codeOf(error) ?? words.code, param);
      // 529 is Anthropic's.
      return { status: error.status === 529 ? 503 : error.status, body, kept: failure.clientMessage };
    }
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Our own codes are spelt as OpenAI spells its own; Copilot's stay. */
function codeOf({ kind, failure }: ClientError): string | null {
  const { code, source } = failure;
  if (kind === 'model') return 'model_not_found';
  if (kind === 'no-answer') return 'no_answer';
  if (source === 'jumpseat') return code.replaceAll('-', '_');
  if (code === 'cut') return code;
  return (source === 'copilot' || source === 'vscode') && !code.startsWith('http-') ? code : null;
}

/** How requests of Chat Completions and Responses are streamed and queued. */
export const openaiStreaming = {
  ...openaiErrorWords,
  takesTurns: true,
  // Known to no client, and ignored by all.
  ping: ': ping\n\n',
  isStreamed: ({ stream }: JsonObject, { openai }: Pick<Settings, 'openai'>): boolean =>
    stream === undefined || stream === null ? openai.streamByDefault : stream === true,
} as const;

/** No path of the model can be reached from this API. */
export function notSpoken(model: CatalogModel): Stopped {
  const sentence = t('Jumpseat: Copilot serves {id} only through {endpoints}. Ask for it there.', {
    id: model.id,
    endpoints: model.endpoints.join(', '),
  });
  return new Stopped({ ...refuse(404, 'not_found_error', 'path-not-spoken', sentence, false), param: 'model' });
}

interface PassedThrough {
  request: JsonObject;
  rules: Readonly<Record<string, FieldRule>>;
  model: CatalogModel;
  path: ChatPath;
  context: OpenaiContext;
}

type Written = Pick<OpenaiPlan, 'vision' | 'notes' | 'reader' | 'failureEvents'> & { body: JsonObject };

/**
 * A request that goes on in the client's own words: by the rules of its API, within the limits of the model, and
 * without what the model was seen to refuse. `write` says the rest. It may be called again, with a body that lacks what
 * a refusal named.
 */
export function passedThrough(
  { request, rules, model, path, context }: PassedThrough,
  write: (fitted: JsonObject) => Written,
): OpenaiPlan {
  return replannable({ as: 'openai', request }, context.learned(model, path), (learned) => {
    const ruled = applyRules(request, rules, learned?.model ?? model);
    const fitted = withoutRefused(ruled.body, learned);
    const { body, notes, ...written } = write(fitted.body);
    const known = learned === null ? { body, notes: [] } : withoutUnknownFields(body, learned.unknownFields);
    const all: FitNote[] = [...ruled.notes, ...fitted.notes, ...notes, ...known.notes];
    return {
      ok: true,
      path,
      body: Buffer.from(JSON.stringify(known.body)),
      anthropicVersion: null,
      anthropicBeta: null,
      ...written,
      notes: all,
    };
  });
}

/** A plan whose answer a client of OpenAI's understands. */
export type OpenaiPlan = ClientPlan<OpenAiError>;

export type OpenaiContext = Pick<PlanInputs, 'streamed' | 'id' | 'now' | 'search' | 'whySearchIsOff' | 'learned'>;

interface ViaMessages {
  /** The client's request as a Messages request. */
  request: MessagesRequest;
  model: CatalogModel;
  path: ChatPath;
  context: OpenaiContext;
  /** Changes to the request so far. */
  notes: readonly FitNote[];
}

type Answering = Pick<OpenaiPlan, 'reader' | 'failureEvents'>;

/**
 * A request of an OpenAI client whose model has another API: as a Messages request it is fitted and sent on any path.
 * `answer` writes the events of a Messages stream in the client's words. Throws `Stopped` where the request cannot be
 * sent.
 */
export function planViaMessages(
  { request, model, path, context, notes }: ViaMessages,
  answer: (inner: AnswerReader) => Answering,
): OpenaiPlan {
  const { messages, note } = beginningWithUser(withTokens(request, model, path), path);
  const before = note === null ? notes : [...notes, note];
  const changed = context.search?.(messages, path) ?? null;
  const first = changed?.request ?? messages;
  const said = changed === null ? before : [...before, changed.note];
  const planned = planner(model, path, context);
  return replannable({ as: 'messages', request: first }, context.learned(model, path), (learned) => {
    const sent = planned(first, learned);
    const notes = [...said, ...sent.notes];
    if (changed === null) return { ...sent, notes, ...answer(sent.reader) };
    const leading = changed.leads(sent, planned);
    return { ...sent, notes, ...answer(leading.reader), leading };
  });
}

/** An answer with searches plans further requests while it runs. */
function planner(model: CatalogModel, path: ChatPath, { id, learned }: OpenaiContext) {
  const context = { model, path, headers: {}, documentModel: null, messageId: id, strictTools: true };
  return (request: MessagesRequest, known: Learned | null = learned(model, path)): Plan => {
    const planned = planMessages(request, { ...context, learned: known });
    if (!planned.ok) throw new Stopped(refuseFit(planned));
    return planned;
  };
}

/** `/v1/messages` wants a number; a client that names none means: as much as there is. */
function withTokens(request: MessagesRequest, model: CatalogModel, path: ChatPath): MessagesRequest {
  if (request.max_tokens !== undefined || path !== '/v1/messages') return request;
  return { ...request, max_tokens: model.limits.outputTokens ?? 4096 };
}

/**
 * OpenAI's APIs let the assistant speak first, as a greeting; `/v1/messages` answers "first message must use the "user"
 * role".
 */
function beginningWithUser(
  request: MessagesRequest,
  path: ChatPath,
): { messages: MessagesRequest; note: FitNote | null } {
  const first = request.messages.find(({ role }) => role !== 'system');
  if (path !== '/v1/messages' || first?.role !== 'assistant') return { messages: request, note: null };
  return {
    messages: { ...request, messages: [{ role: 'user', content: '(no content)' }, ...request.messages] },
    note: { code: 'begun-by-user', count: 1, text: 'an empty message of the user put first' },
  };
}

/** One image of a request, at any place. */
export interface SeenImage {
  url: unknown;
  /** `messages[0].content[1].image_url` */
  place: string;
  /** True if it came with the newest message, and a person sent that. */
  attached: boolean;
}

/** The texts that replace images that are left out, by the number of the image. */
interface LeftOut {
  texts: ReadonlyMap<number, string>;
  notes: FitNote[];
}

const dataUrl = /^data:([a-z0-9.+-]{1,30}\/[a-z0-9.+-]{1,30});base64,/i;

/**
 * By `fits/image-policy.ts`. Throws `Stopped` for an image that was just attached and is too large.
 *
 * Throws `Stopped` also for an image by its address: Copilot refuses it (`error-400-external-image-url`), and fetching
 * it for the client would turn the proxy into a way to send requests into the network of the person who runs it.
 */
export function leaveOutImages(images: readonly SeenImage[], model: CatalogModel): LeftOut {
  const texts = new Map<number, string>();
  for (const [at, image] of images.entries()) {
    const text = textInstead(image, model);
    if (text !== null) texts.set(at, text);
  }
  const unfitCount = texts.size;
  const most = mostImages(model);
  let surplus = images.length - unfitCount - most;
  const leaving = Math.max(0, surplus);
  for (let at = 0; surplus > 0; at++) {
    if (texts.has(at)) continue;
    texts.set(at, surplusText(most));
    surplus--;
  }
  return {
    texts,
    notes: [
      ...(unfitCount > 0
        ? [{ code: 'image-left-out', count: unfitCount, text: counted('image left out', unfitCount) }]
        : []),
      ...(leaving > 0 ? [{ code: 'images-left-out', count: leaving, text: counted('images left out', leaving) }] : []),
    ],
  };
}

function textInstead({ url, place, attached }: SeenImage, model: CatalogModel): string | null {
  if (typeof url !== 'string') return null;
  if (!url.startsWith('data:'))
    throw refuseField(place, t('Copilot accepts no images by address. Send a data URL.'), 'unsupported_value');
  const [head, type] = dataUrl.exec(url) ?? [];
  if (head === undefined) return null;
  const unfit = unfitImage({ bytes: sizeOfBase64(url, head.length), type: type?.toLowerCase() }, model);
  if (unfit?.kind === 'too-large' && attached) {
    const { status, type: kind, code, message, shouldRetry } = unfit.refusal;
    throw new Stopped({ ...refuse(status, kind, code, message, shouldRetry), param: place });
  }
  return unfit === null ? null : `[${unfit.text}]`;
}

function counted(text: string, count: number): string {
  return count === 1 ? text : `${text} ×${count}`;
}
