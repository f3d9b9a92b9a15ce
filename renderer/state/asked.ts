import { useCallback, useEffect, useRef, useState } from 'react';
import { BridgeError } from '../bridge/bridge.ts';

/** The answer to something a view has asked the app. A failed one keeps the answer before it. */
export type Asked<Answer> =
  | { kind: 'loading'; last: null }
  | { kind: 'known'; last: Answer }
  | { kind: 'failed'; last: Answer | null; text: string; remedy: string };

/**
 * Asks when it is shown and whenever `ask` is another function. Answers that come late, after another was asked for,
 * are dropped.
 * `again` asks once more and keeps what is there meanwhile.
 */
export function useAsked<Answer>(ask: () => Promise<Answer>): { asked: Asked<Answer>; again: () => Promise<void> } {
  const [asked, setAsked] = useState<Asked<Answer>>({ kind: 'loading', last: null });
  const latest = useRef(0);
  const run = useCallback(async (): Promise<void> => {
    latest.current += 1;
    const mine = latest.current;
    try {
      const last = await ask();
      if (mine === latest.current) setAsked({ kind: 'known', last });
    } catch (error) {
      if (mine !== latest.current) return;
      const text = error instanceof Error ? error.message : String(error);
      const remedy = error instanceof BridgeError ? error.remedy : '';
      setAsked((before) => ({ kind: 'failed', last: before.last, text, remedy }));
    }
  }, [ask]);
  useEffect(() => {
    void run();
    return () => {
      latest.current += 1;
    };
  }, [run]);
  return { asked, again: run };
}

/** Why a call to the app failed, as people read it. */
export interface CallFailure {
  text: string;
  /** What to do; empty where that isn't known. */
  remedy: string;
  /** The contract's name for what is wrong; empty where it has none. */
  code: string;
}

export function callFailure(error: unknown): CallFailure {
  return {
    text: error instanceof Error ? error.message : String(error),
    remedy: error instanceof BridgeError ? error.remedy : '',
    code: error instanceof BridgeError ? error.code : '',
  };
}
