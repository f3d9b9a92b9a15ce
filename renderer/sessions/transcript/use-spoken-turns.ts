import { useEffect, useRef } from 'react';
import { announce } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import type { Conversation } from '../state/conversation.ts';
import { useAgentWords } from '../state/hooks.ts';
import { spokenEnd, spokenSteps } from './spoken.ts';

const stepsEveryMs = 20_000;

/** What a screen reader is told without being asked: that a turn began and how it ended. No streamed text. */
export function useSpokenTurns(conversation: Conversation | null): void {
  const { store } = useServices();
  const { name } = useAgentWords();
  const turn = conversation?.turns.at(-1);
  const told = useRef(turn);
  const latest = useRef(turn);
  latest.current = turn;
  useEffect(() => {
    const before = told.current;
    told.current = turn;
    // What was there when the conversation was opened is no news.
    if (turn === undefined || before === undefined) return;
    if (before.id === turn.id && before.state === turn.state) return;
    announce(store, turn.state === 'running' ? `${name} is working` : spokenEnd(turn));
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
