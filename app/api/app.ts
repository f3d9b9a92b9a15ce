import type { Readable, Writable } from 'node:stream';
import type { z } from 'zod';
import type { DeviceCode, RuntimeState, SignInRequest, SignInResult } from './account.ts';
import type { CallTable, Problem } from './call.ts';
import type { CallArguments, CallResult, CallsBy } from './calls.ts';
import type { AppEvent } from './events.ts';
import type { Exchange } from './exchange.ts';
import type { EngineName, SearchOutcome } from './search.ts';
import type { TerminalSession } from './session-list.ts';
import type { PathInSession } from './session-surroundings.ts';
import type { agentNameSchema, TurnCost } from './sessions.ts';
import type { Preferences, PreferencesChange } from './settings.ts';
import type { KnownFile, LinesFor, Shell } from './setup.ts';
import type { ProxyState } from './state.ts';

/** Answered within the turn. */
type AtOnce =
  | 'state'
  | 'preferences'
  | 'recorded'
  | 'recordedIds'
  | 'record'
  | 'forgetBodies'
  | 'cancelSignIn'
  | 'cancelFetch';

export interface QuitWait {
  /** `quits when 1 session is done` */
  waits: string;
  stay: () => void;
}

/** A method for every call of the table that is not for the tray front alone. */
type Calls = {
  [Name in CallsBy<'app'>]: (
    ...given: CallArguments<Name>
  ) => Name extends AtOnce ? CallResult<Name> : Promise<CallResult<Name>>;
};

/**
 * The one contract between the app and every front: state, events, calls. Fronts hold no truth of their own.
 * Times are ms since the epoch, durations ms, amounts of money nano-AIU (1 credit = 1e9 nano-AIU = $0.01).
 * What a window may ask stands in the table `calls`; here is what fronts in the same process may ask besides, or say
 * more about.
 */
export interface App extends Calls {
  /**
   * Called on every change of state and for every exchange that starts, moves on or ends. Returns the way to stop
   * listening.
   */
  listen(listener: (event: AppEvent) => void): () => void;
  /** The same for exchanges alone: without a listener for more, no state has to be put together. */
  onExchange(listener: (exchange: Exchange) => void): () => void;
  /** The same for the proxy alone: where it answers, or why not. */
  onProxy(listener: (proxy: ProxyState) => void): () => void;
  /** Called when `warnings` may have a new one: of the history, or of the record of sessions. */
  onWarnings(listener: () => void): () => void;
  /**
   * Follows the sessions of terminals: those that wait for a person, and for an hour those whose turn or process has
   * ended. Called with all of them when they are others than before. Returns the way to stop.
   */
  onTerminals(listener: (sessions: readonly TerminalSession[]) => void): () => void;
  /** A person opened it: that it is done or has ended there is not news any more. */
  sawTerminal(id: string): void;
  /** Those of the state, which does not have to be put together for them either. */
  warnings(): readonly Problem[];

  /** Starts the proxy. Rejects with `Problem`-like errors (`StartError`) when the port or the folder is taken. */
  startProxy(options?: { port?: number }): Promise<{
    baseUrl: string;
    dashboardUrl: string;
    /** Resolves when that link let a browser in. */
    dashboardUsed: Promise<void>;
  }>;
  /**
   * Lets running answers finish for `graceMs` (10 000 unless told), then ends them. Asked again while it waits, the
   * shorter wait holds.
   */
  stopProxy(options?: { graceMs?: number }): Promise<void>;
  /** @param options as for `stopProxy` */
  setProxy(on: boolean, options?: { graceMs?: number }): Promise<void>;

  /** Cost of all requests of today, for a front that words it itself. */
  costOfToday(): Promise<Pick<TurnCost, 'nanoAiu' | 'premiumRequests' | 'isPartlyUnknown'>>;

  /** Shows in every window that this front ends once its work is done, and how that is taken back; null: it doesn't. */
  setQuitWait(wait: QuitWait | null): void;

  /** @param shown gets the code as soon as there is one */
  signIn(shown?: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult>;
  /** @param shown as for `signIn` */
  signInWith(request: SignInRequest, shown?: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult>;
  /** Whether GitHub's runtime is here, after a look at the disk. */
  runtime(): Promise<RuntimeState>;
  /** @param shown as for `signIn` */
  signInAccount(
    id: string,
    request: SignInRequest | null,
    shown?: (code: DeviceCode) => void,
    signal?: AbortSignal,
  ): Promise<SignInResult>;
  /** Tries the store and loads what it holds; null if it works. */
  trySecrets(): Promise<Problem | null>;

  search(words: string, options?: { engine?: EngineName | null }, signal?: AbortSignal): Promise<SearchOutcome>;

  /** @param options `restart`: a proxy that is on takes another port at once; else at its next start. */
  changePreferences(change: PreferencesChange, options?: { restart: boolean }): Promise<Preferences>;
  /**
   * A file or folder that a session names, by its whole path or the one below its folder. Rejects where it is gone.
   */
  pathInSession(session: string, path: string): Promise<PathInSession>;
  /** Runs sessions with this file, which a person picked. Rejects where it is no program for them. */
  chooseAgentFile(name: 'claude', path: string): Promise<void>;
  /** Path of a file to show to a person; null if there is no such file. */
  fileOf(which: KnownFile): Promise<string | null>;
  /**
   * The variables for Claude Code, the local key among them, and what a person should know of them, in sentences.
   * @param label its name in the log
   */
  claudeCodeLines(label: string): Promise<{ variables: Record<string, string>; notes: string[] }>;
  /** @param client its name in the log */
  lines(shell: Shell, what: LinesFor, client?: string): Promise<string>;

  /**
   * Serves an editor that speaks ACP over these two, until it leaves. Only where the proxy is on.
   * @param agent who leads the sessions that it begins
   */
  serveEditor(agent: z.infer<typeof agentNameSchema>, streams: { input: Readable; output: Writable }): Promise<void>;

  /** Stops everything; the app cannot be used afterwards. */
  close(): Promise<void>;
}

/** The methods for the calls of one table, as `App` has them. */
export type AnswersTo<Table extends CallTable> = Pick<App, Extract<keyof Table, keyof App>>;
