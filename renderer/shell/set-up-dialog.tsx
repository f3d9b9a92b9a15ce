import { type ReactNode, useEffect, useState } from 'react';
import type { SetUpPlan } from '../../app/api/setup.ts';
import { counted } from '../../app/words/numbers.ts';
import { type Bridge, BridgeError } from '../bridge.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { Info, Ring, Warning } from '../parts/icons.tsx';
import { useActions } from '../state/actions.ts';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';

export type SetUpLook =
  | { kind: 'reading' }
  | { kind: 'plan'; plan: SetUpPlan }
  /** `code` is the contract's name for what is wrong, where it has one. */
  | { kind: 'failed'; text: string; mend: string; code: string };

/** A plan as it is now, and the way to have it made anew. */
export function useSetUpPlan(action: SetUpPlan['action']): { look: SetUpLook; again: () => void } {
  const { bridge } = useServices();
  const [look, setLook] = useState<SetUpLook>({ kind: 'reading' });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round asks once.
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<SetUpLook> => {
      if (bridge.planSetUp === null) return failedLook(new Error('It can’t be done from here.'));
      try {
        return { kind: 'plan', plan: await bridge.planSetUp(action) };
      } catch (error) {
        return failedLook(error);
      }
    };
    void ask().then((found) => {
      if (!gone) setLook(found);
    });
    return () => {
      gone = true;
    };
  }, [bridge, action, round]);
  return { look, again: () => setRound((count) => count + 1) };
}

export function failedLook(error: unknown): Extract<SetUpLook, { kind: 'failed' }> {
  return {
    kind: 'failed',
    text: error instanceof Error ? error.message : String(error),
    mend: error instanceof BridgeError ? error.mend : '',
    code: error instanceof BridgeError ? error.code : '',
  };
}

/** What is lost or left alone, in sentences. */
export function planNotes(plan: SetUpPlan): string[] {
  const left = plan.changes.filter(({ kind }) => kind === 'left').length;
  return [
    ...(left === 0
      ? []
      : [
          `${counted(left, 'key')} now ${left === 1 ? 'has another value. It is' : 'have other values. They are'} left alone.`,
        ]),
    ...(plan.removesFile ? ['The file holds nothing else and was made by the set-up, so it goes too.'] : []),
    ...(plan.lost.length === 0
      ? []
      : [`The earlier values of ${plan.lost.join(', ')} can’t be put back: their backup is gone.`]),
    ...plan.notes,
  ];
}

/** Shows what would change in Claude Code's settings, and changes it. */
export function SetUpDialog({ action, close }: { action: SetUpPlan['action']; close: (changed: boolean) => void }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const { look, again } = useSetUpPlan(action);
  const [failure, setFailure] = useState<{ text: string; mend: string } | null>(null);
  const [applying, setApplying] = useState(false);
  const plan = look.kind === 'plan' ? look.plan : null;
  const nothing = plan !== null && !plan.changesFile;

  const apply = async (): Promise<void> => {
    if (plan === null || bridge.applySetUp === null) return;
    setApplying(true);
    setFailure(null);
    try {
      await bridge.applySetUp(plan.id);
      close(true);
      if (action === 'setup') toast(store, 'Claude Code set up. Open a new terminal.');
      else {
        toast(store, 'Claude Code setup undone. Open a new terminal.', {
          action: { label: 'Undo', run: () => void actions.tried(setUpAgain(bridge)) },
        });
      }
    } catch (error) {
      setFailure(failedLook(error));
      setApplying(false);
      again();
    }
  };

  return (
    <Dialog
      wide
      title={
        action === 'setup' ? `Change ${plan?.shown ?? 'Claude Code’s settings'}?` : 'Take Jumpseat’s keys out again?'
      }
      cancel={nothing || look.kind === 'failed' ? 'Close' : 'Cancel'}
      close={() => close(false)}
      action={
        nothing || look.kind === 'failed'
          ? null
          : {
              label: action === 'setup' ? 'Add to settings' : 'Undo setup',
              disabled: plan === null || applying,
              danger: action === 'undo',
              run: () => void apply(),
            }
      }
    >
      <div className="set-up">
        {failure !== null && <Failure {...failure} />}
        {look.kind === 'failed' && (
          <Failure text={look.text} mend={look.mend}>
            <OpenBroken look={look} />
          </Failure>
        )}
        {look.kind === 'reading' && (
          <p className="muted">
            <Ring size={14} /> Reading your settings…
          </p>
        )}
        {plan !== null && (
          <>
            {nothing && (
              <p>
                {action === 'setup'
                  ? 'Nothing would change: every key is set.'
                  : 'Nothing to undo: no key there is Jumpseat’s.'}
              </p>
            )}
            {plan.changes.length > 0 && <Difference plan={plan} />}
            {plan.keepsBackup && <p className="muted">A backup is kept.</p>}
            {action === 'undo' && !nothing && <p className="muted">Keys that have other values now are left alone.</p>}
            <Notes notes={planNotes(plan)} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What was just taken out is put in again. */
async function setUpAgain({ planSetUp, applySetUp }: Bridge): Promise<void> {
  if (planSetUp === null || applySetUp === null) return;
  const { id } = await planSetUp('setup');
  await applySetUp(id);
}

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <li key={note}>
          <Info size={14} /> <span>{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** The way into a settings.json that can't be read as it is, where this machine can show it. */
export function OpenBroken({ look: { code } }: { look: Extract<SetUpLook, { kind: 'failed' }> }) {
  const { openFile } = useActions();
  if (openFile === null || (code !== 'invalid' && code !== 'unreadable')) return null;
  return <Button onClick={() => openFile('claude-code')}>Open file</Button>;
}

export function Failure({ text, mend, children }: { text: string; mend: string; children?: ReactNode }) {
  return (
    <p className="told-failure" role="alert">
      <Warning size={16} />
      <span>
        <b>{text}</b> {mend}
      </span>
      {children}
    </p>
  );
}
