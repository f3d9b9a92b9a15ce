import type { Account } from './account/account.ts';
import { AccountError } from './account/account-error.ts';
import type { AccountState, Problem, Quota } from './api.ts';
import { type Catalog, CatalogError } from './copilot/catalog.ts';

/** The first thing in the way of an exchange, from what is known without asking anybody; null when nothing is. */
export function knownProblem(account: AccountState, quota: Quota | null): Problem | null {
  if (account.kind !== 'signed-in') {
    return {
      code: 'signed-out',
      text: 'Not signed in to GitHub.',
      mend: 'Click the tray icon and sign in, or run "jumpseat login".',
    };
  }
  if (account.notice !== null) {
    const { title, message, url } = account.notice;
    return {
      code: 'no-access',
      text: `${title}. ${message}`,
      mend: url === null ? 'Run "jumpseat login" to sign in again.' : `Open ${url}`,
    };
  }
  if (quota?.exhausted === true) {
    const until = quota.resetsAt === null ? '' : ` until ${quota.resetsAt}`;
    return {
      code: 'exhausted',
      text: `Out of credits${until}.`,
      mend: 'Set a budget at github.com/settings/billing to go on now.',
    };
  }
  return null;
}

const withinMs = 5000;

/** The same, after having asked: is there a token, can the models be read? Null: an exchange would work now. */
export async function currentProblem(parts: { account: Account; catalog: Catalog }): Promise<Problem | null> {
  const { account, catalog } = parts;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Problem>((resolve) => {
    const text = `GitHub or Copilot didn’t answer within ${withinMs / 1000} s.`;
    timer = setTimeout(() => resolve({ code: 'slow', text, mend: 'Check the network, then try again.' }), withinMs);
  });
  const asked = (async (): Promise<Problem | null> => {
    try {
      await account.token();
      await catalog.models();
    } catch (error) {
      const known = knownProblem(account.state(), account.quota());
      return known ?? problemOf(error);
    }
    return knownProblem(account.state(), account.quota());
  })();
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof AccountError) return { code: error.kind, text: error.message, mend: error.mend };
  if (error instanceof CatalogError)
    return { code: 'catalog', text: error.message, mend: 'Check the network, then run "jumpseat doctor".' };
  throw error;
}
