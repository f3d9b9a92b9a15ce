import type { AnswersTo } from '../api/app.ts';
import type { historyCalls } from '../api/calls/exchanges.ts';
import type { Conversation } from '../api/history.ts';
import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { added } from './conversations.ts';
import type { History } from './history.ts';
import type { Sums } from './totals-cache.ts';

interface HistoryAnswersDependencies {
  history: History;
  sums: Sums;
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
  /** Bodies that are held in memory go with their rows. */
  forgetBodies(): void;
  deleted(): void;
  /** What the sessions of this machine say of who sent a request. */
  sessions: {
    learnAll(): Promise<void>;
    of(sender: Sender): { title: string | null; folder: string | null };
    all(): Record<string, string>;
  };
}

type Sender = Pick<Conversation, 'client' | 'session'>;

/** More than there are. */
const all = 1_000_000;

/** Begins later than any exchange that has ended, whatever the clock did meanwhile. */
const wellAheadMs = 24 * 60 * 60_000;

export function historyAnswers(dependencies: HistoryAnswersDependencies): AnswersTo<typeof historyCalls> {
  const { history, sums, settings, clock, forgetBodies, deleted, sessions } = dependencies;
  return {
    totals: (by, since) => sums.totals(by, since, settings.current().timeZone),
    cacheSavings: (since) => sums.cacheSavings(since),
    cacheMisses: (since) => sums.cacheMisses(since),
    folders: async (since) => {
      const [rows] = await Promise.all([sums.conversations({ since, limit: all, offset: 0 }), sessions.learnAll()]);
      const folders = Map.groupBy(rows, (row) => sessions.of(row).folder);
      return [...folders]
        .map(([folder, some]) => ({ folder, ...added(some) }))
        .sort((left, right) => right.nanoAiu - left.nanoAiu || right.requests - left.requests);
    },
    sessionFolders: async () => {
      await sessions.learnAll();
      return sessions.all();
    },
    conversations: async (which) => {
      const [rows] = await Promise.all([sums.conversations(which), sessions.learnAll()]);
      return rows.map((row) => ({ ...row, ...sessions.of(row) }));
    },
    lastRequests: () => sums.lastRequests(),
    conversation: (which) => sums.conversation(which),
    deleteHistory: async () => {
      const count = history.delete(clock.now() + wellAheadMs);
      forgetBodies();
      deleted();
      return count;
    },
  };
}
