import { agentTools } from './claude-code-texts.ts';
import type { PromptReading } from './reading.ts';
import { auxiliary, compaction, subagent, unclear, user, type Verdict } from './verdict.ts';

/**
 * What Claude Code claims by its headers that a request is, decided where it fits what the request shows and what was
 * seen before. Null if nothing is claimed, or it does not fit, and the new content decides.
 *
 * Claude Code's own class can't be overridden by a person's headers, and a person's headers stand on every request
 * alike. So a class other than `main` counts once the session has sent one of class `main`, or where the body alone
 * shows as much.
 */
export function decideClaim(reading: PromptReading, known: Known): Verdict | null {
  switch (reading.requestClass) {
    case 'subagent':
    case 'workflow':
      return isSubagent(reading, known) ? subagent(reading) : null;
    case 'compaction':
      return isCompaction(reading, known) ? compaction(reading) : null;
    case 'auxiliary':
    case 'side_reply':
      return decideAside(reading, known);
    case null:
      return decideUnlabelled(reading, known);
    default:
      return null;
  }
}

/** Whether the session has sent a request of class `main`: then the class is not one header for everything. */
function isLabelled({ keys }: PromptReading, known: Known): boolean {
  const key = keys?.session ?? null;
  return key !== null && known.accepted(key) !== null;
}

export function isAcceptedPrompt({ keys }: PromptReading, known: Known): boolean {
  const key = keys?.prompt ?? null;
  return key !== null && known.accepted(key) !== null;
}

/** Prompts of slash commands have no id, and so have their subagents. A hook that asks an agent has neither id. */
function isSubagent(reading: PromptReading, known: Known): boolean {
  if (!isLabelled(reading, known)) return false;
  if (reading.promptId !== null) return reading.agentId !== null && isAcceptedPrompt(reading, known);
  return reading.agentId !== null || reading.firstPartyClass === 'blocking-subagent';
}

function isCompaction(reading: PromptReading, known: Known): boolean {
  return reading.promptId === null && reading.newContent.endsWithCompaction && isLabelled(reading, known);
}

/** A request beside the conversation: Claude Code's own, or a question that the person typed there. */
function decideAside(reading: PromptReading, known: Known): Verdict | null {
  const { newContent, side, firstPartyClass } = reading;
  if (reading.promptId !== null || newContent.typedCommand) return null;
  const labelled = isLabelled(reading, known);
  if (!reading.hasClientTools) {
    return labelled || (side !== null && side.proof !== 'name') ? auxiliary(reading) : null;
  }
  if (labelled && firstPartyClass === 'followup-generation') return auxiliary(reading, 'prompt suggestion');
  if (labelled && firstPartyClass === 'summary-extraction') return auxiliary(reading);
  if (newContent.words) {
    // No key: the same words as a prompt of its own must not pass for its repeat.
    const said = { code: 'side-question', rule: 'side-question', sentence: 'side question you typed' } as const;
    return { ...user(reading, said), ledgerKey: null };
  }
  return labelled ? auxiliary(reading) : unclear(reading);
}

/**
 * Claude Code with its labels off. Its agent id still comes, and marks in the system prompt of older releases: both can
 * be set by a person.
 */
function decideUnlabelled(reading: PromptReading, known: Known): Verdict | null {
  if (isCalledSubagent(reading, known)) return subagent(reading);
  return reading.side?.proof === 'shape' ? auxiliary(reading) : null;
}

/** The first request of a subagent that an answer of this session called for. */
export function isCalledSubagent(reading: PromptReading, known: Known): boolean {
  const { requestClass, agentId, hasSubagentSystem, sessionKey, newContent } = reading;
  if (requestClass !== null || sessionKey === null || newContent.boundary >= 0) return false;
  return (agentId !== null || hasSubagentSystem) && known.agentCalls(sessionKey) > 0;
}

/** How many subagents an answer calls for. */
export function agentCallsIn(blocks: readonly { name: string | null }[]): number {
  return blocks.filter(({ name }) => name !== null && agentTools.has(name)).length;
}

/**
 * How an accepted attempt ended: not yet, delivered whole, ended early by Copilot or by us, broken off by the client.
 */
export type LedgerEnding = 'running' | 'whole' | 'cut' | 'left';

/** What the decision asks the record of accepted prompts. */
export interface LedgerView {
  /** Null if nothing with this key was accepted. */
  accepted(key: string): { ending: LedgerEnding } | null;
  /** Attempts with this key that were not accepted; `lastStatus` null if no answer came. */
  refusals(key: string): { count: number; lastStatus: number | null };
}

/** Everything that was seen of earlier requests. */
export interface Known extends LedgerView {
  /** Subagents that answers of this session called for and that have not begun. */
  agentCalls(session: string): number;
}
