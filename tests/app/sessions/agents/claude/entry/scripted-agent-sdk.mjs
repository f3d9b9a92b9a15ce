/** An Agent SDK whose `query` starts nothing: what it was asked for stands in `scriptedQueries`. */
const queries = globalThis.scriptedQueries;

export function query({ prompt, options }) {
  const made = {
    options,
    pushed: [],
    closed: false,
    stopped: [],
    cancelled: [],
    holdsWords: true,
    servers: [],
    account: globalThis.scriptedAccount,
  };
  queries.push(made);
  void (async () => {
    for await (const message of prompt) made.pushed.push(message);
  })();
  const known = {
    initializationResult: async () => ({ commands: [], agents: [], models: [], account: made.account }),
    accountInfo: async () => made.account,
    getSettings: async () => {
      const ours = { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180', HTTPS_PROXY: '' } };
      const theirs = (await globalThis.scriptedSettings) ?? {};
      return {
        effective: { ...theirs, env: { ...ours.env, ...theirs.env } },
        sources: [
          { source: 'flagSettings', settings: ours },
          { source: 'policySettings', settings: theirs },
        ],
      };
    },
    supportedCommands: async () => [
      { name: 'greet', description: 'Greets (user)', argumentHint: '' },
      { name: 'demo:shout', description: '(demo) Shouts', argumentHint: '<words>' },
      { name: 'compact', description: 'Sums up', argumentHint: '', builtin: true },
      { name: 'db:ask (MCP)', description: 'Asks' },
    ],
    supportedAgents: async () => [
      { name: 'Explore', description: 'Looks' },
      { name: 'tester', description: 'Tests' },
    ],
    supportedModels: async () => [
      { value: 'opus', resolvedModel: 'claude-opus-4-8', supportedEffortLevels: ['low', 'high'], description: '$5' },
    ],
    getHooksListing: async () => {
      throw new Error('Unknown request');
    },
    mcpServerStatus: async () => [
      { name: 'files', status: 'connected', scope: 'project', tools: [{ name: 'read' }] },
      { name: 'plugin:demo:db', status: 'failed', error: 'gone', source: 'plugin' },
    ],
    getContextUsage: async ({ detail }) => ({
      ...{ detail, totalTokens: detail === 'summary' ? 5 : 0, maxTokens: 10, model: 'claude-opus-4-6' },
      categories: [{ name: 'Messages', tokens: 5, kind: 'used' }],
      memoryFiles: [{ path: '/project/CLAUDE.md', type: 'Project', tokens: 3 }],
      agents: [{ agentType: 'tester', source: 'projectSettings', path: '/project/tester.md' }],
      skills: {
        skillFrontmatter: [
          { name: 'greet', source: 'userSettings', path: '/home/me/.claude/skills/greet/SKILL.md' },
          { name: 'demo:shout', source: 'plugin', pluginName: 'demo', path: '/plug/commands/shout.md' },
        ],
      },
    }),
    setMcpServers: async (servers) => void made.servers.push(servers),
    cancelAsyncMessage: async (uuid) => {
      made.cancelled.push(uuid);
      return made.holdsWords;
    },
    stopTask: async (id) => void made.stopped.push(id),
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
