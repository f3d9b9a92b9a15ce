import { useState } from 'react';
import type { DeviceCode, OwnAccount } from '../../app/api/account.ts';
import { accountName } from '../../app/words/account.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { callFailure } from '../state/call-failure.ts';
import { ask, signOutAccountQuestion } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { Setting } from './setting.tsx';

/** Tries one change; what was in its way is told where it was asked for. */
function useTry(): { error: string | null; attempt: (change: Promise<unknown>) => Promise<void> } {
  const [error, setError] = useState<string | null>(null);
  const attempt = async (change: Promise<unknown>): Promise<void> => {
    setError(null);
    try {
      await change;
    } catch (thrown) {
      const { text, mend } = callFailure(thrown);
      setError(`${text} ${mend}`.trim());
    }
  };
  return { error, attempt };
}

/** The person's own accounts, side by side. */
export function OwnAccounts() {
  const { accounts } = useApp();
  const { bridge } = useServices();
  const { error, attempt } = useTry();
  return (
    <>
      {accounts.length > 1 && accounts.map((account) => <OneAccount key={account.id} account={account} />)}
      <Setting
        title="Another account"
        help={
          'Work and private side by side, each with its own models, limits and quota, all at the same GitHub host. You ' +
          'choose which is in use; a limit never moves a request to another one.'
        }
        error={error}
      >
        <TextField
          key={accounts.length}
          label="Name of another account"
          value=""
          size={12}
          placeholder="Name"
          invalid={error !== null}
          done={(name) => void attempt(bridge.addAccount(name))}
        />
      </Setting>
    </>
  );
}

function OneAccount({ account }: { account: OwnAccount }) {
  const { id, name, labels, isInUse, state } = account;
  const { bridge, store } = useServices();
  const { error, attempt } = useTry();
  const signIn = async (): Promise<void> => {
    const result = await bridge.signInAccount(id, null);
    if ('text' in result) throw new Error(`${result.text} ${result.mend}`);
  };
  const signOut = (): void =>
    ask(
      store,
      signOutAccountQuestion(name, () => void attempt(bridge.signOutAccount(id))),
    );
  return (
    <Setting title={isInUse ? `${name}, in use` : name} help={<AccountHelp account={account} />} error={error}>
      <TextField
        label={`Name of ${name}`}
        value={name}
        size={10}
        invalid={error !== null}
        done={(wished) => void attempt(bridge.renameAccount(id, wished))}
      />
      <TextField
        label={`Client labels of ${name}`}
        value={labels.join(', ')}
        size={12}
        placeholder="Client labels"
        invalid={error !== null}
        done={(text) => void attempt(bridge.bindAccount(id, text.split(/[\s,]+/).filter(Boolean)))}
      />
      {!isInUse && <Button onClick={() => void attempt(bridge.switchAccount(id))}>Use</Button>}
      {state.kind === 'signed-in' && <Button onClick={signOut}>Sign out…</Button>}
      {state.kind === 'signed-out' && <Button onClick={() => void attempt(signIn())}>Sign in</Button>}
      {state.kind === 'signing-in' && (
        <>
          <CopyCode id={id} code={state.code} />
          <Button onClick={() => void attempt(bridge.cancelSignIn())}>Cancel</Button>
        </>
      )}
      {state.kind === 'signed-out' && !isInUse && id !== 'first' && (
        <Button onClick={() => void attempt(bridge.removeAccount(id))}>Remove</Button>
      )}
    </Setting>
  );
}

/** Where the page has to copy by itself and may not, the code stands beside it to be read. */
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
      Copy code and open GitHub
    </Button>
  );
}

function AccountHelp({ account: { labels, state } }: { account: OwnAccount }) {
  if (state.kind === 'signing-in')
    return (
      <>
        Enter <b className="mono">{state.code.userCode}</b> at {state.code.verificationUri}
      </>
    );
  const who = accountName(state) ?? (state.kind === 'signed-in' ? 'Signed in' : 'Not signed in');
  return <>{labels.length === 0 ? who : `${who}. Clients with the label ${labels.join(', ')} go out with it.`}</>;
}
