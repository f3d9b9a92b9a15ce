import type {
  SessionEvent,
  SessionQuestion,
  TurnCost,
  TurnFacts,
  TurnProblem,
  TurnState,
} from '../../../app/api/sessions.ts';
import { askedFor } from '../../../app/words/session-questions.ts';
import { closeTurn, isDeniedByPerson } from './close-turn.ts';
import type { Answered, Conversation, Turn } from './conversation.ts';
import { Editing, push, putLaneCosts } from './editing.ts';
import { type Fields, fieldsOf, figureOf, isFields, promptOf, textOf } from './fields.ts';
import { putUpdate } from './fold-update.ts';
import { withInputInPlace } from './step.ts';

export function emptyConversation(sessionId: string): Conversation {
  return {
    ...{ sessionId, turns: [], hasOlder: false, tasks: null, questions: [], steering: [], last: 0, unplaced: [] },
  };
}

export function newTurn(id: string, at: number | null): Turn {
  return {
    ...{
      id,
      number: null,
      prompt: null,
      task: null,
      begunBy: 'notification',
      initiator: null,
      state: 'running',
      startedAt: at,
    },
    ...{
      firstWordAt: null,
      endedAt: null,
      problem: null,
      askedAtEnd: null,
      ...{ cost: null, promptIds: [] },
      requestIds: [],
      models: [],
      canFork: false,
    },
    ...{ tasks: null, blocks: [] },
  };
}

/** The conversation with what happened after it. Events that are in it already are left out. */
export function foldEvents(conversation: Conversation, events: readonly SessionEvent[]): Conversation {
  const editing = new Editing(conversation);
  putEvents(editing, events);
  return editing.now;
}

const eventsAtOnce = 1_000;

/** The same for any number of events: the window is held for no longer than some of them take. */
export async function foldMany(conversation: Conversation, events: readonly SessionEvent[]): Promise<Conversation> {
  const editing = new Editing(conversation);
  for (let from = 0; from < events.length; from += eventsAtOnce) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    putEvents(editing, events.slice(from, from + eventsAtOnce));
  }
  return editing.now;
}

function putEvents(editing: Editing, events: readonly SessionEvent[]): void {
  for (const event of events) {
    if (event.seq <= editing.now.last) continue;
    putEvent(editing, event);
    editing.set({ last: event.seq });
  }
}

export function putEvent(editing: Editing, entry: SessionEvent): void {
  put[entry.kind]?.(editing, entry);
}

/** How each event changes a conversation; changed edits and settings are handled elsewhere. */
const put: Partial<Record<SessionEvent['kind'], (editing: Editing, entry: SessionEvent) => void>> = {
  'turn-started': beginTurn,
  'turn-ended': endTurn,
  update: (editing, entry) => putUpdate(editing, entry, turnOf(editing, entry)),
  void: (editing, { event }) => strikeOut(editing, textOf(event, 'messageId')),
  question: ask,
  answered: (editing, { event, at }) => answer(editing, isFields(event) ? event : {}, at),
  steered: steer,
  'steering-read': (editing, entry) => takeSteering(editing, turnOf(editing, entry), textOf(entry.event, 'id')),
  cost: putCost,
  edit: putEdit,
  note: putNote,
};

function steer(editing: Editing, { at, event }: SessionEvent): void {
  const id = textOf(event, 'id') ?? '';
  const steering = editing.now.steering.filter((one) => one.id !== id);
  const prompt = isFields(event) ? promptOf(event.prompt) : null;
  editing.set({ steering: prompt === null ? steering : [...steering, { id, prompt, queuedAt: at }] });
}

function putCost(editing: Editing, { turnId, event }: SessionEvent): void {
  const index = turnId === null ? null : editing.turnIndex(turnId);
  const cost = isFields(event) ? readCost(event) : null;
  if (index === null || cost === null) return;
  editing.setTurn(index, { cost });
  putLaneCosts(editing, index, cost);
}

/** A step says which of its files a person put back. */
function putEdit(editing: Editing, entry: SessionEvent): void {
  const [call, path] = [textOf(entry.event, 'toolCallId'), textOf(entry.event, 'path')];
  if (call === null || path === null) return;
  const found = editing.findStepCalled(call);
  const isUndone = textOf(entry.event, 'state') === 'undone';
  if (found === null) {
    if (isUndone) editing.set({ unplaced: [...editing.now.unplaced, entry] });
    return;
  }
  const lines = fieldsOf(entry.event, 'lines');
  if (lines !== null) {
    const [added, removed] = [figureOf(lines, 'added') ?? 0, figureOf(lines, 'removed') ?? 0];
    editing.setStep(found, { changed: { added, removed } });
    return;
  }
  const others = found.step.undone.filter((one) => one !== path);
  if (isUndone || others.length < found.step.undone.length) {
    editing.setStep(found, { undone: isUndone ? [...others, path] : others });
  }
}

function putNote(editing: Editing, entry: SessionEvent): void {
  const turn = turnOf(editing, entry);
  if (turn === null) return;
  const { at, event: detail } = entry;
  const code = textOf(detail, 'code') ?? 'note';
  editing.add({ turn, lanes: [] }, { kind: 'note', id: `note-${entry.seq}`, code, at, detail });
}

/**
 * The turn that an event belongs to. One whose beginning is kept no longer begins with the first thing that is known of
 * it; what stands between two turns belongs to the one before.
 */
function turnOf(editing: Editing, { turnId, at }: SessionEvent): number | null {
  if (turnId === null) return editing.now.turns.length === 0 ? null : editing.now.turns.length - 1;
  return editing.turnIndex(turnId) ?? editing.addTurn(newTurn(turnId, at));
}

function beginTurn(editing: Editing, { turnId, at, event }: SessionEvent): void {
  if (turnId === null || editing.turnIndex(turnId) !== null) return;
  const prompt = isFields(event) ? promptOf(event.prompt) : null;
  const initiator = textOf(event, 'initiator') === 'agent' ? 'agent' : 'user';
  const task = textOf(event, 'task');
  editing.addTurn({
    ...newTurn(turnId, at),
    prompt,
    task,
    initiator,
    begunBy: prompt === null ? 'notification' : 'prompt',
  });
}

function endTurn(editing: Editing, entry: SessionEvent): void {
  const index = turnOf(editing, entry);
  if (index === null) return;
  takeSteering(editing, index, null);
  const { state, problem } = readEnd(entry.event);
  closeTurn(editing, index, { state, problem, endedAt: entry.at });
}

/** What was shown of a message whose stream was cut goes; the answer comes anew. */
function strikeOut(editing: Editing, message: string | null): void {
  if (message === null) return;
  const turn = editing.now.turns.findLastIndex(({ blocks }) => blocks.some((block) => isOf(block, message)));
  if (turn !== -1) editing.keep({ turn, lanes: [] }, (block) => !isOf(block, message));
}

function isOf(block: Turn['blocks'][number], message: string): boolean {
  return (block.kind === 'text' || block.kind === 'thinking') && block.message === message;
}

function ask(editing: Editing, { sessionId, turnId, at, event }: SessionEvent): void {
  if (!isFields(event)) return;
  const id = textOf(event, 'id');
  const kind = textOf(event, 'kind');
  if (id === null || (kind !== 'permission' && kind !== 'form')) return;
  const { request } = event;
  const others = editing.now.questions.filter((one) => one.id !== id);
  const question = { id, sessionId, turnId, kind, child: textOf(event, 'child'), request, askedAt: at } as const;
  editing.set({ questions: [...others, question] });
  const step = askedStep(editing, request);
  if (step?.step.state === 'running') editing.setStep(step, { state: 'waiting' });
}

/** Keeps, with its turn, the first question that ended without an answer. */
function noteAsked(editing: Editing, question: SessionQuestion): void {
  const turn = question.turnId === null ? null : editing.turnIndex(question.turnId);
  if (turn === null || editing.now.turns[turn]?.askedAtEnd != null) return;
  editing.setTurn(turn, { askedAtEnd: askedFor(question) });
}

/** The step that a question is about; null if none is known. */
function askedStep(editing: Editing, request: unknown) {
  const toolCallId = textOf(fieldsOf(request, 'toolCall'), 'toolCallId') ?? textOf(request, 'toolCallId');
  return toolCallId === null ? null : editing.findStep(({ id }) => id === toolCallId);
}

function answer(editing: Editing, event: Readonly<Record<string, unknown>>, at: number): void {
  const question = editing.now.questions.find(({ id }) => id === event.id);
  if (question !== undefined) {
    editing.set({ questions: editing.now.questions.filter((one) => one !== question) });
    if (event.by === 'stopped') noteAsked(editing, question);
  }
  if (question !== undefined) leaveOut(editing, question, at);
  const step = askedStep(editing, question?.request ?? event);
  if (step === null) return;
  const { by, rule = null, answer: given = null } = event;
  const known: readonly unknown[] = ['person', 'rule', 'withdrawn', 'stopped'];
  if (!known.includes(by)) return;
  const answered: Answered = { by: by as Answered['by'], answer: given, rule };
  const state = step.step.state === 'waiting' ? 'running' : step.step.state;
  const ran = withInputInPlace(step.step, answered);
  editing.setStep(step, { ...ran, answered, state: isDeniedByPerson(answered) ? 'denied' : state });
}

/** Leaves a person's time out of the step that asked, and out of the subagents that contain it. */
function leaveOut(editing: Editing, { request, askedAt }: SessionQuestion, at: number): void {
  const asked = askedStep(editing, request);
  if (asked === null) return;
  const { turn, lanes, index } = asked;
  for (const [depth, place] of [...lanes, index].entries()) {
    const within = { turn, lanes: lanes.slice(0, depth) };
    const step = editing.blocks(within)[place];
    if (step?.kind !== 'step' || step.startedAt === null) continue;
    const startedAt = Math.min(at, step.startedAt + Math.max(0, at - askedAt));
    editing.setStep({ ...within, index: place, step }, { startedAt });
  }
}

/**
 * Words for the running turn have been read: they stand in the transcript from here on.
 * @param id null for all of them
 */
function takeSteering(editing: Editing, turn: number | null, id: string | null): void {
  const read = editing.now.steering.filter((words) => id === null || words.id === id);
  if (turn === null || read.length === 0) return;
  for (const { id, prompt, queuedAt } of read) {
    push(editing, { turn, lanes: [] }, { kind: 'steered', id, prompt, at: queuedAt }, queuedAt);
  }
  editing.set({ steering: editing.now.steering.filter((words) => !read.includes(words)) });
}

/** Null if it is none. */
function readCost(event: Fields): TurnCost | null {
  const nanoAiu = figureOf(event, 'nanoAiu');
  if (nanoAiu === null) return null;
  const figure = (name: keyof TurnCost): number => figureOf(event, name) ?? 0;
  const [refused, estimate, unestimated] = [figure('refused'), figure('estimate'), figure('unestimated')];
  return {
    ...{ nanoAiu, premiumRequests: figure('premiumRequests'), isPartlyUnknown: event.isPartlyUnknown === true },
    ...{ running: figure('running'), user: figure('user'), agent: figure('agent') },
    ...(refused > 0 && { refused }),
    ...(estimate > 0 && { estimate }),
    ...(unestimated > 0 && { unestimated }),
    ...{ input: figure('input'), cached: figure('cached'), output: figure('output') },
    ...readAgents(fieldsOf(event, 'agents')),
  };
}

function readAgents(reported: Fields | null): Pick<TurnCost, 'agents'> {
  if (reported === null) return {};
  const known = Object.keys(reported).map((id) => [id, figureOf(reported, id)] as const);
  return { agents: Object.fromEntries(known.flatMap(([id, figure]) => (figure === null ? [] : [[id, figure]]))) };
}

const states: readonly TurnState[] = ['running', 'done', 'cancelled', 'failed', 'interrupted'];

/** How a turn ended. */
function readEnd(event: unknown): { state: TurnState; problem: TurnProblem | null } {
  const state = states.find((one) => one === textOf(event, 'state')) ?? 'done';
  const reported = fieldsOf(event, 'problem');
  const text = textOf(reported, 'text');
  if (text === null) return { state, problem: null };
  const facts = fieldsOf(reported, 'facts');
  const problem = {
    ...{ code: textOf(reported, 'code') ?? 'failed', text, remedy: textOf(reported, 'remedy') ?? '' },
    ...{ requestId: textOf(reported, 'requestId'), stderr: textOf(reported, 'stderr') },
    ...(facts === null ? {} : { facts: readFacts(facts) }),
  };
  return { state, problem };
}

const figures = ['status', 'tries', 'tokens', 'most', 'credits', 'signal', 'exitCode', 'ends'] as const;
const texts = ['limit', 'network', 'model'] as const;

function readFacts(reported: Fields): TurnFacts {
  const known = [
    ...figures.map((name) => [name, figureOf(reported, name)] as const),
    ...texts.map((name) => [name, textOf(reported, name)] as const),
  ];
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}
