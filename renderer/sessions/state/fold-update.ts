import type { SessionEvent } from '../../../app/api/sessions.ts';
import type { Block, Step } from './conversation.ts';
import { closeOpen, type Editing, type Found, laneOf, type Place, push } from './editing.ts';
import { type Fields, fieldsOf, figureOf, listOf, promptOf, saidIn, textOf } from './fields.ts';
import { newStep, updatedStep } from './step.ts';
import { setTasks, tasksOfPlan } from './tasks.ts';

/** Updates that say nothing that a conversation shows. */
const silent = new Set([
  'available_commands_update',
  'config_option_update',
  'current_mode_update',
  'session_info_update',
  'plan_update',
]);

/** An event; those from a transcript have no time of their own. */
type Reported = Omit<SessionEvent, 'at'> & { at: number | null };

/** @param turn the turn that it came in; null if none is known */
export function putUpdate(editing: Editing, entry: Reported, turn: number | null): void {
  const update = fieldsOf(entry.event, 'update');
  if (update === null) return;
  const kind = textOf(update, 'sessionUpdate') ?? '';
  if (silent.has(kind)) return;
  if (kind === 'tool_call_update' && putOnStep(editing, entry, update)) return;
  const place = placeOf(editing, textOf(entry.event, 'child'), update, turn);
  if (place === null || kind === 'tool_call_update') {
    const { at } = entry;
    if (at !== null) editing.set({ unplaced: [...editing.now.unplaced, { ...entry, at }] });
    return;
  }
  if (place.lanes.length === 0) begins(editing, place, kind, entry.at);
  (put[kind] ?? putUnknown)(editing, place, entry, update);
}

type Put = (editing: Editing, place: Place, entry: Reported, update: Fields) => void;

const put: Readonly<Record<string, Put>> = {
  agent_message_chunk: (editing, place, entry, update) => putWords(editing, place, 'text', entry, update),
  agent_thought_chunk: (editing, place, entry, update) => putWords(editing, place, 'thinking', entry, update),
  user_message_chunk: (editing, place, { at }, update) => putSaid(editing, place, update, at),
  tool_call: putCall,
  plan: (editing, { turn, lanes }, _, update) => {
    if (lanes.length === 0) setTasks(editing, turn, tasksOfPlan(update));
  },
  compaction_update: (editing, place, { at }, update) => putCompaction(editing, place, update, at),
  subagent_update: (editing, place, { at }, update) => putSubagent(editing, place, update, at),
  session_message: (editing, _, { at }, update) => putSubagentMessage(editing, update, at),
  usage_update: (editing, place, _, update) => putModel(editing, place, update),
};

function putUnknown(editing: Editing, place: Place, { seq, at }: Reported, update: Fields): void {
  const code = textOf(update, 'sessionUpdate') ?? '';
  push(editing, place, { kind: 'note', id: `update-${seq}`, code, at, detail: update }, at);
}

/** False: no such step is known. */
function putOnStep(editing: Editing, entry: Reported, update: Fields): boolean {
  const toolCallId = textOf(update, 'toolCallId');
  return putOn(editing, toolCallId === null ? null : editing.findStep(({ id }) => id === toolCallId), entry, update);
}

function putOn(editing: Editing, found: Found | null, entry: Reported, update: Fields): boolean {
  if (found === null) return false;
  editing.setStep(found, updatedStep(found.step, update, entry.at, entry.cuts));
  return true;
}

/** Where an update of the session, or of a subagent of it, belongs. Null if its subagent is not known. */
function placeOf(editing: Editing, child: string | null, update: Fields, turn: number | null): Place | null {
  const parent = textOf(fieldsOf(update._meta, 'claudeCode'), 'parentToolUseId');
  if (child === null && parent === null) return turn === null ? null : { turn, lanes: [] };
  const found =
    (child === null ? null : editing.findStep(({ lane }) => lane?.id === child)) ??
    (parent === null ? null : editing.findStep(({ id, lane }) => id === parent && lane !== null));
  return found === null ? null : laneOf(found);
}

/** When the first word of a turn came. */
function begins(editing: Editing, { turn }: Place, kind: string, at: number | null): void {
  if (kind !== 'agent_message_chunk' && kind !== 'agent_thought_chunk' && kind !== 'tool_call') return;
  const now = editing.now.turns[turn];
  if (now === undefined) return;
  if (now.firstWordAt === null && now.state === 'running') editing.setTurn(turn, { firstWordAt: at });
}

function putWords(
  editing: Editing,
  place: Place,
  kind: 'text' | 'thinking',
  { at, seq }: Reported,
  update: Fields,
): void {
  const text = textOf(fieldsOf(update, 'content'), 'text');
  if (text === null) {
    const detail = update.content;
    push(editing, place, { kind: 'note', id: `content-${seq}`, code: 'content', at, detail }, at);
    return;
  }
  const message = textOf(update, 'messageId');
  const blocks = editing.blocks(place);
  const last = blocks.at(-1);
  if (last?.kind === kind && last.isOpen && last.message === message) {
    editing.replace(place, blocks.length - 1, { ...last, text: last.text + text });
    return;
  }
  const id = wordsId(blocks, kind, message);
  if (kind === 'text') push(editing, place, { kind, id, message, text, isOpen: true }, at);
  else push(editing, place, { kind, id, message, text, isOpen: true, startedAt: at, endedAt: null }, at);
}

/** The same for a turn that is followed live and for one that is read: by the message, and its place in it. */
function wordsId(blocks: readonly Block[], kind: 'text' | 'thinking', message: string | null): string {
  let same = 0;
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    if (block?.kind !== 'text' && block?.kind !== 'thinking') continue;
    // The parts of one message stand together, but for its tools.
    if (block.message !== message) break;
    if (block.kind === kind) same += 1;
  }
  return `${kind}-${message ?? 'unnamed'}-${same}`;
}

/** Words that a person said into a turn, as a transcript has them. */
function putSaid(editing: Editing, place: Place, update: Fields, at: number | null): void {
  const prompt = promptOf([update.content]) ?? [];
  const id = textOf(update, 'messageId') ?? `said-${editing.blocks(place).length}`;
  const blocks = editing.blocks(place);
  const last = blocks.at(-1);
  if (last?.kind === 'steered' && last.id === id) {
    editing.replace(place, blocks.length - 1, { ...last, prompt: [...last.prompt, ...prompt] });
  } else push(editing, place, { kind: 'steered', id, prompt, at }, at);
}

function putCall(editing: Editing, place: Place, entry: Reported, update: Fields): void {
  const toolCallId = textOf(update, 'toolCallId') ?? `call-${entry.seq}`;
  if (putOn(editing, editing.findStepCalled(toolCallId), entry, update)) return;
  push(editing, place, updatedStep(newStep(toolCallId, entry.at), update, entry.at, entry.cuts), entry.at);
  countStep(editing, place);
}

/** A lane's line says how many steps it took. */
function countStep(editing: Editing, { turn, lanes }: Place): void {
  const index = lanes.at(-1);
  if (index === undefined) return;
  const place = { turn, lanes: lanes.slice(0, -1) };
  const step = editing.blocks(place)[index];
  if (step?.kind !== 'step' || step.lane === null) return;
  editing.replace(place, index, { ...step, lane: { ...step.lane, steps: step.lane.steps + 1 } });
}

function putCompaction(editing: Editing, place: Place, update: Fields, at: number | null): void {
  const id = textOf(update, 'compactionId') ?? 'compaction';
  const blocks = editing.blocks(place);
  const index = blocks.findLastIndex((block) => block.kind === 'compaction' && block.id === id);
  const known = blocks[index];
  const before = known?.kind === 'compaction' ? known : null;
  const summary = saidIn(listOf(update, 'summary'));
  const figures = fieldsOf(fieldsOf(update._meta, 'claudeCode'), 'compactMetadata');
  const block: Block = {
    ...{ kind: 'compaction', id, isOpen: update.status === 'in_progress', at },
    before: figureOf(figures, 'preTokens') ?? before?.before ?? null,
    after: figureOf(figures, 'postTokens') ?? before?.after ?? null,
    summary: summary === '' ? (before?.summary ?? null) : summary,
  };
  if (before === null) push(editing, place, block, at);
  else editing.replace(place, index, block);
}

/** Each answer names the model that it is of. */
function putModel(editing: Editing, { turn, lanes }: Place, update: Fields): void {
  const model = textOf(update._meta, '_claude/model');
  const now = editing.now.turns[turn];
  if (model === null || now === undefined || lanes.length > 0 || now.models.includes(model)) return;
  editing.setTurn(turn, { models: [...now.models, model] });
}

/** The end of the id of the message with which a subagent answers. */
const replyEnd = ':reply';
/** Claude Code's first words when a call starts a background subagent: they are not the subagent's own. */
const launched = 'Async agent launched successfully';

/** A subagent began, waits, or is done. Its own words and steps come under its own id. */
function putSubagent(editing: Editing, place: Place, update: Fields, at: number | null): void {
  const child = textOf(update, 'sessionId');
  if (child === null) return;
  const state = stateOf(textOf(fieldsOf(update, 'state'), 'state'), textOf(fieldsOf(update, 'state'), 'stopReason'));
  const found = laneStep(editing, child);
  if (found === null) {
    const step = { ...newStep(child, at), stepKind: 'subagent', tool: 'Agent' } as const;
    const nothing = { blocks: [], steps: 0, nanoAiu: null };
    const lane = { id: child, type: textOf(update, 'description'), task: null, isBackground: false };
    const title = textOf(update, 'title') ?? '';
    push(editing, place, { ...step, title, state: state ?? 'running', lane: { ...lane, ...nothing } }, at);
    return;
  }
  if (state === null) return;
  const isOver = state !== 'running' && state !== 'waiting';
  const goesOn = found.step.state === 'background' && !isOver;
  editing.setStep(found, { state: goesOn ? 'background' : state, endedAt: isOver ? at : null });
  if (isOver) closeOpen(editing, laneOf(found), at);
}

function stateOf(state: string | null, stopReason: string | null): Step['state'] | null {
  switch (state) {
    case 'running':
      return 'running';
    case 'requires_action':
      return 'waiting';
    case 'idle':
      if (stopReason === 'cancelled') return 'cut';
      return stopReason === null || stopReason === 'end_turn' ? 'done' : 'failed';
    default:
      return null;
  }
}

/** What a session says to its subagent is the task; what comes back is the result. */
function putSubagentMessage(editing: Editing, update: Fields, at: number | null): void {
  const id = textOf(update, 'messageId') ?? '';
  const text = saidIn(listOf(update, 'content'));
  const isReply = id.endsWith(replyEnd);
  const child = textOf(update, isReply ? 'senderSessionId' : 'recipientSessionId');
  const found = child === null ? null : laneStep(editing, child);
  if (found === null) return;
  const { step } = found;
  const { lane } = step;
  if (lane === null) return;
  if (isReply && text.startsWith(launched)) editing.setStep(found, { lane: { ...lane, isBackground: true } });
  else if (isReply) editing.setStep(found, { content: text === '' ? [] : [{ type: 'text', text }], endedAt: at });
  else if (lane.task === null) editing.setStep(found, { ...named(step, id), lane: { ...lane, task: text } });
}

/** The agent names the call that started a subagent by the message that gave it its task. */
function named(step: Step, id: string): Pick<Step, 'id'> {
  return { id: step.id === step.lane?.id && id !== '' ? id : step.id };
}

function laneStep(editing: Editing, child: string): Found | null {
  return editing.findStep(({ lane }) => lane?.id === child);
}
