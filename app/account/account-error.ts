import type { CredentialKind, Notice, SignInRefusedId } from '../api/account.ts';
import type { SecretsStorage } from '../api/settings.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import { msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import type { Redact } from '../ports.ts';
import { asObject, asText } from './read-response.ts';

export type AccountErrorKind = 'signed-out' | 'refused' | 'tokens-refused' | 'rate-limited' | 'network' | 'broken';

/** Id of the notice that says it. */
export const tokensRefusedId = 'tokens-refused';

interface AccountErrorFacts {
  status?: number | null;
  notice?: Notice | null;
  retryAfterSeconds?: number | null;
  host?: string | null;
  code?: string | null;
}

/**
 * There is no Copilot token. `message` says what happened and why, `remedy` what to do next; neither ever holds a
 * token.
 *
 * - `signed-out`: no account is signed in.
 * - `refused`: GitHub does not want this sign-in. `notice` holds GitHub's own words where it gave some.
 * - `tokens-refused`: GitHub gives out tokens, and Copilot has refused two of them in a row. The sign-in is fine; wait
 *   `retryAfterSeconds`.
 * - `rate-limited`: wait `retryAfterSeconds`; the sign-in itself is fine.
 * - `network`: no answer came from `host`.
 * - `broken`: an answer that makes no sense, a server error, or a token store that cannot be read.
 */
export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly kind: AccountErrorKind;
  readonly status: number | null;
  readonly notice: Notice | null;
  readonly retryAfterSeconds: number | null;
  /** The host that was asked; null if none was. */
  readonly host: string | null;
  /** The network's code (`ENOTFOUND`), else null. */
  readonly code: string | null;
  readonly remedy: string;
  constructor(kind: AccountErrorKind, message: string, remedy: string, facts: AccountErrorFacts = {}) {
    super(message);
    this.kind = kind;
    this.remedy = remedy;
    this.status = facts.status ?? null;
    this.notice = facts.notice ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.host = facts.host ?? null;
    this.code = facts.code ?? null;
  }
}

/** Where the token of a sign-in in a terminal can be stored. */
export interface SignInPlace {
  /** There is no keychain, so the person has to agree to a file. */
  needsFile?: boolean;
  storage?: SecretsStorage;
}

/** `kind`: with what people sign in on the way in use. */
export function signedOut(
  kind: CredentialKind | null,
  place: SignInPlace,
  why: { text: string; remedy: string } | null = null,
  several: OutOfSeveral | null = null,
): AccountError {
  const { text, remedy } = why ?? (several === null ? notSignedIn(kind, place) : notSignedInOf(kind, place, several));
  return new AccountError('signed-out', text, remedy);
}

const notSignedIn = (kind: CredentialKind | null, place: SignInPlace) => ({
  text: t('Not signed in to GitHub.'),
  remedy: signInHelp(kind, place),
});

/** The account where there are several. `other`: one that is signed in. */
export interface OutOfSeveral {
  name: string;
  isInUse: boolean;
  other: { name: string } | null;
}

function notSignedInOf(kind: CredentialKind | null, place: SignInPlace, { name, isInUse, other }: OutOfSeveral) {
  const text = t('The account “{name}” isn’t signed in to GitHub.', { name });
  // A client whose label is bound to it goes out with no other.
  if (!isInUse) {
    const command = `${signInCommand(kind, place)} --account ${asWord(name)}`;
    const remedy = needsWindow(kind, place)
      ? translated(inWindow)
      : t('Sign in under Settings → Account, or run "{command}".', { command });
    return { text, remedy };
  }
  const use =
    other &&
    t('Or use {name}, which is signed in: Settings → Account, or "jumpseat accounts use {word}".', {
      name: other.name,
      word: asWord(other.name),
    });
  return { text, remedy: sentences(signInHelp(kind, place), use ?? '') };
}

/** Quotes a text as one word of a command. */
function asWord(name: string): string {
  return /^[\w.@+-]+$/.test(name) ? name : `'${name}'`;
}

/** The next step to sign in on this way, for a terminal: beside it the window has a button. */
export function signInStep(kind: CredentialKind | null, place: SignInPlace): string {
  return needsWindow(kind, place)
    ? translated(inWindow)
    : t('Run "{command}".', { command: signInCommand(kind, place) });
}

export const inWindow = msg('Sign in with Jumpseat’s window, or in the browser: "jumpseat dashboard".');

/** Secrets are in memory by choice, where a sign-in of a command would end with it. The Copilot CLI keeps its own. */
function needsWindow(kind: CredentialKind | null, { needsFile, storage }: SignInPlace): boolean {
  return storage === 'memory' && !needsFile && kind !== 'copilot-login';
}

/** The command that signs in on this way; `jumpseat login` alone can't where there is a token to give. */
function signInCommand(kind: CredentialKind | null, place: SignInPlace): string {
  switch (kind) {
    case 'vscode':
      return `jumpseat login${storageOption(place)}`;
    case 'own-app':
      return `jumpseat login${storageOption(place)} --way copilot-sdk`;
    case 'copilot-login':
      return `jumpseat login${storageOption(place)} --way copilot-sdk --copilot-login`;
    case 'token':
    case null:
      return `jumpseat login${storageOption(place)} --way copilot-sdk --token-stdin < FILE`;
  }
}

function storageOption({ needsFile }: SignInPlace): string {
  return needsFile ? ' --insecure-storage' : '';
}

export function vscodeInstead(place: SignInPlace): string {
  if (needsWindow('vscode', place)) return t('Or sign in as VS Code: Settings → Account.');
  return t('Or sign in as VS Code: Settings → Account, or "{command}".', {
    command: `jumpseat login${storageOption(place)} --way vscode`,
  });
}

/** What to do without a sign-in that works. */
export function signInHelp(kind: CredentialKind | null, place: SignInPlace): string {
  if (needsWindow(kind, place)) return sentences(translated(inWindow), kind === 'vscode' ? '' : vscodeInstead(place));
  const command = signInCommand(kind, place);
  switch (kind) {
    case 'vscode':
      // The window is there in every front: the tray app has one, and without it the dashboard is.
      return t('Run "{command}", or click “Sign in” in Jumpseat’s window.', { command });
    case 'copilot-login':
      return sentences(
        t('Sign in with the Copilot CLI ("copilot login"), then run "{command}".', { command }),
        vscodeInstead(place),
      );
    default:
      return sentences(
        t('Sign in again in Settings → Account, or run "{command}".', { command }),
        vscodeInstead(place),
      );
  }
}

/** The same for a sign-in that stopped working, which may be a reason to change the way. */
export function takenBackHelp(kind: CredentialKind, place: SignInPlace): string {
  const help = signInHelp(kind, place);
  return kind === 'vscode' ? sentences(help, t('Or sign in through GitHub’s Copilot SDK: Settings → Account.')) : help;
}

/** GitHub no longer accepts what was signed in with, or there is nothing to sign in with. */
export function isTakenBack({ kind, status, code, notice }: AccountErrorFacts & Pick<AccountError, 'kind'>): boolean {
  return kind === 'refused' && notice === null && (status === 401 || code === 'not-signed-in');
}

/** Nobody is signed in, or the sign-in is taken back. */
export function isOfSignIn(error: AccountError): boolean {
  return error.kind === 'signed-out' || isTakenBack(error);
}

/** True if another sign-in might work. */
export function isDoubtful(error: unknown): boolean {
  return error instanceof AccountError && (error.kind === 'refused' || error.kind === 'tokens-refused');
}

/** The stored sign-in is another host's. Both are named as `hostsInWords` does. */
export function storedForOthers(
  storedFor: string,
  asked: string,
  place: SignInPlace,
): { text: string; remedy: string } {
  return {
    text: t('Not signed in to {asked}: the stored sign-in is for {storedFor} and is shown to no other host.', {
      asked,
      storedFor,
    }),
    remedy: needsWindow('vscode', place)
      ? t(
          'Look at JUMPSEAT_GITHUB_URL, JUMPSEAT_GITHUB_API_URL and the host in Settings, or use Jumpseat’s window to sign in there instead.',
        )
      : t(
          'Look at JUMPSEAT_GITHUB_URL, JUMPSEAT_GITHUB_API_URL and the host in Settings, or run "{command}" to sign in there instead.',
          { command: `jumpseat login${storageOption(place)}` },
        ),
  };
}

export function signInAgain(place: SignInPlace): string {
  if (needsWindow('vscode', place)) return translated(inWindow);
  return t('Sign in again in Jumpseat’s window, or run "{command}".', {
    command: `jumpseat login${storageOption(place)}`,
  });
}

/** The remedy for a store that can't be used. In a terminal it includes the sign-in without a keychain. */
export function storeHelp(remedy: string, { needsFile }: SignInPlace): string {
  return needsFile ? sentences(remedy, translated(inFile)) : remedy;
}

export const inFile = msg(
  'Or run "jumpseat login --insecure-storage" to store the token in a file that only your user can read.',
);

/** A refusal as people see it in the account. */
export function noticeOf(error: AccountError): Notice {
  if (error.notice) return error.notice;
  if (error.kind === 'tokens-refused') {
    const { message, remedy } = error;
    return {
      id: tokensRefusedId,
      title: t('Copilot refuses its tokens'),
      message: sentences(message, remedy),
      url: null,
    };
  }
  const title = error.status === 401 ? t('Sign in again') : t('No Copilot for this sign-in');
  return {
    id: error.status === 401 ? ('sign-in-refused' satisfies SignInRefusedId) : 'no-copilot-token',
    title,
    message: error.message,
    url: null,
  };
}

/** Why nothing goes to GitHub and Copilot from here. */
export function notDirectly(): AccountError {
  return new AccountError(
    'broken',
    t('Copilot is reached through VS Code, so nothing is sent to it directly.'),
    t('Choose “directly” in Settings → Account, or run "jumpseat reach directly".'),
  );
}

/**
 * GitHub's own words for a refusal: `error_details` of a refused Copilot token (`error-403-copilot-token-spammy_user`).
 * Its `url` may hold `{EDITOR}`, which stands for the editor's name in lower case. Only an https link is kept, and
 * nothing that is secret.
 */
export function readNotice(body: JsonObject, redact: Redact): Notice | null {
  const details = asObject(body.error_details);
  if (!details) return null;
  const read = (value: unknown): string | null => {
    const text = asText(value);
    return text === null ? null : redact(text);
  };
  const title = read(details.title);
  const message = read(details.message);
  const id = read(details.notification_id);
  if (!title && !message && !id) return null;
  return {
    id: id ?? 'refused',
    title: title ?? t('GitHub issues no Copilot token'),
    message: message ?? read(body.message) ?? '',
    url: readLink(read(details.url)),
  };
}

function readLink(text: string | null): string | null {
  if (!text) return null;
  const link = text.replaceAll('{EDITOR}', 'vscode');
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : null;
}
