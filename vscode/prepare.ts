import type { CatalogModel } from '../app/copilot/model.ts';
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
import { parseObject } from '../app/formats/wire/json.ts';
import { catalogModel } from '../app/through-vscode/catalog-model.ts';
import { modelGone } from './failures.ts';
import type { LmModel } from './lm-model.ts';
import { placeInRequest } from './places.ts';

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

export interface PrepareInputs {
  streamed: boolean;
  offered: readonly string[];
  /** `jumpseat.historyTurns`; null: the whole conversation. */
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
    offered,
    search: false,
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
    throw refuseField('messages', 'VS Code’s language-model API takes no PDFs. Send the text.');
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
