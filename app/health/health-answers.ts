import type { AnswersTo } from '../api/app.ts';
import type { Problem } from '../api/call.ts';
import type { healthCalls } from '../api/calls/health.ts';
import type { CheckDependencies } from './check-run.ts';
import { checkEverything, checkOne } from './checks.ts';
import type { CurrentState } from './current-state.ts';
import type { UpstreamWatch } from './upstream-watch.ts';

interface HealthAnswersDependencies {
  current: CurrentState;
  checking(): CheckDependencies;
  throughVscode: { isChosen(): boolean; readonly window: { look(): Promise<unknown> } };
  /** Watch of the account in use. */
  upstream(): UpstreamWatch;
  proxy: { lookAgain(): Promise<void> };
  secrets: { readonly problem: Problem | null; try(): Promise<Problem | null> };
}

export function healthAnswers(dependencies: HealthAnswersDependencies): AnswersTo<typeof healthCalls> {
  const { current, checking, upstream, secrets, proxy, throughVscode } = dependencies;
  return {
    state: () => current.state(),
    checks: () => checkEverything(checking()),
    check: (id) => checkOne(checking(), id),
    refresh: async () => {
      const { account, catalog } = checking();
      if (secrets.problem !== null) await secrets.try();
      await account.load();
      if (throughVscode.isChosen()) await throughVscode.window.look();
      else await Promise.all([account.token().catch(() => undefined), account.readUser()]);
      await catalog.models({ refresh: true }).catch(() => undefined);
    },
    lookAgain: async () => {
      await proxy.lookAgain();
      if (!throughVscode.isChosen()) await upstream().lookAgain();
    },
  };
}
