import type { SessionEvent, SessionTurn } from '../../../app/api/sessions.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { Block, Conversation, Turn } from './conversation.ts';
import { Editing } from './editing.ts';
import { emptyConversation, foldEvents, foldMany, putEvent } from './fold.ts';
import { fromTranscript, rowsInStep, withRows } from './read-turns.ts';

export type ReadingBridge = Pick<
  Bridge,
  'sessionPast' | 'sessionEvents' | 'sessionTurns' | 'sessionQuestions' | 'transcript' | 'subagents'
>;

const eventsAtOnce = 1_000;
/** No session keeps more events than these pages hold. */
const mostPages = 40;
const turnsAtOnce = 40;
const rowsAtOnce = 100;

/**
 * Reads one conversation from its end: first what Jumpseat has on record, which says the most, then the agent's own
 * transcript, which has what is kept no longer and what was said in other programs.
 */
export class ConversationReader {
  readonly #id: string;
  readonly #bridge: ReadingBridge;
  readonly #atOnce: number;
  /** The number of the oldest event that was read; null if there are no older ones. */
  #oldestEvent: number | null = null;
  /** The place of the oldest turn of the transcript that was read; null if none was. */
  #oldestTurn: number | null = null;

  constructor(id: string, bridge: ReadingBridge, atOnce: number = eventsAtOnce) {
    this.#id = id;
    this.#bridge = bridge;
    this.#atOnce = atOnce;
  }

  /**
   * Its end. Rejects where it can't be read.
   * @param showPart is given the end of the newest turn where it takes long to read all of that turn
   */
  async read(showPart?: (part: Conversation) => void): Promise<Conversation> {
    this.#oldestTurn = null;
    const session = this.#id;
    let isRead = false;
    const reading = this.#bridge.sessionTurns({ session, before: null, limit: rowsAtOnce });
    const show = async (events: readonly SessionEvent[]): Promise<void> => {
      const part = partOf(foldEvents(emptyConversation(session), events), await reading.catch(() => []));
      if (part !== null && !isRead) showPart?.(part);
    };
    const [{ events, last }, rows] = await Promise.all([
      this.#events(null, showPart && ((page) => void show(page))).finally(() => {
        isRead = true;
      }),
      reading,
    ]);
    const folded = await this.#upTo(rows, { ...(await foldMany(emptyConversation(session), events)), last });
    // Asked after the events, so that none of them is answered in these. One of these that is answered by now is told
    // of with what is heard.
    const open = await this.#bridge.sessionQuestions(session);
    const older = open.filter(({ id }) => !folded.questions.some((one) => one.id === id));
    const questions = [...older, ...folded.questions];
    if (folded.turns.length > 0) return withRows({ ...folded, questions, hasOlder: true }, rows);
    const read = await this.#transcript(null);
    return withRows({ ...(read ?? folded), last: folded.last, questions }, rows);
  }

  /** A turn that ended between the two answers has its last events, so that its row does not end it before them. */
  async #upTo(rows: readonly SessionTurn[], conversation: Conversation): Promise<Conversation> {
    if (rowsInStep(conversation, rows).length === rows.length) return conversation;
    return foldEvents(conversation, (await this.readMissed(conversation)) ?? []);
  }

  /** Adds the turns before the known ones. */
  async readOlder(conversation: Conversation): Promise<(now: Conversation) => Conversation> {
    const before = conversation.turns.find(({ startedAt }) => startedAt !== null)?.startedAt ?? null;
    const older = await this.#older(before);
    const firstNumber = conversation.turns.find(({ number }) => number !== null)?.number ?? null;
    const rows =
      older.turns.length === 0
        ? []
        : await this.#bridge.sessionTurns({ session: this.#id, before: firstNumber, limit: rowsAtOnce });
    return (now) => withOlder(now, withRows(older, rows));
  }

  async #older(before: number | null): Promise<Conversation> {
    if (this.#oldestEvent !== null) {
      const { events } = await this.#events(this.#oldestEvent);
      const folded = await foldMany(emptyConversation(this.#id), events);
      if (folded.turns.length > 0) return { ...folded, hasOlder: true };
    }
    return (await this.#transcript(before)) ?? emptyConversation(this.#id);
  }

  /** Whole turns before an event, and as many events as these take; `begun` is given the first ones if they are not. */
  async #events(
    before: number | null,
    begun?: (events: readonly SessionEvent[]) => void,
  ): Promise<{ events: SessionEvent[]; last: number }> {
    let events: SessionEvent[] = [];
    let last = 0;
    let from = before;
    for (let page = 0; page < mostPages; page++) {
      const past = await this.#bridge.sessionPast({ session: this.#id, before: from, limit: this.#atOnce });
      if (page === 0) last = past.last;
      events = [...past.events, ...events];
      from = past.events[0]?.seq ?? null;
      if (!past.more || from === null) {
        this.#oldestEvent = null;
        return { events, last };
      }
      const begin = events.findIndex(({ kind }) => kind === 'turn-started');
      if (begin === -1) {
        if (page === 0) begun?.(events);
        continue;
      }
      const whole = events.slice(begin);
      this.#oldestEvent = whole[0]?.seq ?? null;
      return { events: whole, last };
    }
    this.#oldestEvent = null;
    return { events, last };
  }

  /** Turns that began before a time, from the newest of them; null if there is no transcript. */
  async #transcript(before: number | null): Promise<Conversation | null> {
    for (;;) {
      const [id, from] = [this.#id, this.#oldestTurn];
      const page = await this.#bridge.transcript({ id, agentId: null, before: from, limit: turnsAtOnce });
      if (page === null) return null;
      this.#oldestTurn = page.from;
      const end = before === null ? page.turns.length : olderThan(page.turns, before);
      if (end > 0 || page.from === 0) return fromTranscript(id, { ...page, turns: page.turns.slice(0, end) });
    }
  }

  /** Adds the turns made in other programs since the first known one: no event reports them. */
  async readElsewhere(conversation: Conversation): Promise<(now: Conversation) => Conversation> {
    const id = this.#id;
    const page = await this.#bridge.transcript({ id, agentId: null, before: null, limit: turnsAtOnce });
    const first = conversation.turns.find(({ startedAt }) => startedAt !== null)?.startedAt ?? null;
    const turns = (page?.turns ?? []).filter(
      ({ prompt, startedAt }) => prompt !== null && startedAt !== null && first !== null && startedAt >= first,
    );
    return (now) => {
      const unknown = turns.filter((turn) => !now.turns.some((one) => isWithin(turn.startedAt, one)));
      if (unknown.length === 0) return now;
      const elsewhere = fromTranscript(id, {
        turns: unknown,
        from: 0,
        unreadable: 0,
        undone: page?.undone ?? [],
        answered: page?.answered ?? [],
      }).turns;
      const all = [...now.turns, ...elsewhere].toSorted((one, other) => startOf(one) - startOf(other));
      return { ...now, turns: all };
    };
  }

  /** What happened after what is known. Null if some of it is kept no longer, and all has to be read anew. */
  async readMissed(conversation: Conversation): Promise<SessionEvent[] | null> {
    const missed: SessionEvent[] = [];
    let after = conversation.last;
    for (let page = 0; page < mostPages; page++) {
      const { events, last, more, gap } = await this.#bridge.sessionEvents({
        ...{ session: this.#id, after, limit: this.#atOnce },
      });
      if (gap) return null;
      missed.push(...events);
      if (!more) return missed;
      after = last;
    }
    return null;
  }

  /** What a subagent did, from its own transcript; null if there is none. */
  async readLane(toolCallId: string, agentId: string | null): Promise<readonly Block[] | null> {
    const named = agentId ?? (await this.#agentOf(toolCallId));
    if (named === null) return null;
    const page = await this.#bridge.transcript({ id: this.#id, agentId: named, before: null, limit: 200 });
    return page === null ? null : fromTranscript(this.#id, page).turns.flatMap(({ blocks }) => blocks);
  }

  async #agentOf(toolCallId: string): Promise<string | null> {
    const known = await this.#bridge.subagents(this.#id);
    return known.find((one) => one.toolCallId === toolCallId)?.id ?? null;
  }
}

/** The end of one turn as it is shown until all of it was read; null: what began the turn is not known. */
function partOf(folded: Conversation, rows: readonly SessionTurn[]): Conversation | null {
  const inStep = rowsInStep(folded, rows);
  if (folded.turns.length !== 1 || !inStep.some(({ id }) => id === folded.turns[0]?.id)) return null;
  const { turns, ...rest } = withRows(folded, inStep);
  // What is looked for at a time is not found in a part.
  return { ...rest, hasOlder: true, turns: turns.map((turn) => ({ ...turn, startedAt: null })) };
}

function isWithin(at: number | null, { startedAt, endedAt }: Turn): boolean {
  return at !== null && startedAt !== null && startedAt <= at && at <= (endedAt ?? Number.POSITIVE_INFINITY);
}

/** A turn that has just begun may have no time yet. */
const startOf = ({ startedAt }: Turn): number => startedAt ?? Number.POSITIVE_INFINITY;

/** How many turns from the beginning are older; one without a time is as old as the one after it. */
function olderThan(turns: readonly { startedAt: number | null }[], before: number): number {
  return turns.findLastIndex(({ startedAt }) => startedAt !== null && startedAt < before) + 1;
}

/** Places earlier events of steps in these turns. */
function withOlder(conversation: Conversation, older: Conversation): Conversation {
  const editing = new Editing({
    ...conversation,
    turns: [...older.turns, ...conversation.turns],
    hasOlder: older.hasOlder,
    tasks: conversation.turns.some(({ tasks }) => tasks !== null) ? conversation.tasks : older.tasks,
    unplaced: older.unplaced,
  });
  for (const event of conversation.unplaced) putEvent(editing, event);
  return editing.now;
}
