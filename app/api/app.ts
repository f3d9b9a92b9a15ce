import type { DeviceCode, SignInResult } from './account.ts';
import type { Exchange, ExchangeRow } from './exchange.ts';
import type { Check } from './health.ts';
import type { CacheSavings, Conversation, ConversationPrompt, TotalsKey, TotalsRow } from './history.ts';
import type { LearnedFact, ModelsReport } from './models.ts';
import type { Problem } from './problem.ts';
import type { BodyView, Recorded, RecordedBody } from './recording.ts';
import type { Preferences, PreferencesChange, SecretsStorage } from './settings.ts';
import type { KnownFile, LinesFor, SetUpPlan, Shell } from './setup.ts';
import type { AppState } from './state.ts';

/**
 * The one contract between the app and every front: state, events, calls. Fronts hold no truth of their own.
 * Times are ms since the epoch, durations ms, amounts of money nano-AIU (1 credit = 1e9 nano-AIU = $0.01).
 */

export type AppEvent =
  | { event: 'state'; state: AppState }
  | { event: 'exchange'; exchange: Exchange }
  /** How far the running answers are, ten times a second at most. Tokens are our estimate until an answer is complete. */
  | { event: 'progress'; running: { id: string; output: number }[] }
  | { event: 'preferences'; preferences: Preferences }
  /** Every request that had ended is gone. */
  | { event: 'history-deleted' };

/** What fronts may ask for. */
export interface App {
  state(): AppState;
  /** Called on every change of state and for every exchange that starts, moves on or ends. Returns the way to stop listening. */
  listen(listener: (event: AppEvent) => void): () => void;

  /** Starts the proxy. Rejects with `Problem`-like errors (`StartError`) when the port or the folder is taken. */
  startProxy(options?: { port?: number }): Promise<{
    baseUrl: string;
    dashboardUrl: string;
    /** Resolves when that link let a browser in. */
    dashboardUsed: Promise<void>;
  }>;
  /**
   * Lets running answers finish for `graceMs` (10 000 unless told), then ends them. Asked again while it waits, the shorter wait holds.
   */
  stopProxy(options?: { graceMs?: number }): Promise<void>;
  /** What a person's switch does: starts or stops the proxy and remembers the wish for the next start. Rejects as `startProxy` does. */
  switchProxy(on: boolean, options?: { graceMs?: number }): Promise<void>;
  /** Starts the proxy on a port that is free and keeps that port in the settings. */
  moveToFreePort(): Promise<void>;
  /** The local key without a label; made at the first call. */
  localKey(): Promise<string>;

  /** Runs one device flow to its end. `shown` gets the code as soon as there is one. */
  signIn(shown: (code: DeviceCode) => void, signal?: AbortSignal): Promise<SignInResult>;
  /** Ends a sign-in that waits for the person, whoever began it; it results in `cancelled`. */
  cancelSignIn(): void;
  signOut(): Promise<void>;
  /** Asks keychain, GitHub and Copilot again: token, account, quota. */
  refresh(): Promise<void>;

  models(options?: { refresh?: boolean }): Promise<ModelsReport>;
  /** Newest last. */
  exchanges(options: { limit: number; before?: string }): Promise<Exchange[]>;
  /** Ended exchanges older than the one of that id, as a list shows them, newest last. */
  rows(options: { limit: number; before: string }): Promise<ExchangeRow[]>;
  /** Null: neither running nor in the history. */
  exchange(id: string): Promise<Exchange | null>;
  /** What is held of it in memory beside its row. */
  recorded(id: string): Recorded;
  /** Of the requests whose bodies are held, the oldest first. */
  recordedIds(): string[];
  /** Those in which these words were said, whatever their case. */
  searchBodies(words: string): Promise<string[]>;
  /** What was said, without secrets; the beginning of it where that is much and `whole` was not asked for. Null: it is not there. */
  recordedBody(id: string, view: BodyView, options: { whole: boolean }): Promise<RecordedBody | null>;
  /** Bodies of requests that begin from now on are held in memory, or no longer. Off after every start. */
  record(on: boolean): void;
  /** Lets go of all recorded bodies. */
  forgetBodies(): void;
  /** Times oldest first; models and clients with the most requests first. Rejects when the history can't be read, as the next three do. */
  totals(by: TotalsKey, since: number): Promise<TotalsRow[]>;
  cacheSavings(since: number): Promise<CacheSavings>;
  /** The last taken up first. */
  conversations(which: { since: number; limit: number; offset: number }): Promise<Conversation[]>;
  /** The prompts of one, the newest first. */
  conversation(which: { since: number; client: string; session: string | null }): Promise<ConversationPrompt[]>;
  /**
   * Runs a name that clients send on this model from now on; null takes the override away. Rejects when the name or the model can't be used.
   * `linesChanged`: the lines for Claude Code name other models than before.
   */
  setOverride(name: string, model: string | null): Promise<{ linesChanged: boolean }>;
  /** Lets a prompt through that a burst of requests holds; without an id all of them. Returns how many. */
  letThrough(id?: string): Promise<number>;
  /** What refusals have taught and is remembered now, the oldest first. */
  learned(): Promise<LearnedFact[]>;
  /** Takes one lesson back, or all of them, in every process of this folder that runs or will. Returns how many held here. */
  forgetLessons(id?: string): Promise<number>;
  checks(): Promise<Check[]>;
  /** One check alone; null where there is none of that name. */
  check(id: string): Promise<Check | null>;
  preferences(): Preferences;
  /**
   * Keeps what a person chose and puts it in force. Rejects with an error that says what was not taken and why; then nothing was changed.
   * `restart`: a proxy that is on takes another port at once; else at its next start.
   */
  changePreferences(change: PreferencesChange, options?: { restart: boolean }): Promise<void>;
  /** What setting up Claude Code would change, or undoing it; kept for `applySetUp` until one is applied. */
  planSetUp(action: SetUpPlan['action']): Promise<SetUpPlan>;
  /** Does what the plan of that id says; rejects where the file is no longer what it was made from. */
  applySetUp(id: string): Promise<{ backup: string | null }>;
  /** A new local key; a proxy that is on takes it at once, and running answers are ended. */
  replaceKey(): Promise<void>;
  /** Forgets every request that has ended. Returns how many. */
  deleteHistory(): Promise<number>;
  /**
   * Moves token and key to another store and empties the old one. The choice is kept, but for `memory`; asking for `file` is the consent to
   * it. Rejects where the other store can't take them; then nothing was moved.
   */
  moveSecrets(to: SecretsStorage): Promise<void>;
  /** Where a file lies that a person may want to look into; null: there is none to show. */
  fileOf(which: KnownFile): Promise<string | null>;
  /** Tries the store and takes up what it holds; null where it works. */
  trySecrets(): Promise<Problem | null>;
  /** The lines to paste, without the values of secrets unless `key` is asked for by the person. */
  envVariables(client: string): Promise<Record<string, string>>;
  /**
   * The lines to paste for a client, with the local key in them and `client` as its name in the log. Rejects where they name models and none are known.
   */
  lines(shell: Shell, what: LinesFor, client?: string): Promise<string>;

  /** Stops everything; the app cannot be used afterwards. */
  close(): Promise<void>;
}
