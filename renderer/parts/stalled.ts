import { useEffect, useState } from 'react';

/** Whether something has been waited for longer than an answer takes. */
export function useStalled(waiting: boolean, afterMs = 15_000): boolean {
  const [stalled, setStalled] = useState(false);
  useEffect(() => {
    setStalled(false);
    if (!waiting) return;
    const timer = setTimeout(() => setStalled(true), afterMs);
    return () => clearTimeout(timer);
  }, [waiting, afterMs]);
  return stalled;
}
