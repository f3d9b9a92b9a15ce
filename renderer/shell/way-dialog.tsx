import classNames from 'classnames/bind';
import { type FormEvent, useState } from 'react';
import type { CredentialKind, SignInRequest } from '../../app/api/account.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { copilotLoginFact, megabytes, refusedSignIn, runtimeWords, wayFacts } from '../../app/words/account.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/notices.tsx';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { takePreferences } from '../state/preferences.ts';
import { go } from '../state/routes.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import styles from './dialogs.module.css';

const css = classNames.bind(styles);

/** The choice of a way into Copilot, when it is asked for. */
export function WaySlot() {
  const { store } = useServices();
  const isOpen = useWindow((state) => state.choosingWay);
  return isOpen ? <WayDialog close={() => store.setState({ choosingWay: false })} /> : null;
}

const ways: readonly { kind: CredentialKind; title: Message; help: Message }[] = [
  { kind: 'vscode', title: msg('VS Code’s sign-in'), help: wayFacts.vscode },
  {
    kind: 'own-app',
    title: msg('Through GitHub’s Copilot SDK, with an OAuth app of your own'),
    help: msg('You make it once at GitHub, with the device flow on. It may read who you are and nothing else.'),
  },
  {
    kind: 'token',
    title: msg('Through GitHub’s Copilot SDK, with a token that you make'),
    help: msg('A fine-grained token with the permission “Copilot Requests”.'),
  },
  {
    kind: 'copilot-login',
    title: msg('Through GitHub’s Copilot SDK, with the sign-in of the Copilot CLI'),
    help: copilotLoginFact,
  },
];

/** Chooses the identity for later requests. The way in use stays until the other one is signed in. */
function WayDialog({ close }: { close: () => void }) {
  const { bridge, store, signIn } = useServices();
  const { admission, account } = useApp();
  const [kind, setKind] = useState<CredentialKind>(admission.credential ?? 'own-app');
  const [token, setToken] = useState('');
  const kept = useWindow(({ preferences }) => preferences?.githubClientId ?? '');
  const [clientId, setClientId] = useState(kept);
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const { chooseCredential, signInWith, changePreferences, fetchRuntime, cancelFetch } = bridge;
  const { runtime } = admission;
  const isSdk = kind !== 'vscode';
  const isMissing = isSdk && runtime.kind !== 'ready';
  const isChanged = (kind === 'token' && token !== '') || (kind === 'own-app' && clientId !== kept);
  const inUse = account.kind === 'signed-in' && refusedSignIn(account) === null ? admission.credential : null;
  const isInUse = kind === inUse && !isChanged;

  const tried = async (work: () => Promise<CallFailure | null>): Promise<void> => {
    setWorking(true);
    setFailure(null);
    setFailure(await work().catch((error: unknown) => callFailure(error)));
    setWorking(false);
  };
  const done = (): null => {
    close();
    toast(
      store,
      kind === 'vscode' ? t('Requests go as VS Code now.') : t('Requests go through GitHub’s Copilot SDK now.'),
    );
    return null;
  };
  /** Goes on in the sign-in's own view. */
  const flow = (request: SignInRequest): null => {
    close();
    void signIn.begin(request);
    if (store.getState().route.place !== 'welcome') go({ place: 'sign-in' });
    return null;
  };
  const choose = async (): Promise<CallFailure | null> => {
    if (kind === 'own-app' && clientId !== kept) {
      takePreferences(store, await changePreferences({ githubClientId: clientId === '' ? null : clientId }));
      return flow({ kind });
    }
    if (kind === 'token' ? token === '' : kind !== 'copilot-login') {
      if (kind !== admission.credential && (await chooseCredential(kind))) return done();
      if (kind !== 'token') return flow({ kind });
      return { text: t('Jumpseat has no token for this way that GitHub accepts.'), remedy: t('Paste one.'), code: '' };
    }
    const result = await signInWith(kind === 'token' ? { kind, token } : { kind: 'copilot-login' });
    if (result.kind === 'signed-in') return done();
    return 'text' in result ? { text: result.text, remedy: result.remedy, code: '' } : null;
  };

  const mayChoose = !working && !isMissing && !isInUse;
  /** Submits with Enter. */
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (mayChoose) void tried(choose);
  };

  return (
    <Dialog
      title={t('How do requests go to Copilot?')}
      wide
      close={close}
      action={{
        label: kind === 'vscode' || kind === 'own-app' ? t('Sign in this way') : t('Use this way'),
        disabled: !mayChoose,
        run: () => void tried(choose),
      }}
    >
      {failure !== null && <Failure text={failure.text} remedy={failure.remedy} />}
      <fieldset className={css('storages', 'ways')}>
        <legend className="sr">{t('Way')}</legend>
        {ways.map(({ kind: value, title, help }) => (
          <label key={value}>
            <input
              type="radio"
              name="way"
              checked={kind === value}
              onChange={() => {
                setKind(value);
                setFailure(null);
              }}
            />
            <span>
              {translated(title)}
              <span className="muted small">
                {value === inUse && <strong>{t('This way is in use.')} </strong>}
                {translated(help)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'own-app' && (
        <label className={css('way-field', 'in-row')}>
          {t('Client id')}
          <input
            className="number text"
            value={clientId}
            size={26}
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setClientId(event.target.value.trim())}
          />
        </label>
      )}
      {kind === 'token' && (
        <form onSubmit={submit}>
          <label className={css('way-field', 'in-row')}>
            {t('Token')}
            <input
              className="number text"
              type="password"
              value={token}
              size={40}
              maxLength={1000}
              autoComplete="off"
              placeholder="github_pat_…"
              onChange={(event) => setToken(event.target.value.trim())}
            />
          </label>
        </form>
      )}
      {isSdk && (
        <div className={css('way-runtime', 'in-row')}>
          <p className="muted small">
            {translated(wayFacts['copilot-sdk'])} {runtimeWords(runtime)}
            {runtime.kind === 'absent' && runtime.problem !== null && (
              <span className="bad">{` ${runtime.problem.text} ${runtime.problem.remedy}`}</span>
            )}
          </p>
          {runtime.kind === 'absent' && (
            <Button onClick={() => void fetchRuntime().catch(() => undefined)}>
              {t('Fetch {bytes}', { bytes: megabytes(runtime.bytes) })}
            </Button>
          )}
          {runtime.kind === 'fetching' && <Button onClick={() => void cancelFetch()}>{t('Stop')}</Button>}
        </div>
      )}
      {isSdk && runtime.kind === 'absent' && <p className="small">{t('Fetch it first, then you can use this way.')}</p>}
    </Dialog>
  );
}
