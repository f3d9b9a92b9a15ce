import { useEffect, useState } from 'react';

const deadMs = 500;

/**
 * Whether the buttons of a question may do something: only when it has stood there for a moment, so that a key or a
 * click that was meant for something else answers nothing.
 */
export function useArmed(questionId: string): boolean {
  const [armed, setArmed] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(questionId), deadMs);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [questionId]);
  return armed === questionId;
}
