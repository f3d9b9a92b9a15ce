import {
  answerFailure,
  answerJson,
  type ClientCall,
  ClientLeft,
  readJson,
  ServerStopping,
} from '../app/exchange/client-call.ts';
import { type AnswerTarget, ClientStream, collecting, wholeOf } from '../app/exchange/client-stream.ts';
import { chat } from '../app/exchange/clients/chat.ts';
import type { StreamingClient } from '../app/exchange/clients/client.ts';
import { anthropicWords, messages } from '../app/exchange/clients/messages.ts';
import { responses } from '../app/exchange/clients/responses.ts';
import { ClientTurns } from '../app/exchange/limits/queue.ts';
import { newRow } from '../app/exchange/record.ts';
import { recoverBrokenAnswer } from '../app/exchange/recover/broken-answer.ts';
import { type ClientError, type ErrorWords, refuse, Stopped } from '../app/exchange/recover/error.ts';
import type { AnswerFacts, AnswerReader } from '../app/formats/answer/answer.ts';
import { ChatFromLm } from '../app/formats/chat-via-lm/answer.ts';
import { type LmTextClass, readLmPart } from '../app/formats/lm/language-model.ts';
import type { FitNote } from '../app/formats/translation/note.ts';
import type { Consent } from './consent.ts';
import {
  consentRequired,
  copilotUnavailable,
  type FailureContext,
  lmFailure,
  tooLong,
  wordsForLog,
} from './failures.ts';
import type { LmModel } from './models.ts';
import { chooseModel, hasImages, imagePlaces, type Prepared, prepare } from './prepare.ts';
import { measure, promptTokens, promptTooLong } from './tokens.ts';

/** What the log says of one request; no word of it. */
export interface RequestLine {
  api: string;
  client: string;
  askedModel: string | null;
  model: string | null;
  status: number;
  ms: number;
  input: number | null;
  output: number | null;
  credits: number | null;
  notes: readonly FitNote[];
  /** The failure's code. */
  failure: string | null;
  /** VS Code's own words for the failure; empty where it has none, or they may quote the request. */
  fromVscode: string;
}

interface ExchangeDependencies {
  classes: LmTextClass;
  models(): Promise<readonly LmModel[]>;
  /** VS Code has one of them no more. */
  forgetModels(): void;
  consent: Consent;
  settings(): { atOnce: number; historyTurns: number | null };
  /** Name for people: `the window “jumpseat”`. */
  window: string;
  now(): number;
  begun(): void;
  /** Once for each that has begun. */
  done(line: RequestLine): void;
}

/** What is known of a request while it is under way. */
interface Step {
  askedModel: string | null;
  model: string | null;
  /** Places of the images in the client's request. */
  images: string[];
  notes: FitNote[];
  facts: AnswerFacts | null;
  offered: string[];
  fromVscode: string;
}

const retryAfterSeconds = 5;
/** One line for all clients: Copilot limits the extension, not each client. */
const everyone = 'all';

/** One request on its way through VS Code and back, for every client API. */
export class LmExchange {
  readonly #dependencies: ExchangeDependencies;
  readonly #turns: ClientTurns;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    this.#turns = new ClientTurns(() => dependencies.settings().atOnce);
  }

  readonly messages = (call: ClientCall): Promise<void> => this.#stream(call, messages);
  readonly chat = (call: ClientCall): Promise<void> => this.#stream(call, chat);
  readonly responses = (call: ClientCall): Promise<void> => this.#stream(call, responses);

  /** `POST /v1/messages/count_tokens`, as Copilot's extension counts: nothing is sent. */
  readonly countTokens = (call: ClientCall): Promise<void> =>
    this.#serve(call, 'count-tokens', anthropicWords, async (step) => {
      const asked = messages.read(await readJson(call.body));
      const { model, prepared } = await this.#prepare(call, messages, asked, false, step);
      const tokens = await promptTokens(measure(prepared.request), model, call.signal);
      answerJson(call, anthropicWords, 200, { input_tokens: tokens });
    });

  async #stream<Body extends { model: string }, Envelope extends object>(
    call: ClientCall,
    client: StreamingClient<Body, Envelope>,
  ): Promise<void> {
    let release = (): void => undefined;
    const row = newRow(call, client.api);
    const headers = { [client.requestIdHeader]: call.requestId };
    const stream = new ClientStream(call.answer, headers, client.ping, (envelope: Envelope) =>
      client.failureEvents(envelope, row),
    );
    const steps = async (step: Step): Promise<void> => {
      const asked = client.read(await readJson(call.body));
      row.askedModel = asked.model;
      const streamed = client.isStreamed(asked, { openai: { ...openaiSettings, ...this.#dependencies.settings() } });
      if (streamed) stream.open();
      release = await this.#turn(call.signal);
      const { model, prepared } = await this.#prepare(call, client, asked, streamed, step);
      stream.lastEvents = prepared.plan.failureEvents ?? stream.lastEvents;
      call.letGo();
      await this.#allowed(model, call.signal);
      const long = await promptTooLong(prepared.request, model, call.signal);
      if (long !== null) throw new Stopped(tooLong(long.tokens, long.most));
      const collector = client.collector();
      await this.#answer(call, model, prepared, streamed ? stream : collecting(collector));
      if (streamed) call.answer.end();
      else answerJson(call, client, 200, wholeOf(collector));
    };
    try {
      await this.#serve(call, client.api, client, steps, (envelope) => stream.lastEvents(envelope));
    } finally {
      stream.close();
      release();
    }
  }

  /** One request from its beginning to its line in the log, whatever `steps` meet. */
  async #serve<Envelope extends object>(
    call: ClientCall,
    api: string,
    words: ErrorWords<Envelope>,
    steps: (step: Step) => Promise<void>,
    failureEvents: ((envelope: Envelope) => string) | null = null,
  ): Promise<void> {
    const step: Step = {
      askedModel: null,
      model: null,
      images: [],
      notes: [],
      facts: null,
      offered: [],
      fromVscode: '',
    };
    let status = 200;
    let failure: string | null = null;
    this.#dependencies.begun();
    try {
      await steps(step);
    } catch (thrown) {
      if (call.signal.aborted && call.signal.reason instanceof ClientLeft) failure = 'client-left';
      else {
        const error = this.#clientError(thrown, call, step);
        failure = error.failure.code;
        const reported = words.tell(error, call.requestId);
        const bytes = answerFailure(call, words, error, reported, step.facts?.ended === true ? null : failureEvents);
        status = bytes === null ? 200 : reported.status;
      }
    }
    this.#dependencies.done(this.#line(call, api, step, status, failure));
  }

  async #prepare<Body extends { model: string }, Envelope>(
    call: ClientCall,
    client: StreamingClient<Body, Envelope>,
    asked: Body,
    streamed: boolean,
    step: Step,
  ): Promise<{ model: LmModel; prepared: Prepared<Envelope> }> {
    step.askedModel = asked.model;
    const models = await this.#dependencies.models();
    if (models.length === 0) throw new Stopped(copilotUnavailable(this.#dependencies.window));
    step.offered = models.map(({ id }) => id);
    const { model, choice } = chooseModel(asked.model, models);
    step.model = model.id;
    const { historyTurns } = this.#dependencies.settings();
    const inputs = { streamed, offered: step.offered, historyTurns, now: this.#dependencies.now() };
    const prepared = prepare(call, client, asked, choice, inputs);
    step.notes = prepared.notes;
    step.facts = prepared.plan.reader.facts;
    step.images = hasImages(prepared.request) ? imagePlaces(asked) : [];
    return { model, prepared };
  }

  /** Throws at once where too many wait. */
  async #turn(signal: AbortSignal): Promise<() => void> {
    const turn = this.#turns.take(everyone, signal);
    if (turn !== null) return turn;
    const message = 'Jumpseat: too many requests at once. Wait for some of them to end.';
    throw new Stopped({ ...refuse(429, 'rate_limit_error', 'too-many-at-once', message), retryAfterSeconds });
  }

  async #allowed(model: LmModel, signal: AbortSignal): Promise<void> {
    const consent = await this.#dependencies.consent.forRequest(model, signal);
    if (consent === 'given') return;
    throw new Stopped(consentRequired(consent === 'refused' ? 'refused' : 'waiting', this.#dependencies.window));
  }

  async #answer(
    call: ClientCall,
    model: LmModel,
    { plan, request, stops, maxTokens }: Prepared<unknown>,
    target: AnswerTarget,
  ): Promise<void> {
    const { reader } = plan;
    const ending = new AbortController();
    const signal = AbortSignal.any([call.signal, ending.signal]);
    const writer = new ChatFromLm({
      id: `chatcmpl_${call.requestId}`,
      created: Math.floor(this.#dependencies.now() / 1000),
      model: model.id,
      stops,
      maxTokens,
      tools: request.tools,
    });
    try {
      const parts = await model.send(request, signal);
      const count = (text: string): Promise<number | null> => model.count(text, signal).catch(() => null);
      await answerFrom({ parts, classes: this.#dependencies.classes, writer, reader, target, count });
    } finally {
      // What comes behind a stop sequence would be paid for and never read.
      ending.abort();
    }
    if (call.signal.aborted && !reader.facts.ended) throw call.signal.reason;
    if (reader.facts.failure !== null)
      throw new Stopped(recoverBrokenAnswer(reader.facts.failure, null, { redact: (text) => text }));
  }

  #clientError(thrown: unknown, call: ClientCall, step: Step): ClientError {
    if (thrown instanceof Stopped) return thrown.error;
    if (call.signal.reason instanceof ServerStopping) return stopped;
    const { model, askedModel, offered } = step;
    const { window, consent } = this.#dependencies;
    const context: FailureContext = { model: model ?? askedModel ?? '', offered, images: step.images, window };
    const error = lmFailure(thrown, context);
    step.fromVscode = wordsForLog(thrown);
    if (error.failure.code === 'consent-required') consent.refused();
    if (error.failure.code === 'model-missing') this.#dependencies.forgetModels();
    return error;
  }

  #line(call: ClientCall, api: string, step: Step, status: number, failure: string | null): RequestLine {
    const { askedModel, model, facts, notes, fromVscode } = step;
    const usage = facts?.usage ?? null;
    const input = usage?.input ?? null;
    return {
      ...{ api, client: call.client, askedModel, model, status, notes, failure, fromVscode },
      ms: Math.max(0, this.#dependencies.now() - call.startedAt),
      input: input === null ? null : input + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0),
      output: usage?.output ?? null,
      credits: facts?.copilotUsage ? facts.copilotUsage.totalNanoAiu / 1e9 : null,
    };
  }
}

const openaiSettings = { streamByDefault: false };

const stopped = refuse(
  503,
  'api_error',
  'stopped',
  'Jumpseat: it was switched off in VS Code while this answer was running. Switch it on, then try again.',
  false,
);

interface AnswerFrom {
  parts: AsyncIterable<unknown>;
  classes: LmTextClass;
  writer: ChatFromLm;
  /** Writes the client's events. */
  reader: AnswerReader;
  target: AnswerTarget;
  /** Tokens of what was said, where VS Code doesn't say how the answer ended; null if they can't be counted. */
  count(text: string): Promise<number | null>;
}

/**
 * Leads the parts of an answer to the client, one by one; the next is taken when the one before was. Leaves the rest of
 * an answer that is over before its end (a stop sequence): the caller has to end its request then. Rejects with what
 * VS Code throws.
 */
async function answerFrom({ parts, classes, writer, reader, target, count }: AnswerFrom): Promise<void> {
  const { facts } = reader;
  for await (const part of parts) {
    const read = readLmPart(part, classes);
    const bytes = read === null ? null : writer.part(read);
    if (bytes !== null) await pass(reader.push(bytes), target);
    if (writer.isStopped || facts.ended || facts.failure !== null) break;
  }
  if (facts.ended || facts.failure !== null) return;
  const { uncounted } = writer;
  await pass(reader.push(writer.end(uncounted === null ? null : await count(uncounted))), target);
  await pass(reader.end(), target);
}

async function pass(bytes: Buffer | null, target: AnswerTarget): Promise<void> {
  if (bytes === null || target.write(bytes)) return;
  await new Promise<void>((resolve) => target.drained(resolve));
}
