import type { Preferences } from '../../app/api/settings.ts';
import { planName, storageWords } from '../../app/words/account.ts';
import { admissionWords, runtimeWords, wayStanding } from '../../app/words/admission.ts';
import { capital } from '../../app/words/text.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices } from '../state/services.ts';
import { GithubHostSetting } from './github-host.tsx';
import { OwnAccounts } from './own-accounts.tsx';
import { ReachSetting } from './reach.tsx';
import { Section, Setting } from './setting.tsx';

const worldWords = { credits: 'billed in credits', premium: 'counts premium requests', unknown: null } as const;

export function AccountSection({ preferences }: { preferences: Preferences }) {
  const { account, accounts, admission, quota, secrets } = useApp();
  const { store } = useServices();
  const actions = useActions();
  const { signOut } = actions;
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
        of="admission"
        title="Sent to Copilot"
        help={isThroughVscode ? 'Not in use: requests go through VS Code.' : <WayHelp />}
        error={admission.kept && `${admission.kept.text} ${admission.kept.remedy}`}
      >
        <Button onClick={() => store.setState({ choosingWay: true })}>Change…</Button>
      </Setting>
      <OwnAccounts />
      <GithubHostSetting preferences={preferences} />
      <Setting
        of="secretsStorage"
        title="Token storage"
        help={
          preferences.storageIsFree
            ? storageWords[secrets.storage]
            : `${storageWords[secrets.storage]}. Chosen by JUMPSEAT_SECRETS.`
        }
        error={secrets.problem === null ? null : `${secrets.problem.text} ${secrets.problem.remedy}`}
      >
        {secrets.problem !== null && <Button onClick={actions.refresh}>Try again</Button>}
        {preferences.storageIsFree && <Button onClick={actions.chooseStorage}>Choose storage…</Button>}
      </Setting>
    </Section>
  );
}

/** Explains the identity that requests use, and GitHub's view of it. */
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
