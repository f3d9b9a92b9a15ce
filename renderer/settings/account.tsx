import { useState } from 'react';
import type { Preferences, SecretsStorage } from '../../app/api/settings.ts';
import { planName } from '../../app/words/account.ts';
import { admissionWords, runtimeWords, wayStanding } from '../../app/words/admission.ts';
import { capital } from '../../app/words/text.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/notices.tsx';
import { useActions } from '../state/actions.ts';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices } from '../state/services.ts';
import { GithubHostSetting } from './github-host.tsx';
import { OwnAccounts } from './own-accounts.tsx';
import { ReachSetting } from './reach.tsx';
import { Section, Setting } from './setting.tsx';

const storageWords: Readonly<Record<SecretsStorage, string>> = {
  keychain: 'System keychain',
  file: 'A file that only your user can read',
  memory: 'In memory until you quit',
};

const worldWords = { credits: 'billed in credits', premium: 'counts premium requests', unknown: null } as const;

export function AccountSection({ preferences }: { preferences: Preferences }) {
  const { account, accounts, admission, quota, secrets } = useApp();
  const { store } = useServices();
  const actions = useActions();
  const { signOut } = actions;
  const [choosing, setChoosing] = useState(false);
  const isThroughVscode = preferences.reach === 'through-vscode';
  const signedOutHelp = isThroughVscode
    ? 'Not needed: requests go through VS Code.'
    : 'Claude Code gets error 401 until you sign in.';
  // While requests go through VS Code, GitHub is not asked for the account's name.
  const unknownLogin = isThroughVscode ? '' : ' as …';
  const signedIn = account.kind === 'signed-in';
  const plan = signedIn
    ? [planName(account.plan, account.sku), quota === null ? null : worldWords[quota.world]].filter(
        (part) => part !== null,
      )
    : [];
  const signedInHelp = isThroughVscode
    ? 'Signed in, not in use: requests go through VS Code.'
    : plan.join(', ') || undefined;
  return (
    <Section id="account">
      <ReachSetting preferences={preferences} />
      {/* Each of several has a row of its own. */}
      {accounts.length <= 1 && (
        <Setting
          title={signedIn ? `Signed in${account.login === null ? unknownLogin : ` as ${account.login}`}` : 'Signed out'}
          help={signedIn ? signedInHelp : signedOutHelp}
        >
          {signedIn ? (
            <Button onClick={signOut}>Sign out…</Button>
          ) : (
            <Button look="primary" onClick={() => go({ place: 'sign-in' })}>
              Sign in
            </Button>
          )}
        </Setting>
      )}
      <Setting
        title="Sent to Copilot"
        help={isThroughVscode ? 'Not in use: requests go through VS Code.' : <WayHelp />}
        error={admission.kept && `${admission.kept.text} ${admission.kept.mend}`}
      >
        <Button onClick={() => store.setState({ choosingWay: true })}>Change…</Button>
      </Setting>
      <OwnAccounts />
      <GithubHostSetting preferences={preferences} />
      <Setting
        title="Token storage"
        help={
          preferences.storageIsFree
            ? storageWords[secrets.storage]
            : `${storageWords[secrets.storage]}. Chosen by JUMPSEAT_SECRETS.`
        }
        error={secrets.problem === null ? null : `${secrets.problem.text} ${secrets.problem.mend}`}
      >
        {secrets.problem !== null && <Button onClick={actions.refresh}>Try again</Button>}
        {preferences.storageIsFree && <Button onClick={() => setChoosing(true)}>Choose storage…</Button>}
      </Setting>
      {choosing && <StorageDialog close={() => setChoosing(false)} />}
    </Section>
  );
}

/** As whom requests go out, and what GitHub thinks of it. */
function WayHelp() {
  const { admission } = useApp();
  const { way, runtime } = admission;
  return (
    <>
      {capital(admissionWords(admission))}. {wayStanding[way]}
      {way === 'copilot-sdk' && ` ${runtimeWords(runtime)}`}
    </>
  );
}

const storages: readonly { storage: SecretsStorage; help: string }[] = [
  { storage: 'keychain', help: 'The system guards it. Recommended.' },
  { storage: 'file', help: 'Programs that run as your user can read it. It has mode 0600.' },
  { storage: 'memory', help: 'You sign in again after every start.' },
];

/** Where token and key are kept from now on. */
function StorageDialog({ close }: { close: () => void }) {
  const { bridge, store } = useServices();
  const { secrets } = useApp();
  const [chosen, setChosen] = useState<SecretsStorage>(secrets.storage);
  const [moving, setMoving] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const { moveSecrets } = bridge;
  const same = chosen === secrets.storage && secrets.problem === null;

  const move = async (): Promise<void> => {
    setMoving(true);
    try {
      await moveSecrets(chosen);
      toast(store, 'Token and key moved.');
      close();
    } catch (error) {
      setFailure(callFailure(error));
      setMoving(false);
    }
  };

  return (
    <Dialog
      title="Where is the token stored?"
      close={close}
      action={{
        label: chosen === 'file' ? 'Store in a file' : chosen === 'memory' ? 'Store until I quit' : 'Use the keychain',
        disabled: same || moving,
        run: () => void move(),
      }}
    >
      {failure !== null && <Failure text={failure.text} mend={failure.mend} />}
      <fieldset className="storages">
        <legend className="sr">Storage</legend>
        {storages.map(({ storage, help }) => (
          <label key={storage}>
            <input
              type="radio"
              name="storage"
              checked={chosen === storage}
              onChange={() => {
                setChosen(storage);
                setFailure(null);
              }}
            />
            <span>
              {storageWords[storage]}
              <span className="muted small">{help}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
