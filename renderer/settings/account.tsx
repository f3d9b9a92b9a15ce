import type { Preferences } from '../../app/api/settings.ts';
import { msg } from '../../app/language/messages.ts';
import { asSentence, joined, sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { admissionWords, planName, runtimeWords, storageWords, wayStanding } from '../../app/words/account.ts';
import { capital } from '../../app/words/text.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices } from '../state/services.ts';
import { GithubHostSetting } from './github-host.tsx';
import { OwnAccounts } from './own-accounts.tsx';
import { ReachSetting } from './reach.tsx';
import { Section, Setting } from './setting.tsx';

const worldWords = { credits: msg('billed in credits'), premium: msg('counts premium requests'), unknown: null };

export function AccountSection({ preferences }: { preferences: Preferences }) {
  const { account, accounts, admission, quota, secrets } = useApp();
  const { store } = useServices();
  const actions = useActions();
  const { signOut } = actions;
  const isThroughVscode = preferences.reach === 'through-vscode';
  const signedOutHelp = isThroughVscode
    ? t('Not needed: requests go through VS Code.')
    : t('Claude Code gets error 401 until you sign in.');
  // While requests go through VS Code, GitHub is not asked for the account's name.
  const unknownLogin = isThroughVscode ? null : '…';
  const signedIn = account.kind === 'signed-in';
  const world = quota === null ? null : worldWords[quota.world];
  const plan = signedIn
    ? [planName(account.plan, account.sku), world && translated(world)].filter((part) => part !== null)
    : [];
  const signedInHelp = isThroughVscode
    ? t('Signed in, not in use: requests go through VS Code.')
    : joined(plan) || undefined;
  return (
    <Section id="account">
      <ReachSetting preferences={preferences} />
      {/* Each of several has a row of its own. */}
      {accounts.length <= 1 && (
        <Setting
          title={signedIn ? signedInWords(account.login ?? unknownLogin) : t('Signed out')}
          help={signedIn ? signedInHelp : signedOutHelp}
        >
          {signedIn ? (
            <Button onClick={signOut}>{t('Sign out…')}</Button>
          ) : (
            <Button look="primary" onClick={() => go({ place: 'sign-in' })}>
              {t('Sign in')}
            </Button>
          )}
        </Setting>
      )}
      <Setting
        of="admission"
        title={t('Sent as')}
        help={isThroughVscode ? t('Not in use: requests go through VS Code.') : <WayHelp />}
        error={admission.kept && sentences(admission.kept.text, admission.kept.remedy)}
      >
        <Button onClick={() => store.setState({ choosingWay: true })}>{t('Change…')}</Button>
      </Setting>
      <OwnAccounts />
      <GithubHostSetting preferences={preferences} />
      <Setting
        of="secretsStorage"
        title={t('Token storage')}
        help={
          preferences.storageIsFree
            ? translated(storageWords[secrets.storage])
            : t('{storage}. Chosen by JUMPSEAT_SECRETS.', { storage: translated(storageWords[secrets.storage]) })
        }
        error={secrets.problem === null ? null : sentences(secrets.problem.text, secrets.problem.remedy)}
      >
        {secrets.problem !== null && <Button onClick={actions.refresh}>{t('Try again')}</Button>}
        {preferences.storageIsFree && <Button onClick={actions.chooseStorage}>{t('Choose storage…')}</Button>}
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
      {sentences(
        asSentence(capital(admissionWords(admission))),
        translated(wayStanding[way]),
        way === 'copilot-sdk' ? runtimeWords(runtime) : '',
      )}
    </>
  );
}

function signedInWords(login: string | null): string {
  return login === null ? t('Signed in') : t('Signed in as {login}', { login });
}
