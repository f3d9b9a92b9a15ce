import type {
  Block,
  CompactionBlock,
  Conversation,
  NoteBlock,
  SteeredBlock,
  Step,
  TextBlock,
  ThinkingBlock,
  Turn,
} from '../state/conversation.ts';
import { textOf } from '../state/fields.ts';

/** A file was edited in the turn itself; what its subagents did isn't counted. */
export function hasEdits({ blocks }: Pick<Turn, 'blocks'>): boolean {
  const isEdit = (kind: string): boolean => kind === 'write' || kind === 'edit' || kind === 'notebook';
  return blocks.some((block) => block.kind === 'step' && isEdit(block.stepKind) && block.state === 'done');
}

/** Rounded corners of a line in the box of steps. */
export interface Edge {
  isFirst: boolean;
  isLast: boolean;
}

type ItemKind =
  | { kind: 'prompt'; turn: Turn }
  | { kind: 'begun'; turn: Turn }
  | { kind: 'text'; block: TextBlock }
  | { kind: 'thinking'; block: ThinkingBlock; edge: Edge }
  | { kind: 'step'; step: Step; edge: Edge }
  /** Reads and searches in a row. */
  | { kind: 'reading'; steps: readonly Step[]; edge: Edge }
  | { kind: 'steered'; block: SteeredBlock }
  | { kind: 'compaction'; block: CompactionBlock }
  | { kind: 'note'; block: NoteBlock }
  /** Nothing came yet. */
  | { kind: 'awaited' }
  /** How it ended, where that was not well. */
  | { kind: 'end'; turn: Turn }
  | { kind: 'figures'; turn: Turn };

/** One element of the transcript. Its `key` stays the same. */
export type Item = ItemKind & { key: string; turnId: string };

/** What belongs to one item: one block, or several that are read in a row. */
type Group = Block | Step[];

/** The items of blocks that did not change are the same objects, so that nothing of them is drawn again. */
const known = new WeakMap<Block, Item>();

/** @param prefix of the keys: the turn, or the step of a lane */
export function itemsOfBlocks(blocks: readonly Block[], turnId: string, prefix: string): Item[] {
  const groups = groupsOf(blocks);
  return groups.map((group, index) => {
    const at = edgeOf(!isBoxed(groups[index - 1]), !isBoxed(groups[index + 1]));
    const first = Array.isArray(group) ? group[0] : group;
    const before = first === undefined ? undefined : known.get(first);
    if (first === undefined || (before !== undefined && isSame(before, group, at, prefix, first))) {
      return before ?? { kind: 'awaited', key: prefix, turnId };
    }
    const item = { ...itemOf(group, at), key: `${prefix}/${first.id}`, turnId };
    known.set(first, item);
    return item;
  });
}

function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.kind === 'step' && isReading(block)) {
      if (Array.isArray(last)) last.push(block);
      else groups.push([block]);
    } else if (isShown(block)) groups.push(block);
  }
  return groups;
}

function isShown(block: Block): boolean {
  if (block.kind === 'text') return block.text.trim() !== '';
  // While a turn runs, its list of tasks stands in the dock.
  if (block.kind === 'step') return block.stepKind !== 'tasks' || block.tasks !== null;
  return block.kind !== 'note' || hasWords(block);
}

/** Whether a note is shown: one of an unknown kind has no words. */
function hasWords({ code }: NoteBlock): boolean {
  return code === 'turn-cut' || code === 'more-user-requests' || code === 'not-loaded';
}

export function isReading({ stepKind, state }: Step): boolean {
  return (stepKind === 'read' || stepKind === 'search') && state !== 'waiting' && state !== 'denied';
}

function isBoxed(group: Group | undefined): boolean {
  if (group === undefined) return false;
  return Array.isArray(group) || group.kind === 'step' || group.kind === 'thinking';
}

const edges = [false, true].flatMap((isFirst) => [false, true].map((isLast) => ({ isFirst, isLast })));

/** One object per kind, to be compared by identity. */
function edgeOf(isFirst: boolean, isLast: boolean): Edge {
  return edges.find((edge) => edge.isFirst === isFirst && edge.isLast === isLast) ?? { isFirst, isLast };
}

function isSame(item: Item, group: Group, edge: Edge, prefix: string, first: Block): boolean {
  if ('edge' in item && item.edge !== edge) return false;
  if (item.key.length !== prefix.length + 1 + first.id.length || !item.key.startsWith(prefix)) return false;
  if (!Array.isArray(group)) return true;
  return (
    item.kind === 'reading' &&
    item.steps.length === group.length &&
    group.every((step, index) => item.steps[index] === step)
  );
}

function itemOf(group: Group, edge: Edge): ItemKind {
  if (Array.isArray(group)) return { kind: 'reading', steps: group, edge };
  switch (group.kind) {
    case 'thinking':
      return { kind: 'thinking', block: group, edge };
    case 'step':
      return { kind: 'step', step: group, edge };
    case 'text':
      return { kind: 'text', block: group };
    case 'steered':
      return { kind: 'steered', block: group };
    case 'compaction':
      return { kind: 'compaction', block: group };
    case 'note':
      return { kind: 'note', block: group };
  }
}

const ofTurns = new WeakMap<Turn, Item[]>();

/** All of a conversation, the oldest first. */
export function itemsOf({ turns }: Pick<Conversation, 'turns'>): Item[] {
  return turns.flatMap((turn) => {
    const items = ofTurns.get(turn) ?? itemsOfTurn(turn);
    ofTurns.set(turn, items);
    return items;
  });
}

function itemsOfTurn(turn: Turn): Item[] {
  const { id, state, blocks } = turn;
  const own = (item: ItemKind): Item => ({ ...item, key: `${id}:${item.kind}`, turnId: id });
  const inner = itemsOfBlocks(withoutProblem(blocks, turn.problem), id, id);
  const items = [own({ kind: turn.prompt === null || turn.begunBy !== 'prompt' ? 'begun' : 'prompt', turn }), ...inner];
  if (state === 'running') return inner.length === 0 ? [...items, own({ kind: 'awaited' })] : items;
  if (turn.problem !== null || state !== 'done') items.push(own({ kind: 'end', turn }));
  return [...items, own({ kind: 'figures', turn })];
}

/** How Claude Code begins what it says itself where a request failed. */
const ownError = /^(?:Failed to authenticate\. |Please run \/login · )?API Error\b/;

/** An agent says as its answer what ended the turn too; the end has it. */
function withoutProblem(blocks: Turn['blocks'], problem: Turn['problem']): Turn['blocks'] {
  // A note of ours may come after it.
  const at = blocks.findLastIndex(({ kind }) => kind !== 'note');
  const last = blocks[at];
  if (last?.kind !== 'text' || problem === null) return blocks;
  const [said, text] = [last.text.trim(), problem.text.trim()];
  return (text !== '' && said.endsWith(text)) || ownError.test(said) ? blocks.toSpliced(at, 1) : blocks;
}

/** Whether a model's word or step is in it: what the agent says itself of the failure at its end is none. */
export function hasAnswer({ blocks, problem }: Pick<Turn, 'blocks' | 'problem'>): boolean {
  return withoutProblem(blocks, problem).some(({ kind }) => kind === 'text' || kind === 'thinking' || kind === 'step');
}

/** About how high it is, in CSS pixels, before it was drawn. */
export function estimateOf(item: Item): number {
  switch (item.kind) {
    case 'prompt':
      return 66 + Math.floor(saidIn(item.turn).length / 100) * 20;
    case 'text':
      return 12 + Math.ceil(Math.min(item.block.text.length, 200_000) / 90) * 22;
    case 'thinking':
    case 'step':
    case 'reading':
      return item.edge.isFirst ? 43 : 31;
    case 'end':
      return 100;
    default:
      return 36;
  }
}

/** What a person said to begin a turn. */
export function saidIn({ prompt }: Pick<Turn, 'prompt'>): string {
  return (prompt ?? []).flatMap((block) => (block.type === 'text' ? (textOf(block, 'text') ?? []) : [])).join('\n');
}

/** The answer as it was written, without what was done for it. */
export function answerOf({ blocks }: Pick<Turn, 'blocks'>): string {
  return blocks
    .flatMap((block) => (block.kind === 'text' && block.text.trim() !== '' ? [block.text.trim()] : []))
    .join('\n\n');
}

/** How far a conversation was read: its last turn then, and the last step of that. */
export interface Seen {
  turnId: string;
  stepId: string | null;
}

/** Null if there is nothing in it. */
export function seenOf({ turns }: Pick<Conversation, 'turns'>): Seen | null {
  const turn = turns.at(-1);
  if (turn === undefined) return null;
  return { turnId: turn.id, stepId: turn.blocks.findLast(({ kind }) => kind === 'step')?.id ?? null };
}

/** How many steps that are shown came since; none where what was read is gone. Older turns may be added before it. */
export function stepsAfter({ turns }: Pick<Conversation, 'turns'>, { turnId, stepId }: Seen): number {
  const at = turns.findLastIndex(({ id }) => id === turnId);
  const blocks = turns[at]?.blocks ?? [];
  const seen = blocks.findLastIndex(({ id }) => id === stepId);
  if (at === -1 || (stepId !== null && seen === -1)) return 0;
  const after = [...blocks.slice(seen + 1), ...turns.slice(at + 1).flatMap((turn) => turn.blocks)];
  return after.filter((block) => block.kind === 'step' && isShown(block)).length;
}
