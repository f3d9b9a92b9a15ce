import classNames from 'classnames/bind';
import { type ReactNode, useState } from 'react';
import type { DeviceCode, OwnAccount } from '../../app/api/account.ts';
import { asSentence, sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { accountName, sameAtGithub } from '../../app/words/account.ts';
import { Button, type ButtonProps } from '../parts/button.tsx';
import { rich } from '../parts/rich.tsx';
import { SavedText } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { callFailure } from '../state/asked.ts';
import { ask, removeAccountQuestion, signOutAccountQuestion } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** Tries one change; what was in its way is shown where it was asked for, until something else is typed. */
function useTry() {
  const [error, setError] = useState<string | null>(null);
  const attempt = async (change: () => Promise<unknown>): Promise<void> => {
    setError(null);
    try {
      await change();
    } catch (thrown) {
      const { text, remedy } = callFailure(thrown);
      setError(sentences(text, remedy));
    }
  };
  return { error, attempt, forget: () => setError(null) };
}

/** The person's own accounts, side by side. */
export function OwnAccounts() {
  const { accounts } = useApp();
  return (
    <>
      {accounts.length > 1 && accounts.map((account) => <OneAccount key={account.id} account={account} />)}
      <AnotherAccount />
    </>
  );
}

function AnotherAccount() {
  const { bridge } = useServices();
  const { error, attempt, forget } = useTry();
  const [name, setName] = useState('');
  const add = async (): Promise<void> => {
    await bridge.addAccount(name.trim());
    setName('');
  };
  return (
    <Setting
      title={t('Another account')}
      help={t(
        'Work and private side by side, each with its own models, limits and quota, all at the same GitHub host. You choose the account in use; Jumpseat never switches at a limit.',
      )}
      error={error}
    >
      <SavingForm save={() => void attempt(add)}>
        <SavedText
          label={t('Name of another account')}
          value={name}
          size={12}
          placeholder={t('Name')}
          invalid={error !== null}
          type={(text) => {
            setName(text ?? '');
            forget();
          }}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {t('Add account')}
        </Button>
      </SavingForm>
    </Setting>
  );
}

/** Its button, or Enter in one of its fields, saves what was typed. */
function SavingForm({ save, children }: { save: () => void; children: ReactNode }) {
  return (
    <form
      className={css('saving-form')}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {children}
    </form>
  );
}

function OneAccount({ account }: { account: OwnAccount }) {
  const { id, name, isInUse, state } = account;
  const { bridge, store } = useServices();
  const { error, attempt, forget } = useTry();
  const [typed, setTyped] = useState<{ name: string | null; labels: string | null }>({ name: null, labels: null });
  const labels = account.labels.join(', ');
  const wished = { name: typed.name ?? name, labels: typed.labels ?? labels };
  const isChanged = wished.name.trim() !== name || wished.labels.trim() !== labels;
  const type = (change: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...change });
    forget();
  };
  const save = async (): Promise<void> => {
    if (wished.name.trim() !== name) await bridge.renameAccount(id, wished.name.trim());
    if (wished.labels.trim() !== labels)
      await bridge.bindAccount(
        id,
        wished.labels.split(/[\s,]+/).filter((label) => label !== ''),
      );
    setTyped({ name: null, labels: null });
  };
  const signIn = async (): Promise<void> => {
    const result = await bridge.signInAccount(id, null);
    if ('text' in result) throw new Error(sentences(result.text, result.remedy));
  };
  const signOut = (): void =>
    ask(
      store,
      signOutAccountQuestion(account, () => void attempt(() => bridge.signOutAccount(id))),
    );
  return (
    <Setting
      className={css('account')}
      title={isInUse ? t('{name}, in use', { name }) : name}
      help={<AccountHelp account={account} />}
      error={error}
    >
      <SavingForm save={() => void attempt(save)}>
        <SavedText
          label={t('Name of {name}', { name })}
          value={wished.name}
          size={10}
          invalid={error !== null}
          type={(text) => type({ name: text })}
        />
        <SavedText
          label={t('Client labels of {name}', { name })}
          value={wished.labels}
          size={12}
          placeholder={t('Client labels')}
          invalid={error !== null}
          type={(text) => type({ labels: text })}
        />
        <Button type="submit" disabled={!isChanged}>
          {t('Save')}
        </Button>
      </SavingForm>
      {state.kind === 'signing-in' ? (
        <Button onClick={() => void attempt(() => bridge.cancelSignIn())}>{t('Cancel')}</Button>
      ) : (
        <PlacedButton
          shown={state.kind === 'signed-out' && !isInUse && id !== 'first'}
          onClick={() =>
            ask(
              store,
              removeAccountQuestion(account, () => void attempt(() => bridge.removeAccount(id))),
            )
          }
        >
          {t('Remove…')}
        </PlacedButton>
      )}
      <PlacedButton shown={!isInUse} onClick={() => void attempt(() => bridge.switchAccount(id))}>
        {t('Use')}
      </PlacedButton>
      {state.kind === 'signed-in' ? (
        <Button onClick={signOut}>{t('Sign out…')}</Button>
      ) : (
        <PlacedButton
          shown={state.kind === 'signed-out' || state.kind === 'signing-in'}
          disabled={state.kind === 'signing-in'}
          onClick={() => void attempt(signIn)}
        >
          {t('Sign in')}
        </PlacedButton>
      )}
    </Setting>
  );
}

/** Its place stays free while it isn't shown: what comes and goes beside a button must not move it under the mouse. */
function PlacedButton({ shown, ...rest }: ButtonProps & { shown: boolean }) {
  return <Button className={css({ absent: !shown })} {...rest} />;
}

/** Shows the code to be read if the page has to copy by itself but must not. */
function CopyCode({ id, code }: { id: string; code: DeviceCode }) {
  const { bridge } = useServices();
  const { openOutside, tried } = useActions();
  const { copyCode } = bridge;
  const copyAndOpen = async (): Promise<void> => {
    if (copyCode !== null) return copyCode(id);
    openOutside(code.verificationUri);
    await navigator.clipboard.writeText(code.userCode).catch(() => undefined);
  };
  return (
    <Button look="primary" onClick={() => void tried(copyAndOpen())}>
      {t('Copy code and open GitHub')}
    </Button>
  );
}

function AccountHelp({ account }: { account: OwnAccount }) {
  const twin = sameAtGithub(useApp().accounts, account);
  const { id, labels, state } = account;
  if (state.kind === 'signing-in')
    return (
      <>
        {rich('Enter <code></code> at {address}', {
          code: () => <b className="mono">{state.code.userCode}</b>,
          address: state.code.verificationUri,
        })}{' '}
        <CopyCode id={id} code={state.code} />
      </>
    );
  const who = accountName(state) ?? (state.kind === 'signed-in' ? t('Signed in') : t('Not signed in'));
  const bound =
    labels.length === 0
      ? t('{who}. Clients with one of its client labels use it, whichever account is in use.', { who })
      : t('{who}. Used by clients with the label {labels}.', { who, labels: labels.join(', ') });
  return <>{twin === null ? bound : sentences(asSentence(bound.replace(/[.。]$/, '')), twin)}</>;
}
