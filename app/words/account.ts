import type { AccountState, CredentialKind, OwnAccount, SignInRefusedId, Way } from '../api/account.ts';
import type { SecretsStorage } from '../api/settings.ts';
import { type Message, msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';

export const storageWords: Readonly<Record<SecretsStorage, Message>> = {
  keychain: msg('System keychain'),
  file: msg('A file that only your user can read'),
  memory: msg('In memory until you quit'),
};

/** Asked where there is no keychain. The button for a file agrees to this. */
export const storageChoice = msg(
  'Stay signed in until you quit, or store the token in a file of mode 0600. Programs that run as your user can read that file.',
);

/** Says which token a sign-out deletes on this machine, and which tokens stay. @param name null: of the one in use */
export function signOutWords(credential: CredentialKind | null, name: string | null = null): string {
  if (credential === 'copilot-login') return t('The Copilot CLI stays signed in.');
  return name !== null
    ? t('The token of {name} is deleted on this machine. A token stored for another way in stays.', { name })
    : t('The token in use is deleted on this machine. A token stored for another way in stays.');
}

/** What lets requests go on without credits, also where there is a GitHub budget already, which is used up then. */
export const budgetRemedy = msg('Set or raise a GitHub budget at github.com/settings/billing to go on now.');

/**
 * GitHub’s name of the plan, which no language translates: `Copilot Pro+` for what GitHub calls `individual_pro`. The
 * sku helps where the plan says too little.
 */
export function planName(plan: string | null, sku: string | null): string | null {
  const names: Record<string, string> = {
    free: 'Free',
    edu: 'Student',
    individual: 'Pro',
    individual_pro: 'Pro+',
    individual_max: 'Max',
    business: 'Business',
    enterprise: 'Enterprise',
  };
  if (sku?.startsWith('free_limited')) return 'Copilot Free';
  if (sku?.startsWith('free_educational')) return 'Copilot Student';
  if (plan === null) return null;
  return `Copilot ${names[plan] ?? plan}`;
}

const refusedId: SignInRefusedId = 'sign-in-refused';

/** The words for a stored sign-in that GitHub no longer accepts: `octo-demo: GitHub refuses the sign-in`; else null. */
export function refusedSignIn(account: AccountState): string | null {
  if (account.kind !== 'signed-in' || account.notice?.id !== refusedId) return null;
  return account.login === null
    ? translated(refusesSignIn)
    : t('{login}: GitHub refuses the sign-in', { login: account.login });
}

export const refusesSignIn = msg('GitHub refuses the sign-in');

/**
 * What an account is called: as the person named it, or by its login.
 * @param isTaken another account has this login as its name: each has to be told apart by its own
 */
export function nameOfAccount(
  { name, slot }: { name: string | null; slot: number },
  login: string | null,
  isTaken: (login: string) => boolean,
): string {
  if (name !== null) return name;
  return login === null || isTaken(login) ? t('Account {slot}', { slot }) : login;
}

/** The person's name for the account in use, if there are several and it isn't the login; otherwise null. */
export function nameInUse(accounts: readonly OwnAccount[]): string | null {
  const used = accounts.length > 1 ? accounts.find(({ isInUse }) => isInUse) : undefined;
  if (used === undefined) return null;
  return used.state.kind === 'signed-in' && used.state.login === used.name ? null : used.name;
}

/** An account that isn't signed in, among several. */
interface OutAmongSeveral {
  name: string;
  isInUse: boolean;
  /** Another account that is signed in; null if none is. */
  other: { id: string; name: string } | null;
}

/** @param id the one in use unless given. Null if there is a single account. */
export function outAmongSeveral(accounts: readonly OwnAccount[], id?: string): OutAmongSeveral | null {
  const one = accounts.find((account) => (id === undefined ? account.isInUse : account.id === id));
  if (one === undefined || accounts.length < 2) return null;
  const other = accounts.find(
    (account) => account !== one && account.state.kind === 'signed-in' && refusedSignIn(account.state) === null,
  );
  return {
    name: one.name,
    isInUse: one.isInUse,
    other: other === undefined ? null : { id: other.id, name: other.name },
  };
}

/** `“Work” is signed in as octo-demo as well.`; null if no other account is the same one at GitHub. */
export function sameAtGithub(accounts: readonly OwnAccount[], { id, state }: OwnAccount): string | null {
  if (state.kind !== 'signed-in' || state.login === null) return null;
  const { login } = state;
  const twin = accounts.find((one) => one.id !== id && one.state.kind === 'signed-in' && one.state.login === login);
  if (twin === undefined) return null;
  return t('The account “{name}” is signed in as {login} as well: both use the same quota.', {
    name: twin.name,
    login,
  });
}

/** What the account is known by: `alexr-dev, Copilot Pro+`; null: not signed in, or nothing is known. */
export function accountName(account: AccountState): string | null {
  if (account.kind !== 'signed-in') return null;
  const parts = [account.login, planName(account.plan, account.sku)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** What is said of an account whose catalog has models, and none that a person may choose: Free and Student plans. */
interface AutoOnlyWords {
  /** Title without a full stop. */
  title: string;
  text: string;
  remedy: string;
}

/** Shown with the lines for Claude Code, which then name Auto, or no models. */
export const autoServedNote = msg(
  'This account’s plan has no model to choose: the lines name auto, and GitHub chooses a model for each conversation.',
);

export const autoOnlyNote = msg('This account’s plan has no model to choose: GitHub chooses it (Auto).');

/** What helps an account that has no model to choose. */
interface AutoPlace {
  /** GitHub is asked to choose models for it. */
  isServed?: boolean;
  /** The way in that is in use. */
  way: Way;
}

export function autoOnlyWords(account: AccountState, { isServed = false, way }: AutoPlace): AutoOnlyWords {
  const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
  return {
    title:
      plan === null ? t('This account’s plan has no model to choose') : t('{plan} has no model to choose', { plan }),
    text: t('GitHub chooses the model there (Auto), and no model can be requested by name.'),
    remedy: isServed
      ? t('Ask for the model “auto”; new lines for Claude Code name it (Settings, or "jumpseat env").')
      : way === 'vscode'
        ? t(
            'Sign in through GitHub’s Copilot SDK, where Jumpseat asks for Auto (Settings → Account). Or take a plan with models to choose at github.com/features/copilot/plans.',
          )
        : t(
            'Jumpseat asks for Auto only for accounts of github.com. Sign in with such an account, or take a plan with models to choose at github.com/features/copilot/plans.',
          ),
  };
}

/** What is said of a sign-in that the person declined on GitHub. */
export const declinedSignIn = {
  title: msg('You declined the sign-in on GitHub.'),
  text: msg('Its code can’t be used again. Try again to get a new code.'),
} as const;
