import type { AnswersTo, App } from '../api/app.ts';
import type { Problem } from '../api/call.ts';
import type { healthCalls } from '../api/calls/health.ts';
import type { TurnCost } from '../api/sessions.ts';
import type { Clock } from '../ports.ts';
import { whoReachesAddress } from '../server/places.ts';
import { statusLineWords } from '../words/status.ts';
import { limitCountdowns } from '../words/usage.ts';
import type { CheckDependencies } from './check-run.ts';
import { checkEverything, checkOne } from './checks.ts';
import type { CurrentState } from './current-state.ts';
import { ownLimitProblem } from './status.ts';
import type { UpstreamWatch } from './upstream-watch.ts';

interface HealthAnswersDependencies {
  clock: Pick<Clock, 'now'>;
  current: CurrentState;
  checking(): CheckDependencies;
  throughVscode: { isChosen(): boolean; readonly window: { look(): Promise<unknown> } };
  /** Watch of the account in use. */
  upstream(): UpstreamWatch;
  proxy: { lookAgain(): Promise<void> };
  /** Whether Claude Code has the key that it has to show. */
  lookAtKey(): Promise<void>;
  /** Takes a quit that waits back. */
  stay(): void;
  secrets: { readonly problem: Problem | null; try(): Promise<Problem | null> };
  /** What a conversation cost, as the list of sessions has it; null if there is none. */
  costOf(session: string): Promise<TurnCost | null>;
  costOfToday: App['costOfToday'];
}

export function healthAnswers(dependencies: HealthAnswersDependencies): AnswersTo<typeof healthCalls> {
  const { current, checking, upstream, secrets, proxy, throughVscode, stay, lookAtKey } = dependencies;
  return {
    state: () => current.state(),
    checks: async () => {
      const checks = await checkEverything(checking());
      await lookAtKey();
      return checks;
    },
    check: (id) => checkOne(checking(), id),
    refresh: async () => {
      const { account, catalog, ownLimits, policyProblem } = checking();
      await ownLimits().own.ready();
      if (secrets.problem !== null) await secrets.try();
      await account.load();
      // It may forbid this way to Copilot, or this host.
      if (policyProblem() !== null) return;
      if (throughVscode.isChosen()) await throughVscode.window.look();
      else await Promise.all([account.token().catch(() => undefined), account.readUser()]);
      await catalog.models({ refresh: true }).catch(() => undefined);
    },
    lookAgain: async () => {
      await proxy.lookAgain();
      if (!throughVscode.isChosen()) await upstream().lookAgain();
    },
    statusLine: async (session) => {
      const { health, quota, usageWindows } = current.state();
      // Where the history can’t be read, its figures aren’t known.
      const [conversation, today] = await Promise.all([
        session === null ? null : dependencies.costOf(session).catch(() => null),
        dependencies.costOfToday().catch(() => null),
      ]);
      return statusLineWords({
        problem: health.problem ?? ownLimitProblem(checking().ownLimits().reached()),
        quota: throughVscode.isChosen() ? null : quota,
        conversation,
        limits: limitCountdowns({ usageWindows, limit: health.limit }, dependencies.clock.now()),
        today,
      });
    },
    whoReaches: whoReachesAddress,
    dontQuit: async () => stay(),
  };
}
