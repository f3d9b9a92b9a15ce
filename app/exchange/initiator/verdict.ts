import type { Reach } from '../../api/account.ts';
import type { Initiator, ReasonCode } from '../../api/exchange.ts';
import { countedByVscode } from '../../words/reach.ts';
import { compactionSentence, resultsSentence } from '../../words/why.ts';
import type { PromptReading } from './reading.ts';

type InteractionType =
  | 'conversation-agent'
  | 'conversation-subagent'
  | 'conversation-compaction'
  | 'conversation-background';

/** Where in VS Code such a request is made; only what it was seen to send. */
type Intent = 'conversation-agent' | 'conversation-panel';

export interface Verdict {
  initiator: Initiator;
  code: ReasonCode;
  /** Rule that decided, finer than the code: `main-new-prompt`, `class-subagent`, … */
  rule: string;
  /** For the log. Holds ids and names of tools and agents, never a word of the prompt. */
  sentence: string;
  interactionType: InteractionType;
  intent: Intent;
  /** The prompt's own id where the client gave one; else `Interactions` finds it. */
  interactionId: string | null;
  /** What to enter into the ledger when Copilot accepts this attempt; null if nothing. */
  ledgerKey: string | null;
}

export type Said = Pick<Verdict, 'code' | 'rule' | 'sentence'>;

export function user(reading: PromptReading, said: Said): Verdict {
  return verdict(reading, 'user', said, 'conversation-agent', reading.ledgerKey);
}

/** `ledgerKey`: how this attempt ends decides whether the next one is a repeat, too. */
export function agent(
  reading: PromptReading,
  said: Said,
  type: InteractionType = 'conversation-agent',
  ledgerKey: string | null = null,
): Verdict {
  return verdict(reading, 'agent', said, type, ledgerKey);
}

export function unclear(reading: PromptReading): Verdict {
  const said: Said = { code: 'unclear', rule: 'unsure', sentence: 'unclear who started it; counted as yours' };
  return { ...user(reading, said), ledgerKey: null };
}

export function subagent(reading: PromptReading): Verdict {
  const workflow = reading.requestClass === 'workflow';
  const type = reading.agentType === null ? '' : ` ${printable(reading.agentType)}`;
  const sentence = workflow ? 'workflow' : `subagent${type}`;
  const rule = workflow ? 'class-workflow' : 'class-subagent';
  return agent(reading, { code: 'subagent', rule, sentence }, 'conversation-subagent');
}

export function compaction(reading: PromptReading): Verdict {
  const sentence = compactionSentence(reading.compaction === null ? null : printable(reading.compaction));
  const said: Said = { code: 'compaction', rule: 'class-compaction', sentence };
  return agent(reading, said, 'conversation-compaction');
}

export function auxiliary(reading: PromptReading, sentence: string = reading.side?.kind ?? 'auxiliary'): Verdict {
  const rule = reading.requestClass === 'side_reply' ? 'class-side-reply' : 'class-auxiliary';
  const verdict = agent(reading, { code: 'auxiliary', rule, sentence }, 'conversation-background');
  return isTitle(reading) ? { ...verdict, intent: 'conversation-panel' } : verdict;
}

/** Needs more than the name: VS Code's own titles come from its chat panel. */
function isTitle({ side }: PromptReading): boolean {
  return side?.kind === 'title' && side.proof !== 'name';
}

export function toolResults(reading: PromptReading, rule: string): Verdict {
  return agent(reading, { code: 'tool-results', rule, sentence: toolsSentence(reading.newContent.tools) });
}

const namesShown = 4;

function toolsSentence(tools: readonly string[]): string {
  const shown = tools.slice(0, namesShown).map(printable).join(', ');
  return resultsSentence(tools.length > namesShown ? `${shown} and ${tools.length - namesShown} more` : shown);
}

function verdict(
  reading: PromptReading,
  initiator: Initiator,
  said: Said,
  interactionType: InteractionType,
  ledgerKey: string | null,
): Verdict {
  const { promptId } = reading;
  const interactionId = promptId !== null && uuid.test(promptId) ? promptId : null;
  return { initiator, ...said, interactionType, intent: 'conversation-agent', interactionId, ledgerKey };
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Names that clients choose, made fit for one line. */
function printable(name: string): string {
  const clean = name.replace(/[^\x20-\x7e]/g, '?');
  return clean.length > 64 ? `${clean.slice(0, 63)}…` : clean;
}

export function shortId(id: string): string {
  const clean = printable(id);
  return clean.length > 4 ? `${clean.slice(0, 4)}…` : clean;
}

/** A person may count everything as theirs, and VS Code does; nothing makes a `user` an `agent`. */
export function applyInitiatorOverride(
  verdict: Verdict,
  { reach, alwaysUser }: { reach: Reach; alwaysUser: boolean },
): Verdict {
  if (verdict.initiator === 'user') return verdict;
  const why = reach === 'through-vscode' ? countedByVscode : alwaysUser ? 'counted as yours, as you set it' : null;
  return why === null ? verdict : { ...verdict, initiator: 'user', sentence: `${verdict.sentence}; ${why}` };
}
