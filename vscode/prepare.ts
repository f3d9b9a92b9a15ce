import type { CatalogModel } from '../app/copilot/model-entry.ts';
import type { ClientCall } from '../app/exchange/client-call.ts';
import { historyWindow } from '../app/exchange/clients/chat.ts';
import { readChat } from '../app/exchange/clients/chat-read.ts';
import type { ClientPlan, PlanInputs, StreamingClient } from '../app/exchange/clients/client.ts';
import { refuseField } from '../app/exchange/clients/openai-fields.ts';
import type { Learned } from '../app/exchange/fits/fit.ts';
import { type ModelChoice, resolveModel } from '../app/exchange/model/resolve.ts';
import { Stopped } from '../app/exchange/recover/error.ts';
import { chatToLm } from '../app/formats/chat-via-lm/request.ts';
import type { LmRequest } from '../app/formats/lm/language-model.ts';
import type { FitNote } from '../app/formats/translation/note.ts';
import { isObject, parseObject } from '../app/formats/wire/json.ts';
import { catalogModel } from '../app/through-vscode/catalog-model.ts';
import { modelGone } from './failures.ts';
import type { LmModel } from './models.ts';

/** A request as VS Code takes it, and who reads the answer. */
export interface Prepared<Envelope> {
  plan: ClientPlan<Envelope>;
  request: LmRequest;
  stops: string[];
  maxTokens: number | null;
  notes: FitNote[];
}

/** The model that a name means, by the rules of the app. Throws `Stopped`. */
export function chooseModel(
  asked: string,
  models: readonly LmModel[],
): { model: LmModel; choice: ModelChoice & { ok: true } } {
  const choice = resolveModel(asked, models.map(catalogModel), { overrides: {}, longContext: false });
  const model = choice.ok ? models.find(({ id }) => id === choice.model.id) : undefined;
  if (!choice.ok || model === undefined)
    throw new Stopped(modelGone({ model: asked, offered: models.map(({ id }) => id) }));
  return { model, choice };
}

interface PrepareInputs {
  streamed: boolean;
  offered: readonly string[];
  /** `jumpseat.historyTurns`; null for the whole conversation. */
  historyTurns: number | null;
  now: number;
}

/**
 * A client's request for VS Code: as the app would write it for a model that has Chat Completions alone, and from there
 * in the words of the language-model API. Throws `Stopped`.
 */
export function prepare<Body extends { model: string }, Envelope>(
  call: ClientCall,
  client: StreamingClient<Body, Envelope>,
  body: Body,
  choice: ModelChoice & { ok: true },
  { streamed, offered, historyTurns, now }: PrepareInputs,
): Prepared<Envelope> {
  const plan = planned(client, body, choice.model, {
    streamed,
    id: call.requestId.replace(/^req_/, ''),
    now,
    headers: call.headers,
    bytes: call.body,
    read: body,
    offered,
    search: null,
    whySearchIsOff: () => 'VS Code’s language-model API has no web search. Leave it out.',
    learned: (model) => ({ ...nothingLearned, model }),
  });
  const written = readChat(parseObject(plan.body.toString('utf8')));
  const { request: shortened, note } = historyWindow(written, historyTurns, 'jumpseat.historyTurns');
  const mapped = chatToLm(shortened);
  if (!mapped.ok) throw refuseField(placeInRequest(body, shortened, mapped.field), mapped.message);
  const { request, stops, maxTokens, notes } = mapped;
  return { plan, request, stops, maxTokens, notes: [...plan.notes, ...(note === null ? [] : [note]), ...notes] };
}

/** The app would name a model that reads PDFs; here none does. */
function planned<Body extends { model: string }, Envelope>(
  client: StreamingClient<Body, Envelope>,
  body: Body,
  model: CatalogModel,
  inputs: PlanInputs,
): ClientPlan<Envelope> {
  try {
    return client.plan(body, model, inputs);
  } catch (error) {
    if (!(error instanceof Stopped) || !documents.has(error.error.failure.code)) throw error;
    throw refuseField('messages', 'VS Code’s language-model API accepts no PDFs. Send the text.');
  }
}

const documents: ReadonlySet<string> = new Set(['pdf-refused', 'document-refused']);

/** VS Code takes no stop sequences: the answer is cut here, and its client told at which. */
const nothingLearned: Omit<Learned, 'model'> = {
  refusedFields: new Set(),
  refusedParameters: new Set(),
  unknownFields: new Set(),
  refusesSystemMessages: false,
  refusesStop: true,
  refusesThinking: () => false,
  refusesDeferred: () => false,
};

/** VS Code decodes the images of a request. */
export function hasImages({ messages }: LmRequest): boolean {
  return messages.some(({ parts }) =>
    parts.some((part) =>
      part.kind === 'result' ? part.content.some(({ kind }) => kind === 'image') : part.kind === 'image',
    ),
  );
}

/*
 * Where a client's own request holds something. Its translation has other messages at other numbers: the system prompt
 * and results of tools are messages of their own there, and `jumpseat.historyTurns` leaves old ones out.
 */

/**
 * The place in the client's request of what `field` names in its translation: `messages[2].content[1]` for
 * `messages[3].content[1].image_url`. The list of messages where the value can't be found.
 */
function placeInRequest(body: unknown, translation: unknown, field: string): string {
  const value = wordOf(valueAt(translation, field));
  if (typeof value !== 'string' || value === '' || wordOf(valueAt(body, field)) === value) return field;
  const found = find(body, '', (each) => each === value || (value.startsWith('data:') && value.endsWith(`,${each}`)));
  const [top = field] = field.split(/[.[]/);
  return (
    found?.replace(/\.source\.(?:data|url)$|(?<=\.image_url)\.url$/, '') ??
    (top === 'messages' ? conversation(body) : field)
  );
}

/** The places of all images, in their order. */
export function imagePlaces(body: unknown): string[] {
  const top = conversation(body);
  return isObject(body) ? imagesBelow(body[top], top) : [];
}

function imagesBelow(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => imagesBelow(each, `${place}[${at}]`));
  if (!isObject(value)) return [];
  if (value.type === 'image') return [place];
  if (value.type === 'image_url' || value.type === 'input_image') return [`${place}.image_url`];
  return ['content', 'output'].flatMap((holder) => imagesBelow(value[holder], `${place}.${holder}`));
}

function conversation(body: unknown): 'input' | 'messages' {
  return isObject(body) && 'input' in body ? 'input' : 'messages';
}

/** The first string that fits, in the order of the request. */
function find(value: unknown, place: string, fits: (text: string) => boolean): string | null {
  if (typeof value === 'string') return value !== '' && fits(value) ? place : null;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((each, at) => [`${place}[${at}]`, each])
    : isObject(value)
      ? Object.entries(value).map(([name, each]) => [place === '' ? name : `${place}.${name}`, each])
      : [];
  for (const [below, each] of entries) {
    const found = find(each, below, fits);
    if (found !== null) return found;
  }
  return null;
}

function valueAt(root: unknown, field: string): unknown {
  let value = root;
  for (const name of field.split(/[.[\]]+/).filter((each) => each !== ''))
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  return value;
}

/** An image of Chat Completions is an object with an address. */
function wordOf(value: unknown): unknown {
  return isObject(value) ? value.url : value;
}
