import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
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

/** `Claude asks to run a command.`, `Claude asks: Menu, Browsers.` */
export function asksWords(asked: ReadQuestion, who: string): string {
  if (asked.kind === 'permission') return permissionWords(asked.asked.subject, who);
  const { form } = asked;
  if (form.kind === 'questions') {
    const headings = form.questions.map(({ heading }) => oneLine(heading, mostOfName)).join(', ');
    return t('{who} asks: {headings}.', { who, headings });
  }
  return form.kind === 'address'
    ? t('{who} asks to open an address.', { who })
    : t('{who} asks for an answer.', { who });
}

function permissionWords(subject: PermissionSubject, who: string): string {
  switch (subject.kind) {
    case 'command':
      return t('{who} asks to run a command.', { who });
    case 'edit':
      return t('{who} asks to edit a file.', { who });
    case 'write':
      return t('{who} asks to write a file.', { who });
    case 'page':
      return t('{who} asks to fetch a page.', { who });
    case 'search-web':
      return t('{who} asks to search the web.', { who });
    case 'read':
      return t('{who} asks to read a file.', { who });
    case 'mcp':
      return t('{who} asks to use {name}.', { who, name: oneLine(subject.server, mostOfName) });
    case 'subagent':
      return t('{who} asks to start a subagent.', { who });
    case 'skill':
      return t('{who} asks to use a skill.', { who });
    case 'plan':
      return t('{who} asks about its plan.', { who });
    case 'other':
      return t('{who} asks to use {name}.', { who, name: oneLine(subject.tool, mostOfName) });
  }
}

/** `Subagent Explore`; null for the session itself asks. */
export function askerOf(conversation: Pick<Conversation, 'turns'>, child: string | null): string | null {
  if (child === null) return null;
  for (const { blocks } of conversation.turns.toReversed()) {
    const type = typeOf(blocks, child);
    if (type !== undefined)
      return type === null ? t('Subagent') : t('Subagent {type}', { type: oneLine(type, mostOfName) });
  }
  return t('Subagent');
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

/** Says how a question was closed, other than by an answer given here. */
export function goneWords(
  conversation: Pick<Conversation, 'turns'>,
  { question, ...asked }: ReadQuestion,
  agent: AgentWords,
): string {
  const id = asked.kind === 'permission' ? asked.asked.toolCallId : null;
  const turn = conversation.turns.find((one) => one.id === question.turnId) ?? conversation.turns.at(-1);
  const by = id === null || turn === undefined ? undefined : answererOf(turn.blocks, id);
  if (by === 'stopped' || turn?.state === 'cancelled') return t('The question is gone: the turn was stopped.');
  if (by === 'withdrawn') return t('The question is gone: {agent} took it back.', { agent: agent.title });
  if (by === 'person') return t('The question is gone: it was answered elsewhere.');
  if (turn !== undefined && turn.state !== 'running') return t('The question is gone: the turn has ended.');
  return t('The question is gone: it was answered elsewhere, or taken back.');
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
