import { useEffect, useRef } from 'react';
import type { StepState } from '../state/conversation.ts';
import type { Item } from './items.ts';
import type { OpenSteps } from './open-steps.ts';

/** The one thing that opens by itself: a step that fails as the last one, while a person follows. */
export function useFailedStep(items: readonly Item[], isFollowing: boolean, openSteps: OpenSteps): void {
  const before = useRef<{ key: string; state: StepState } | null>(null);
  useEffect(() => {
    const last = items.findLast(({ kind }) => kind === 'step');
    const now = last?.kind === 'step' ? { key: last.key, state: last.step.state } : null;
    const was = before.current;
    before.current = now;
    if (now === null || was?.key !== now.key || was.state !== 'running') return;
    if (now.state === 'failed' && isFollowing) openSteps.set(now.key, true);
  }, [items, isFollowing, openSteps]);
}
