import { firstAccount } from '../account/accounts.ts';
import type { ClientApi, Exchange } from '../api/exchange.ts';
import type { AnswerFacts } from '../formats/answer/answer.ts';
import type { ClientStream } from './answer.ts';
import { answerFailure, type ClientCall } from './client-call.ts';
import { AccountSalts, type ExchangeDependencies } from './dependencies.ts';
import type { Ended, Feature } from './feature.ts';
import { PromptMemory } from './initiator/memory.ts';
import { Kept } from './kept.ts';
import { Guards } from './limits/limits.ts';
import { Bursts } from './limits/queue.ts';
import { Run, type Shared } from './record.ts';
import { type ErrorWords, kindOf } from './recover/error.ts';
import { Interactions } from './send.ts';

const mostUnanswered = 100;

/** The exchanges under way, and what they share. */
export class Runs {
  readonly #running = new Map<string, Run>();
  readonly #shared: Shared;

  constructor(dependencies: ExchangeDependencies, features: readonly Feature[]) {
    const { history, clock, settings, ledger } = dependencies;
    const limits = () => settings.current().limits;
    const running = () => this.#running.values();
    const bursts = new Bursts({ clock, limits });
    this.#shared = {
      dependencies,
      features,
      interactions: new Interactions(),
      memory: new PromptMemory(ledger, running),
      salts: new AccountSalts(() => ledger.salt, firstAccount),
      guards: new Guards({ history, clock, limits }),
      bursts,
      unanswered: new Kept(mostUnanswered),
      progress: new Progress({ running, told: dependencies.progressed }),
      ended: (run) => {
        if (!this.#running.delete(run.row.id)) return;
        for (const feature of features) feature.ended?.(run);
      },
    };
    // Who turns it off waits for nothing any more.
    settings.onChange(() => {
      if (!limits().askBeforeBurst) bursts.letThrough();
    });
  }

  underWay(): Iterable<Ended> {
    return this.#running.values();
  }

  /** Their rows as far as they have come. */
  rows(): Exchange[] {
    return [...this.#running.values()].map(rowSoFar);
  }

  begin(call: ClientCall, api: ClientApi): Run {
    const run = new Run(this.#shared, call, api);
    this.#running.set(run.row.id, run);
    return run;
  }

  /** Lets a prompt through that a burst holds, or all of them. Returns how many. */
  letThrough(id?: string): number {
    return this.#shared.bursts.letThrough(id);
  }
}

interface ProgressDependencies {
  running: () => Iterable<{ row: { id: string }; facts: AnswerFacts }>;
  told: (running: { id: string; output: number }[]) => void;
}

const everyMs = 100;
/** Of English text and of code; Copilot counts itself, but says so at the end alone. */
const charactersPerToken = 4;

/**
 * How much the running answers have said so far, for who watches: all of them in one go, ten times a second at most.
 */
class Progress {
  readonly #dependencies: ProgressDependencies;
  #due = false;

  constructor(dependencies: ProgressDependencies) {
    this.#dependencies = dependencies;
  }

  /** On the way of every chunk. */
  moved(): void {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => this.#tell(), everyMs).unref();
  }

  #tell(): void {
    this.#due = false;
    const running: { id: string; output: number }[] = [];
    for (const { row, facts } of this.#dependencies.running()) {
      const output = outputSoFar(facts);
      if (output > 0) running.push({ id: row.id, output });
    }
    if (running.length > 0) this.#dependencies.told(running);
  }
}

/**
 * The row of a running answer with its output so far: who opens a window while an answer stands still sees it at once.
 */
function rowSoFar({ row, facts }: { row: Exchange; facts: AnswerFacts }): Exchange {
  const output = outputSoFar(facts);
  return output === 0 ? row : { ...row, tokens: { ...row.tokens, output } };
}

/** Our estimate, or what Copilot has said where that is more. */
function outputSoFar({ said, usage }: AnswerFacts): number {
  return Math.max(usage.output ?? 0, Math.ceil(said / charactersPerToken));
}

/** What the steps of a request leave for its end. */
export interface Out<Envelope> {
  /** The client's stream, once it wants one; it has to be closed. */
  stream: ClientStream | null;
  /** Ends the turn among the client's requests. */
  release: (() => void) | null;
  /** The last events of a stream that failed, in the words of the plan that was sent. */
  failureEvents: ((envelope: Envelope) => string) | null;
}

/** One request: its run begins and ends here, whatever `steps` meet. Never rejects. */
export async function serve<Envelope extends object>(
  { runs, call, api }: { runs: Runs; call: ClientCall; api: ClientApi },
  words: ErrorWords<Envelope>,
  steps: (run: Run, out: Out<Envelope>) => Promise<void>,
): Promise<void> {
  const run = runs.begin(call, api);
  const out: Out<Envelope> = { stream: null, release: null, failureEvents: null };
  try {
    await steps(run, out);
  } catch (error) {
    fail(run, words, error, out.failureEvents);
  } finally {
    out.stream?.close();
    out.release?.();
    run.end();
  }
}

/** recover: a failure, in the words this client understands. */
function fail<Envelope extends object>(
  run: Run,
  words: ErrorWords<Envelope>,
  thrown: unknown,
  failureEvents: ((envelope: Envelope) => string) | null,
): void {
  const { call, row } = run;
  const error = run.fails(thrown);
  if (error === null) return;
  const told = words.tell(error, call.requestId);
  row.failure = { ...error.failure, ...kindOf(error), told: told.kept };
  const bytes = answerFailure(call, words, error, told, run.told.ended ? null : failureEvents);
  if (bytes === null) {
    row.status ??= 200;
    return;
  }
  row.status = told.status;
  run.recording.told(bytes);
}
