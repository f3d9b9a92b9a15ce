import type { App } from './api/app.ts';
import type { CurrentState } from './health/current-state.ts';
import type { OwnAccounts } from './own-accounts/own-accounts.ts';
import type { Log } from './ports.ts';
import type { EditorSurroundings } from './sessions/acp/editor-route.ts';
import type { SessionFiles } from './sessions/session-files.ts';
import type { Sessions } from './sessions/sessions.ts';
import { sessionTitle } from './words/sessions.ts';

interface EditorSurroundingsDependencies {
  version: string;
  log: Log;
  sessions: Sessions;
  files: SessionFiles;
  accounts: OwnAccounts;
  current: CurrentState;
  list: App['sessionList'];
}

/** More than the record keeps of one session. */
const mostRecorded = 100_000;

/** What an editor is given that speaks ACP. */
export async function surroundingsOfEditor(given: EditorSurroundingsDependencies): Promise<EditorSurroundings> {
  const { version, log, sessions, files, accounts, current, list } = given;
  return {
    ...{ host: await sessions.host(), version, log },
    isSignedIn: async () => {
      await accounts.current.account.load();
      const { account, reach } = current.state();
      return account.kind === 'signed-in' || reach.kind !== 'directly';
    },
    list: async () => (await list()).sessions,
    title: (session) => sessionTitle(session),
    history: async (id) => (await files.historyOf(id))?.turns ?? null,
    recorded: (id) => files.store.record.read(0, { session: id, limit: mostRecorded }).entries,
    recordedTurn: (id, turnId) => files.store.record.turn(id, turnId, mostRecorded),
  };
}
