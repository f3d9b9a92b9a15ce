import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Exchange } from '../../app/api/exchange.ts';
import type { SecretsStorage } from '../../app/api/settings.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { accountName } from '../../app/words/account.ts';
import { wayNames } from '../../app/words/admission.ts';
import { autoOnlyWords } from '../../app/words/auto-only.ts';
import { firstTokenTime } from '../../app/words/exact-times.ts';
import { counted } from '../../app/words/numbers.ts';
import { clockTime } from '../../app/words/times.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Difference } from '../parts/difference.tsx';
import { Failure } from '../parts/failure.tsx';
import { Check, Ring } from '../parts/icons.tsx';
import { Notes } from '../parts/notes.tsx';
import { PrivateChoice } from '../parts/private-choice.tsx';
import { RiskNotice } from '../parts/risk-notice.tsx';
import { useActions } from '../state/actions.ts';
import { type CallFailure, callFailure } from '../state/call-failure.ts';
import { go } from '../state/navigation.ts';
import { takePreferences } from '../state/preferences.ts';
import { useApp, useLog, useServices } from '../state/services.ts';
import { planNotes, useOpenBroken, usePrivateChoice, useSetupPlan } from '../state/setup-plan.ts';
import { type StepState, stepStates } from './steps.ts';

/** The sign-in, as far as it can stand anywhere. `idle`: what is there before it began. `done`: after it. */
type SignInPart = ComponentType<{ idle: ReactNode; done: ReactNode }>;

/** From nothing to the first request, in three steps; each is checked before the next. */
export function FirstRunView({ SignIn }: { SignIn: SignInPart }) {
  const app = useApp();
  const first = useFirstRequest();
  const [setup, setSetup] = useState<'no' | 'written' | 'copied'>('no');
  const finish = useFinish();
  const { openOutside } = useActions();
  const states = stepStates(app, { connected: first !== null });
  return (
    <div className="first-run">
      <div className="first-run-inner">
        <h1>Run Claude Code on your Copilot subscription</h1>
        <p className="muted">Three steps. Each one is checked as you go.</p>
        <ol className="steps">
          <Step number={1} title="Sign in to GitHub" state={states.signIn}>
            <SignInStep state={states.signIn} SignIn={SignIn} />
          </Step>
          <Step number={2} title="Start the proxy" state={states.proxy}>
            <ProxyStep state={states.proxy} />
          </Step>
          <Step number={3} title="Connect Claude Code" state={states.connect}>
            {states.connect === 'waits' ? null : first !== null ? (
              <Connected first={first} finish={finish} />
            ) : (
              <ConnectStep setup={setup} done={setSetup} />
            )}
          </Step>
        </ol>
        {first === null && (
          <p className="first-run-skip">
            <LinkButton onClick={finish}>{setup === 'no' ? 'Skip' : 'Finish later'}</LinkButton>
          </p>
        )}
        <RiskNotice way={app.admission.way} openOutside={openOutside} />
      </div>
    </div>
  );
}

/** The first run is over: not shown by itself again. */
function useFinish(): () => void {
  const { bridge, store } = useServices();
  return () => {
    void bridge
      .changePreferences?.({ welcomed: true })
      .then((preferences) => takePreferences(store, preferences))
      .catch(() => undefined);
    go({ place: 'requests' });
  };
}

function Step(props: { number: number; title: string; state: StepState; children: ReactNode }) {
  const { number, title, state, children } = props;
  const words = { done: 'Done', now: 'To do', waits: 'Later' }[state];
  return (
    <li
      className={`step ${state}`}
      data-testid={`first-run-step-${number}`}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className="step-number" aria-hidden="true">
        {state === 'done' ? <Check size={14} /> : number}
      </span>
      <div className="step-body">
        <h2>
          {title} <span className="sr">({words})</span>
        </h2>
        {children}
      </div>
    </li>
  );
}

const keptWords: Readonly<Record<SecretsStorage, string>> = {
  keychain: 'The token is in the system keychain.',
  file: 'The token is in a file that only your user can read.',
  memory: 'The token is kept until you quit.',
};

function SignInStep({ state, SignIn }: { state: StepState; SignIn: SignInPart }) {
  const { signIn, store } = useServices();
  const { secrets, account, admission, health, reach } = useApp();
  const name = accountName(account);
  if (reach.kind === 'through-vscode') {
    return <p className="muted">Requests go through VS Code, and are sent as whoever is signed in there.</p>;
  }
  if (state === 'done') {
    return (
      <>
        <div className="step-done">
          <p className="muted">
            {name === null ? 'Signed in.' : `Signed in as ${name}.`} {keptWords[secrets.storage]} Requests go{' '}
            {wayNames[admission.way]}.
          </p>
          <Button look="quiet" onClick={() => void signIn.begin()}>
            Change
          </Button>
        </div>
        {health.autoOnly && <AutoOnly />}
      </>
    );
  }
  return (
    <>
      <p className="muted">
        {account.kind === 'signing-in'
          ? 'Enter this code on GitHub to let Jumpseat use your Copilot subscription.'
          : `Jumpseat needs a GitHub account with Copilot. Requests go ${wayNames[admission.way]}.`}
      </p>
      <div className="step-controls">
        <SignIn
          idle={
            <div className="sign-in-buttons">
              <Button large look="primary" onClick={() => void signIn.begin()}>
                Sign in
              </Button>
              <Button large onClick={() => store.setState({ choosingWay: true })}>
                Choose another way…
              </Button>
            </div>
          }
          done={null}
        />
      </div>
    </>
  );
}

/** Nothing would be answered on this plan, and what helps. */
function AutoOnly() {
  const { account } = useApp();
  const { store } = useServices();
  const { title, text, mend } = autoOnlyWords(account);
  return (
    <>
      <p className="bad" role="status">
        {title}. {text} {mend}
      </p>
      <div className="step-controls">
        <Button onClick={() => store.setState({ choosingWay: true })}>Choose another way…</Button>
      </div>
    </>
  );
}

/** Starts by itself as soon as the person is signed in. */
function ProxyStep({ state }: { state: StepState }) {
  const { bridge } = useServices();
  const { proxy } = useApp();
  const actions = useActions();
  const answered = useConnectionTime(state === 'done');
  const begun = useRef(false);
  const { setProxy, takeFreePort } = actions;
  useEffect(() => {
    if (begun.current || state !== 'now' || proxy.kind !== 'off' || bridge.setProxy === null) return;
    begun.current = true;
    void setProxy?.(true);
  }, [state, proxy.kind, bridge.setProxy, setProxy]);

  if (state === 'waits') return null;
  switch (proxy.kind) {
    case 'on':
      return (
        <p className="muted">
          Listening on <code>{proxy.baseUrl.replace(/^https?:\/\//, '')}</code>. {answered}
        </p>
      );
    case 'failed':
      return (
        <>
          <p className="bad">
            {proxy.reason} <span className="muted">{proxy.code === 'port-taken' ? '' : proxy.mend}</span>
          </p>
          <div className="step-controls sign-in-buttons">
            {takeFreePort !== null && (
              <Button large look="primary" onClick={() => void takeFreePort()}>
                Use a free port
              </Button>
            )}
            {setProxy !== null && (
              <Button large onClick={() => void setProxy(true)}>
                Try again
              </Button>
            )}
          </div>
        </>
      );
    case 'off':
      return (
        <>
          <p className="muted">It listens on this machine only.</p>
          {setProxy !== null && (
            <div className="step-controls">
              <Button large look="primary" onClick={() => void setProxy(true)}>
                Start
              </Button>
            </div>
          )}
        </>
      );
    case 'starting':
    case 'stopping':
      return (
        <p className="muted step-waits">
          <Ring size={14} /> {proxy.kind === 'starting' ? 'Starting…' : 'Stopping…'}
        </p>
      );
  }
}

/** `Copilot answered in 84 ms.`, once it has; what is wrong instead. */
function useConnectionTime(asked: boolean): string {
  const { bridge } = useServices();
  const [words, setWords] = useState('Asking Copilot…');
  useEffect(() => {
    if (!asked) return;
    let gone = false;
    void bridge
      .check('copilot.connection')
      .then((check) => {
        if (gone || check === null) return;
        const took = /answered in (.+)$/.exec(check.finding)?.[1];
        setWords(took === undefined ? `${check.finding} ${check.mend ?? ''}` : `Copilot answered in ${took}.`);
      })
      .catch(() => setWords(''));
    return () => {
      gone = true;
    };
  }, [asked, bridge]);
  return words;
}

function ConnectStep({
  setup,
  done,
}: {
  setup: 'no' | 'written' | 'copied';
  done: (how: 'written' | 'copied') => void;
}) {
  const { bridge } = useServices();
  const actions = useActions();
  const { look, again } = useSetupPlan('setup');
  const openBroken = useOpenBroken(look);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const { isPrivate, choose, idOf } = usePrivateChoice();
  const { copyLines } = actions;
  const copy =
    copyLines === null ? null : (
      <Button
        large
        onClick={() => {
          copyLines();
          done('copied');
        }}
      >
        Copy lines for the shell
      </Button>
    );
  const plan = look.kind === 'plan' ? look.plan : null;
  const isThere = plan !== null && !plan.changesFile;

  if (setup !== 'no' || isThere) {
    return (
      <>
        <p className="muted step-waits">
          <Ring size={14} />
          <span>
            {`Waiting for the first request. ${setup === 'copied' ? 'Paste the lines and run' : 'Run'} `}
            <code>claude</code> in a new terminal.
          </span>
        </p>
        {copy !== null && <div className="step-controls sign-in-buttons">{copy}</div>}
      </>
    );
  }
  const add = async (): Promise<void> => {
    if (plan === null) return;
    setFailure(null);
    try {
      await bridge.applySetup(idOf(plan));
      done('written');
    } catch (error) {
      setFailure(callFailure(error));
      again();
    }
  };
  if (look.kind === 'failed') {
    return (
      <>
        <Failure text={look.text} mend={look.mend}>
          {openBroken !== null && <Button onClick={openBroken}>Open file</Button>}
        </Failure>
        <div className="step-controls sign-in-buttons">
          <Button large onClick={again}>
            Try again
          </Button>
          {copy}
        </div>
      </>
    );
  }
  return (
    <>
      <p className="muted">
        {plan === null ? 'Reading your settings…' : `Jumpseat ${whatChanges(plan)}. You can undo this at any time.`}
      </p>
      {failure !== null && <Failure text={failure.text} mend={failure.mend} />}
      {plan !== null && (
        <>
          <Difference plan={plan} short />
          <Notes notes={planNotes(plan)} />
          {plan.privateId !== null && <PrivateChoice checked={isPrivate} change={choose} />}
          <div className="step-controls sign-in-buttons">
            <Button large look="primary" onClick={() => void add()}>
              Add to settings
            </Button>
            {copy}
          </div>
        </>
      )}
    </>
  );
}

/** `adds 10 keys to your settings and keeps a backup` */
function whatChanges({ changes, keepsBackup }: SetupPlan): string {
  const keys = counted(changes.filter(({ kind }) => kind === 'add' || kind === 'replace').length, 'key');
  const replaces = changes.some(({ kind }) => kind === 'replace');
  const change = replaces ? `sets ${keys} in your settings` : `adds ${keys} to your settings`;
  return keepsBackup ? `${change} and keeps a backup` : change;
}

function Connected({ first, finish }: { first: Exchange; finish: () => void }) {
  const took = first.times.firstEvent;
  return (
    <>
      <p className="muted">
        First request at {clockTime(first.startedAt)}
        {took === null ? '' : `, ${firstTokenTime(took)}`}.
      </p>
      <div className="step-controls">
        <Button large look="primary" onClick={finish}>
          Open Jumpseat
        </Button>
      </div>
    </>
  );
}

/** The first one of a client that Copilot answered; checked, not assumed. */
function useFirstRequest(): Exchange | null {
  const { log, bridge } = useServices();
  const { known, running, version } = useLog();
  const [first, setFirst] = useState<Exchange | null>(null);
  const found = first !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the list may bring it.
  useEffect(() => {
    if (found || known === 0) return;
    let gone = false;
    void bridge
      .exchanges({ limit: 50 })
      .then((recent) => {
        const answered = recent.find(({ outcome, path }) => outcome === 'done' && path !== null);
        if (!gone && answered !== undefined) setFirst(answered);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [found, known, running, version, bridge, log]);
  return first;
}
