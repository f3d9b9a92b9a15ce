import type {
  AccountState,
  AdmissionState,
  CredentialKind,
  OwnAccount,
  RuntimeState,
  SignInRefusedId,
  Way,
} from '../api/account.ts';
import type { SecretsStorage } from '../api/settings.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { grouped } from './numbers.ts';

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

/** What a person should know of each way before they choose it. */
export const wayFacts: Readonly<Record<Way, Message>> = {
  vscode: msg(
    'Requests name VS Code and its Copilot plugin, with a sign-in of VS Code’s app. All models of your plan are available. GitHub supports that sign-in only in VS Code.',
  ),
  'copilot-sdk': msg(
    'GitHub’s own runtime for other programs chooses address and headers. You sign in with your own app, token or the Copilot CLI. GitHub calls this interface experimental: it may change or go.',
  ),
};

/** What GitHub says of the way in use. */
export const wayStanding: Readonly<Record<Way, Message>> = {
  vscode: msg('GitHub supports VS Code’s sign-in only in VS Code.'),
  'copilot-sdk': msg('GitHub calls the call that this uses experimental: it may change or go.'),
};

/** The same of a request, by the editor version that it named. */
export function standingOf(sentAs: string): Message {
  return wayStanding[sentAs.startsWith('vscode/') ? 'vscode' : 'copilot-sdk'];
}

/** What a person should know before the first sign-in, in the terminal and in the window. */
export const wayRisk: Readonly<Record<Way, Message>> = {
  vscode: msg(
    'GitHub doesn’t support other programs on this service and may limit or suspend accounts that use them. Jumpseat always says truthfully whether you or the agent started a request.',
  ),
  'copilot-sdk': msg(
    'GitHub offers this way to other programs, but calls it experimental and says nothing of another vendor’s agent on it. Jumpseat always says truthfully whether you or the agent started a request.',
  ),
};

/** The same at length, as the README says it. */
export const riskAtLength: readonly Message[] = [
  msg(
    'Jumpseat has two ways into Copilot, and changes from one to the other only when you say so. By default it signs in with VS Code’s app and names VS Code: GitHub supports that in VS Code alone.',
  ),
  msg(
    'GitHub’s own Copilot SDK is made for other programs and signs in as you. The call that Jumpseat uses is marked experimental. Choose it with “Choose another way…” at the sign-in, or later in Settings → Account.',
  ),
  msg(
    'GitHub nowhere says that agents of other vendors may use these ways. GitHub’s terms let it limit or suspend accounts. People have reported suspensions, mostly after bulk use, several accounts, or requests marked as the program’s own.',
  ),
  msg(
    'Jumpseat moves no request from one account to another and always says truthfully whether you or the agent started it. It sends nothing to find out what it costs. That lowers the risk and does not remove it. It is your account: decide with that in mind, and ask first where it belongs to your employer.',
  ),
];

/** Said before it is used. */
export const copilotLoginFact = msg(
  'The Copilot CLI’s sign-in may do more than Copilot needs: read and write your repositories, gists and codespaces.',
);

/** `vscode/1.139.1 (vscode-chat)`; null until it is known. */
export function sentAsWords({ sentAs }: Pick<AdmissionState, 'sentAs'>): string | null {
  return sentAs === null ? null : `${sentAs.editor} (${sentAs.integration})`;
}

/** `as VS Code, with a sign-in of VS Code’s app; requests name vscode/1.139.1 (vscode-chat)` */
export function admissionWords(admission: Pick<AdmissionState, 'way' | 'credential' | 'sentAs'>): string {
  const { way, credential } = admission;
  const sent = sentAsWords(admission);
  // Chosen by name: a select in the message has the whole sentence, with its commas, for translators.
  return sent === null
    ? t(
        '{way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}, {credential, select, vscode {with a sign-in of VS Code’s app} ownApp {with a sign-in of your own OAuth app} token {with a token that you made} copilotLogin {with the sign-in of the Copilot CLI} other {nobody has signed in there yet}}',
        { way, credential: credential === null ? 'none' : credentialKeys[credential] },
      )
    : t(
        '{way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}, {credential, select, vscode {with a sign-in of VS Code’s app} ownApp {with a sign-in of your own OAuth app} token {with a token that you made} copilotLogin {with the sign-in of the Copilot CLI} other {nobody has signed in there yet}}; requests name {sent}',
        { way, credential: credential === null ? 'none' : credentialKeys[credential], sent },
      );
}

const credentialKeys: Readonly<Record<CredentialKind, string>> = {
  vscode: 'vscode',
  'own-app': 'ownApp',
  token: 'token',
  'copilot-login': 'copilotLogin',
};

/** How much is fetched: `47 MB`. */
export function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`;
}

export function runtimeWords(runtime: RuntimeState): string {
  switch (runtime.kind) {
    case 'ready':
      return t('GitHub’s runtime {version} is here.', { version: runtime.version });
    case 'absent':
      return t('GitHub’s runtime isn’t here. It is fetched from the npm registry, {size}.', {
        size: megabytes(runtime.bytes),
      });
    case 'fetching':
      return runtime.total === null
        ? t('Fetching GitHub’s runtime: {received}.', { received: megabytes(runtime.received) })
        : t('Fetching GitHub’s runtime: {received} of {total}.', {
            received: megabytes(runtime.received),
            total: megabytes(runtime.total),
          });
    case 'unavailable':
      return sentences(runtime.text, runtime.remedy);
  }
}
