import { useEffect, useState } from 'react';
import type { ClientName, ClientPlan, ClientUse, SetupChoices, SetupPlan } from '../../app/api/setup.ts';
import { t } from '../../app/language/translate.ts';
import { backupIsGone, fileGoes, leftKeys, notesToAgreeTo } from '../../app/words/setup.ts';
import { useActions } from './actions.ts';
import { type CallFailure, callFailure } from './asked.ts';
import { useApp, useServices, useWindow } from './services.ts';
import type { WindowState, WindowStore } from './window-state.ts';

export type PlanLook<Plan> = { kind: 'reading' } | { kind: 'plan'; plan: Plan } | ({ kind: 'failed' } & CallFailure);
export type SetupLook = PlanLook<SetupPlan>;

interface Planned<Plan> {
  look: PlanLook<Plan>;
  again: () => void;
  /** It is not one of before another choice was made. */
  isCurrent: boolean;
}

/** What setting up Claude Code, or undoing that, would change now. */
export function useSetupPlan(action: SetupPlan['action'], choices: SetupChoices = {}): Planned<SetupPlan> {
  const { bridge } = useServices();
  return usePlan(JSON.stringify([action, choices]), () => bridge.planSetup(action, choices));
}

/** The same for another program. @param use null: the first one is set up, or all of them are undone */
export function useClientPlan(
  name: ClientName,
  use: ClientUse | null,
  action: ClientPlan['action'],
): Planned<ClientPlan> {
  const { bridge } = useServices();
  return usePlan(JSON.stringify([name, use, action]), () => bridge.planClient(name, use, action));
}

/** A plan as it is now, and the way to have it made anew. @param wanted another one is asked for anew */
function usePlan<Plan>(wanted: string, make: () => Promise<Plan>): Planned<Plan> {
  const changes = useWindow(({ setupChanges }) => setupChanges);
  const { storage } = useApp().secrets;
  const [look, setLook] = useState<PlanLook<Plan>>({ kind: 'reading' });
  const [lookedFor, setLookedFor] = useState(wanted);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round, every change and another storage asks once.
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<PlanLook<Plan>> => {
      try {
        return { kind: 'plan', plan: await make() };
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
  }, [wanted, round, changes, storage]);
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
  return [
    ...(left === 0
      ? []
      : [
          t(
            '{left, plural, one {# key now has another value. It is left alone.} other {# keys now have other values. They are left alone.}}',
            { left },
          ),
        ]),
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

/** Shows what setting up another program, or undoing that, would change. */
export function showClient(store: WindowStore, client: NonNullable<WindowState['client']>): void {
  store.setState({ client });
}
