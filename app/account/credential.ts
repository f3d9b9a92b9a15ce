import type { CredentialKind, Way } from '../api/account.ts';
import type { SecretName } from '../ports.ts';

/** With what somebody is signed in. `token` is null where it lies with the Copilot CLI. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly token: string | null;
}

const secrets: Readonly<Record<CredentialKind, SecretName | null>> = {
  vscode: 'github-token',
  'own-app': 'own-app-token',
  token: 'fine-grained-token',
  'copilot-login': null,
};

/** Under which name its token lies; null: not with us. */
export function secretOf(kind: CredentialKind): SecretName | null {
  return secrets[kind];
}

export function wayOf(kind: CredentialKind): Way {
  return kind === 'vscode' ? 'vscode' : 'copilot-sdk';
}
