import { useState } from 'react';
import { settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import { TextField } from '../parts/text-field.tsx';
import { toast } from '../state/notices.ts';
import { ask } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
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
    toast(store, `GitHub is ${now} now.`);
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
      title: `Sign out of ${githubHost}?`,
      text:
        `The token that ${githubHost} gave is deleted on this machine, and you sign in again at ${host}. ` +
        'Your history stays.',
      safe: 'Cancel',
      action: 'Change host',
      run: () => void keep(host),
    });
  };
  return (
    <Setting
      of="githubHost"
      title={settingFields.githubHost.label}
      help={
        githubFixedBy === null
          ? 'Your company’s own, such as octo.ghe.com. Changing it signs you out.'
          : `Set from outside, by ${githubFixedBy}.`
      }
      error={error}
    >
      <TextField
        key={round}
        label={settingFields.githubHost.label}
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
