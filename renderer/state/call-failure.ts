import { BridgeError } from '../bridge/bridge.ts';

/** Why a call to the app failed, as people read it. */
export interface CallFailure {
  text: string;
  /** What to do; empty where that isn't known. */
  mend: string;
  /** The contract's name for what is wrong; empty where it has none. */
  code: string;
}

export function callFailure(error: unknown): CallFailure {
  return {
    text: error instanceof Error ? error.message : String(error),
    mend: error instanceof BridgeError ? error.mend : '',
    code: error instanceof BridgeError ? error.code : '',
  };
}
