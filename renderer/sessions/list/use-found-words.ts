import { useEffect, useState } from 'react';
import type { FoundSessions } from '../../../app/api/session-list.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { useServices } from '../../state/services.ts';

const fewest = 3;
const pauseMs = 250;
/** What was said is still being read then. */
const askAgainMs = 2_000;

export interface FoundWords extends FoundSessions {
  /** How long looking for them took, in ms. */
  tookMs: number;
}

/** Where conversations have these words, from three letters on. Null: not looked for, or not known yet. */
export function useFoundWords(words: string): FoundWords | null {
  const { bridge } = useServices();
  const [found, setFound] = useState<{ words: string; sessions: FoundWords } | null>(null);
  useEffect(() => {
    if (words.length < fewest) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const look = async (): Promise<void> => {
      const began = performance.now();
      // Titles are found without it; a failure shows no conversations.
      const sessions = await bridge.findSessions(words).catch(() => null);
      if (!isWanted || sessions === null) return;
      setFound({ words, sessions: { ...sessions, tookMs: performance.now() - began } });
      if (!sessions.isComplete) timer = setTimeout(() => void look(), askAgainMs);
    };
    timer = setTimeout(() => void look(), pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [bridge, words]);
  return found?.words === words ? found.sessions : null;
}

/** `Searched 214 conversations in 0.3 s.` */
export function searchedWords({ searched, tookMs, isComplete }: FoundWords): string {
  const count = `${grouped(searched)} ${searched === 1 ? 'conversation' : 'conversations'}`;
  if (!isComplete) return `Searched ${count} so far; the others are still being read.`;
  return `Searched ${count} in ${(Math.ceil(tookMs / 100) / 10).toFixed(1)} s.`;
}
