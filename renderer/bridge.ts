import type { CallAnswer, CallArguments, CallName, CallResult, WindowEvent } from '../app/api/calls.ts';

type Call<Name extends CallName> = (...given: CallArguments<Name>) => Promise<CallResult<Name>>;
/** What every front can answer. The rest is null where it cannot be: the dashboard is served by the proxy that it would switch. */
type Everywhere =
  | 'state'
  | 'exchanges'
  | 'rows'
  | 'exchange'
  | 'recorded'
  | 'recordedIds'
  | 'searchBodies'
  | 'recordedBody'
  | 'record'
  | 'forgetBodies';

/**
 * How the window reaches the app: over IPC in the tray app, over HTTP in the dashboard. Calls reject with `BridgeError`.
 */
export type Bridge = {
  readonly [Name in CallName]: Name extends Everywhere ? Call<Name> : Call<Name> | null;
} & {
  /**
   * Returns the way to stop listening. `heard` is told when events begin to come and when they no longer do: what happened in between
   * was missed. Never called where events cannot be missed.
   */
  readonly listen: (listener: (event: WindowEvent) => void, heard?: (alive: boolean) => void) => () => void;
};

/** What the preload script puts into the page: answers are values there, since errors lose all but their text on the way. */
export type Preloaded = {
  readonly [Name in CallName]: (...given: CallArguments<Name>) => Promise<CallAnswer<Name>>;
} & Pick<Bridge, 'listen'>;

declare global {
  interface Window {
    /** Absent in a browser. */
    readonly jumpseat?: Preloaded;
  }
}

/** A call failed. `message` says what and why, `mend` what to do. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: string;
  readonly mend: string;
  constructor({ code, text, mend }: { code: string; text: string; mend: string }) {
    super(text);
    this.code = code;
    this.mend = mend;
  }
}
