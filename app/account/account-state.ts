import type { AccountState, AdmissionState, CredentialKind, DeviceCode } from '../api/account.ts';
import { t } from '../language/translate.ts';
import { copilotHeaders, tokensRefused } from './access.ts';
import { noticeOf } from './account-error.ts';
import { wayOf } from './credential.ts';
import type { Session } from './session.ts';
import type { Identity } from './vscode-identity.ts';

/** Why nobody is signed in though something is stored. */
export interface StoredForOthers {
  text: string;
  remedy: string;
}

/**
 * An account as fronts are shown it. `code`: of a sign-in that waits for the person. `storedLogin`: whose sign-in it
 * is, as far as GitHub didn't say it in this run.
 */
export function accountState(
  session: Session | null,
  code: DeviceCode | null,
  why: StoredForOthers | null,
  storedLogin: string | null,
): AccountState {
  if (code) return { kind: 'signing-in', code };
  if (!session) return { kind: 'signed-out', ...(why && { why }) };
  const access = session.shared.last();
  return {
    kind: 'signed-in',
    login: session.user?.login ?? storedLogin,
    plan: session.user?.plan ?? null,
    sku: access?.sku ?? session.user?.sku ?? null,
    apiHost: access?.apiBase.host ?? null,
    token: access && { mintedAt: access.obtainedAt, usableUntil: access.usableUntil },
    notice: session.shared.isRefused() ? noticeOf(tokensRefused(wayOf(session.credential.kind))) : session.notice,
  };
}

/** Identity that requests use; the runtime's own state is not known here. */
export function admissionState(
  kind: CredentialKind | null,
  session: Session | null,
  identity: Identity,
): Omit<AdmissionState, 'runtime'> {
  const way = kind === null ? 'copilot-sdk' : wayOf(kind);
  const headers = way === 'vscode' ? copilotHeaders(identity) : (session?.shared.last()?.identity('/models') ?? null);
  const editor = headers?.['Editor-Version'];
  const integration = headers?.['Copilot-Integration-Id'];
  const kept = session?.shared.keptBecause() ?? null;
  return {
    way,
    credential: kind,
    sentAs: editor === undefined || integration === undefined ? null : { editor, integration },
    kept: kept && { code: 'last-endpoint', text: keptWords(kept.message), remedy: kept.remedy },
  };
}

function keptWords(why: string): string {
  return t('Copilot refused the endpoint, and no other was received: {why} The last working endpoint is used.', {
    why,
  });
}
