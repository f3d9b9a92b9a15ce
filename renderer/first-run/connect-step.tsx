import { useEffect, useState } from 'react';
import type { Exchange } from '../../app/api/exchange.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { counted } from '../../app/words/numbers.ts';
import { clockTime, firstTokenTime } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { PrivateChoice } from '../parts/choices.tsx';
import { SetupDifference } from '../parts/difference.tsx';
import { Ring } from '../parts/icons.tsx';
import { Failure, Notes } from '../parts/notices.tsx';
import { useActions } from '../state/actions.ts';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { useLog, useServices, useWindow } from '../state/services.ts';
import { planNotes, showSetup, useOpenBroken, usePrivateChoice, useSetupPlan } from '../state/setup-plan.ts';

/** How Claude Code was set up in this step. `undone`: the set-up was undone after the first request. */
export type SetupDone = 'no' | 'written' | 'copied' | 'undone';

export function ConnectStep({ setup, done }: { setup: SetupDone; done: (how: 'written' | 'copied') => void }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const { look, again } = useSetupPlan('setup');
  const openBroken = useOpenBroken(look);
  const storageIsFree = useWindow(({ preferences }) => preferences?.storageIsFree === true);
  const [wrote, setWrote] = useState<SetupPlan | null>(null);
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

  const add = async (): Promise<void> => {
    if (plan === null) return;
    setFailure(null);
    try {
      await bridge.applySetup(idOf(plan));
      setWrote(plan);
      done('written');
      again();
    } catch (error) {
      setFailure(callFailure(error));
      again();
    }
  };
  const waiting = (setup === 'copied' || isThere) && (
    <p className="muted step-waits">
      <Ring size={14} />
      <span>
        {`Waiting for the first request. ${setup === 'copied' && !isThere ? 'Paste the lines and run' : 'Run'} `}
        <code>claude</code> in a new terminal.
      </span>
    </p>
  );
  if (isThere) {
    return (
      <>
        <div className="step-done">
          <p className="muted">{wrote === null ? `Claude Code is set up in ${plan.shown}.` : whatChanged(wrote)}</p>
          {plan.isSetUp && (
            <Button look="quiet" onClick={() => showSetup(store, 'undo')}>
              Undo…
            </Button>
          )}
        </div>
        {waiting}
        {copy !== null && <div className="step-controls sign-in-buttons">{copy}</div>}
      </>
    );
  }
  if (look.kind === 'failed') {
    return (
      <>
        {waiting}
        <Failure text={look.text} remedy={look.remedy}>
          {openBroken !== null && <Button onClick={openBroken}>Open file</Button>}
        </Failure>
        <div className="step-controls sign-in-buttons">
          {look.code !== 'key-not-kept' ? (
            <Button large onClick={again}>
              Try again
            </Button>
          ) : (
            storageIsFree && (
              <Button large onClick={actions.chooseStorage}>
                Choose storage…
              </Button>
            )
          )}
          {copy}
        </div>
      </>
    );
  }
  return (
    <>
      {waiting}
      {setup === 'undone' && <p className="muted">The setup was undone. Claude Code doesn’t use Jumpseat now.</p>}
      <p className="muted">{plan === null ? 'Reading your settings…' : offerWords(plan, setup === 'copied')}</p>
      {failure !== null && <Failure text={failure.text} remedy={failure.remedy} />}
      {plan !== null && (
        <>
          <SetupDifference plan={plan} short />
          <Notes notes={planNotes(plan)} />
          {plan.privateId !== null && <PrivateChoice checked={isPrivate} change={choose} />}
          <div className="step-controls sign-in-buttons">
            <Button large look={setup === 'no' || setup === 'undone' ? 'primary' : 'plain'} onClick={() => void add()}>
              Add to settings
            </Button>
            {copy}
          </div>
        </>
      )}
    </>
  );
}

/** What `Add to settings` does; beside lines that were copied it is another way. */
function offerWords(plan: SetupPlan, isCopied: boolean): string {
  const does = `${whatChanges(plan)}. You can undo this at any time.`;
  return isCopied
    ? `The copied lines work only in that terminal. For every terminal, “Add to settings” ${does}`
    : `Jumpseat ${does}`;
}

/** `adds 10 keys to your settings and makes a backup`, `makes ~/.claude/settings.json with 10 keys` */
function whatChanges({ changes, backupFolder, createsFile, shown }: SetupPlan): string {
  const keys = counted(changes.filter(({ kind }) => kind === 'add' || kind === 'replace').length, 'key');
  if (createsFile) return `makes ${shown} with ${keys}`;
  const replaces = changes.some(({ kind }) => kind === 'replace');
  const change = replaces ? `sets ${keys} in your settings` : `adds ${keys} to your settings`;
  return backupFolder !== null ? `${change} and makes a backup` : change;
}

/** `Added 10 keys to ~/.claude/settings.json and made a backup.` */
function whatChanged({ changes, backupFolder, createsFile, shown }: SetupPlan): string {
  const keys = counted(changes.filter(({ kind }) => kind === 'add' || kind === 'replace').length, 'key');
  if (createsFile) return `Made ${shown} with ${keys}.`;
  const change = changes.some(({ kind }) => kind === 'replace') ? `Set ${keys} in` : `Added ${keys} to`;
  return `${change} ${shown}${backupFolder !== null ? ' and made a backup' : ''}.`;
}

/** @param undone called where the setup that was made here is gone; null if none was */
export function Connected({
  first,
  undone,
  finish,
}: {
  first: Exchange;
  undone: (() => void) | null;
  finish: () => void;
}) {
  const { store } = useServices();
  const { look } = useSetupPlan('setup');
  const plan = look.kind === 'plan' ? look.plan : null;
  const isGone = plan?.isSetUp === false;
  useEffect(() => {
    if (isGone) undone?.();
  }, [isGone, undone]);
  const took = first.times.firstEvent;
  return (
    <>
      <p className="muted">
        First request at {clockTime(first.startedAt)}
        {took === null ? '' : `, first token after ${firstTokenTime(took)}`}.
      </p>
      {plan?.isSetUp === true && (
        <div className="step-done">
          <p className="muted">Claude Code is set up in {plan.shown}.</p>
          <Button look="quiet" onClick={() => showSetup(store, 'undo')}>
            Undo…
          </Button>
        </div>
      )}
      <div className="step-controls">
        <Button large look="primary" onClick={finish}>
          Open Jumpseat
        </Button>
      </div>
    </>
  );
}

/** The first one of a client that Copilot answered; checked, not assumed. */
export function useFirstRequest(): Exchange | null {
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
