import type { IncomingMessage } from 'node:http';
import { firstAccount } from '../account/accounts.ts';
import { unlessAborted } from '../account/unless-aborted.ts';
import type { ClientApi, FitNote } from '../api/exchange.ts';
import type { Sent } from '../copilot/client.ts';
import { isUnanswered } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { answerJson, type ClientCall, ClientLeft } from './client-call.ts';
import { type AnswerTarget, type RelayEnd, relay } from './client-stream.ts';
import type { ExchangeDependencies, UsedAccount } from './dependencies.ts';
import type { ChosenModel, Part, Replannable } from './feature.ts';
import { againBy, Features } from './features/features.ts';
import { decideInitiator } from './initiator/decide.ts';
import { AccountSalts, PromptMemory } from './initiator/memory.ts';
import { type PromptReading, readPrompt } from './initiator/reading.ts';
import { agent, applyInitiatorOverride, type Verdict } from './initiator/verdict.ts';
import { Limits } from './limits/admit.ts';
import { ClientTurns } from './limits/queue.ts';
import { LruMap } from './lru-map.ts';
import { meansNone } from './model/absence.ts';
import { type ModelOptions, resolveModel, usableModels } from './model/resolve.ts';
import { type Chosen, endingOf, Run } from './record.ts';
import { recoverBrokenAnswer } from './recover/broken-answer.ts';
import { type ErrorWords, refuseRepeat, Stopped } from './recover/error.ts';
import { recoverFailure } from './recover/recover.ts';
import { Recovery } from './recovery.ts';
import { Ruled } from './ruled.ts';
import { Running } from './running.ts';
import { Interactions, outgoing, type Sendable, type Sending } from './send.ts';
import { contextOf } from './tokens/context.ts';

const mostUnanswered = 100;

/**
 * The steps of a request, in the order in which it meets them, and what all exchanges under way share. Which are taken,
 * and when, is said by exchange.ts for answers of models, and by other-calls.ts for everything else.
 */
export class Steps {
  readonly dependencies: ExchangeDependencies;
  readonly running: Running;
  readonly features: Features;
  /** Turns of clients with a limit on simultaneous requests. */
  readonly turns: ClientTurns;
  readonly interactions = new Interactions();
  readonly memory: PromptMemory;
  readonly #salts: AccountSalts;
  readonly limits: Limits;
  readonly contextOf = contextOf;
  readonly recovery: Recovery;
  /** What a person's rules add. */
  readonly ruled = new Ruled(this);
  /** Requests that Copilot left unanswered. In this process alone; null before the first. */
  #unanswered: LruMap<true> | null = null;

  constructor(dependencies: ExchangeDependencies) {
    this.dependencies = dependencies;
    const { settings, ledger } = dependencies;
    this.running = new Running(dependencies.listeners);
    const underWay = () => this.running.runs;
    this.features = new Features(dependencies, underWay);
    this.memory = new PromptMemory(ledger, underWay);
    this.#salts = new AccountSalts(ledger, firstAccount);
    this.limits = new Limits(dependencies);
    this.recovery = new Recovery(dependencies);
    this.turns = new ClientTurns(() => settings.current().openai.atOnce);
    settings.onChange(() => this.turns.widened());
  }

  begin(call: ClientCall, api: ClientApi, used: UsedAccount = this.dependencies.accounts.of(call.client)): Run {
    const run = new Run(this, call, api, used);
    this.running.runs.add(run);
    return run;
  }

  /** initiator: did a person ask for this? Decided on the request as it came in. */
  decide(run: Run, request: unknown): Verdict {
    const { row, used, call } = run;
    const salt = this.#salts.of(used.id);
    const reading = readPrompt({ api: row.api, headers: call.headers, body: request, salt });
    const model = run.rule?.use.model ?? null;
    const parts = this.features.join({ row, request, bytes: call.body.length, reading, used, model });
    const continues = partWith(parts, 'continues')?.continues ?? null;
    const decided = continues === null ? decideInitiator(reading, this.memory) : agent(reading, continues);
    this.memory.seen(reading);
    run.shaped(request);
    for (const { note } of parts) if (note !== undefined) row.fits.push(note);
    return this.decided(run, decided, reading, parts);
  }

  decided(run: Run, decided: Verdict, reading: PromptReading | null = null, parts: readonly Part[] = []): Verdict {
    const { alwaysUser } = this.dependencies.settings.current();
    const verdict = applyInitiatorOverride(decided, { reach: run.used.reach, alwaysUser });
    run.decided({ verdict, reading, parts });
    return verdict;
  }

  /** Throws `Stopped` where the client repeats by itself what Copilot left unanswered. */
  refuseRepeat(run: Run): void {
    if (this.#unanswered === null) return;
    const attempt = attemptOf(run);
    if (attempt !== null && this.#unanswered.has(attempt)) throw new Stopped(refuseRepeat());
  }

  /** model: what does the name mean in this account's catalog? */
  async chooseModel(run: Run, asked: string): Promise<Chosen> {
    const { row, used, call, parts } = run;
    const { catalog } = used;
    const models = catalog.fresh() ?? (await unlessAborted(catalog.models(), call.signal));
    const offered = usableModels(models, row.api === 'count-tokens' || row.api === 'web' ? 'messages' : row.api);
    const choosing = partWith(parts, 'model')?.model?.(models);
    const { model, note, auto } = choosing
      ? await unlessAborted(choosing, call.signal)
      : run.rule === null
        ? this.#namedModel(run, asked, models, offered)
        : await this.ruled.choose(run, { models, offered }, () => this.#namedModel(run, asked, models, offered));
    const chosen = { model, auto, offered };
    run.chose(chosen);
    if (note !== null) row.fits.push(note);
    return chosen;
  }

  /** The request as features change it for a model, before it is planned, and what the log says of that. */
  async changed<Request extends object>(
    { parts, call }: Run,
    request: Request,
    model: CatalogModel,
  ): Promise<{ request: Request; notes: FitNote[] }> {
    const notes: FitNote[] = [];
    let changed = request;
    for (const part of parts) {
      const next = part.change && (await unlessAborted(part.change(changed, model), call.signal));
      if (!next) continue;
      changed = next.request;
      notes.push(next.note);
    }
    return { request: changed, notes };
  }

  /** Throws `Stopped` where the name means none. */
  #namedModel(
    { row, used, call }: Run,
    asked: string,
    models: readonly CatalogModel[],
    offered: readonly string[],
  ): ChosenModel {
    const options: ModelOptions = {
      overrides: this.dependencies.settings.current().modelOverrides,
      longContext: String(call.headers['anthropic-beta'] ?? '').includes('context-1m-'),
      type: row.api === 'embeddings' ? 'embeddings' : 'chat',
    };
    const choice = resolveModel(asked, models, options);
    if (!choice.ok) throw meansNone(asked, choice, models, options, { offered, used });
    const { model, note, because } = choice;
    // That a name is spelled another way is said by the fit that sends it; why another model was taken is said here.
    const isSaid = note !== null && because !== 'same';
    return { model, auto: null, note: isSaid ? { code: `model-${because}`, count: 1, text: note } : null };
  }

  /** send: to Copilot, unless one of its limits still holds. */
  async send(run: Run, plan: Sendable, { sender, ids, budget }: Sending): Promise<Sent> {
    const { row, call, chosen } = run;
    row.times.sent ??= run.since();
    const { model = null, auto = null } = chosen ?? {};
    const sent = await run.used.client.send(outgoing(plan, sender, ids, { model, auto, call, budget }, run));
    run.sent(sent);
    if (sent.ok) return sent;
    const attempt = isUnanswered(sent.failure) ? attemptOf(run) : null;
    if (attempt !== null) {
      this.#unanswered ??= new LruMap(mostUnanswered);
      this.#unanswered.keep(attempt, true);
    }
    for (const part of run.parts) part.refused?.(sent.failure);
    return sent;
  }

  /**
   * Sends a plan. Where Copilot refuses something that could not be foreseen and that the request can do without, it is
   * sent once more, changed by a feature, before a byte of an answer has gone out and while repeats are left.
   */
  async sendRecovering<P extends Replannable<P>>(
    run: Run,
    first: P,
    model: CatalogModel,
    sending: Sending,
  ): Promise<{ plan: P; sent: Sent; notes: FitNote[] }> {
    const notes: FitNote[] = [];
    let plan = first;
    for (;;) {
      const sent = await this.send(run, plan, sending);
      if (sent.ok) {
        if (notes.length > 0) for (const part of run.parts) part.taken?.(model);
        return { plan, sent, notes };
      }
      const again = againBy(run.parts, sent.failure, plan, model);
      if (again === null || !sending.budget.take()) return { plan, sent, notes };
      notes.push(again.note);
      const last = run.row.attempts.at(-1);
      if (last !== undefined) last.retriedBecause = again.because;
      plan = again.plan;
    }
  }

  /** The headers of a good answer are there. Throws `Stopped` with what came in their place. */
  delivered(run: Run, sent: Sent): IncomingMessage {
    run.onResponseHeaders();
    if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, this.recovery.context(run)));
    return sent.response;
  }

  /** Event by event to the client. Begins in the turn in which it is asked for. */
  relay(run: Run, upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd> {
    run.recording?.follow(upstream);
    return relay(upstream, reader, target, (bytes) => run.moved(reader.facts, bytes));
  }

  /** Throws `Stopped` where the answer broke off, and the signal's reason where that ended it. */
  whole(run: Run, { facts }: AnswerReader, cause: string | null): void {
    const { signal } = run.call;
    // An answer that came to its end is not taken back because the proxy stops at the same moment.
    const left = signal.reason instanceof ClientLeft;
    if (signal.aborted && (left || !facts.ended)) throw signal.reason;
    if (facts.failure !== null)
      throw new Stopped(recoverBrokenAnswer(facts.failure, cause, this.recovery.context(run)));
  }

  ended({ row, call }: Run): void {
    row.status = 200;
    call.answer.end();
  }

  /** Answers with a JSON object of ours. */
  answerJson(run: Run, words: Pick<ErrorWords<object>, 'requestIdHeader'>, body: object): void {
    run.row.status = 200;
    const bytes = answerJson(run.call, words, 200, body);
    run.recording?.returned(bytes);
  }

  /** The row is whole: what it says is remembered. */
  closed(run: Run): void {
    const { row, reading, verdict, facts, accepted } = run;
    for (const part of run.parts) part.end?.(run);
    this.limits.charged(row);
    this.running.runs.delete(run);
    this.features.ended(run);
    const status = row.failure?.status ?? null;
    this.memory.end({ reading, verdict, facts, accepted, ending: endingOf(row, facts), status });
  }
}

/** A title beside a prompt is another request of it. */
function attemptOf({ reading, row }: Run): string | null {
  const attempt = reading?.keys?.attempt ?? null;
  return attempt === null ? null : `${row.requestClass} ${attempt}`;
}

/** The first part that implements this step; usually undefined. */
export function partWith(parts: readonly Part[], what: keyof Part): Part | undefined {
  for (const part of parts) if (part[what]) return part;
  return undefined;
}

/** Lessons about a model on a path. */
export function learnedBy({ parts }: Run): NonNullable<Part['learned']> {
  return partWith(parts, 'learned')?.learned ?? (() => null);
}
