import type { SessionQuestion } from '../../../app/api/sessions.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { oneLine } from '../../../app/words/text.ts';
import type { Block, Conversation } from '../state/conversation.ts';
import { type AskedPermission, type PermissionSubject, readPermission } from './asked.ts';
import { type AskedForm, readForm } from './form-fields.ts';

/** A question, read once. */
export type ReadQuestion =
  | { kind: 'permission'; question: SessionQuestion; asked: AskedPermission }
  | { kind: 'form'; question: SessionQuestion; form: AskedForm };

export function readQuestion(question: SessionQuestion): ReadQuestion {
  return question.kind === 'permission'
    ? { kind: 'permission', question, asked: readPermission(question) }
    : { kind: 'form', question, form: readForm(question) };
}

/** Longest name of a tool, a server, a heading or a subagent. */
const mostOfName = 40;

/** `to run a command`, `: Menu, Browsers`, `about its plan`: behind `Claude asks`, and in lists behind `Asks`. */
export function asksWords(asked: ReadQuestion): string {
  if (asked.kind === 'permission') return ` ${subjectWords(asked.asked.subject)}`;
  const { form } = asked;
  if (form.kind === 'questions')
    return `: ${form.questions.map(({ heading }) => oneLine(heading, mostOfName)).join(', ')}`;
  return form.kind === 'address' ? ' to open an address' : ' for an answer';
}

function subjectWords(subject: PermissionSubject): string {
  switch (subject.kind) {
    case 'command':
      return 'to run a command';
    case 'edit':
      return 'to edit a file';
    case 'write':
      return 'to write a file';
    case 'page':
      return 'to fetch a page';
    case 'search-web':
      return 'to search the web';
    case 'read':
      return 'to read a file';
    case 'mcp':
      return `to use ${oneLine(subject.server, mostOfName)}`;
    case 'subagent':
      return 'to start a subagent';
    case 'skill':
      return 'to use a skill';
    case 'plan':
      return 'about its plan';
    case 'other':
      return `to use ${oneLine(subject.tool, mostOfName)}`;
  }
}

/** `Subagent Explore`; null for the session itself asks. */
export function askerOf(conversation: Pick<Conversation, 'turns'>, child: string | null): string | null {
  if (child === null) return null;
  for (const { blocks } of conversation.turns.toReversed()) {
    const type = typeOf(blocks, child);
    if (type !== undefined) return type === null ? 'Subagent' : `Subagent ${oneLine(type, mostOfName)}`;
  }
  return 'Subagent';
}

function typeOf(blocks: readonly Block[], child: string): string | null | undefined {
  for (const block of blocks) {
    if (block.kind !== 'step' || block.lane === null) continue;
    if (block.lane.id === child || block.id === child) return block.lane.type;
    const inner = typeOf(block.lane.blocks, child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** How a question was closed, other than by an answer given here. */
export function whyGone(
  conversation: Pick<Conversation, 'turns'>,
  { question, ...asked }: ReadQuestion,
  agent: AgentWords,
): string {
  const id = asked.kind === 'permission' ? asked.asked.toolCallId : null;
  const turn = conversation.turns.find((one) => one.id === question.turnId) ?? conversation.turns.at(-1);
  const by = id === null || turn === undefined ? undefined : answererOf(turn.blocks, id);
  if (by === 'stopped' || turn?.state === 'cancelled') return 'the turn was stopped';
  if (by === 'withdrawn') return `${agent.title} took it back`;
  if (by === 'person') return 'it was answered elsewhere';
  if (turn !== undefined && turn.state !== 'running') return 'the turn has ended';
  return 'it was answered elsewhere, or taken back';
}

function answererOf(blocks: readonly Block[], id: string): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'step') continue;
    if (block.id === id) return block.answered?.by;
    const inner = block.lane === null ? undefined : answererOf(block.lane.blocks, id);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
