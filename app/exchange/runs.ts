import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../account/account.ts';
import type { ClientApi, Exchange, Initiator, Path, Shape } from '../api/exchange.ts';
import { type Catalog, CatalogError, pathFor } from '../copilot/catalog.ts';
import type { CopilotClient, Sent } from '../copilot/client.ts';
import { type CatalogModel, isOffered } from '../copilot/model.ts';
import { unlessAborted } from '../copilot/unless-aborted.ts';
import { type AnswerFacts, type AnswerReader, noFacts } from '../formats/answer/answer.ts';
import { parseRequestJson } from '../formats/wire/exact-json.ts';
import { RepeatedKey } from '../formats/wire/repeated-key.ts';
import type { History } from '../history/history.ts';
import type { Ledger } from '../history/ledger.ts';
import type { LessonTable } from '../history/lesson-table.ts';
import type { Clock, Log, Redact } from '../ports.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Recording } from '../recording/recording.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { wait } from '../words/times.ts';
import { Bursts } from './admission/bursts.ts';
import { Guards, heldTooLong } from './admission/guards.ts';
import { type ClientCall, ServerStopping } from './client-call.ts';
import { faultFacts } from './fault.ts';
import { HeardAnswer } from './heard-answer.ts';
import { decideInitiator } from './initiator/decide.ts';
import type { LedgerEnding } from './initiator/known.ts';
import { PromptMemory } from './initiator/memory.ts';
import { type PromptReading, readPrompt } from './initiator/reading.ts';
import type { Verdict } from './initiator/verdict.ts';
import { Interactions } from './interactions.ts';
import { Lessons } from './lessons/lessons.ts';
import { chargeOf, noCharge, unexplained } from './meter.ts';
import { resolveModel } from './model/resolve.ts';
import { newRow } from './new-row.ts';
import type { Plan } from './plan.ts';
import { Progress, rowSoFar } from './progress.ts';
import { type ClientError, type RecoverContext, recoverFailure, refuse, refuseModel } from './recover.ts';
import { type AnswerTarget, EventStream, type RelayEnd, relay } from './relay.ts';
import { requestShape, toolsBefore } from './request-shape.ts';

export interface ExchangeParts {
  account: Account;
  client: CopilotClient;
  catalog: Catalog;
  history: History;
  ledger: Ledger;
  /** What refusals have taught. */
  lessons: LessonTable;
  recorder: Recorder;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
  redact: Redact;
  /** Told when an exchange starts, moves on and ends. The object is the live one. */
  changed: (exchange: Exchange) => void;
  /** Told now and then how far the running answers are. */
  progressed: (running: { id: string; output: number }[]) => void;
}

/** A difference within Copilot's own bill that is worth a word: 0.001 credits. */
const tellableNanoAiu = 1e6;

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** A step that cannot go on: thrown by the steps below, answered at one place. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly error: ClientError;
  constructor(error: ClientError) {
    super(error.message);
    this.error = error;
  }
}

/** One exchange under way: its row, and what the last steps need of the first ones. */
export interface Run {
  call: ClientCall;
  row: Exchange;
  reading: PromptReading | null;
  verdict: Verdict | null;
  model: CatalogModel | null;
  offered: readonly string[];
  facts: AnswerFacts;
  accepted: boolean;
  recording: Recording;
  /** Of the body, which is let go of before the end. */
  bytes: number;
  request: Shape['request'];
  heard: HeardAnswer;
}

/** What Copilot is told of who asks. */
export type Sender = Pick<Verdict, 'initiator' | 'interactionType'>;

/** Everything of a plan that goes to Copilot. */
export type Sendable = Pick<Plan, 'body' | 'vision' | 'anthropicVersion' | 'anthropicBeta'> & { path: Path };

/**
 * The exchanges under way, and the steps that are the same whichever API a client speaks: begin, initiator, model, send, what a failure means, and
 * the row at the end.
 */
export class Runs {
  readonly lessons: Lessons;
  readonly #parts: ExchangeParts;
  readonly #running = new Map<string, Run>();
  readonly #interactions = new Interactions();
  readonly #memory: PromptMemory;
  readonly #guards: Guards;
  readonly #bursts: Bursts;
  readonly #progress: Progress;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.lessons = new Lessons(parts.lessons);
    this.#memory = new PromptMemory(parts.ledger, () => this.#running.values());
    const { history, clock, settings } = parts;
    const limits = () => settings.current().limits;
    this.#guards = new Guards({ history, clock, limits });
    this.#bursts = new Bursts({ clock, limits });
    this.#progress = new Progress({
      running: () => this.#running.values(),
      told: parts.progressed,
    });
    // Who turns it off waits for nothing any more.
    settings.onChange(() => {
      if (!limits().askBeforeBurst) this.#bursts.letThrough();
    });
  }

  running(): Exchange[] {
    return [...this.#running.values()].map(rowSoFar);
  }

  /** One per prompt. */
  interactionId(run: Run, verdict: Verdict): string {
    return run.reading === null ? run.call.requestId : this.#interactions.idFor(run.reading, verdict);
  }

  begin(call: ClientCall, api: ClientApi): Run {
    const row = newRow(call, api);
    const run: Run = {
      call,
      row,
      reading: null,
      verdict: null,
      model: null,
      offered: [],
      facts: noFacts(),
      accepted: false,
      recording: this.#parts.recorder.begin(row.id),
      bytes: call.body.length,
      request: null,
      heard: new HeardAnswer(),
    };
    row.times.read = this.since(run);
    run.recording.received(call.headers, call.body);
    this.#running.set(run.row.id, run);
    return run;
  }

  /** The body as JSON. Throws `Stopped` where it is none. */
  json(run: Run): unknown {
    const wrong = (message: string): Stopped =>
      new Stopped(refuse(400, 'invalid_request_error', 'invalid-body', message));
    if (run.call.body.length === 0) throw wrong('Jumpseat: the request has no body. Send one JSON object.');
    // Decoding would put other characters in the place of bytes that are none.
    if (!isUtf8(run.call.body)) throw wrong('Jumpseat: the body isn’t valid UTF-8. Send one JSON object in UTF-8.');
    try {
      return parseRequestJson(run.call.body.toString('utf8'));
    } catch (error) {
      if (error instanceof RangeError) throw error;
      if (error instanceof RepeatedKey) throw wrong(repeatedKeyText(error.key));
      throw wrong('Jumpseat: the body isn’t valid JSON. Send one JSON object.');
    }
  }

  /** The name is shown, kept and given back. */
  asked(run: Run, model: string): void {
    if (!modelName.test(model))
      throw new Stopped(
        refuse(
          400,
          'invalid_request_error',
          'invalid-body',
          'Jumpseat: model: a name of at most 256 characters on one line is required.',
        ),
      );
    run.row.askedModel = model;
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  decide(run: Run, request: unknown): Verdict {
    const { ledger, settings } = this.#parts;
    const reading = readPrompt({ api: run.row.api, headers: run.call.headers, body: request, salt: ledger.salt });
    const verdict = honour(decideInitiator(reading, this.#memory), settings.current().alwaysUser);
    this.#memory.seen(reading);
    run.request = requestShape(request, run.bytes);
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
  async model(run: Run, asked: string): Promise<CatalogModel> {
    const type = run.row.api === 'embeddings' ? 'embeddings' : 'chat';
    const speaks = apiOf(run.row.api);
    const models = await unlessAborted(this.#parts.catalog.models(), run.call.signal);
    const usable = models.filter((model) =>
      speaks === null
        ? model.type === 'embeddings' && model.policy !== 'disabled'
        : isOffered(model) && pathFor(model, speaks) !== null,
    );
    run.offered = usable.map((model) => model.id);
    const longContext = String(run.call.headers['anthropic-beta'] ?? '').includes('context-1m-');
    const choice = resolveModel(asked, models, {
      overrides: this.#parts.settings.current().modelOverrides,
      longContext,
      type,
    });
    if (!choice.ok) {
      throw new Stopped(
        refuseModel(asked, choice.because === 'disabled' ? (choice.model?.id ?? asked) : null, run.offered),
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

  /** Lets a prompt through that a burst holds, or all of them. Returns how many. */
  letThrough(id?: string): number {
    return this.#bursts.letThrough(id);
  }

  /** For a turn among the requests of one client. Where that took time, the row says so. */
  async waited<Turn>(run: Run, turn: Promise<Turn>): Promise<Turn> {
    const from = this.since(run);
    const taken = await turn;
    const until = this.since(run);
    if (until - from >= 1) run.row.times.held = { from, until };
    return taken;
  }

  /** Once for each request, before it is sent: the limits that the person has set. Throws `Stopped` where one holds it back. */
  async admit(run: Run, initiator: Initiator): Promise<void> {
    const refused = this.#guards.enter();
    if (refused !== null) throw new Stopped(refused);
    const burst = this.#bursts.enter(initiator);
    if (burst === null) return;
    const { row, call } = run;
    const from = this.since(run);
    row.held = true;
    this.#parts.changed(row);
    try {
      if ((await this.#bursts.hold(row.id, call.signal)) === 'too-long') throw new Stopped(heldTooLong(burst.most));
    } finally {
      row.held = false;
      row.times.held = { from, until: this.since(run) };
      const seconds = Math.round((this.since(run) - from) / 1000);
      row.fits = [...row.fits, { code: 'held', count: 1, text: `held for ${wait(seconds)}: a burst of requests` }];
      this.#parts.changed(row);
    }
  }

  /** send: to Copilot, unless one of its limits still holds. */
  send(run: Run, plan: Sendable, verdict: Sender, interactionId: string): Promise<Sent> {
    const { recording, row } = run;
    return this.#parts.client.send({
      path: plan.path,
      ...(run.model === null ? undefined : { model: run.model.id }),
      body: plan.body,
      initiator: verdict.initiator,
      interactionType: verdict.interactionType,
      interactionId,
      vision: plan.vision,
      anthropicVersion: plan.anthropicVersion,
      anthropicBeta: plan.anthropicBeta,
      signal: run.call.signal,
      startedTicks: run.call.startedTicks,
      witness: {
        sends: (headers, body) => {
          this.#parts.history.sends(row);
          recording.sends(plan.path, headers, body, row.api === 'embeddings');
        },
        hears: (headers) => recording.hears(headers),
        refused: (text) => recording.refused(text),
      },
    });
  }

  /** Copilot answers: what was asked is not needed any more. Nothing may be sent again after it. */
  letGo(run: Run): void {
    run.reading?.letGo();
    run.call.letGo();
  }

  /** The head of an answer is there, or what came in its place. Where nothing was sent, there is no time of it. */
  headed(run: Run): void {
    const { row } = run;
    if (row.attempts.length === 0) row.times.sent = null;
    else row.times.headers ??= this.since(run);
  }

  /** answer: event by event to the client. Begins in the turn in which it is asked for. */
  relay(run: Run, upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd> {
    if (target instanceof EventStream) run.heard.stream = target;
    run.recording.follow(upstream);
    return relay(upstream, reader, target, (bytes) => this.#moved(run, reader, bytes));
  }

  /** An upstream chunk was read: note what is new. On the way of every chunk, so it asks no more than it must. */
  #moved(run: Run, reader: AnswerReader, bytes: number): void {
    run.heard.came(bytes, this.#parts.clock.ticks());
    this.#progress.moved();
    if (run.accepted) return;
    const { facts } = reader;
    if (facts.started && run.row.times.firstEvent === null) {
      run.row.times.firstEvent = this.since(run);
      this.#parts.changed(run.row);
    }
    if (facts.contentBegan || facts.stopReason !== null) {
      run.accepted = true;
      const { reading, verdict } = run;
      if (reading !== null && verdict !== null) this.#memory.accept(reading, verdict, run.row.id);
    }
  }

  clientError(run: Run, thrown: unknown): ClientError {
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
  end(run: Run): void {
    const { row, facts } = run;
    const { history, account } = this.#parts;
    row.times.lastEvent = this.since(run);
    if (row.outcome === 'running') row.outcome = 'done';
    const whole = row.outcome === 'done';
    row.stopReason = facts.stopReason;
    row.tokens = { ...facts.usage };
    row.shape = shapeOf(run);
    row.charge =
      row.api !== 'count-tokens'
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

    this.#guards.charged(row.charge);
    this.#running.delete(row.id);
    const { reading, verdict, accepted } = run;
    const status = row.failure?.status ?? null;
    this.#memory.end({ reading, verdict, facts, accepted, ending: endingOf(row, facts), status });
    run.recording.end();
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
      redact: this.#parts.redact,
      isQuoted: (words) => run !== undefined && isQuoted(run.call, words),
    };
  }

  since(run: Run): number {
    return this.#parts.clock.ticks() - run.call.startedTicks;
  }
}

/** Whether the request has these words, in its body or a header. Where the body has been let go of, nobody can say that it has not. */
function isQuoted({ body, headers }: ClientCall, words: string): boolean {
  return (
    body.length === 0 || body.includes(words) || Object.values(headers).some((value) => String(value).includes(words))
  );
}

/** The API whose models a request may name; null: embeddings. */
function apiOf(api: ClientApi): 'messages' | 'chat' | 'responses' | null {
  switch (api) {
    case 'messages':
    case 'count-tokens':
      return 'messages';
    case 'embeddings':
      return null;
    default:
      return api;
  }
}

function shapeOf({ request, bytes, heard, facts, call }: Run): Shape {
  return {
    request: request ?? requestShape(null, bytes),
    answer: heard.shape(facts),
    toolsBefore: toolsBefore(call.headers),
  };
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}

/** Names the key where it is one of the kind that formats have; anything else might say something. */
function repeatedKeyText(key: string | null): string {
  const named = key !== null && /^[\w.$-]{1,64}$/.test(key) ? `the key “${key}”` : 'a key';
  return `Jumpseat: the body has ${named} twice in one object, so that nobody knows which value counts. Send it once.`;
}

/** A person may count everything as theirs; nothing makes a `user` an `agent`. */
function honour(verdict: Verdict, alwaysUser: boolean): Verdict {
  if (!alwaysUser || verdict.initiator === 'user') return verdict;
  return { ...verdict, initiator: 'user', sentence: `${verdict.sentence}; counted as yours, as you set it` };
}
