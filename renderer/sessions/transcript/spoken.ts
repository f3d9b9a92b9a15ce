import { counted } from '../../../app/words/numbers.ts';
import type { Turn } from '../state/conversation.ts';

/** How a turn ended, in words to be heard: `Done, 3 minutes 4 seconds`. */
export function spokenEnd({ state, startedAt, endedAt }: Pick<Turn, 'state' | 'startedAt' | 'endedAt'>): string {
  if (state === 'cancelled') return 'Stopped';
  if (state !== 'done') return 'Failed';
  return startedAt === null || endedAt === null ? 'Done' : `Done, ${spokenTime(endedAt - startedAt)}`;
}

export function spokenTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const rest = counted(seconds % 60, 'second');
  return minutes === 0 ? rest : `${counted(minutes, 'minute')} ${rest}`;
}

/** What came since: `4 steps, 1 failed`. Null: nothing did. */
export function spokenSteps(before: Turn, now: Turn): string | null {
  const count = (turn: Turn, failed: boolean): number =>
    turn.blocks.filter((block) => block.kind === 'step' && (!failed || block.state === 'failed')).length;
  const steps = count(now, false) - count(before, false);
  const failed = count(now, true) - count(before, true);
  if (before.id !== now.id || steps <= 0) return null;
  return `${counted(steps, 'step')}${failed <= 0 ? '' : `, ${failed} failed`}`;
}
