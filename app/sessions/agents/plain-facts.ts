import type { FactReader } from './agent-facts.ts';

/** Of an agent that says nothing beyond the protocol. */
export const plainFacts: FactReader = {
  factOf: () => null,
  editOf: () => null,
  changesFilesUntold: (update) => update.sessionUpdate === 'tool_call' && update.kind === 'execute',
  acceptEdits: null,
  modeAfter: () => null,
  mayOffer: () => true,
  lastingRule: () => null,
};
