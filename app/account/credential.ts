import type { CredentialKind, Way } from '../api/account.ts';
import { msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import type { SecretName, Slot, TokenName } from '../ports.ts';

/** Credential of an account. `token` is null if the Copilot CLI has it. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly token: string | null;
}

const secrets: Readonly<Record<CredentialKind, TokenName | null>> = {
  vscode: 'github-token',
  'own-app': 'own-app-token',
  token: 'fine-grained-token',
  'copilot-login': null,
};

/** Name under which the secrets have its token for this slot; null if they don't have it. */
export function secretOf(kind: CredentialKind, slot: Slot = 1): SecretName | null {
  const name = secrets[kind];
  return name === null || slot === 1 ? name : `${name}-${slot}`;
}

export function wayOf(kind: CredentialKind): Way {
  return kind === 'vscode' ? 'vscode' : 'copilot-sdk';
}

/** Says why a given token can't be used as this credential, and what to do; null if it can be used. */
export function tokenProblem(token: string, kind: Exclude<CredentialKind, 'copilot-login'> = 'vscode'): string | null {
  if (/[^\x21-\x7e]/.test(token))
    return t('This is no GitHub token: it holds spaces or characters that no token has. {remedy}', {
      remedy: translated(remedies[kind]),
    });
  if (kind === 'vscode') {
    // GitHub gives Copilot tokens to tokens of a device sign-in (`ghu_`, `gho_`) only.
    if (!isClassic(token) && !isFineGrained(token)) return null;
    return t('This is a personal access token; GitHub issues no Copilot token for it, whatever its scopes. {remedy}', {
      remedy: translated(remedies[kind]),
    });
  }
  if (isClassic(token)) {
    return t(
      'This is a classic personal access token (ghp_…), which Copilot doesn’t accept. Make a fine-grained one at ' +
        'github.com/settings/personal-access-tokens with the permission "Copilot Requests".',
    );
  }
  if (kind === 'own-app' || isFineGrained(token) || token.startsWith('gho_')) return null;
  if (token.startsWith('ghu_')) {
    return t(
      'A token that begins with ghu_ may be one of VS Code’s app, which is never used as another program. {remedy}',
      { remedy: translated(remedies[kind]) },
    );
  }
  return t('This is not a fine-grained token; those begin with github_pat_. {remedy}', {
    remedy: translated(remedies[kind]),
  });
}

const remedies = {
  vscode: msg('Use the token of a device sign-in ("jumpseat login").'),
  'own-app': msg('Sign in again: "jumpseat login --way copilot-sdk".'),
  token: msg(
    'Make a fine-grained one at github.com/settings/personal-access-tokens with the permission "Copilot Requests".',
  ),
} as const;

function isClassic(token: string): boolean {
  return token.startsWith('ghp_');
}

function isFineGrained(token: string): boolean {
  return token.startsWith('github_pat_');
}
