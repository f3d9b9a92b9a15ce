import { BridgeError } from '../../bridge/bridge.ts';
import type { ReadFailure } from './sessions-store.ts';

export function failureOf(error: unknown): ReadFailure {
  const text = error instanceof Error ? error.message : String(error);
  return { text, mend: error instanceof BridgeError ? error.mend : '' };
}
