import { useEffect, useState } from 'react';
import type { SetupChoices, SetupPlan } from '../../app/api/setup.ts';
import { counted } from '../../app/words/numbers.ts';
import { backupIsGone, fileGoes, leftKeys, notesToAgreeTo } from '../../app/words/setup.ts';
import { useActions } from './actions.ts';
import { type CallFailure, callFailure } from './asked.ts';
import { useApp, useServices, useWindow } from './services.ts';
import type { WindowStore } from './window-state.ts';

export type SetupLook = { kind: 'reading' } | { kind: 'plan'; plan: SetupPlan } | ({ kind: 'failed' } & CallFailure);

/**
 * A plan as it is now, and the way to have it made anew. `isCurrent`: it is not one of before another choice was made.
 */
export function useSetupPlan(
  action: SetupPlan['action'],
  choices: SetupChoices = {},
): { look: SetupLook; again: () => void; isCurrent: boolean } {
  const { bridge } = useServices();
  const changes = useWindow(({ setupChanges }) => setupChanges);
  const { storage } = useApp().secrets;
  const [look, setLook] = useState<SetupLook>({ kind: 'reading' });
  const wanted = JSON.stringify(choices);
  const [lookedFor, setLookedFor] = useState(wanted);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round, every change and another storage asks once.
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<SetupLook> => {
      try {
        return { kind: 'plan', plan: await bridge.planSetup(action, JSON.parse(wanted)) };
      } catch (error) {
        return { kind: 'failed', ...callFailure(error) };
      }
    };
    void ask().then((found) => {
      if (gone) return;
      setLook(found);
      setLookedFor(wanted);
    });
    return () => {
      gone = true;
    };
  }, [bridge, action, wanted, round, changes, storage]);
  const isCurrent = lookedFor === wanted;
  return { look, again: () => setRound((count) => count + 1), isCurrent };
}

/**
 * Opens a settings.json that can't be read as it is, where this machine can show it; null if there is nothing to open.
 */
export function useOpenBroken(look: SetupLook): (() => void) | null {
  const { openFile } = useActions();
  if (openFile === null || look.kind !== 'failed') return null;
  return look.code === 'invalid' || look.code === 'unreadable' ? () => openFile('claude-code') : null;
}

/** Whether the person wants a file that others can read to be closed for them, and the plan that does so. */
export function usePrivateChoice(): {
  isPrivate: boolean;
  choose: (isPrivate: boolean) => void;
  idOf: (plan: SetupPlan) => string;
} {
  const [isPrivate, choose] = useState(true);
  return { isPrivate, choose, idOf: ({ id, privateId }) => (isPrivate && privateId !== null ? privateId : id) };
}

/** What is lost or left alone, in sentences. */
export function planNotes(plan: SetupPlan): string[] {
  const left = leftKeys(plan).length;
  const others = left === 1 ? 'has another value. It is' : 'have other values. They are';
  return [
    ...(left === 0 ? [] : [`${counted(left, 'key')} now ${others} left alone.`]),
    fileGoes(plan),
    backupIsGone(plan),
    ...notesToAgreeTo(plan),
  ].filter((note) => note !== null);
}

/**
 * Shows what setting up Claude Code, or undoing that, would change.
 * @param choices what is chosen in it from the beginning
 */
export function showSetup(store: WindowStore, action: SetupPlan['action'], choices: SetupChoices = {}): void {
  store.setState({ setup: { action, choices } });
}
