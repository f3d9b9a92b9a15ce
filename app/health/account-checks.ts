import { signInStep, storeHelp } from '../account/account-error.ts';
import { budgetRemedy, nameInUse, planName, quotaWords, refusedSignIn, refusesSignIn } from '../words/account.ts';
import { admissionWords, runtimeWords, wayStanding } from '../words/admission.ts';
import { isUsedUp, limitInWords } from '../words/own-limits.ts';
import { reachFacts, windowWords } from '../words/reach.ts';
import { capital } from '../words/text.ts';
import { clockTime, hourAndMinute } from '../words/times.ts';
import type { CheckDependencies, CheckRun } from './check-run.ts';
import { type Finding, failed, passed, skipped, typed, warning } from './finding.ts';

/** The way through VS Code, where it was chosen. */
export async function vscode(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { reach } = run.dependencies.state();
  if (reach.kind === 'directly') return skipped('Requests go to Copilot directly.');
  if (problem !== null) return failed(problem.text, problem.remedy);
  return passed(`Requests go through VS Code: ${windowWords(reach.window)}. ${reachFacts['through-vscode']}`);
}

export async function signedIn(run: CheckRun): Promise<Finding> {
  await Promise.all([run.token(), run.storage()]);
  const { account, accounts, admission, secrets } = run.dependencies.state();
  const name = nameInUse(accounts);
  if (account.kind === 'signed-out' && account.why) return failed(account.why.text, account.why.remedy);
  if (account.kind !== 'signed-in')
    return typed(
      failed(
        name === null ? 'Not signed in.' : `“${name}” isn’t signed in.`,
        signInStep(admission.credential, secrets),
      ),
    );
  const refused = refusedSignIn(account);
  if (refused !== null) return typed(failed(`${refused}.`, signInStep(admission.credential, secrets)));
  const plan = planName(account.plan, account.sku);
  return passed([account.login ?? 'yes', plan].filter((part) => part !== null).join(', '));
}

export async function storage(run: CheckRun): Promise<Finding> {
  const { ports, state, isMemoryWanted } = run.dependencies;
  if (isMemoryWanted()) return passed('In memory until you quit, as you chose');
  await run.storage();
  const { secrets } = state();
  const { problem } = secrets;
  if (problem !== null) {
    const finding = failed(problem.text, storeHelp(problem.remedy, secrets));
    return secrets.needsFile ? typed(finding) : finding;
  }
  switch (secrets.storage) {
    case 'keychain':
      return passed('Stored in the system keychain');
    case 'memory':
      return typed(warning('In memory until you quit; no keychain', storeHelp('Set up a keychain.', secrets)));
    case 'file': {
      const stored = 'Stored in a file that only your user can read';
      // Signing out is for nothing where no keychain would take the token.
      if (!(await ports.secrets.hasKeychain?.())) return passed(stored);
      return warning(stored, 'This machine has a keychain. To use it: run "jumpseat logout", then "jumpseat login".');
    }
  }
}

/** Identity that requests use; GitHub checks it first. */
export async function admission(run: CheckRun): Promise<Finding> {
  await run.token();
  const { admission } = run.dependencies.state();
  const { way, kept, runtime } = admission;
  const words = `Sent ${admissionWords(admission)}. ${wayStanding[way]}`;
  if (kept !== null) return warning(kept.text, kept.remedy);
  if (way === 'vscode' || runtime.kind === 'ready') return passed(words);
  return typed(failed(runtimeWords(runtime), 'Run "jumpseat login --way copilot-sdk", or "--way vscode" to go back.'));
}

export async function copilotToken(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { account, admission, secrets } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped('Not signed in.');
  // The row above says how to sign in again.
  if (refusedSignIn(account) !== null) return skipped(`${refusesSignIn}.`);
  if (problem !== null) {
    const finding = failed(problem.text, problem.remedy);
    return problem.remedyFor === 'terminal' ? typed(finding) : finding;
  }
  if (account.token === null) return typed(failed('No token for Copilot.', signInStep(admission.credential, secrets)));
  const { mintedAt, usableUntil } = account.token;
  return passed(
    `Renewed ${clockTime(mintedAt)}, ` +
      (usableUntil === null ? 'next when Copilot refuses it' : `next renewal at ${hourAndMinute(usableUntil)}`),
  );
}

export async function quota(run: CheckRun): Promise<Finding> {
  await run.token();
  const { account, quota: known } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped('Not signed in.');
  if (known === null) return warning('Not reported by GitHub.', 'Check the network, then run "jumpseat doctor" again.');
  // A refusal counts more than what GitHub last said.
  if (known.exhausted || run.dependencies.state().status === 'exhausted')
    return failed(`${quotaWords({ ...known, exhausted: true })}.`, budgetRemedy);
  return passed(quotaWords(known));
}

/** The limits of the person's own in the settings: Copilot knows nothing of them. */
export function ownLimits({ ownLimits }: CheckDependencies): Finding {
  const limits = ownLimits();
  const reached = limits.reached();
  if (reached !== null) return failed(capital(reached.because), reached.remedy);
  const standing = limits.standing();
  const words = standing.length === 0 ? 'None set' : capital(standing.map(limitInWords).join(', '));
  const count = standing.filter(isUsedUp).length;
  if (count === 0) return passed(words);
  const [which, it] = count === 1 ? ['One is', 'it'] : [`${count} are`, 'them'];
  return warning(words, `${which} used up. Settings → Limits changes ${it}.`);
}
