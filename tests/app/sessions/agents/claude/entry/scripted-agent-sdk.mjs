/** An Agent SDK whose `query` starts nothing: what it was asked for stands in `scriptedQueries`. */
const queries = globalThis.scriptedQueries;

export function query({ prompt, options }) {
  const made = { options, pushed: [], closed: false, account: globalThis.scriptedAccount };
  queries.push(made);
  void (async () => {
    for await (const message of prompt) made.pushed.push(message);
  })();
  const known = {
    initializationResult: async () => ({ commands: [], agents: [], models: [], account: made.account }),
    accountInfo: async () => made.account,
    supportedCommands: async () => [],
    supportedAgents: async () => [],
    mcpServerStatus: async () => [{ name: 'files', status: 'connected', tools: [{ name: 'read' }] }],
    getContextUsage: async ({ detail }) => ({ detail, totalTokens: 5, maxTokens: 10, percentage: 50, categories: [] }),
    rewindFiles: async (id, { dryRun }) => ({ canRewind: true, filesChanged: [id, String(dryRun)] }),
    close: () => {
      made.closed = true;
    },
    next: () => new Promise(() => undefined),
  };
  return new Proxy(known, {
    get: (target, name) => target[name] ?? (name === 'then' ? undefined : async () => undefined),
  });
}

const message = (type, uuid, content) => ({
  type,
  uuid,
  session_id: 's',
  message: { role: type, id: `msg_${uuid}`, content },
  parent_tool_use_id: null,
});

export const getSessionMessages = async () => [
  message('user', 'u1', 'a question'),
  message('assistant', 'a1', [{ type: 'text', text: 'an answer' }]),
];
export const listSessions = async () => [];
export const getSessionInfo = async () => undefined;
export const getSubagentMessages = async () => [];
export const forkSession = async (id, options) => ({ sessionId: `copy of ${id} up to ${options?.upToMessageId}` });
export const deleteSession = async () => undefined;
export const importSessionToStore = async () => undefined;
export const resolveSettings = async () => ({ effective: {} });
export const filterEscalatingDefaultMode = (settings) => settings.effective ?? {};
export const USAGE_LIMIT_ERROR_PREFIXES = [];
