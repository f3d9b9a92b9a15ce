import type { Exchange } from '../../api/exchange.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from '../../history/ledger.ts';
import type { LessonTable } from '../../history/lesson-table.ts';
import type { Clock, Log, Redact } from '../../ports.ts';
import type { Recorder } from '../../recording/recorder.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { WebSearch } from '../web-search/port.ts';
import type { UsedAccount } from './used-account.ts';

export interface ExchangeDependencies {
  /** The account for a client with this label. */
  accountOf(client: string): UsedAccount;
  history: History;
  ledger: Ledger;
  /** What refusals have taught. */
  lessons: LessonTable;
  recorder: Recorder;
  /** For requests that ask for a search of the web. */
  search: WebSearch;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
  redact: Redact;
  /** Told when an exchange starts, moves on and ends. The object is the live one. */
  changed: (exchange: Exchange) => void;
  /** Told now and then how far the running answers are. */
  progressed: (running: { id: string; output: number }[]) => void;
}
