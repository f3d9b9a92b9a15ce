import { join } from 'node:path';
import { signInStep, storeHelp } from '../account/account-error.ts';
import type { ClaudeCodeSurroundings } from '../claude-code/checks.ts';
import { readSettingsFile, shownPath } from '../claude-code/settings-file.ts';
import { readModel } from '../claude-code/settings-text.ts';
import { readSetup } from '../claude-code/setup/read-setup.ts';
import { altered, joined } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import {
  admissionWords,
  budgetRemedy,
  nameInUse,
  planName,
  refusedSignIn,
  refusesSignIn,
  runtimeWords,
  wayStanding,
} from '../words/account.ts';
import { isUsedUp, limitInWords, settingsOfLimit } from '../words/own-limits.ts';
import { quotaWords } from '../words/quota.ts';
import { reachFacts, windowWords } from '../words/reach.ts';
import { capital } from '../words/text.ts';
import { clockTime, hourAndMinute } from '../words/times.ts';
import type { CheckDependencies, CheckRun } from './check-run.ts';
import { type Finding, failed, passed, skipped, typed, warning } from './finding.ts';

/** The way through VS Code, where it was chosen. */
export async function vscode(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { reach } = run.dependencies.state();
  if (reach.kind === 'directly') return skipped(t('Requests go to Copilot directly.'));
  if (problem !== null) return failed(problem.text, problem.remedy);
  return passed(
    t('Requests go through VS Code: {window}. {fact}', {
      window: windowWords(reach.window),
      fact: translated(reachFacts['through-vscode']),
    }),
  );
}

export async function signedIn(run: CheckRun): Promise<Finding> {
  await Promise.all([run.token(), run.storage()]);
  const { account, accounts, admission, secrets } = run.dependencies.state();
  const name = nameInUse(accounts);
  if (account.kind === 'signed-out' && account.why) return failed(account.why.text, account.why.remedy);
  if (account.kind !== 'signed-in')
    return typed(
      failed(
        name === null ? t('Not signed in.') : t('“{name}” isn’t signed in.', { name }),
        signInStep(admission.credential, secrets),
      ),
    );
  const refused = refusedSignIn(account);
  if (refused !== null)
    return typed(failed(t('{words}.', { words: refused }), signInStep(admission.credential, secrets)));
  const plan = planName(account.plan, account.sku);
  return passed(joined([account.login ?? t('yes'), plan].filter((part) => part !== null)));
}

export async function storage(run: CheckRun): Promise<Finding> {
  const { ports, state, isMemoryWanted } = run.dependencies;
  if (isMemoryWanted()) return passed(t('In memory until you quit, as you chose'));
  await run.storage();
  const { secrets } = state();
  const { problem } = secrets;
  if (problem !== null) {
    const finding = failed(problem.text, storeHelp(problem.remedy, secrets));
    return secrets.needsFile ? typed(finding) : finding;
  }
  switch (secrets.storage) {
    case 'keychain':
      return passed(t('Stored in the system keychain'));
    case 'memory':
      return typed(warning(t('In memory until you quit; no keychain'), storeHelp(t('Set up a keychain.'), secrets)));
    case 'file': {
      const stored = t('Stored in a file that only your user can read');
      // Signing out is for nothing where no keychain would take the token.
      if (!(await ports.secrets.hasKeychain?.())) return passed(stored);
      return warning(stored, t('This machine has a keychain. To use it, sign out and sign in again.'));
    }
  }
}

/** Identity that requests use; GitHub checks it first. */
export async function admission(run: CheckRun): Promise<Finding> {
  await run.token();
  const { admission } = run.dependencies.state();
  const { way, kept, runtime } = admission;
  const words = t('Sent {how}. {standing}', { how: admissionWords(admission), standing: translated(wayStanding[way]) });
  if (kept !== null) return warning(kept.text, kept.remedy);
  if (way === 'vscode' || runtime.kind === 'ready') return passed(words);
  return typed(
    failed(runtimeWords(runtime), t('Run "jumpseat login --way copilot-sdk", or "--way vscode" to go back.')),
  );
}

export async function copilotToken(run: CheckRun): Promise<Finding> {
  const problem = await run.token();
  const { account, admission, secrets } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped(t('Not signed in.'));
  // The row above says how to sign in again.
  if (refusedSignIn(account) !== null) return skipped(t('{words}.', { words: translated(refusesSignIn) }));
  if (problem !== null) {
    const finding = failed(problem.text, problem.remedy);
    return problem.remedyFor === 'terminal' ? typed(finding) : finding;
  }
  if (account.token === null)
    return typed(failed(t('No token for Copilot.'), signInStep(admission.credential, secrets)));
  const { mintedAt, usableUntil } = account.token;
  const renewed = clockTime(mintedAt);
  return passed(
    usableUntil === null
      ? t('Renewed {renewed}, next when Copilot refuses it', { renewed })
      : t('Renewed {renewed}, next renewal at {next}', { renewed, next: hourAndMinute(usableUntil) }),
  );
}

export async function quota(run: CheckRun): Promise<Finding> {
  await run.token();
  const { account, quota: known } = run.dependencies.state();
  if (account.kind !== 'signed-in') return skipped(t('Not signed in.'));
  // How to sign in again stands with the sign-in.
  if (known === null && refusedSignIn(account) !== null)
    return skipped(t('{words}.', { words: translated(refusesSignIn) }));
  if (known === null)
    return warning(t('Not reported by GitHub.'), t('Check the network, then run "jumpseat doctor" again.'));
  // A refusal counts more than what GitHub last said.
  if (known.exhausted || run.dependencies.state().status === 'exhausted')
    return failed(t('{words}.', { words: quotaWords({ ...known, exhausted: true }) }), translated(budgetRemedy));
  return passed(quotaWords(known));
}

/** The limits of the person's own in the settings: Copilot knows nothing of them. */
export function ownLimits({ ownLimits }: CheckDependencies): Finding {
  const limits = ownLimits();
  const reached = limits.reached();
  if (reached !== null) return failed(altered(reached.because, capital), reached.remedy);
  const standing = limits.own.standing();
  const words = standing.length === 0 ? t('None set') : altered(joined(standing.map(limitInWords)), capital);
  const usedUp = standing.filter(isUsedUp);
  if (usedUp.length === 0) return passed(words);
  return warning(
    words,
    t(
      '{count, plural, one {One is used up. Settings → {part, select, rules {Rules} other {Limits}} changes it.} other {# are used up. Settings → {part, select, rules {Rules} other {Limits}} changes them.}}',
      { count: usedUp.length, part: usedUp.every((limit) => settingsOfLimit(limit) === 'rules') ? 'rules' : 'limits' },
    ),
  );
}

/** Names for which Claude Code itself chooses a model. */
const chosenByItself: ReadonlySet<string> = new Set(['default', 'best']);

/** Names of Claude Code's, to be proposed where they work. */
const proposed = ['opus', 'sonnet', 'haiku', 'fable'];

/** Whether this account has the model that Claude Code's settings choose: `/model` saves also names that it lacks. */
export async function claudeCodeModel(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return skipped(t('The models are not known.'));
  const { claudeCode, explainModel } = run.dependencies;
  const around = await claudeCode();
  const setup = await readSetup(around.place).catch(() => null);
  if (setup !== null && setup.elsewhere !== null) return skipped(t('Claude Code doesn’t use Jumpseat.'));
  const chosen = await chosenModel(around);
  if (chosen === null || chosenByItself.has(chosen.name)) return passed(t('None is set: Claude Code’s own default'));
  const { name, file } = chosen;
  const answer = await explainModel(name);
  if (answer.kind === 'here') return passed(t('Set to {name}', { name }));
  const answers = await Promise.all(proposed.map((each) => explainModel(each)));
  const aliases = answers.filter(({ kind }) => kind === 'here').map(({ asked }) => asked);
  const names =
    aliases.length === 0
      ? t('Names that work: see Models.')
      : t('Names that work: {names}.', { names: aliases.join(', ') });
  const next =
    file === null
      ? t('Choose another model with /model in Claude Code. {names}', { names })
      : t('Change “model” in {file}, or choose another model with /model. {names}', { file, names });
  switch (answer.kind) {
    case 'not-in-catalog':
    case 'plan':
      return warning(t('Claude Code is set to {name}, which your account doesn’t have.', { name }), next);
    case 'policy':
      return warning(t('Claude Code is set to {name}, which is off for your account.', { name }), next);
    default:
      return warning(t('Claude Code is set to {name}. {why}', { name, why: answer.text }), next);
  }
}

/** The model in the settings that win. `file` is the folder's as it is shown; null for the person's own. */
async function chosenModel({
  place,
  project,
  home,
}: ClaudeCodeSurroundings): Promise<{ name: string; file: string | null } | null> {
  const ofFolder = ['settings.local.json', 'settings.json'].map((name) => join(project ?? '', '.claude', name));
  for (const path of [...(project ? ofFolder : []), place.settings]) {
    // A file that can't be read is another check's finding.
    const name = await readSettingsFile(path).then(
      ({ text }) => readModel(text ?? ''),
      () => null,
    );
    if (name !== null) return { name, file: path === place.settings ? null : shownPath(path, home) };
  }
  return null;
}
