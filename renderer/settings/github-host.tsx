import { useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { TextField } from '../parts/text-field.tsx';
import { toast } from '../state/notices.ts';
import { ask } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { shownField } from './field.tsx';
import { Setting, useChange } from './setting.tsx';

/** Where people sign in. Another host is another account: the sign-in of the old one ends. */
export function GithubHostSetting({ preferences: { githubHost, githubFixedBy } }: { preferences: Preferences }) {
  const { store } = useServices();
  const { account } = useApp();
  const { change, error, clear } = useChange();
  /** Drawn anew with the old host when the person thinks better of it. */
  const [round, setRound] = useState(0);

  const keep = async (host: string): Promise<void> => {
    if (!(await change({ githubHost: host }))) return;
    const now = store.getState().preferences?.githubHost ?? host;
    toast(store, t('GitHub is {host} now.', { host: now }));
  };
  const done = (typed: string): void => {
    const host = typed.replace(/^https:\/\//i, '').replace(/\/$/, '');
    // What is none of GitHub's is refused without a question.
    if (account.kind !== 'signed-in' || !/^github\.com$|\.ghe\.com$/i.test(host)) {
      void keep(host);
      return;
    }
    setRound((before) => before + 1);
    ask(store, {
      title: t('Sign out of {githubHost}?', { githubHost }),
      text: t(
        'The token that {githubHost} gave is deleted on this machine, and you sign in again at {host}. Your history stays.',
        { githubHost, host },
      ),
      safe: t('Cancel'),
      action: t('Change host'),
      run: () => void keep(host),
    });
  };
  return (
    <Setting
      of="githubHost"
      title={shownField('githubHost').label}
      help={
        githubFixedBy === null
          ? t('Your company’s own, such as octo.ghe.com. Changing it signs you out.')
          : t('Set from outside, by {fixedBy}.', { fixedBy: githubFixedBy })
      }
      error={error}
    >
      <TextField
        key={round}
        label={shownField('githubHost').label}
        value={githubHost}
        size={22}
        disabled={githubFixedBy !== null}
        invalid={error !== null}
        done={done}
        typed={clear}
      />
    </Setting>
  );
}
