import type { IncomingMessage } from 'node:http';
import { AccountError } from '../../account/account-error.ts';
import type { AutoSession } from '../../account/sdk/endpoint.ts';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { ClientApi, Exchange, Initiator, Path, Shape } from '../../api/exchange.ts';
import { moment } from '../../api/moment.ts';
import { CatalogError } from '../../copilot/catalog.ts';
import type { Sent } from '../../copilot/client.ts';
import { failureFromAccount } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { type AnswerFacts, type AnswerReader, noFacts } from '../../formats/answer/answer.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from '../../history/ledger.ts';
import type { LessonTable } from '../../history/lesson-table.ts';
import type { Clock, Log, Redact } from '../../ports.ts';
import type { Recorder } from '../../recording/recorder.ts';
import type { Recording } from '../../recording/recording.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { countedByVscode } from '../../words/reach.ts';
import { wait } from '../../words/times.ts';
import type { Bursts } from '../admission/bursts.ts';
import { type Guards, heldTooLong } from '../admission/guards.ts';
import { type ClientCall, type ClientLeft, ServerStopping } from '../answering/client-call.ts';
import { type AnswerTarget, ClientStream, type RelayEnd, relay } from '../answering/relay.ts';
import { decideInitiator } from '../initiator/decide.ts';
import type { LedgerEnding } from '../initiator/known.ts';
import type { PromptMemory } from '../initiator/memory.ts';
import { type PromptReading, readPrompt } from '../initiator/reading.ts';
import { agent, type Verdict } from '../initiator/verdict.ts';
import type { Lessons } from '../lessons/lessons.ts';
import { absenceContext, absenceOf, absenceOfName } from '../model/absence.ts';
import { chooseAuto, mayBeAutos } from '../model/choose-auto.ts';
import { asksForAuto, resolveModel } from '../model/resolve.ts';
import { usableModels } from '../model/usable-models.ts';
import type { Plan } from '../plan.ts';
import type { ClientError } from '../recover/client-error.ts';
import { faultFacts } from '../recover/fault.ts';
import type { RecoverContext } from '../recover/recover-context.ts';
import { recoverFailure } from '../recover/recover-failure.ts';
import { refuse, refuseModel } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';
import { type PausedTurns, resumedTurn, searchingTurn } from '../web-search/paused-turns.ts';
import type { WebSearch } from '../web-search/port.ts';
import { type InteractionIds, type Interactions, idsOfItsOwn } from './interactions.ts';
import { chargeOf, noCharge, unexplained } from './meter.ts';
import { newRow } from './new-row.ts';
import type { Progress } from './progress.ts';
import { readJson } from './read-json.ts';
import { ReceivedAnswer } from './received-answer.ts';
import { requestShape, toolsBefore } from './request-shape.ts';
import type { AccountSalts, UsedAccount } from './used-account.ts';
import { webFetchNote } from './web-fetch.ts';

export interface ExchangeDependencies {
  /** The account for a client with this label. */
  accountOf(client: string): UsedAccount;
  history: History;
  ledger: Ledger;
  /** What refusals have taught. */
  lessons: LessonTable;
  recorder: Recorder;
  /** For requests that ask for a search of the web. */
  search: WebSearch;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
  redact: Redact;
  /** Told when an exchange starts, moves on and ends. The object is the live one. */
  changed: (exchange: Exchange) => void;
  /** Told now and then how far the running answers are. */
  progressed: (running: { id: string; output: number }[]) => void;
}

/** What all exchanges under way share. */
export interface Shared {
  dependencies: ExchangeDependencies;
  lessons: Lessons;
  interactions: Interactions;
  memory: PromptMemory;
  salts: AccountSalts;
  guards: Guards;
  bursts: Bursts;
  pausedTurns: PausedTurns;
  progress: Progress;
  /** It is not under way any more. */
  ended(run: Run): void;
}

/** A difference within Copilot's own bill that is worth a note: 0.001 credits. */
const tellableNanoAiu = 1e6;

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** What Copilot is told of who asks. */
export type Sender = Pick<Verdict, 'initiator' | 'interactionType' | 'intent'>;

/** Everything of a plan that goes to Copilot. */
export type Sendable = Pick<Plan, 'body' | 'vision' | 'anthropicVersion' | 'anthropicBeta'> & { path: Path };

/**
 * One exchange under way. Owns its row, its times and its end, and has the steps that are the same whichever API a
 * client speaks; their order stands in exchange.ts.
 */
export class Run {
  readonly call: ClientCall;
  readonly row: Exchange;
  readonly recording: Recording;
  /** Chosen once, by the client's label: whatever comes, the request goes out with no other one. */
  readonly used: UsedAccount;
  readonly received = new ReceivedAnswer();
  reading: PromptReading | null = null;
  verdict: Verdict | null = null;
  model: CatalogModel | null = null;
  /** GitHub chose the model. */
  auto: AutoSession | null = null;
  /** Ids of the models that this request may name. */
  offered: readonly string[] = [];
  /** Those of the answer's reader, once there is one. */
  facts: AnswerFacts = noFacts();
  /** Of the answer as the client gets it, which may be made of several. */
  told: AnswerFacts = this.facts;
  accepted = false;
  /** Of the body, which is let go of before the end. */
  readonly bytes: number;
  request: Shape['request'] = null;
  readonly #shared: Shared;
  /** What was asked, where the answer may be paused. */
  #turn: string | null = null;
  #resumed: ReturnType<typeof resumedTurn> = null;

  constructor(shared: Shared, call: ClientCall, api: ClientApi) {
    this.#shared = shared;
    this.call = call;
    this.used = shared.dependencies.accountOf(call.client);
    this.row = newRow(call, api);
    if (this.used.name !== null) this.row.account = this.used.name;
    this.bytes = call.body.length;
    this.recording = shared.dependencies.recorder.begin(this.row.id);
    this.row.times.read = this.since();
    this.recording.received(call.headers, call.body);
  }

  /** What Copilot is told it belongs to. */
  idsFor(verdict: Verdict): InteractionIds {
    return this.reading === null ? idsOfItsOwn() : this.#shared.interactions.idsFor(this.reading, verdict);
  }

  /** The body as JSON. Throws `Stopped` where it is none. */
  json(): unknown {
    return readJson(this.call.body);
  }

  /** The name is shown, kept and given back. */
  asked(model: string): void {
    if (!modelName.test(model))
      throw new Stopped(
        refuse(
          400,
          'invalid_request_error',
          'invalid-body',
          'Jumpseat: model: a name of at most 256 characters on one line is required.',
        ),
      );
    this.row.askedModel = model;
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  decide(request: unknown): Verdict {
    const { settings } = this.#shared.dependencies;
    const salt = this.#shared.salts.of(this.used.id);
    const reading = readPrompt({ api: this.row.api, headers: this.call.headers, body: request, salt });
    const decided = this.#goesOn(reading, request) ?? decideInitiator(reading, this.#shared.memory);
    const verdict = this.#honour(decided, settings.current().alwaysUser);
    this.#shared.memory.seen(reading);
    this.request = requestShape(request, this.bytes);
    this.reading = reading;
    const { row } = this;
    row.session = reading.sessionKey;
    row.prompt = reading.promptId;
    row.requestClass = reading.requestClass;
    row.agentId = reading.agentId;
    row.agentType = reading.agentType;
    const fetched = webFetchNote(request, reading);
    if (fetched !== null) row.fits.push(fetched);
    return this.#decided(verdict);
  }

  /** The client sends back an answer that was paused for its searches: nothing of a person's came in between. */
  #goesOn(reading: PromptReading, request: unknown): Verdict | null {
    if (this.row.api !== 'messages' || reading.isClaudeCode) return null;
    this.#turn = searchingTurn(this.call.client, request);
    const resumed = resumedTurn(this.call.client, request);
    if (resumed === null || !this.#shared.pausedTurns.take(resumed)) return null;
    this.#resumed = resumed;
    return agent(reading, {
      code: 'continuation',
      rule: 'paused-turn',
      sentence: 'went on after a pause in its searches',
    });
  }

  /** The answer ends with `pause_turn`, behind this search. */
  paused(search: string): void {
    if (this.#turn !== null) this.#shared.pausedTurns.add(this.#turn, search);
  }

  /** The same for a request of our own, which follows what this client does: there is nothing to read. */
  decideFor({ session, prompt }: Pick<Exchange, 'session' | 'prompt'>, verdict: Verdict): Verdict {
    this.row.session = session;
    this.row.prompt = prompt;
    return this.#decided(this.#honour(verdict, this.#shared.dependencies.settings.current().alwaysUser));
  }

  /** A person may count everything as theirs, and VS Code does; nothing makes a `user` an `agent`. */
  #honour(verdict: Verdict, alwaysUser: boolean): Verdict {
    if (verdict.initiator === 'user') return verdict;
    const why =
      this.used.reach === 'through-vscode' ? countedByVscode : alwaysUser ? 'counted as yours, as you set it' : null;
    return why === null ? verdict : { ...verdict, initiator: 'user', sentence: `${verdict.sentence}; ${why}` };
  }

  #decided(verdict: Verdict): Verdict {
    const { row } = this;
    this.verdict = verdict;
    row.initiator = verdict.initiator;
    row.reason = { code: verdict.code, rule: verdict.rule, sentence: verdict.sentence };
    this.#shared.dependencies.changed(row);
    return verdict;
  }

  /** A request of our own names no model: it was chosen for it. */
  take(model: CatalogModel, auto: AutoSession | null = null): void {
    this.model = model;
    this.auto = auto;
    this.row.askedModel = model.id;
    this.row.servedModel = model.id;
  }

  /** model: what does the name mean in this account's catalog? */
  async chooseModel(asked: string): Promise<CatalogModel> {
    const type = this.row.api === 'embeddings' ? 'embeddings' : 'chat';
    const { catalog } = this.used;
    const models = catalog.fresh() ?? (await unlessAborted(catalog.models(), this.call.signal));
    this.offered = usableModels(
      models,
      this.row.api === 'count-tokens' || this.row.api === 'web' ? 'messages' : this.row.api,
    );
    const overrides = this.#shared.dependencies.settings.current().modelOverrides;
    if (type === 'chat' && this.used.account.servesAuto() && asksForAuto(asked, overrides)) {
      return this.#chooseAuto(models);
    }
    const longContext = String(this.call.headers['anthropic-beta'] ?? '').includes('context-1m-');
    const choice = resolveModel(asked, models, { overrides, longContext, type });
    if (!choice.ok) {
      throw new Stopped(refuseModel(absenceOfName(choice, absenceContext(this.used)), this.offered));
    }
    this.model = choice.model;
    this.row.servedModel = choice.model.id;
    // That a name is spelled another way is said by the fit that sends it; why another model was taken is said here.
    if (choice.note !== null && choice.because !== 'same') {
      this.row.fits.push({ code: `model-${choice.because}`, count: 1, text: choice.note });
    }
    return choice.model;
  }

  /** GitHub chooses, once for a conversation. */
  async #chooseAuto(models: readonly CatalogModel[]): Promise<CatalogModel> {
    const chosen = chooseAuto(this.used.auto, this.#conversation, models);
    const { session, model, note } = await unlessAborted(chosen, this.call.signal);
    this.auto = session;
    this.model = model;
    this.row.servedModel = model.id;
    this.row.fits.push(note);
    return model;
  }

  /** Requests of a client that says no conversation are one. */
  get #conversation(): string {
    return JSON.stringify(this.reading?.sessionKey ?? { client: this.row.client });
  }

  /** For a turn among the requests of one client. Where that took time, the row says so. */
  async waited<Turn>(turn: Promise<Turn>): Promise<Turn> {
    const from = this.since();
    const taken = await turn;
    const until = this.since();
    if (until - from >= 1) this.row.times.held = { from, until };
    return taken;
  }

  /**
   * Once for each request, before it is sent: the limits that the person has set. Throws `Stopped` where one holds it
   * back.
   */
  async admit(initiator: Initiator): Promise<void> {
    const refused = this.#shared.guards.enter();
    if (refused !== null) throw new Stopped(refused);
    const burst = this.#shared.bursts.enter(initiator);
    if (burst === null) return;
    const { row, call } = this;
    const from = this.since();
    row.held = true;
    this.#shared.dependencies.changed(row);
    try {
      if ((await this.#shared.bursts.hold(row.id, call.signal)) === 'too-long')
        throw new Stopped(heldTooLong(burst.most));
    } finally {
      row.held = false;
      row.times.held = { from, until: this.since() };
      const seconds = Math.round((this.since() - from) / 1000);
      row.fits = [...row.fits, { code: 'held', count: 1, text: `held for ${wait(seconds)}: a burst of requests` }];
      this.#shared.dependencies.changed(row);
    }
  }

  /** send: to Copilot, unless one of its limits still holds. */
  async send(plan: Sendable, sender: Sender, ids: InteractionIds): Promise<Sent> {
    const { recording, row, auto } = this;
    const sent = await this.used.client.send({
      path: plan.path,
      ...(this.model === null ? undefined : { model: this.model.id }),
      body: plan.body,
      initiator: sender.initiator,
      interactionType: sender.interactionType,
      intent: sender.intent,
      ...ids,
      vision: plan.vision,
      anthropicVersion: plan.anthropicVersion,
      anthropicBeta: plan.anthropicBeta,
      auto,
      signal: this.call.signal,
      startedTicks: this.call.startedTicks,
      witness: {
        sends: (headers, body) => {
          this.#shared.dependencies.history.sends(row);
          recording.sends(plan.path, headers, body, row.api === 'embeddings');
        },
        hears: (headers) => recording.hears(headers),
        refused: (text) => recording.refused(text),
      },
    });
    if (auto !== null && !sent.ok && mayBeAutos(sent.failure)) this.used.auto.end(this.#conversation, auto);
    return sent;
  }

  /** Copilot answers: what was asked is not needed any more. Nothing may be sent again after it. */
  letGo(): void {
    this.reading?.letGo();
    this.call.letGo();
  }

  /** The head of an answer is there, or what came in its place. Where nothing was sent, there is no time of it. */
  headed(): void {
    const { row } = this;
    if (row.attempts.length === 0) row.times.sent = null;
    else row.times.headers ??= this.since();
  }

  /** answer: event by event to the client. Begins in the turn in which it is asked for. */
  relay(upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd> {
    if (target instanceof ClientStream) this.received.stream = target;
    this.recording.follow(upstream);
    return relay(upstream, reader, target, (bytes) => this.#moved(reader, bytes));
  }

  /** An upstream chunk was read: note what is new. On the way of every chunk, so it asks no more than it must. */
  #moved(reader: AnswerReader, bytes: number): void {
    this.received.came(bytes, this.#shared.dependencies.clock.ticks());
    this.#shared.progress.moved();
    if (this.accepted) return;
    const { facts } = reader;
    if (facts.started && this.row.times.firstEvent === null) {
      this.row.times.firstEvent = this.since();
      this.#shared.dependencies.changed(this.row);
    }
    if (facts.contentBegan || facts.stopReason !== null) {
      this.accepted = true;
      const { reading, verdict } = this;
      if (reading !== null && verdict !== null) this.#shared.memory.accept(reading, verdict, this.row.id);
    }
  }

  /** The client closed its connection. */
  left(reason: ClientLeft): void {
    const { row, call } = this;
    row.outcome = 'cancelled';
    if (call.answer.begun) row.status ??= 200;
    row.failure = { source: 'client', status: null, code: 'client-left', message: reason.message, told: null };
  }

  clientError(thrown: unknown): ClientError {
    if (thrown instanceof Stopped) return thrown.error;
    if (thrown instanceof AccountError) return recoverFailure(failureFromAccount(thrown), this.recoverContext());
    if (thrown instanceof CatalogError) return recoverFailure(thrown.failure, this.recoverContext());
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
    if (thrown instanceof RangeError && this.row.times.sent === null)
      return refuse(
        400,
        'invalid_request_error',
        'too-deep',
        'Jumpseat: the body is nested too deeply. Send values within fewer others.',
        false,
      );
    this.#shared.dependencies.log.write('error', 'exchange.broke', { exchange: this.row.id, ...faultFacts(thrown) });
    return refuse(500, 'api_error', 'internal', 'Jumpseat: Internal error. The log of Jumpseat says more.');
  }

  /** What the words for a failure may refer to. */
  recoverContext(): RecoverContext {
    return recoverContext(this.#shared.dependencies, this.used, this);
  }

  /** meter, record: one row, whatever happened. */
  end(): void {
    const { row, facts } = this;
    const { history } = this.#shared.dependencies;
    row.times.lastEvent = this.since();
    if (row.outcome === 'running') row.outcome = 'done';
    const whole = row.outcome === 'done';
    row.stopReason = facts.stopReason;
    row.tokens = { ...facts.usage };
    row.shape = shapeOf(this);
    row.charge =
      row.api !== 'count-tokens'
        ? chargeOf({
            world: this.used.account.quota()?.world ?? 'unknown',
            accepted: this.accepted,
            initiator: row.initiator,
            model: this.model,
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

    // The conversation is another one from here on, and nothing of it is in the model's cache.
    if (this.auto !== null && this.accepted && this.verdict?.interactionType === 'conversation-compaction') {
      this.used.auto.end(this.#conversation, this.auto);
    }
    // Refused, it is asked again.
    if (this.#resumed !== null && !this.accepted)
      this.#shared.pausedTurns.add(this.#resumed.turn, this.#resumed.search);
    this.#shared.guards.charged(row.charge);
    this.#shared.ended(this);
    const { reading, verdict, accepted } = this;
    const status = row.failure?.status ?? null;
    this.#shared.memory.end({ reading, verdict, facts, accepted, ending: endingOf(row, facts), status });
    this.recording.end();
    history.record(row);
    this.#shared.dependencies.changed(row);
  }

  since(): number {
    return moment(this.#shared.dependencies.clock.ticks() - this.call.startedTicks);
  }
}

/** What the words for a failure may refer to. */
export function recoverContext(
  { clock, redact }: Pick<ExchangeDependencies, 'clock' | 'redact'>,
  used: UsedAccount,
  run: Run | null,
): RecoverContext {
  const { account } = used;
  const windows = account.usageWindows();
  return {
    now: clock.now(),
    quotaResetsAt: account.quota()?.resetsAt ?? null,
    weeklyResetsAt: windows.weekly?.resetsAt ?? null,
    sessionResetsAt: windows.session?.resetsAt ?? null,
    askedModel: run?.row.askedModel ?? null,
    servedModel: run?.row.servedModel ?? null,
    absence: run === null || run.model === null ? null : absenceOf(run.model, absenceContext(used)),
    offered: run?.offered ?? [],
    redact,
    isQuoted: (words) => run !== null && isQuoted(run.call, words),
  };
}

/**
 * Whether the request has these words, in its body or a header. Where the body has been let go of, that
 * is not known, and taken for granted.
 */
function isQuoted({ body, headers }: ClientCall, words: string): boolean {
  return (
    body.length === 0 || body.includes(words) || Object.values(headers).some((value) => String(value).includes(words))
  );
}

function shapeOf({ request, bytes, received, facts, call }: Run): Shape {
  return {
    request: request ?? requestShape(null, bytes),
    answer: received.shape(facts),
    toolsBefore: toolsBefore(call.headers),
  };
}

/** An answer that ended properly with nothing in it is asked for again by Claude Code, so it counts as cut. */
function endingOf(row: Exchange, facts: AnswerFacts): LedgerEnding {
  if (row.outcome === 'cancelled') return 'left';
  return row.outcome === 'done' && facts.contentBegan ? 'whole' : 'cut';
}
