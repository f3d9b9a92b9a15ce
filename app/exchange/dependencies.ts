import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../account/account.ts';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Reach } from '../api/account.ts';
import type { Listeners } from '../api/events.ts';
import type { Exchange } from '../api/exchange.ts';
import type { SearchOutcome, SearchQuery } from '../api/search.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { CopilotClient } from '../copilot/client.ts';
import type { History } from '../history/history.ts';
import type { Ledger } from '../history/ledger.ts';
import type { LessonTable } from '../history/lesson-table.ts';
import type { ScaleImage } from '../images/scale-image.ts';
import type { Clock, Log, Redact } from '../ports.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { SessionFolders } from './limits/scope.ts';
import type { FollowedRule } from './model/rules.ts';

export interface ExchangeDependencies {
  accounts: AccountChoice;
  history: History;
  ledger: Ledger;
  /** What refusals have taught. */
  lessons: LessonTable;
  recorder: Recorder;
  /** For requests that ask for a search of the web. */
  search: WebSearch;
  /** Makes images that are too large for a model smaller. Absent: they are refused or left out. */
  scaleImage?: ScaleImage | undefined;
  settings: SettingsStore;
  /** How this Jumpseat is started in a shell. Default: `jumpseat`. */
  command?: string | undefined;
  clock: Clock;
  log: Log;
  redact: Redact;
  /** For limits and rules of folders. */
  folders: SessionFolders;
  /** Fronts, which get the live object of an exchange when it starts, moves on and ends. */
  listeners: Pick<Listeners, 'exchangeChanged' | 'isHeard' | 'stateChanged' | 'tell'>;
}

/** Which account requests use. */
export interface AccountChoice {
  /** The account for a client with this label. */
  of(client: string): UsedAccount;
  /** The account with this name; null if there is none, or requests go through VS Code. */
  named(name: string): UsedAccount | null;
}

/** What a request uses from its beginning to its end. */
export interface UsedAccount {
  readonly id: string;
  /** The account's name, for the row. Null if there is only one, or none of ours. */
  readonly name: (() => string) | null;
  /** Through VS Code there is no account of ours: nothing is known of who is signed in there. */
  readonly reach: Reach;
  readonly account: Pick<Account, 'state' | 'quota' | 'usageWindows' | 'servesAuto' | 'githubToken'>;
  readonly client: Pick<CopilotClient, 'send'>;
  readonly catalog: Catalog;
  readonly auto: AutoChoices;
  /** Told of each request of this account that ended. */
  readonly ended: (exchange: Exchange) => void;
}

/** The models that GitHub has chosen for conversations (Auto). */
export interface AutoChoices {
  /** Null if GitHub gave none, and is not asked again for a while. Rejects with `AccountError`. */
  of(conversation: string): Promise<{ session: AutoSession; isNew: boolean } | null>;
  /** The next request of the conversation is to be chosen for anew. */
  end(conversation: string, session: AutoSession): void;
}

/** Searches the web for requests of clients. */
export interface WebSearch {
  /** False: every engine is off, or not allowed. */
  isOn(): boolean;
  /** Why no engine is asked, and what to do. */
  whyOff(): string;
  /** Ends within 30 s. Rejects with the signal's reason alone. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchOutcome>;
}

export interface SearchContext {
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  cause: Cause;
  /** The client's own request, where it is a search and nothing else. */
  original?: { body: Buffer; headers: IncomingHttpHeaders };
}

/** What a request of our own is for. */
export interface Cause {
  /** The exchange that needs it; null if a person asked Jumpseat itself. */
  exchange: string | null;
  /** The label of whom it is for. */
  client: string;
  /** The name of the key that it came with; absent: the first one, or a session's. */
  key?: string;
  session: string | null;
  prompt: string | null;
  /** Interaction id of the prompt that it follows; null if it has its own. */
  interactionId: string | null;
  /**
   * The request that needs it goes on with a prompt that Copilot has counted already: its own verdict is `agent`, or it
   * was a `user` and Copilot has accepted it. Anything else makes this one a `user`.
   */
  counted: boolean;
  /** The account of that request, where a rule of the person's chose it; absent: that of the client. */
  used?: UsedAccount;
  /** The rule that it followed, whose limit this one counts for as well. */
  rule?: FollowedRule;
}

/** Whose account is meant. */
export type Asker = Pick<Cause, 'client' | 'used'>;
