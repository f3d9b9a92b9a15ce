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
  const { kept } = accounts;
  const signInsOf = (id: string) => kept.find(id).held.signIns;
  return {
    refreshAccounts: () => accounts.refresh(),
    addAccount: (name) => kept.add(name),
    renameAccount: (id, name) => kept.rename(id, name),
    bindAccount: (id, labels) => kept.bind(id, labels),
    switchAccount: async (id) => {
      await kept.use(id);
      inUseChanged();
    },
    signInAccount: async (id, request, shown = () => {}, signal) =>
      signInsOf(id).signIn(shown, signal, request ?? undefined),
    signOutAccount: async (id) => signInsOf(id).signOut(),
    removeAccount: async (id) => {
      kept.requireRemovable(id);
      await signInsOf(id).signOut();
      await kept.remove(id);
    },
  };
}
