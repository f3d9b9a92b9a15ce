import type { IncomingMessage } from 'node:http';
import type { FitNote } from '../../../api/exchange.ts';
import { pathFor } from '../../../copilot/catalog.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { unlessAborted } from '../../../copilot/unless-aborted.ts';
import type { AnswerReader } from '../../../formats/answer/answer.ts';
import type { OpenAiError } from '../../../formats/openai/error.ts';
import { failureEvents } from '../../../formats/responses/failure.ts';
import type { JsonObject } from '../../../formats/wire/json.ts';
import { type ClientCall, ClientLeft } from '../../client-call.ts';
import { sendRecovering } from '../../lessons/send-recovering.ts';
import { answerWithoutForm, recoverBrokenAnswer, recoverFailure, refuse } from '../../recover.ts';
import { type AnswerTarget, EventStream } from '../../relay.ts';
import { type ExchangeParts, type Run, type Runs, type Sender, Stopped } from '../../runs.ts';
import { historyWindow } from '../chat/history-window.ts';
import { planChat } from '../chat/plan.ts';
import { type ChatBody, readChat } from '../chat/read.ts';
import { planChatViaMessages } from '../chat/via-messages.ts';
import {
  embeddingsBatches,
  joinEmbeddings,
  meterEmbeddings,
  readEmbeddings,
  readEmbeddingsAnswer,
} from '../embeddings/embeddings.ts';
import { planResponses, readResponses } from '../responses/plan.ts';
import { planResponsesViaMessages } from '../responses/via-messages.ts';
import { ClientTurns } from './client-turns.ts';
import type { Collector, OpenaiContext, OpenaiPlan } from './plan.ts';
import { type OpenaiTold, tellOpenai } from './recover.ts';

type Request = JsonObject & { model: string };

/** What differs between the two APIs that stream. */
interface Api<Body extends Request> {
  name: 'chat' | 'responses';
  read(body: unknown): Body;
  /** What a person lets through of a long conversation, and what the log says of it. */
  shorten(request: Body, turns: number | null): { request: Body; note: FitNote | null };
  plan(request: Body, model: CatalogModel, context: OpenaiContext): OpenaiPlan;
  /** A failure after the stream has begun, and before there was a plan. */
  errorEvents(told: OpenaiTold, run: Run): string;
}

const chat: Api<ChatBody> = {
  name: 'chat',
  read: readChat,
  shorten: historyWindow,
  plan: (request, model, context) => {
    const path = pathFor(model, 'chat');
    if (path === null) throw notSpoken(model);
    return path === '/chat/completions'
      ? planChat(request, model, context)
      : planChatViaMessages(request, model, path, context);
  },
  errorEvents: ({ body }) => `data: ${JSON.stringify(body)}\n\n`,
};

const responses: Api<Request> = {
  name: 'responses',
  read: readResponses,
  shorten: (request) => ({ request, note: null }),
  plan: (request, model, context) => {
    const path = pathFor(model, 'responses');
    if (path === null) throw notSpoken(model);
    return path === '/responses'
      ? planResponses(request, model, context)
      : planResponsesViaMessages(request, model, path, context);
  },
  errorEvents: ({ body }, { row }) => failureEvents({ id: `resp_${row.id}`, model: row.askedModel }, 0, body),
};

/** What has to be let go of at the end. */
interface Out {
  /** Null: the client wants one whole answer. */
  stream: EventStream | null;
  /** Ends the turn among the client's requests. */
  release: (() => void) | null;
  /** The last events of a stream that failed, in the words of the plan that was sent. */
  failure: ((error: OpenAiError) => string) | null;
}

/** The head of a good answer, who reads it, and who puts it together. */
interface Answering {
  response: IncomingMessage;
  reader: AnswerReader;
  collector: Collector;
}

function notSpoken(model: CatalogModel): Stopped {
  const sentence = `Jumpseat: Copilot serves ${model.id} only through ${model.endpoints.join(', ')}. Ask for it there.`;
  return new Stopped({ ...refuse(404, 'not_found_error', 'path-not-spoken', sentence, false), param: 'model' });
}

/** Embeddings say no initiator; the client of Copilot leaves it out there. */
const nobody: Sender = { initiator: 'agent', interactionType: 'conversation-background' };

/** Known to no client, and ignored by all. */
const pingComment = ': ping\n\n';
const busyRetrySeconds = 5;

/** One request of an OpenAI client on its way to Copilot and back. Never rejects: whatever happens is answered, metered and recorded. */
export class OpenaiExchanger {
  readonly #parts: ExchangeParts;
  readonly #runs: Runs;
  readonly #turns: ClientTurns;

  constructor(parts: ExchangeParts, runs: Runs) {
    this.#parts = parts;
    this.#runs = runs;
    this.#turns = new ClientTurns(() => parts.settings.current().openai.atOnce);
  }

  /** `POST /v1/chat/completions`. */
  chat(call: ClientCall): Promise<void> {
    return this.#serve(call, chat);
  }

  /** `POST /v1/responses`. */
  responses(call: ClientCall): Promise<void> {
    return this.#serve(call, responses);
  }

  /** `POST /v1/embeddings`: in as many requests as Copilot's limit makes of it, one after the other. Nobody prompts here, so there is no initiator. */
  async embeddings(call: ClientCall): Promise<void> {
    const run = this.#runs.begin(call, 'embeddings');
    let release: (() => void) | null = null;
    try {
      const request = readEmbeddings(this.#runs.json(run));
      this.#runs.asked(run, request.model);
      release = await this.#turn(run);
      const model = await this.#runs.model(run, request.model);
      const batches = embeddingsBatches(request, model);
      run.row.path = '/embeddings';
      run.row.fits.push(...batches.notes);
      await this.#runs.admit(run, nobody.initiator);
      run.row.times.sent = this.#runs.since(run);
      const answers: JsonObject[] = [];
      for (const body of batches.bodies) answers.push(await this.#embed(run, body));
      run.facts.ended = true;
      this.#answerJson(run, 200, joinEmbeddings(request, answers));
    } catch (error) {
      this.#fail(run, error, null);
    } finally {
      release?.();
      this.#runs.end(run);
    }
  }

  async #embed(run: Run, body: Buffer): Promise<JsonObject> {
    const { call, row } = run;
    const plan = { path: '/embeddings', body, vision: false, anthropicVersion: null, anthropicBeta: null } as const;
    const sent = await this.#runs.send(run, plan, nobody, call.requestId);
    row.attempts.push(...sent.attempts);
    row.upstreamRequestIds.push(...(sent.ok ? sent.requestIds : sent.failure.requestIds));
    this.#runs.headed(run);
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.#runs.recoverContext(run)));
    run.recording.follow(sent.response);
    const answer = await unlessAborted(readEmbeddingsAnswer(sent.response), call.signal);
    if (answer === null)
      throw new Stopped(
        recoverBrokenAnswer({ kind: 'cut', type: null, message: '' }, null, this.#runs.recoverContext(run)),
      );
    row.times.firstEvent ??= this.#runs.since(run);
    run.accepted = true;
    meterEmbeddings(answer, run.facts);
    return answer;
  }

  async #serve<Body extends Request>(call: ClientCall, api: Api<Body>): Promise<void> {
    const run = this.#runs.begin(call, api.name);
    const out: Out = { stream: null, release: null, failure: null };
    try {
      const answering = await this.#ask(run, api, out);
      this.#runs.letGo(run);
      await this.#answer(run, answering, out.stream);
    } catch (error) {
      this.#fail(run, error, (told) => out.failure?.(told.body) ?? api.errorEvents(told, run));
    } finally {
      out.stream?.close();
      out.release?.();
      this.#runs.end(run);
    }
  }

  #isStreamed(request: Request): boolean {
    const { stream } = request;
    return stream === undefined || stream === null
      ? this.#parts.settings.current().openai.streamByDefault
      : stream === true;
  }

  /** Throws at once where too many wait. */
  #turn(run: Run): Promise<() => void> {
    const turn = this.#turns.take(run.call.client, run.call.signal);
    if (turn !== null) return this.#runs.waited(run, turn);
    const message = `Jumpseat: too many requests of "${run.call.client}" at once. Wait for some of them to end.`;
    throw new Stopped({
      ...refuse(429, 'rate_limit_error', 'too-many-at-once', message),
      retryAfterSeconds: busyRetrySeconds,
    });
  }

  /** read, initiator, model, plan, send. What was asked is held by these steps alone: while the answer runs, its memory is for others. */
  async #ask<Body extends Request>(run: Run, api: Api<Body>, out: Out): Promise<Answering> {
    const { call, row } = run;
    const asked = api.read(this.#runs.json(run));
    this.#runs.asked(run, asked.model);
    const verdict = this.#runs.decide(run, asked);
    const { request, note } = api.shorten(asked, this.#parts.settings.current().openai.historyTurns);
    if (note !== null) row.fits.push(note);
    const streamed = this.#isStreamed(request);
    row.streamed = streamed;
    const turn = this.#turn(run);
    if (streamed) out.stream = new EventStream(call.answer, requestIds(call), pingComment);
    out.release = await turn;
    const model = await this.#runs.model(run, request.model);
    const first = api.plan(request, model, {
      streamed,
      id: row.id,
      now: this.#parts.clock.now(),
      learned: (about, path, lessons) => this.#runs.lessons.about(about, path, lessons),
    });
    out.failure = first.failure ?? null;
    row.path = first.path;
    await this.#runs.admit(run, verdict.initiator);
    const chosen = row.fits;
    row.fits = [...chosen, ...first.notes];
    row.times.sent = this.#runs.since(run);
    const interactionId = this.#runs.interactionId(run, verdict);
    const { plan, sent, notes } = await sendRecovering(first, {
      row,
      send: (each) => this.#runs.send(run, each, verdict, interactionId),
      read: first.recover?.read ?? (() => null),
      refit: first.recover?.refit ?? (() => null),
      confirmed: (lessons) => this.#runs.lessons.learn(model, first.path, lessons),
    });
    out.failure = plan.failure ?? null;
    row.fits = [...chosen, ...plan.notes, ...notes];
    this.#runs.headed(run);
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.#runs.recoverContext(run)));
    run.facts = plan.reader.facts;
    return { response: sent.response, reader: plan.reader, collector: plan.collector() };
  }

  /** answer: from here on Copilot decides. */
  async #answer(run: Run, { response, reader, collector }: Answering, stream: EventStream | null): Promise<void> {
    const { call, row } = run;
    const { cause } = await this.#runs.relay(run, response, reader, stream ?? collecting(collector));
    const left = call.signal.reason instanceof ClientLeft;
    if (call.signal.aborted && (left || !reader.facts.ended)) throw call.signal.reason;
    if (reader.facts.failure !== null)
      throw new Stopped(recoverBrokenAnswer(reader.facts.failure, cause, this.#runs.recoverContext(run)));
    if (stream !== null) {
      row.status = 200;
      call.answer.end();
      return;
    }
    const answer = collector.answer();
    if (answer === null) throw new Stopped(answerWithoutForm());
    this.#answerJson(run, 200, answer);
  }

  #answerJson(run: Run, status: number, body: object, headers: Record<string, string> = {}): void {
    const { answer } = run.call;
    const bytes = Buffer.from(JSON.stringify(body));
    run.recording.told(bytes);
    run.row.status = status;
    answer.begin(status, {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      ...requestIds(run.call),
      ...headers,
    });
    answer.end(bytes);
  }

  /** recover: as JSON while nothing went out, else as the stream's last event. */
  #fail(run: Run, thrown: unknown, lastEvents: ((told: OpenaiTold) => string) | null): void {
    const { call, row } = run;
    if (call.signal.aborted && call.signal.reason instanceof ClientLeft) {
      row.outcome = 'cancelled';
      if (call.answer.begun) row.status ??= 200;
      row.failure = {
        source: 'client',
        status: null,
        code: 'client-left',
        message: call.signal.reason.message,
        told: null,
      };
      return;
    }
    const error = this.#runs.clientError(run, thrown);
    const told = tellOpenai(error);
    row.outcome = run.facts.failure?.kind === 'cut' ? 'cut' : 'failed';
    row.failure = { ...error.failure, told: told.kept };
    if (call.answer.begun) {
      row.status ??= 200;
      if (!run.facts.ended && lastEvents !== null) call.answer.write(lastEvents(told));
      call.answer.end();
      return;
    }
    const headers: Record<string, string> = {};
    if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds);
    if (!error.shouldRetry) headers['x-should-retry'] = 'false';
    this.#answerJson(run, told.status, told.body, headers);
  }
}

function requestIds(call: ClientCall): Record<string, string> {
  return { 'x-request-id': call.requestId };
}

/** A whole answer takes what comes: `relay` bounds it. */
function collecting(collector: Collector): AnswerTarget {
  return {
    write: (bytes) => {
      collector.push(bytes);
      return true;
    },
    drained: (then) => then(),
  };
}
