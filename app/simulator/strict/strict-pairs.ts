import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { asList, asText } from '../json.ts';
import { flatRefusal, type Refusal } from '../refusal.ts';
import { type MessagesCheck, messagesOf } from './messages-check.ts';

/** Neighbours of one role as one turn; system messages do not part them. */
interface Turn {
  role: unknown;
  /** Place of its first message. */
  at: number;
  blocks: JsonObject[];
}

/** Every tool call has its result at the beginning of the very next user turn, and every result its call. */
export function checkPairs({ body }: MessagesCheck): Refusal | null {
  const turns = turnsOf(body);
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const refusal =
      turn.role === 'assistant' ? checkCalls(turn, turns[index + 1], seen) : checkResults(turn, turns[index - 1]);
    if (refusal !== null) return refusal;
  }
  return null;
}

function turnsOf(body: JsonObject): Turn[] {
  const turns: Turn[] = [];
  for (const [at, message] of messagesOf(body).entries()) {
    if (message.role === 'system') continue;
    const blocks = asList(message.content).filter(isObject);
    const last = turns.at(-1);
    if (last !== undefined && last.role === message.role) last.blocks.push(...blocks);
    else turns.push({ role: message.role, at, blocks: [...blocks] });
  }
  return turns;
}

function idsOf(turn: Turn | undefined, type: string, key: string): string[] {
  return (turn?.blocks ?? []).filter((block) => block.type === type).map((block) => asText(block[key]) ?? '');
}

function checkCalls(turn: Turn, next: Turn | undefined, seen: Set<string>): Refusal | null {
  const calls = idsOf(turn, 'tool_use', 'id');
  for (const id of calls) {
    if (seen.has(id)) return flatRefusal('messages: `tool_use` ids must be unique');
    seen.add(id);
  }
  const results = new Set(idsOf(next, 'tool_result', 'tool_use_id'));
  const missing = calls.filter((id) => !results.has(id));
  return missing.length === 0
    ? null
    : flatRefusal(
        `messages.${turn.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
          `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block ` +
          'in the next message.',
      );
}

function checkResults(turn: Turn, before: Turn | undefined): Refusal | null {
  const calls = new Set(idsOf(before, 'tool_use', 'id'));
  const results = idsOf(turn, 'tool_result', 'tool_use_id');
  const stray = results.find((id) => !calls.has(id));
  if (stray !== undefined) {
    return flatRefusal(
      `messages.${turn.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each ` +
        `\`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  if (new Set(results).size < results.length) {
    return flatRefusal(`messages.${turn.at}: each \`tool_use\` must have a single result.`);
  }
  const firstOther = turn.blocks.findIndex((block) => block.type !== 'tool_result');
  const lastResult = turn.blocks.findLastIndex((block) => block.type === 'tool_result');
  return firstOther >= 0 && firstOther < lastResult
    ? flatRefusal(`messages.${turn.at}: \`tool_result\` blocks must come before any other content.`)
    : null;
}
