import type { TurnCost } from '../../../app/api/sessions.ts';
import type { Block, Conversation, Lane, Step, Turn } from './conversation.ts';

type Open<T> = { -readonly [Name in keyof T]: T[Name] extends readonly (infer One)[] ? One[] : T[Name] };
type OpenTurn = Open<Turn>;

/** Place of blocks: in a turn, or in the lane of a subagent of it, by the steps that lead there. */
export interface Place {
  turn: number;
  /** Indexes of the steps, from the outside in. None: the turn's own blocks. */
  lanes: readonly number[];
}

export interface Found extends Place {
  index: number;
  step: Step;
}

/**
 * A conversation while events are put into it. What is changed is copied once, however many events change it; what is
 * not stays the same object.
 */
export class Editing {
  #conversation: Conversation;
  readonly #own = new Set<object>();
  /** Ids of all steps, including those in lanes; null until they are looked up. */
  #stepIds: Set<string> | null = null;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get now(): Conversation {
    return this.#conversation;
  }

  set(change: Partial<Conversation>): void {
    this.#conversation = { ...this.#conversation, ...change };
  }

  addTurn(turn: Turn): number {
    const turns = this.#ownList(this.#conversation.turns);
    if (turns !== this.#conversation.turns) this.set({ turns });
    if (turn.blocks.length > 0) this.#stepIds = null;
    return turns.push(turn) - 1;
  }

  setTurn(index: number, change: Partial<Turn>): void {
    Object.assign(this.#turn(index), change);
  }

  /** Null if no turn of that name is known. The newest one is looked at first. */
  turnIndex(id: string): number | null {
    const index = this.#conversation.turns.findLastIndex((turn) => turn.id === id);
    return index === -1 ? null : index;
  }

  blocks(place: Place): readonly Block[] {
    let blocks = this.#conversation.turns[place.turn]?.blocks ?? [];
    for (const index of place.lanes) blocks = laneAt(blocks, index)?.blocks ?? [];
    return blocks;
  }

  add(place: Place, block: Block): void {
    this.#blocks(place).push(block);
    if (block.kind === 'step') this.#stepIds?.add(block.id);
  }

  replace(place: Place, index: number, block: Block): void {
    this.#blocks(place)[index] = block;
  }

  /** Keeps those of which this is true. */
  keep(place: Place, isKept: (block: Block) => boolean): void {
    const blocks = this.#blocks(place);
    const kept = blocks.filter(isKept);
    blocks.splice(0, blocks.length, ...kept);
  }

  setStep({ index, step, ...place }: Found, change: Partial<Step>): Found {
    const changed = { ...step, ...change };
    this.replace(place, index, changed);
    return { ...place, index, step: changed };
  }

  /** The step of this name; null if there is none, found without searching all steps each time. */
  findStepCalled(id: string): Found | null {
    this.#stepIds ??= new Set(this.#conversation.turns.flatMap(({ blocks }) => stepIdsIn(blocks)));
    return this.#stepIds.has(id) ? this.findStep((step) => step.id === id) : null;
  }

  /** The newest step of which this is true, also within lanes; null if there is none. */
  findStep(is: (step: Step) => boolean): Found | null {
    for (let turn = this.#conversation.turns.length - 1; turn >= 0; turn--) {
      const found = findIn(this.#conversation.turns[turn]?.blocks ?? [], { turn, lanes: [] }, is);
      if (found !== null) return found;
    }
    return null;
  }

  /** The same, of one turn. */
  findStepOf(turn: number, is: (step: Step) => boolean): Found | null {
    return findIn(this.#conversation.turns[turn]?.blocks ?? [], { turn, lanes: [] }, is);
  }

  #turn(index: number): OpenTurn {
    const turns = this.#ownList(this.#conversation.turns);
    if (turns !== this.#conversation.turns) this.set({ turns });
    const turn = turns[index];
    if (turn === undefined) throw new Error(`there is no turn ${index}`);
    const own = this.#ownObject(turn);
    turns[index] = own;
    return own as OpenTurn;
  }

  #blocks({ turn, lanes }: Place): Block[] {
    const open = this.#turn(turn);
    let blocks = this.#ownList(open.blocks);
    open.blocks = blocks;
    for (const index of lanes) {
      const step = blocks[index];
      if (step?.kind !== 'step' || step.lane === null) throw new Error(`there is no lane ${index}`);
      const within = this.#ownList(step.lane.blocks);
      if (within !== step.lane.blocks) {
        const lane = this.#ownObject<Lane>({ ...step.lane, blocks: within });
        blocks[index] = this.#ownObject<Step>({ ...step, lane });
      }
      blocks = within;
    }
    return blocks;
  }

  #ownList<T>(list: readonly T[]): T[] {
    if (this.#own.has(list)) return list as T[];
    const own = [...list];
    this.#own.add(own);
    return own;
  }

  #ownObject<T extends object>(value: T): T {
    if (this.#own.has(value)) return value;
    const own = { ...value };
    this.#own.add(own);
    return own;
  }
}

function stepIdsIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.kind === 'step' ? [block.id, ...stepIdsIn(block.lane?.blocks ?? [])] : []));
}

function laneAt(blocks: readonly Block[], index: number): Lane | null {
  const step = blocks[index];
  return step?.kind === 'step' ? step.lane : null;
}

function findIn(blocks: readonly Block[], place: Place, is: (step: Step) => boolean): Found | null {
  for (let index = blocks.length - 1; index >= 0; index--) {
    const step = blocks[index];
    if (step?.kind !== 'step') continue;
    if (is(step)) return { ...place, index, step };
    if (step.lane === null) continue;
    const within = findIn(step.lane.blocks, { turn: place.turn, lanes: [...place.lanes, index] }, is);
    if (within !== null) return within;
  }
  return null;
}

export function laneOf({ turn, lanes, index }: Found): Place {
  return { turn, lanes: [...lanes, index] };
}

/** Adds a block at the end; the one before it is complete. */
export function push(editing: Editing, place: Place, block: Block, at: number | null): void {
  closeOpen(editing, place, at);
  editing.add(place, block);
}

/** Text and thinking are open as long as they are the last block. */
export function closeOpen(editing: Editing, place: Place, at: number | null): void {
  const blocks = editing.blocks(place);
  const index = blocks.length - 1;
  const last = blocks[index];
  if (last?.kind === 'text' && last.isOpen) editing.replace(place, index, { ...last, isOpen: false });
  if (last?.kind === 'thinking' && last.isOpen) editing.replace(place, index, { ...last, isOpen: false, endedAt: at });
}

/** Each subagent of a turn has what its requests cost. */
export function putLaneCosts(editing: Editing, turn: number, { agents = {} }: TurnCost): void {
  for (const [id, nanoAiu] of Object.entries(agents)) {
    const found = editing.findStepOf(turn, ({ lane }) => lane?.id === id);
    const lane = found?.step.lane ?? null;
    if (found !== null && lane !== null && lane.nanoAiu !== nanoAiu) {
      editing.setStep(found, { lane: { ...lane, nanoAiu } });
    }
  }
}
