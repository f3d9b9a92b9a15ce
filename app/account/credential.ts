import type { CredentialKind, Way } from '../api/account.ts';
import type { SecretName, Slot, TokenName } from '../ports.ts';

/** What an account is signed in with. `token` is null where it lies with the Copilot CLI. */
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

/** Under which name its token lies for the account in this slot; null: not with us. */
export function secretOf(kind: CredentialKind, slot: Slot = 1): SecretName | null {
  const name = secrets[kind];
  return name === null || slot === 1 ? name : `${name}-${slot}`;
}

export function wayOf(kind: CredentialKind): Way {
  return kind === 'vscode' ? 'vscode' : 'copilot-sdk';
}
