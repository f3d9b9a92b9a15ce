import type { AnswersTo, App } from '../api/app.ts';
import type { accountCalls } from '../api/calls/accounts.ts';
import type { OwnAccounts } from './own-accounts.ts';

export function ownAccountAnswers({
  accounts,
  inUseChanged,
}: {
  accounts: OwnAccounts;
  /** State and models are another account's. */
  inUseChanged(): void;
}): AnswersTo<typeof accountCalls> & Pick<App, 'signInAccount'> {
  const { kept, changes } = accounts;
  const signInsOf = (id: string) => kept.find(id).held.signIns;
  return {
    refreshAccounts: () => accounts.refresh(),
    addAccount: (name) => changes.add(name),
    renameAccount: (id, name) => changes.rename(id, name),
    bindAccount: (id, labels) => changes.bind(id, labels),
    switchAccount: async (id) => {
      await changes.use(id);
      inUseChanged();
    },
    signInAccount: async (id, request, shown = () => {}, signal) =>
      signInsOf(id).signIn(shown, signal, request ?? undefined),
    signOutAccount: async (id) => signInsOf(id).signOut(),
    removeAccount: async (id) => {
      changes.requireRemovable(id);
      await signInsOf(id).signOut();
      // The next account of this slot must not find them.
      await kept.find(id).held.account.deleteAll();
      await changes.remove(id);
    },
  };
}
