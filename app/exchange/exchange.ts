import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../api/exchange.ts';
import { type ChatPath, pathFor } from '../copilot/catalog.ts';
import type { CatalogModel } from '../copilot/model.ts';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { MessagesCollector } from '../formats/messages/collector.ts';
import { anthropicError } from '../formats/messages/error.ts';
import { type MessagesRequest, readMessagesRequest } from '../formats/messages/request.ts';
import { sseEvent } from '../formats/wire/sse.ts';
import { type ClientCall, ClientLeft } from './client-call.ts';
import { OpenaiExchanger } from './clients/openai/openai.ts';
import type { Lesson } from './lessons/lesson.ts';
import { readLesson } from './lessons/read-lesson.ts';
import { sendRecovering } from './lessons/send-recovering.ts';
import { type Plan, planMessages } from './plan.ts';
import { answerWithoutForm, type RecoverContext, recoverBrokenAnswer, recoverFailure, refuse } from './recover.ts';
import { type AnswerTarget, EventStream } from './relay.ts';
import { type ExchangeParts, type Run, Runs, Stopped } from './runs.ts';
import { TokenCounter } from './tokens/count.ts';

/**
 * One request on its way to Copilot and back. The methods stand in the order in which a request meets them.
 * Everything before `send` is decided by pure functions elsewhere; only this file waits.
 */
export class Exchanger {
  /** The same for OpenAI's clients. */
  readonly openai: OpenaiExchanger;
  readonly #parts: ExchangeParts;
  readonly #runs: Runs;
  readonly #counter: TokenCounter;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#runs = new Runs(parts);
    this.openai = new OpenaiExchanger(parts, this.#runs);
    this.#counter = new TokenCounter({ client: parts.client, lessons: this.#runs.lessons });
  }

  running(): Exchange[] {
    return this.#runs.running();
  }

  /** Lets a prompt through that a burst holds, or all of them. Returns how many. */
  letThrough(id?: string): number {
    return this.#runs.letThrough(id);
  }

  /** What the words for a failure may refer to. */
  recoverContext(): RecoverContext {
    return this.#runs.recoverContext();
  }

  /** `POST /v1/messages`. Never rejects: whatever happens is answered, metered and recorded. */
  async messages(call: ClientCall): Promise<void> {
    const run = this.#runs.begin(call, 'messages');
    const out: Out = { stream: null };
    try {
      const answering = await this.#ask(run, out);
      this.#runs.letGo(run);
      await this.#answer(run, answering, out.stream);
    } catch (error) {
      this.#fail(run, error);
    } finally {
      out.stream?.close();
      this.#runs.end(run);
    }
  }

  /** `POST /v1/messages/count_tokens`: Copilot's own count, or an estimate that is called one. */
  async countTokens(call: ClientCall): Promise<void> {
    const run = this.#runs.begin(call, 'count-tokens');
    try {
      const request = this.#read(run);
      const verdict = this.#runs.decide(run, request);
      const model = await this.#runs.model(run, request.model);
      run.row.servedModel = model.id;
      const counted = await this.#counter.count(request, model, {
        verdict,
        call,
        recording: run.recording,
        sends: (path) => {
          run.row.path = path;
          this.#parts.history.sends(run.row);
        },
      });
      run.row.path = counted.path;
      run.row.attempts = counted.attempts;
      run.row.times.sent = counted.attempts[0]?.at ?? null;
      this.#runs.headed(run);
      run.row.fits = counted.notes;
      this.#answerJson(run, 200, { input_tokens: counted.tokens });
    } catch (error) {
      this.#fail(run, error);
    } finally {
      this.#runs.end(run);
    }
  }

  /** read: is the body what this API says? */
  #read(run: Run): MessagesRequest {
    const read = readMessagesRequest(this.#runs.json(run));
    if (!read.ok) throw new Stopped(refuse(400, 'invalid_request_error', 'invalid-body', `Jumpseat: ${read.message}`));
    this.#runs.asked(run, read.request.model);
    return read.request;
  }

  /** path, fit, translate: which endpoint, and what must change so that Copilot takes it there. */
  #plan(run: Run, request: MessagesRequest, model: CatalogModel, lessons: readonly Lesson[]): Plan {
    const path = this.#path(run, model);
    const plan = planMessages(request, {
      model,
      path,
      headers: run.call.headers,
      documentModel: run.offered.find((id) => id.startsWith('claude-')) ?? null,
      messageId: run.row.id,
      learned: this.#runs.lessons.about(model, path, lessons),
      bytes: run.call.body,
    });
    if (plan.ok) return plan;
    const { status, type, code, message, shouldRetry } = plan.refusal;
    throw new Stopped(refuse(status, type, code, message, shouldRetry));
  }

  #path(run: Run, model: CatalogModel): ChatPath {
    const path = pathFor(model, 'messages');
    if (path !== null) return path;
    const sentence = `Jumpseat: Copilot serves ${model.id} only through ${model.endpoints.join(', ')}, which takes no Messages request. Enabled: ${run.offered.join(', ')}.`;
    throw new Stopped(refuse(404, 'not_found_error', 'path-not-spoken', sentence));
  }

  /** read, initiator, model, path, fit, send. What was asked is held by these steps alone: while the answer runs, its memory is for others. */
  async #ask(run: Run, out: Out): Promise<Answering> {
    const { call, row } = run;
    const request = this.#read(run);
    const verdict = this.#runs.decide(run, request);
    row.streamed = request.stream === true;
    if (row.streamed) out.stream = new EventStream(call.answer, { 'request-id': call.requestId });
    const model = await this.#runs.model(run, request.model);
    const first = this.#plan(run, request, model, []);
    row.path = first.path;
    await this.#runs.admit(run, verdict.initiator);
    const chosen = row.fits;
    row.fits = [...chosen, ...first.notes];
    const interactionId = this.#runs.interactionId(run, verdict);
    row.times.sent = this.#runs.since(run);
    const { plan, sent, notes } = await sendRecovering(first, {
      row,
      send: (plan) => this.#runs.send(run, plan, verdict, interactionId),
      read: (failure) => readLesson(failure, request),
      refit: (lessons) => this.#refit(run, request, model, lessons),
      confirmed: (lessons) => this.#runs.lessons.learn(model, first.path, lessons),
    });
    row.fits = [...chosen, ...plan.notes, ...notes];
    this.#runs.headed(run);
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.#runs.recoverContext(run)));
    run.facts = plan.reader.facts;
    return { response: sent.response, reader: plan.reader };
  }

  /** answer: from here on Copilot decides. */
  async #answer(run: Run, { response, reader }: Answering, stream: EventStream | null): Promise<void> {
    const { call, row } = run;
    const whole = stream === null ? new WholeAnswer() : null;
    const target = whole ?? stream ?? new WholeAnswer();
    const { cause } = await this.#runs.relay(run, response, reader, target);
    // An answer that came to its end is not taken back because the proxy stops at the same moment.
    const left = call.signal.reason instanceof ClientLeft;
    if (call.signal.aborted && (left || !reader.facts.ended)) throw call.signal.reason;
    if (reader.facts.failure !== null)
      throw new Stopped(recoverBrokenAnswer(reader.facts.failure, cause, this.#runs.recoverContext(run)));
    if (whole === null) {
      row.status = 200;
      call.answer.end();
      return;
    }
    this.#answerWhole(run, whole);
  }

  /** Once more with what a refusal said. Null where that can't be sent: then the refusal itself is told. */
  #refit(run: Run, request: MessagesRequest, model: CatalogModel, lessons: readonly Lesson[]): Plan | null {
    this.#parts.log.write('info', 'exchange.recovers', { exchange: run.row.id, from: lessons.at(-1)?.kind });
    try {
      return this.#plan(run, request, model, lessons);
    } catch (error) {
      if (error instanceof Stopped) return null;
      throw error;
    }
  }

  #answerWhole(run: Run, whole: WholeAnswer): void {
    const message = whole.collector.message();
    if (message === null) throw new Stopped(answerWithoutForm());
    this.#answerJson(run, 200, message);
  }

  #answerJson(run: Run, status: number, body: unknown, headers: Record<string, string> = {}): void {
    const { answer, requestId } = run.call;
    const bytes = Buffer.from(JSON.stringify(body));
    run.recording.told(bytes);
    run.row.status = status;
    answer.begin(status, {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      'request-id': requestId,
      ...headers,
    });
    answer.end(bytes);
  }

  /** recover: a failure, in the words this client understands; as JSON while nothing went out, else as the stream's last event. */
  #fail(run: Run, thrown: unknown): void {
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
    row.outcome = run.facts.failure?.kind === 'cut' ? 'cut' : 'failed';
    row.failure = error.failure;
    const body = anthropicError(error.type, error.message, call.requestId);
    if (call.answer.begun) {
      row.status ??= 200;
      // Nothing follows message_stop.
      if (!run.facts.ended) call.answer.write(sseEvent('error', JSON.stringify(body)));
      call.answer.end();
      return;
    }
    const headers: Record<string, string> = {};
    if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds);
    if (!error.shouldRetry) headers['x-should-retry'] = 'false';
    this.#answerJson(run, error.status, body, headers);
  }
}

/** A client's stream, once it wants one; it has to be closed. */
interface Out {
  stream: EventStream | null;
}

/** The head of a good answer, and who reads it. */
interface Answering {
  response: IncomingMessage;
  reader: AnswerReader;
}

/** A whole answer is a collected stream. It takes what comes: `relay` bounds it. */
class WholeAnswer implements AnswerTarget {
  readonly collector = new MessagesCollector();
  write(bytes: Buffer): boolean {
    this.collector.push(bytes);
    return true;
  }
  drained(then: () => void): void {
    then();
  }
}
