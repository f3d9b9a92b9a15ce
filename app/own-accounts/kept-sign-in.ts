import type { AccountChanges } from '../account/account-changes.ts';
import { firstAccount } from '../account/accounts.ts';
import { wayOf } from '../account/credential.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { chosenCredential, type KeptSignIn } from '../sign-in/sign-ins.ts';

type Changes = () => Pick<AccountChanges<unknown>, 'signedIn'>;

/** What the settings keep about the sign-in of one account. */
export function keptSignIn(
  id: string,
  settings: SettingsStore,
  { isTokenFromOutside, changes }: { isTokenFromOutside: boolean; changes: Changes },
): KeptSignIn {
  return id === firstAccount ? ofFirst(settings, isTokenFromOutside) : ofFurther(id, settings, changes);
}

/** Where earlier versions look for it, so that they still find the first one. */
function ofFirst(settings: SettingsStore, isTokenFromOutside: boolean): KeptSignIn {
  return {
    login: () => settings.current().account?.login ?? null,
    signedInAt: () => settings.current().account?.signedInAt ?? null,
    credential: () => chosenCredential(settings.current()),
    keep: (account, credential) => {
      const way = credential === null ? 'copilot-sdk' : wayOf(credential);
      const chosen = { admission: way, ...(credential !== 'vscode' && { sdkCredential: credential }) };
      // A person's sign-in decides what a damaged file left open.
      const decided = account !== null && { lostAccounts: null };
      return settings.update({ account, ...(!isTokenFromOutside && chosen), ...decided });
    },
  };
}

function ofFurther(id: string, settings: SettingsStore, changes: Changes): KeptSignIn {
  const kept = () => settings.current().accounts.find((record) => record.id === id)?.signIn ?? null;
  return {
    login: () => kept()?.login ?? null,
    signedInAt: () => kept()?.signedInAt ?? null,
    credential: () => kept()?.credential ?? 'vscode',
    keep: (account, credential) =>
      changes().signedIn(id, {
        login: account?.login ?? null,
        signedInAt: account?.signedInAt ?? null,
        credential,
      }),
  };
}
