import { firstAccount } from '../../account/accounts.ts';
import type { ClientApi, Exchange } from '../../api/exchange.ts';
import { Bursts } from '../admission/bursts.ts';
import { Guards } from '../admission/guards.ts';
import type { ClientCall } from '../answering/client-call.ts';
import { PromptMemory } from '../initiator/memory.ts';
import { Kept } from '../kept.ts';
import { Lessons } from '../lessons/lessons.ts';
import { PausedTurns } from '../web-search/paused-turns.ts';
import { SearchPrompts } from '../web-search/search-prompts.ts';
import { WebRuns } from '../web-search/web-runs.ts';
import type { ExchangeDependencies } from './exchange-dependencies.ts';
import { Interactions } from './interactions.ts';
import { Progress, rowSoFar } from './progress.ts';
import { Run } from './run.ts';
import type { Shared } from './shared.ts';
import { AccountSalts } from './used-account.ts';

const mostUnanswered = 100;

/** The exchanges under way, and what they share. */
export class Runs {
  readonly #running = new Map<string, Run>();
  readonly #shared: Shared;
  /** Searches that Codex makes for models. */
  readonly webRuns: WebRuns;
  /** Prompts that Claude Code's searches belong to. */
  readonly searchPrompts = new SearchPrompts(() => this.#running.values());

  constructor(dependencies: ExchangeDependencies) {
    const { history, clock, settings, ledger } = dependencies;
    const limits = () => settings.current().limits;
    const running = () => this.#running.values();
    this.webRuns = new WebRuns(running, clock);
    const bursts = new Bursts({ clock, limits });
    this.#shared = {
      dependencies,
      lessons: new Lessons(dependencies.lessons),
      interactions: new Interactions(),
      memory: new PromptMemory(ledger, running),
      salts: new AccountSalts(() => ledger.salt, firstAccount),
      guards: new Guards({ history, clock, limits }),
      bursts,
      pausedTurns: new PausedTurns(),
      unanswered: new Kept(mostUnanswered),
      progress: new Progress({ running, told: dependencies.progressed }),
      ended: (run) => {
        if (!this.#running.delete(run.row.id)) return;
        this.webRuns.ended(run);
        this.searchPrompts.ended(run);
      },
    };
    // Who turns it off waits for nothing any more.
    settings.onChange(() => {
      if (!limits().askBeforeBurst) bursts.letThrough();
    });
  }

  get lessons(): Lessons {
    return this.#shared.lessons;
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
