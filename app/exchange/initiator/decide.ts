import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import type { MachineKind } from './claude-code-texts.ts';
import { isCalledSubagent, type Known } from './memory.ts';
import type { PromptReading } from './reading.ts';
import {
  agent,
  auxiliary,
  compaction,
  shortId,
  subagent,
  toolResults,
  unclear,
  user,
  type Verdict,
} from './verdict.ts';

/**
 * Who caused a request: `user` when a person just did something, `agent` when the client went on by itself. In doubt
 * `user`. The table is in docs/who-started-it.md.
 *
 * Two steps, so that the ledger can be asked in between: `readPrompt` looks at the request, this goes through the
 * table. Not for embeddings: they carry no initiator.
 */
export function decideInitiator(reading: PromptReading, known: Known): Verdict {
  if (reading.api === 'count-tokens') {
    const said = { code: 'token-count', rule: 'token-count', sentence: 'token counting, not a prompt' } as const;
    return agent(reading, said, 'conversation-background');
  }
  return reading.isClaudeCode ? decideForClaudeCode(reading, known) : decideForOthers(reading);
}

function decideForClaudeCode(reading: PromptReading, known: Known): Verdict {
  const { newContent } = reading;
  if (newContent.marked) return decideMarked(reading, known);
  const claimed = decideClaim(reading, known);
  if (claimed !== null) return claimed;
  if (newContent.words) return decideWords(reading, known);
  if (newContent.unknown) return unclear(reading);
  if (newContent.machine.length > 0) return decideMachine(reading, known);
  if (newContent.toolResults === 0) return unclear(reading);
  // What stands beside the results reads like a reminder or an echo; under a prompt that is not accepted yet, a
  // person may have typed it.
  if (newContent.texts && !isAcceptedPrompt(reading, known)) return unclear(reading);
  return toolResults(reading, reading.requestClass === 'main' ? 'main-seen-prompt' : 'body-agent');
}

/** Claude Code's own texts mean nothing from another client: there every text counts as the person's words. */
function decideForOthers(reading: PromptReading): Verdict {
  const { newContent, api } = reading;
  const openai = api === 'chat' || api === 'responses';
  if (newContent.words) {
    return user(reading, { code: 'prompt', rule: openai ? 'openai-user' : 'body-user', sentence: 'new prompt' });
  }
  if (newContent.toolResults > 0 && !newContent.unknown)
    return toolResults(reading, openai ? 'openai-agent' : 'body-agent');
  return unclear(reading);
}

/**
 * What Claude Code claims by its headers that a request is, decided where it fits what the request shows and what was
 * seen before. Null if nothing is claimed, or it does not fit, and the new content decides.
 *
 * Claude Code's own class can't be overridden by a person's headers, and a person's headers stand on every request
 * alike. So a class other than `main` counts once the session has sent one of class `main`, or where the body alone
 * shows as much.
 */
function decideClaim(reading: PromptReading, known: Known): Verdict | null {
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

function isAcceptedPrompt({ keys }: PromptReading, known: Known): boolean {
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

function decideMarked(reading: PromptReading, known: Known): Verdict {
  if (isRepeat(reading, known)) return repeat(reading, 'repeat of a message that Copilot had accepted');
  const sentence = withAttempt(msg('you wrote while it was working'), attemptOf(reading, known));
  return user(reading, { code: 'interjection', rule: 'main-interjection', sentence });
}

function decideWords(reading: PromptReading, known: Known): Verdict {
  if (isRepeat(reading, known)) return repeat(reading, 'repeat of a prompt that Copilot had accepted');
  const attempt = attemptOf(reading, known);
  if (reading.requestClass === 'main' && reading.firstPartyClass === 'background-task') {
    const sentence = withAttempt(msg('scheduled prompt (counted as yours: you set it up)'), attempt);
    return user(reading, { code: 'scheduled', rule: 'scheduled', sentence });
  }
  if (attempt !== null) {
    return user(reading, { code: 'prompt', rule: 'attempt', sentence: withAttempt('prompt', attempt) });
  }
  const rule = reading.requestClass === 'main' ? 'main-new-prompt' : 'body-user';
  const id = reading.promptId === null ? '' : ` ${shortId(reading.promptId)}`;
  return user(reading, { code: 'prompt', rule, sentence: `new prompt${id}` });
}

/**
 * Texts that read like Claude Code's own and no words beside them. Whatever is not proven to be its own is a prompt.
 */
function decideMachine(reading: PromptReading, known: Known): Verdict {
  const kinds = new Set(reading.newContent.machine);
  const last = reading.newContent.machine.at(-1);
  const isProven = (kind: MachineKind) => isOwn(kind, reading, known);
  if (last === undefined || ![...kinds].every((kind) => kind === 'hook' || isProven(kind))) {
    return decideWords(reading, known);
  }
  if (kinds.has('hook')) return decideHook(reading, known);
  switch (last) {
    case 'notification': {
      const said = { code: 'notification', rule: 'main-notification', sentence: 'background task finished' } as const;
      return agent(reading, said, 'conversation-background', reading.keys?.notification);
    }
    case 'resume':
      return agent(reading, { code: 'resume', rule: 'resume', sentence: 'answer resumed after a cut' });
    case 'continuation':
      return agent(reading, { code: 'continuation', rule: 'continuation', sentence: 'continued after compaction' });
    case 'structured-output': {
      const sentence = 'asked again for its structured answer';
      return agent(reading, { code: 'continuation', rule: 'structured-output', sentence });
    }
    case 'tools-loaded':
      return toolResults(reading, 'main-seen-prompt');
    default:
      return decideWords(reading, known);
  }
}

/**
 * A sign that a person can't type. A notification names a call of this conversation, and is believed once. A resume
 * comes right after an answer that ended early. What goes on after a compaction, the order to call a tool, and the word
 * that tools are loaded come under a prompt that Copilot has accepted; the last one once, beside the result that names
 * the tools.
 */
function isOwn(kind: MachineKind, reading: PromptReading, known: Known): boolean {
  const { newContent, keys } = reading;
  switch (kind) {
    case 'notification': {
      const key = keys?.notification ?? null;
      if (key === null) return false;
      const before = known.accepted(key);
      return before === null || before.ending === 'cut';
    }
    case 'resume':
      return newContent.boundary >= 0 && isResumed(reading, known);
    case 'continuation':
      return newContent.boundary < 0 && isLabelledMain(reading) && isAcceptedPrompt(reading, known);
    case 'structured-output':
      return reading.hasStructuredOutput && isLabelledMain(reading) && isAcceptedPrompt(reading, known);
    case 'tools-loaded':
      return (
        isOnce(kind, newContent.machine) &&
        newContent.toolsFound &&
        isLabelledMain(reading) &&
        isAcceptedPrompt(reading, known)
      );
    default:
      return false;
  }
}

function isOnce(kind: MachineKind, kinds: readonly MachineKind[]): boolean {
  return kinds.filter((one) => one === kind).length === 1;
}

function isLabelledMain({ requestClass, promptId }: PromptReading): boolean {
  return requestClass === 'main' && promptId !== null;
}

/**
 * Claude Code gives up waiting by itself, too; without a prompt id that can't be told from a person who broke off and
 * typed.
 */
function isResumed(reading: PromptReading, known: Known): boolean {
  const ending = reading.keys === null ? null : (known.accepted(reading.keys.cutBefore)?.ending ?? null);
  if (reading.promptId === null) return ending === 'cut';
  return ending !== null && isAcceptedPrompt(reading, known);
}

/** A person's own rule that Claude Code is not done: VS Code counts it as the user's, and so is it here. */
function decideHook(reading: PromptReading, known: Known): Verdict {
  if (isRepeat(reading, known)) return repeat(reading, 'repeat of a stop hook that Copilot had accepted');
  return user(reading, { code: 'hook', rule: 'hook', sentence: 'stop hook (counted as yours: you set it up)' });
}

/**
 * Accepted once, the same words under the same prompt id are the client's own repeat, at the same place or after a
 * compaction. Without an id they are that only if the attempt ended early on our side: after a whole answer, or one
 * that the person broke off, they are the person asking again.
 */
function isRepeat(reading: PromptReading, known: Known): boolean {
  const accepted = reading.ledgerKey === null ? null : known.accepted(reading.ledgerKey);
  if (accepted === null) return false;
  if (reading.promptId === null) return accepted.ending === 'cut';
  const here = reading.keys?.wordsHere ?? null;
  return reading.isCompacted || (here !== null && known.accepted(here) !== null);
}

function repeat(reading: PromptReading, sentence: string): Verdict {
  return agent(reading, { code: 'repeat', rule: 'repeat', sentence }, 'conversation-agent', reading.ledgerKey);
}

interface Attempt {
  /** Number, from 2 on. */
  number: number;
  lastStatus: number | null;
}

/** Null for the first attempt, and where Copilot had accepted the same words. */
function attemptOf(reading: PromptReading, known: Known): Attempt | null {
  const key = reading.ledgerKey;
  if (key === null || known.accepted(key) !== null) return null;
  const { count, lastStatus } = known.refusals(key);
  return count > 0 ? { number: count + 1, lastStatus } : null;
}

function withAttempt(what: string, attempt: Attempt | null): string {
  if (attempt === null) return what;
  const { number, lastStatus } = attempt;
  const refused = lastStatus !== null && lastStatus >= 300;
  const [nth, before] = [ordinal(number), ordinal(number - 1)];
  return refused
    ? t('{what}, {nth} attempt; the {before} was refused with {status}', { what, nth, before, status: lastStatus })
    : t('{what}, {nth} attempt; the {before} brought no answer', { what, nth, before });
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function ordinal(number: number): string {
  return ordinals[number - 1] ?? `${number}.`;
}
