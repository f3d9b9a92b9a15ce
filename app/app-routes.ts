import type { App } from './api/app.ts';
import type { AppOptions } from './app-options.ts';
import type { ClientCall } from './exchange/client-call.ts';
import type { AccountChoice } from './exchange/dependencies.ts';
import type { Exchanger } from './exchange/exchange.ts';
import type { CurrentState } from './health/current-state.ts';
import type { McpDependencies } from './mcp/answer-mcp.ts';
import type { OwnAccounts } from './own-accounts/own-accounts.ts';
import type { Log, Redact } from './ports.ts';
import type { Search } from './search/search.ts';
import { type DashboardDoor, dashboardRoutes } from './server/dashboard-routes.ts';
import type { CallRoute, Routes } from './server/express-app.ts';
import { type Counters, healthRoute, healthRoutes } from './server/health-routes.ts';
import { modelsRoutes } from './server/models-routes.ts';
import { searchRoute } from './server/search-route.ts';
import { messagesRoutes, openaiRoutes, type RunningCalls, take } from './server/take-call.ts';
import type { EditorSurroundings } from './sessions/acp/editor-route.ts';
import { editorPath } from './sessions/acp/relay-editor.ts';
import type { SessionFiles } from './sessions/session-files.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SettingsStore } from './settings/settings.ts';
import type { Pages } from './web/pages.ts';
import { sessionTitle } from './words/sessions.ts';

/** What the routes lead to. */
export interface Served {
  options: AppOptions;
  log: Log;
  redact: Redact;
  settings: SettingsStore;
  exchanger: Exchanger;
  search: Search;
  pages: Pages;
  running: RunningCalls;
  counters: Counters;
  /** The account that requests of a client with this label use. */
  accounts: AccountChoice;
  current(): CurrentState;
  sessions(): ReturnType<Sessions['states']>;
  editor(): Promise<EditorSurroundings>;
  /** What answers the calls of the dashboard. */
  app(): App;
}

/** What clients call. */
export function clientCalls(served: Served): CallRoute[] {
  const { exchanger, running, search, pages, log, current, app } = served;
  const { version } = served.options;
  return [
    ...messagesRoutes(exchanger, running),
    ...openaiRoutes(exchanger, running),
    healthRoute({ version, copilot: () => (current().isCopilotOk() ? 'ok' : 'unavailable') }),
    mcpRoute({ version, log, exchanger, search, pages }, running),
    searchRoute((...given) => app().search(...given), running),
    {
      method: 'POST',
      path: editorPath,
      handle: async (request, response) => {
        // The protocol is loaded with the first editor.
        const { serveEditorRequest } = await import('./sessions/acp/editor-route.ts');
        await serveEditorRequest(await served.editor(), request, response);
      },
    },
  ];
}

/** Everything else that is served: models, readiness, the dashboard. */
export function otherRoutes(served: Served, door: DashboardDoor): Routes[] {
  const { accounts, settings, exchanger, current, counters, sessions, options, app, redact } = served;
  return [
    modelsRoutes({
      used: (label) => accounts.of(label),
      overrides: () => settings.current().modelOverrides,
      recoverContext: (label) => exchanger.recoverContext(label),
    }),
    healthRoutes({
      notReady: () => current().askProblem(),
      metrics: () => counters.text(current().state(), sessions()),
    }),
    dashboardRoutes({
      ...{ door, folder: options.dashboard ?? null, app: app(), redact },
      command: options.typedCommand ?? 'jumpseat',
    }),
  ];
}

/**
 * `POST /mcp`: MCP's streamable HTTP, without sessions. Behind the same door as every route. The protocol is loaded
 * with the first request.
 */
function mcpRoute(dependencies: McpDependencies, running: RunningCalls): CallRoute {
  const serve = async (call: ClientCall): Promise<void> => {
    const { answerMcp } = await import('./mcp/answer-mcp.ts');
    await answerMcp(call, dependencies);
  };
  return { method: 'POST', path: '/mcp', handle: (request, response) => take(request, response, running, serve) };
}

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

/** The sessions and settings that an editor gets over ACP. */
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
