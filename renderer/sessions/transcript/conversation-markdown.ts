import { inEnglish } from '../../../app/language/language.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { counted, grouped } from '../../../app/words/numbers.ts';
import { dayAndTime } from '../../../app/words/times.ts';
import type { Block, Conversation, PromptBlock, Step, Turn } from '../state/conversation.ts';
import { isFields, textOf } from '../state/fields.ts';
import { changedBy } from './changed-lines.ts';
import { resultOf, stepWords } from './step-words.ts';

interface MarkdownAbout {
  /** Who answered. */
  agent: AgentWords;
  title: string;
  /** Null if unknown. */
  folder: string | null;
}

/**
 * A conversation as a text in Markdown: what was said as it was written, and what was done in one line a step. Thinking
 * and what tools gave back are left out. In English in every language.
 */
export function conversationMarkdown(about: MarkdownAbout, { turns }: Pick<Conversation, 'turns'>): string {
  const { title, folder } = about;
  const head = [`# ${oneLine(title)}`, ...(folder === null ? [] : [code(folder)])];
  const parts = inEnglish(() => turns.flatMap((turn) => turnParts(turn, about)));
  return `${[...head, ...parts].join('\n\n')}\n`;
}

function turnParts(turn: Turn, { folder, agent }: MarkdownAbout): string[] {
  const at = turn.startedAt === null ? '' : `, ${dayAndTime(turn.startedAt)}`;
  const said = turn.prompt === null ? '' : promptText(turn.prompt);
  const answer = blockParts(turn.blocks, folder);
  const end = endOf(turn);
  return [
    turn.prompt === null ? `## ${begunWords(turn)}${at}` : `## You${at}`,
    ...(said === '' ? [] : [said]),
    ...(turn.prompt !== null && answer.length > 0 ? [`## ${agent.name}`] : []),
    ...answer,
    ...(end === null ? [] : [`*${end}*`]),
  ];
}

function begunWords({ begunBy }: Turn): string {
  return begunBy === 'earlier-conversation' ? 'Continued from an earlier conversation' : 'A background task ended';
}

function endOf({ state, problem }: Turn): string | null {
  switch (state) {
    case 'done':
      return null;
    case 'running':
      return 'This turn still runs.';
    case 'cancelled':
      return 'Stopped by you.';
    case 'interrupted':
      return problem === null ? 'Jumpseat was closed in the middle of this turn.' : oneLine(problem.text);
    case 'failed':
      return problem === null ? 'This turn failed.' : oneLine(problem.text);
  }
}

/** Steps that follow one another are one list. */
function blockParts(blocks: readonly Block[], folder: string | null): string[] {
  const parts: string[] = [];
  let steps: string[] = [];
  const endList = (): void => {
    if (steps.length > 0) parts.push(steps.join('\n'));
    steps = [];
  };
  for (const block of blocks) {
    if (block.kind === 'step') steps.push(...stepLines(block, folder));
    else {
      const part = wordsOf(block);
      if (part === null) continue;
      endList();
      parts.push(part);
    }
  }
  endList();
  return parts;
}

function wordsOf(block: Exclude<Block, Step>): string | null {
  switch (block.kind) {
    case 'text':
      return block.text.trim() === '' ? null : block.text.trim();
    case 'steered':
      return quoted(`Steered: ${promptText(block.prompt)}`);
    case 'compaction':
      if (block.before === null || block.after === null) return '*The conversation was summed up here.*';
      return `*Compacted: ${grouped(block.before)} tokens became ${grouped(block.after)}.*`;
    default:
      return null;
  }
}

function stepLines(step: Step, folder: string | null): string[] {
  if (step.stepKind === 'tasks') {
    return (step.tasks ?? []).map(({ text, state }) => `- [${state === 'done' ? 'x' : ' '}] ${oneLine(text)}`);
  }
  const { verb, object, isWords } = stepWords(step, folder);
  const changed = changedBy(step);
  const result = resultOf(step, changed !== null);
  const what = object === '' ? '' : ` ${isWords ? oneLine(object) : code(object)}`;
  const lines = changed === null ? '' : `+${grouped(changed.added)} −${grouped(changed.removed)}`;
  const came = [lines, result, lane(step)].filter(Boolean).join(', ');
  const words = textOf(step.answered?.answer, 'words');
  return [
    `- ${verb}${what}${came === '' ? '' : ` (${came})`}`,
    ...(words === null ? [] : [`  - You: ${oneLine(words)}`]),
  ];
}

function lane({ lane: inner }: Step): string {
  return inner === null || inner.steps === 0 ? '' : counted(inner.steps, 'step');
}

/** What was said, with files by their names and pasted texts whole. */
function promptText(prompt: readonly PromptBlock[]): string {
  return prompt
    .flatMap((block): string[] => {
      switch (block.type) {
        case 'text':
          return [textOf(block, 'text') ?? ''];
        case 'resource_link':
          return [`@${textOf(block, 'name') ?? textOf(block, 'uri') ?? ''}`];
        case 'resource':
          return [resource(block.resource)];
        case 'image':
          return ['(an image)'];
        default:
          return [];
      }
    })
    .join('\n\n')
    .trim();
}

function resource(given: unknown): string {
  if (!isFields(given)) return '';
  const text = textOf(given, 'text');
  return text === null ? `@${textOf(given, 'uri') ?? ''}` : fenced(text);
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Between more backticks than are in it. */
function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const isEdged = text.startsWith('`') || text.endsWith('`');
  return isEdged ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
