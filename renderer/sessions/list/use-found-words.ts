import { useEffect, useState } from 'react';
import type { FoundSessions } from '../../../app/api/session-list.ts';
import { useServices } from '../../state/services.ts';

const fewest = 3;
const pauseMs = 250;

/** Where conversations have these words, from three letters on. Null: not looked for, or not known yet. */
export function useFoundWords(words: string): FoundSessions | null {
  const { bridge } = useServices();
  const [found, setFound] = useState<{ words: string; sessions: FoundSessions } | null>(null);
  useEffect(() => {
    if (words.length < fewest) return;
    let isWanted = true;
    const look = async (): Promise<void> => {
      // Titles are found without it; a failure shows no conversations.
      const sessions = await bridge.findSessions(words).catch(() => null);
      if (isWanted && sessions !== null) setFound({ words, sessions });
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [bridge, words]);
  return found?.words === words ? found.sessions : null;
}
