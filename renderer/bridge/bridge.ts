import type { CallAnswer } from '../../app/api/call.ts';
import type { CallArguments, CallName, CallResult, calls } from '../../app/api/calls.ts';
import type { WindowEvent } from '../../app/api/events.ts';

type Carry<Name extends CallName> = (...given: CallArguments<Name>) => Promise<CallResult<Name>>;
type From<Name extends CallName> = (typeof calls)[Name]['from'];

/**
 * Every call of the table; null if this front's window may not make it: the dashboard is served by the proxy that it
 * would switch.
 */
export type BridgeCalls = {
  readonly [Name in CallName]: From<Name> extends 'both' ? Carry<Name> : Carry<Name> | null;
};

/**
 * How the window reaches the app: over IPC in the tray app, over HTTP in the dashboard. Calls reject with
 * `BridgeError`.
 */
export type Bridge = BridgeCalls & {
  /**
   * Returns the way to stop listening. `connected` is told when events begin to come and when they no longer do: what
   * happened in between was missed. Where events cannot be missed it is told only of another language: what was sent
   * before is in the old one.
   */
  readonly listen: (listener: (event: WindowEvent) => void, connected?: (alive: boolean) => void) => () => void;
  /** Where a file lies that the person dropped, pasted or chose; empty: nowhere. Absent where a window can't know. */
  readonly pathOf?: (file: File) => string;
};

/**
 * What the preload script puts into the page: answers are values there, since errors lose all but their text on the
 * way.
 */
export type Preloaded = {
  readonly [Name in CallName as From<Name> extends 'dashboard' ? never : Name]: (
    ...given: CallArguments<Name>
  ) => Promise<CallAnswer<CallResult<Name>>>;
} & Required<Pick<Bridge, 'listen' | 'pathOf'>> & {
    /** From the next call on the app sends its sentences in this language: a BCP 47 tag. */
    readonly speak: (language: string) => void;
  };

declare global {
  interface Window {
    /** Absent in a browser. */
    readonly jumpseat?: Preloaded;
  }
}

/** A call failed. `message` says what and why, `remedy` what to do. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: string;
  readonly remedy: string;
  constructor({ code, text, remedy }: { code: string; text: string; remedy: string }) {
    super(text);
    this.code = code;
    this.remedy = remedy;
  }
}
