import { isUtf8 } from 'node:buffer';
import type { Account } from '../account/account.ts';
import type { ClientApi, Exchange } from '../api.ts';
import { type Catalog, CatalogError, type ChatPath, pathFor } from '../copilot/catalog.ts';
import type { CopilotClient, Sent } from '../copilot/client.ts';
import { type CatalogModel, isOffered } from '../copilot/model.ts';
import { unlessAborted } from '../copilot/unless-aborted.ts';
import { type AnswerFacts, type AnswerReader, noFacts } from '../formats/answer.ts';
import { anthropicError } from '../formats/anthropic-error.ts';
import { parseRequestJson } from '../formats/exact-json.ts';
import { type MessagesRequest, readMessagesRequest } from '../formats/messages.ts';
import { MessagesCollector } from '../formats/messages-collector.ts';
import { sseEvent } from '../formats/sse.ts';
import type { History } from '../history/history.ts';
import type { Ledger } from '../history/ledger.ts';
import type { LessonTable } from '../history/lesson-table.ts';
import type { Clock, Log } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { type ClientCall, ClientLeft, ServerStopping } from './client-call.ts';
import { TokenCounter } from './count-tokens.ts';
import { faultFacts } from './fault.ts';
import { decideInitiator, type LedgerEnding, type PromptReading, readPrompt, type Verdict } from './initiator.ts';
import { Interactions } from './interactions.ts';
import { type Lesson, Lessons } from './lessons.ts';
import { chargeOf, noCharge, pendingCharge, unexplained } from './meter.ts';
import { resolveModel } from './model.ts';
import { type Plan, planMessages } from './plan.ts';
import { readLesson } from './read-lesson.ts';
import {
  type ClientError,
  type RecoverContext,
  recoverBrokenAnswer,
  recoverFailure,
  refuse,
  refuseModel,
} from './recover.ts';
import { type AnswerTarget, EventStream, relay } from './relay.ts';
import { sendRecovering } from './send-recovering.ts';

export interface ExchangeParts {
  account: Account;
  client: CopilotClient;
  catalog: Catalog;
  history: History;
  ledger: Ledger;
  /** What refusals have taught. */
  lessons: LessonTable;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
  /** Told when an exchange starts, moves on and ends. The object is the live one. */
  changed: (exchange: Exchange) => void;
}

/** A difference within Copilot's own bill that is worth a word: 0.001 credits. */
const tellableNanoAiu = 1e6;

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** A step that cannot go on: thrown by the steps below, answered at one place. */
class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly error: ClientError;
  constructor(error: ClientError) {
    super(error.message);
    this.error = error;
  }
}

/** One exchange under way: its row, and what the last steps need of the first ones. */
interface Run {
  call: ClientCall;
  row: Exchange;
  reading: PromptReading | null;
  verdict: Verdict | null;
  model: CatalogModel | null;
  offered: readonly string[];
  facts: AnswerFacts;
  accepted: boolean;
}

/**
 * One request on its way to Copilot and back. The methods stand in the order in which a request meets them.
 * Everything before `send` is decided by pure functions elsewhere; only this file waits.
 */
export class Exchanger {
  readonly #parts: ExchangeParts;
  readonly #running = new Map<string, Run>();
  readonly #interactions = new Interactions();
  readonly #counter: TokenCounter;
  readonly #lessons: Lessons;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#lessons = new Lessons({ table: parts.lessons, clock: parts.clock });
    this.#counter = new TokenCounter({ client: parts.client, lessons: this.#lessons });
  }

  running(): Exchange[] {
    return [...this.#running.values()].map((run) => run.row);
  }

  /** `POST /v1/messages`. Never rejects: whatever happens is answered, metered and recorded. */
  async messages(call: ClientCall): Promise<void> {
    const run = this.#begin(call, 'messages');
    let stream: EventStream | null = null;
    try {
      const request = this.#read(run);
      const verdict = this.#initiator(run, request);
      const streamed = request.stream === true;
      run.row.streamed = streamed;
      if (streamed) stream = new EventStream(call.answer, { 'request-id': call.requestId });
      const model = await this.#model(run, request);
      await this.#exchange(run, request, model, verdict, stream);
    } catch (error) {
      this.#fail(run, error);
    } finally {
      stream?.close();
      this.#end(run);
    }
  }

  /** `POST /v1/messages/count_tokens`: Copilot's own count, or an estimate that is called one. */
  async countTokens(call: ClientCall): Promise<void> {
    const run = this.#begin(call, 'count-tokens');
    try {
      const request = this.#read(run);
      const verdict = this.#initiator(run, request);
      const model = await this.#model(run, request);
      run.row.servedModel = model.id;
      const counted = await this.#counter.count(request, model, { verdict, call });
      run.row.path = counted.path;
      run.row.attempts = counted.attempts;
      run.row.fits = counted.notes;
      this.#answerJson(run, 200, { input_tokens: counted.tokens });
    } catch (error) {
      this.#fail(run, error);
    } finally {
      this.#end(run);
    }
  }

  #begin(call: ClientCall, api: ClientApi): Run {
    const run: Run = {
      call,
      row: newRow(call, api),
      reading: null,
      verdict: null,
      model: null,
      offered: [],
      facts: noFacts(),
      accepted: false,
    };
    this.#running.set(run.row.id, run);
    return run;
  }

  /** read: is the body what this API says? */
  #read(run: Run): MessagesRequest {
    const wrong = (message: string): Stopped =>
      new Stopped(refuse(400, 'invalid_request_error', 'invalid-body', message));
    // Decoding would put other characters in the place of bytes that are none.
    if (!isUtf8(run.call.body)) throw wrong('Jumpseat: the body isn’t valid UTF-8. Send one JSON object in UTF-8.');
    let body: unknown;
    try {
      body = parseRequestJson(run.call.body.toString('utf8'));
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw wrong('Jumpseat: the body isn’t valid JSON. Send one JSON object.');
    }
    const read = readMessagesRequest(body);
    if (!read.ok) throw wrong(`Jumpseat: ${read.message}`);
    // The name is shown, kept and given back.
    if (!modelName.test(read.request.model))
      throw wrong('Jumpseat: model: a name of at most 256 characters on one line is required.');
    run.row.askedModel = read.request.model;
    return read.request;
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  #initiator(run: Run, request: MessagesRequest): Verdict {
    const { ledger, settings } = this.#parts;
    const reading = readPrompt({ api: run.row.api, headers: run.call.headers, body: request, salt: ledger.salt });
    const verdict = honour(decideInitiator(reading, ledger), settings.current().alwaysUser);
    run.reading = reading;
    run.verdict = verdict;
    const { row } = run;
    row.session = reading.sessionKey;
    row.prompt = reading.promptId;
    row.requestClass = reading.requestClass;
    row.agentId = reading.agentId;
    row.agentType = reading.agentType;
    row.initiator = verdict.initiator;
    row.reason = { code: verdict.code, rule: verdict.rule, sentence: verdict.sentence };
    this.#parts.changed(row);
    return verdict;
  }

  /** model: what does the name mean in this account's catalog? */
  async #model(run: Run, request: MessagesRequest): Promise<CatalogModel> {
    const models = await unlessAborted(this.#parts.catalog.models(), run.call.signal);
    const usable = models.filter((model) => isOffered(model) && pathFor(model, 'messages') !== null);
    run.offered = usable.map((model) => model.id);
    const longContext = String(run.call.headers['anthropic-beta'] ?? '').includes('context-1m-');
    const choice = resolveModel(request.model, models, {
      overrides: this.#parts.settings.current().modelOverrides,
      longContext,
    });
    if (!choice.ok) {
      throw new Stopped(
        refuseModel(
          request.model,
          choice.because === 'disabled' ? (choice.model?.id ?? request.model) : null,
          run.offered,
        ),
      );
    }
    run.model = choice.model;
    run.row.servedModel = choice.model.id;
    // That a name is spelled another way is said by the fit that sends it; why another model was taken is said here.
    if (choice.note !== null && choice.because !== 'same') {
      run.row.fits.push({ code: `model-${choice.because}`, count: 1, text: choice.note });
    }
    return choice.model;
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
      learned: this.#lessons.about(model, path, lessons),
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

  /** send, answer: from here on Copilot decides. */
  async #exchange(
    run: Run,
    request: MessagesRequest,
    model: CatalogModel,
    verdict: Verdict,
    stream: EventStream | null,
  ): Promise<void> {
    const { call, row } = run;
    const first = this.#plan(run, request, model, []);
    row.path = first.path;
    const chosen = row.fits;
    row.fits = [...chosen, ...first.notes];
    const interactionId = run.reading === null ? call.requestId : this.#interactions.idFor(run.reading, verdict);
    row.times.sent = this.#since(run);
    const { plan, sent, notes } = await sendRecovering(first, {
      row,
      send: (plan) => this.#send(run, plan, verdict, interactionId),
      read: (failure) => readLesson(failure, request),
      refit: (lessons) => this.#refit(run, request, model, lessons),
      confirmed: (lessons) => this.#lessons.learn(model, first.path, lessons),
    });
    row.fits = [...chosen, ...plan.notes, ...notes];
    row.times.headers = this.#since(run);
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.recoverContext(run)));
    run.facts = plan.reader.facts;

    const whole = stream === null ? new WholeAnswer() : null;
    const { cause } = await relay(sent.response, plan.reader, whole ?? stream ?? new WholeAnswer(), () =>
      this.#moved(run, plan.reader),
    );
    // An answer that came to its end is not taken back because the proxy stops at the same moment.
    const left = call.signal.reason instanceof ClientLeft;
    if (call.signal.aborted && (left || !plan.reader.facts.ended)) throw call.signal.reason;
    if (plan.reader.facts.failure !== null) throw new Stopped(recoverBrokenAnswer(plan.reader.facts.failure, cause));
    if (whole === null) {
      row.status = 200;
      call.answer.end();
      return;
    }
    this.#answerWhole(run, whole);
  }

  #send(run: Run, plan: Plan, verdict: Verdict, interactionId: string): Promise<Sent> {
    return this.#parts.client.send({
      path: plan.path,
      body: plan.body,
      initiator: verdict.initiator,
      interactionType: verdict.interactionType,
      interactionId,
      vision: plan.vision,
      anthropicVersion: plan.anthropicVersion,
      anthropicBeta: plan.anthropicBeta,
      signal: run.call.signal,
      startedTicks: run.call.startedTicks,
    });
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

  /** An upstream chunk was read: note what is new. On the way of every chunk, so it asks no more than it must. */
  #moved(run: Run, reader: AnswerReader): void {
    if (run.accepted) return;
    const { facts } = reader;
    if (facts.started && run.row.times.firstEvent === null) {
      run.row.times.firstEvent = this.#since(run);
      this.#parts.changed(run.row);
    }
    if (facts.contentBegan || facts.stopReason !== null) {
      run.accepted = true;
      const key = run.verdict?.ledgerKey ?? null;
      if (key !== null) this.#parts.ledger.accept(key, run.row.id);
    }
  }

  #answerWhole(run: Run, whole: WholeAnswer): void {
    const message = whole.collector.message();
    if (message === null) {
      const problem = whole.collector.problem()?.message ?? 'The answer could not be put together.';
      throw new Stopped(
        recoverBrokenAnswer({ kind: 'error', type: 'api_error', message: `Jumpseat: ${problem}` }, null),
      );
    }
    this.#answerJson(run, 200, message);
  }

  #answerJson(run: Run, status: number, body: unknown, headers: Record<string, string> = {}): void {
    const { answer, requestId } = run.call;
    const bytes = Buffer.from(JSON.stringify(body));
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
      row.failure = {
        source: 'client',
        status: null,
        code: 'client-left',
        message: call.signal.reason.message,
        told: null,
      };
      return;
    }
    const error = this.#clientError(run, thrown);
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

  #clientError(run: Run, thrown: unknown): ClientError {
    if (thrown instanceof Stopped) return thrown.error;
    if (thrown instanceof CatalogError) return recoverFailure(thrown.failure, this.recoverContext(run));
    if (thrown instanceof ServerStopping) {
      return refuse(
        503,
        'api_error',
        'stopped',
        'Jumpseat: the proxy was switched off while this answer was running. Turn it on, then try again.',
        false,
      );
    }
    // The stack ends where a value within a value within a value … is read or written; nothing has been sent then.
    if (thrown instanceof RangeError && run.row.times.sent === null)
      return refuse(
        400,
        'invalid_request_error',
        'too-deep',
        'Jumpseat: the body is nested too deeply. Send values within fewer others.',
        false,
      );
    this.#parts.log.write('error', 'exchange.broke', { exchange: run.row.id, ...faultFacts(thrown) });
    return refuse(500, 'api_error', 'internal', 'Jumpseat: Internal error. The log of Jumpseat says more.');
  }

  /** meter, record: one row, whatever happened. */
  #end(run: Run): void {
    const { row, facts } = run;
    const { ledger, history, account } = this.#parts;
    row.times.lastEvent = this.#since(run);
    if (row.outcome === 'running') row.outcome = 'done';
    const whole = row.outcome === 'done';
    row.stopReason = facts.stopReason;
    row.tokens = { ...facts.usage };
    row.charge =
      row.api === 'messages'
        ? chargeOf({
            world: account.quota()?.world ?? 'unknown',
            accepted: run.accepted,
            initiator: row.initiator,
            model: run.model,
            facts,
            whole,
          })
        : noCharge;
    const off = unexplained(row.charge);
    if (off !== null && Math.abs(off) > tellableNanoAiu) {
      const total = row.charge.nanoAiu ?? 0;
      row.fits.push({
        code: 'charge-parts-differ',
        count: 1,
        text: `The parts add up to ${(total - off) / 1e9} credits; Copilot billed ${total / 1e9}.`,
      });
    }
    if (facts.unreadable > 0)
      row.fits.push({ code: 'unreadable-events', count: facts.unreadable, text: 'events without JSON left out' });

    const key = run.verdict?.ledgerKey ?? null;
    if (key !== null) {
      if (run.accepted) ledger.settle(key, endingOf(row, facts));
      else ledger.refuse(key, row.failure?.status ?? null);
    }
    this.#running.delete(row.id);
    history.record(row);
    this.#parts.changed(row);
  }

  /** What the words for a failure may refer to. */
  recoverContext(run?: Run): RecoverContext {
    const { account, clock } = this.#parts;
    const windows = account.usageWindows();
    return {
      now: clock.now(),
      quotaResetsAt: account.quota()?.resetsAt ?? null,
      weeklyResetsAt: windows.weekly?.resetsAt ?? null,
      sessionResetsAt: windows.session?.resetsAt ?? null,
      askedModel: run?.row.askedModel ?? null,
      servedModel: run?.row.servedModel ?? null,
      offered: run?.offered ?? [],
    };
  }

  #since(run: Run): number {
    return this.#parts.clock.ticks() - run.call.startedTicks;
  }
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}

/** A whole answer is a collected stream. It takes what comes: it is bounded by the model's own output limit. */
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

/** A person may count everything as theirs; nothing makes a `user` an `agent`. */
function honour(verdict: Verdict, alwaysUser: boolean): Verdict {
  if (!alwaysUser || verdict.initiator === 'user') return verdict;
  return { ...verdict, initiator: 'user', sentence: `${verdict.sentence}; counted as yours, as you set it` };
}

function newRow(call: ClientCall, api: ClientApi): Exchange {
  return {
    id: call.requestId,
    startedAt: call.startedAt,
    api,
    client: call.client,
    session: null,
    prompt: null,
    requestClass: null,
    agentId: null,
    agentType: null,
    askedModel: null,
    servedModel: null,
    path: null,
    streamed: false,
    initiator: null,
    reason: null,
    fits: [],
    status: null,
    outcome: 'running',
    stopReason: null,
    failure: null,
    attempts: [],
    times: { sent: null, headers: null, firstEvent: null, lastEvent: null },
    tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
    charge: pendingCharge,
    upstreamRequestIds: [],
  };
}
