import type { Exchange } from '../../api/exchange.ts';
import type { AnswerFacts } from '../../formats/answer/answer.ts';
import type { Bursts } from '../admission/bursts.ts';
import type { Guards } from '../admission/guards.ts';
import type { PromptMemory } from '../initiator/memory.ts';
import type { Kept } from '../kept.ts';
import type { Lessons } from '../lessons/lessons.ts';
import type { PausedTurns } from '../web-search/paused-turns.ts';
import type { ExchangeDependencies } from './exchange-dependencies.ts';
import type { Interactions } from './interactions.ts';
import type { Progress } from './progress.ts';
import type { AccountSalts } from './used-account.ts';

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
  /** Requests that Copilot left unanswered. In this process alone. */
  unanswered: Kept<true>;
  progress: Progress;
  /** It is not under way any more. */
  ended(run: { row: Exchange; facts: AnswerFacts }): void;
}
