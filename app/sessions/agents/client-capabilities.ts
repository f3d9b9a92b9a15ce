import type { ClientCapabilities } from '@agentclientprotocol/sdk/unstable';

/** What the host of sessions takes, from every agent alike. */
export const clientCapabilities = {
  session: { configOptions: { boolean: {} }, compaction: {}, notices: {} },
  elicitation: { form: {}, url: {} },
  plan: {},
  subagents: {},
  _meta: { terminal_output: true },
} satisfies ClientCapabilities;
