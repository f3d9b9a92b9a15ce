import type { AccountState, Way } from '../api/account.ts';
import { planName } from './account.ts';

/** What is said of an account whose catalog has models, and none that a person may choose: Free and Student plans. */
export interface AutoOnlyWords {
  /** Without a full stop. */
  title: string;
  text: string;
  mend: string;
}

/** Beside the lines for Claude Code, which then name Auto, or no models. */
export const autoServedNote =
  'This account’s plan has no model to choose: the lines name auto, and GitHub chooses a model for each conversation.';

export const autoOnlyNote = 'This account’s plan has no model to choose: GitHub chooses it (Auto).';

/** What helps an account that has no model to choose. */
export interface AutoPlace {
  /** GitHub is asked to choose models for it. */
  isServed?: boolean;
  /** The way in that is in use. */
  way: Way;
}

export function autoOnlyWords(account: AccountState, { isServed = false, way }: AutoPlace): AutoOnlyWords {
  const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
  return {
    title: `${plan ?? 'This account’s plan'} has no model to choose`,
    text: 'GitHub chooses the model there (Auto), and none can be asked for by its name.',
    mend: isServed
      ? askForAuto
      : way === 'vscode'
        ? `Sign in through GitHub’s Copilot SDK, where Jumpseat asks for Auto (Settings → Account), or ${takePlan}.`
        : `Jumpseat asks for Auto for accounts of github.com alone. Sign in with one of these, or ${takePlan}.`,
  };
}

const askForAuto = 'Ask for the model “auto”; new lines for Claude Code name it (Settings, or "jumpseat env").';
const takePlan = 'take a plan with models to choose at github.com/features/copilot/plans';
