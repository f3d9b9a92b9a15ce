import type { AccountState } from '../api/account.ts';
import { planName } from './account.ts';

/** What is said of an account whose catalog has models, and none that a person may choose: Free and Student plans. */
export interface AutoOnlyWords {
  /** Without a full stop. */
  title: string;
  text: string;
  mend: string;
}

/** Beside the lines for Claude Code, which then name no models. */
export const autoOnlyNote = 'This account’s plan has no model to choose: GitHub chooses it (Auto).';

export function autoOnlyWords(account: AccountState): AutoOnlyWords {
  const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
  return {
    title: `${plan ?? 'This account’s plan'} has no model to choose`,
    text: 'GitHub chooses the model there (Auto), and none can be asked for by its name.',
    mend: 'Take a plan with models to choose at github.com/features/copilot/plans, or sign in with another account.',
  };
}
