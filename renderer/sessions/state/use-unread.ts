import { useEffect, useState } from 'react';
import { useSessions } from './hooks.ts';

/** From here on reading takes a while, in ms: as long as the grey blocks of the transcript wait. */
const slowMs = 150;

/** The conversation of an open session can’t be read, or not yet: nothing is sent to what can’t be seen. */
export function useUnread(id: string): boolean {
  const reading = useSessions(({ conversations }) => {
    const open = conversations.get(id);
    if (open === undefined || open.conversation !== null) return 'done';
    return open.failure === null ? 'goes on' : 'failed';
  });
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (reading !== 'goes on') return;
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, [reading]);
  return reading === 'failed' || (reading === 'goes on' && isSlow);
}
