import { useEffect, useRef } from 'react';
import { t } from '../../../app/language/translate.ts';
import { announce } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import type { Conversation, Turn } from '../state/conversation.ts';
import { useAgentWords } from '../state/hooks.ts';

const stepsEveryMs = 20_000;

/** What a screen reader announces: that a turn began and how it ended. No streamed text. */
export function useSpokenTurns(conversation: Conversation | null): void {
  const { store } = useServices();
  const { name } = useAgentWords();
  const turn = conversation?.turns.at(-1);
  const reported = useRef(turn);
  const latest = useRef(turn);
  latest.current = turn;
  useEffect(() => {
    const before = reported.current;
    reported.current = turn;
    // What was there when the conversation was opened is no news.
    if (turn === undefined || before === undefined) return;
    if (before.id === turn.id && before.state === turn.state) return;
    announce(store, turn.state === 'running' ? t('{name} is working', { name }) : spokenEnd(turn));
  }, [turn, store, name]);
  const id = turn?.id;
  const isRunning = turn?.state === 'running';
  useEffect(() => {
    if (!isRunning || id === undefined) return;
    let before = latest.current;
    const timer = setInterval(() => {
      const now = latest.current;
      const said = before === undefined || now === undefined ? null : spokenSteps(before, now);
      before = now;
      if (said !== null && document.activeElement?.closest('[role="feed"]')) announce(store, said);
    }, stepsEveryMs);
    return () => clearInterval(timer);
  }, [id, isRunning, store]);
}

/** How a turn ended, for a screen reader: `Done, 3 minutes 4 seconds`. */
export function spokenEnd({ state, startedAt, endedAt }: Pick<Turn, 'state' | 'startedAt' | 'endedAt'>): string {
  if (state === 'cancelled') return t('Stopped');
  if (state !== 'done') return t('Failed');
  return startedAt === null || endedAt === null
    ? t('Done')
    : t('Done, {time}', { time: spokenTime(endedAt - startedAt) });
}

function spokenTime(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1000));
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  if (minutes === 0) return t('{seconds, plural, one {# second} other {# seconds}}', { seconds });
  return t('{minutes, plural, one {# minute} other {# minutes}} {seconds, plural, one {# second} other {# seconds}}', {
    minutes,
    seconds,
  });
}

/** What came since: `4 steps, 1 failed`. Null if nothing did. */
export function spokenSteps(before: Turn, now: Turn): string | null {
  const count = (turn: Turn, failed: boolean): number =>
    turn.blocks.filter((block) => block.kind === 'step' && (!failed || block.state === 'failed')).length;
  const steps = count(now, false) - count(before, false);
  const failed = count(now, true) - count(before, true);
  if (before.id !== now.id || steps <= 0) return null;
  return failed <= 0
    ? t('{steps, plural, one {# step} other {# steps}}', { steps })
    : t('{steps, plural, one {# step} other {# steps}}, {failed} failed', { steps, failed });
}
