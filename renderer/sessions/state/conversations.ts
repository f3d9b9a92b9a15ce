import type { ListedSession } from '../../../app/api/session-list.ts';
import type { SessionEvent } from '../../../app/api/sessions.ts';
import type { Conversation, Turn } from './conversation.ts';
import { ConversationReader, type ReadingBridge } from './conversation-reader.ts';
import { Editing } from './editing.ts';
import { textOf } from './fields.ts';
import { foldEvents } from './fold.ts';
import { rowsInStep, withRows } from './read-turns.ts';
import { failureOf, type OpenConversation, type SessionsStore, unread } from './sessions-store.ts';

/** Conversations that stay loaded after they were looked at, so that going back is immediate. */
const kept = 5;

interface Opened {
  reader: ConversationReader;
  /** Heard while what came before it is being read; null if nothing is. */
  waiting: SessionEvent[] | null;
  /** Views that show it. */
  views: number;
}

/** The open conversations, read and kept in step with the events. */
export class Conversations {
  readonly #bridge: ReadingBridge;
  readonly #store: SessionsStore;
  /** Open conversations, the most recently opened last. */
  readonly #open = new Map<string, Opened>();

  constructor(bridge: ReadingBridge, store: SessionsStore) {
    this.#bridge = bridge;
    this.#store = store;
  }

  /** Returns a function that releases it. */
  show(id: string): () => void {
    const opened = this.#open.get(id) ?? { reader: new ConversationReader(id, this.#bridge), waiting: null, views: 0 };
    const isNew = !this.#open.delete(id);
    this.#open.set(id, opened);
    opened.views += 1;
    if (isNew) void this.#read(id);
    return () => {
      opened.views -= 1;
      this.#forgetOld();
    };
  }

  #forgetOld(): void {
    const idle = [...this.#open].filter(([, { views }]) => views === 0).map(([id]) => id);
    const old = idle.slice(0, Math.max(0, this.#open.size - kept));
    for (const id of old) this.#open.delete(id);
    if (old.length === 0) return;
    this.#store.setState(({ conversations }) => ({
      conversations: new Map([...conversations].filter(([id]) => this.#open.has(id))),
    }));
  }

  /** All of it anew: what was shown stays until then. */
  readonly readAgain = (id: string): void => {
    if (this.#open.has(id)) void this.#read(id);
  };

  async #read(id: string): Promise<void> {
    const reader = new ConversationReader(id, this.#bridge);
    const opened = this.#open.get(id);
    if (opened === undefined) return;
    const waiting: SessionEvent[] = [];
    opened.reader = reader;
    opened.waiting = waiting;
    this.#set(id, (open) => ({ ...open, isReading: true, failure: null }));
    let isPart = false;
    try {
      const read = await reader.read((part) => {
        // What was shown before is worth more.
        if (opened.waiting !== waiting || this.#store.getState().conversations.get(id)?.conversation != null) return;
        isPart = true;
        this.#set(id, (open) => ({ ...open, conversation: part, isPart }));
      });
      if (opened.waiting !== waiting) return;
      opened.waiting = null;
      const conversation = foldEvents(read, waiting);
      this.#set(id, () => ({ ...unread, conversation, isReading: false }));
      if (waiting.some(tellsOfTurn)) void this.#readRows(id);
      await this.#readElsewhere(id, reader, conversation);
    } catch (error) {
      if (opened.reader !== reader) return;
      const failure = failureOf(error);
      this.#set(id, (open) => ({
        ...{ ...open, isReading: false, isPart: false, failure },
        conversation: isPart ? null : open.conversation,
      }));
    } finally {
      if (opened.waiting === waiting) opened.waiting = null;
    }
  }

  /** What was said in a terminal is in the transcript alone; what was said there beside a turn of ours, not even so. */
  async #readElsewhere(id: string, reader: ConversationReader, read: Conversation): Promise<void> {
    const put = read.turns.length === 0 ? null : await reader.readElsewhere(read).catch(() => null);
    if (put !== null && this.#open.get(id)?.reader === reader) this.#change(id, put);
    const listed = this.#store.getState().listed?.get(id);
    const said = listed?.lastPrompt ?? null;
    this.#set(id, (now) => {
      const isAside = listed?.hosted === true && said !== null && now.conversation !== null;
      const saidAside = isAside && !wasSaid(now.conversation, said) ? said : null;
      return saidAside === now.saidAside ? now : { ...now, saidAside };
    });
  }

  readonly loadOlder = async (id: string): Promise<void> => {
    const opened = this.#open.get(id);
    const open = this.#store.getState().conversations.get(id);
    if (opened === undefined || open?.conversation?.hasOlder !== true || open.isReading) return;
    const { reader } = opened;
    this.#set(id, (now) => ({ ...now, isReading: true }));
    try {
      const put = await reader.readOlder(open.conversation);
      if (opened.reader === reader) this.#change(id, put);
    } finally {
      if (opened.reader === reader) this.#set(id, (now) => ({ ...now, isReading: false }));
    }
  };

  /** What a subagent did, where it was not followed live. */
  readonly loadLane = async (id: string, stepId: string): Promise<void> => {
    const { conversation } = this.#store.getState().conversations.get(id) ?? unread;
    const found = conversation && new Editing(conversation).findStep((step) => step.id === stepId);
    if (found?.step.lane == null || found.step.lane.blocks.length > 0) return;
    const blocks = await this.#open.get(id)?.reader.readLane(stepId, found.step.lane.id);
    if (blocks == null || blocks.length === 0) return;
    this.#change(id, (now) => {
      const editing = new Editing(now);
      const step = editing.findStep((one) => one.id === stepId);
      if (step?.step.lane == null) return now;
      editing.setStep(step, { lane: { ...step.step.lane, blocks } });
      return editing.now;
    });
  };

  /** Applies events to the open conversations, in one write of the caller's. */
  hear(
    conversations: ReadonlyMap<string, OpenConversation>,
    events: ReadonlyMap<string, readonly SessionEvent[]>,
  ): ReadonlyMap<string, OpenConversation> {
    let next: Map<string, OpenConversation> | null = null;
    for (const [id, received] of events) {
      const opened = this.#open.get(id);
      const open = conversations.get(id);
      if (opened === undefined || open === undefined) continue;
      opened.waiting?.push(...received);
      if (open.conversation === null || opened.waiting !== null) continue;
      next ??= new Map(conversations);
      next.set(id, { ...open, conversation: foldEvents(open.conversation, received) });
      if (received.some(tellsOfTurn)) void this.#readRows(id);
    }
    return next ?? conversations;
  }

  /** Numbers, costs and requests of the last turns. Asked for again when a turn ends. */
  async #readRows(id: string): Promise<void> {
    const rows = await this.#bridge.sessionTurns({ session: id, before: null, limit: 5 }).catch(() => []);
    this.#change(id, (conversation) => withRows(conversation, rowsInStep(conversation, rows)));
  }

  /** Asks for what happened while no events arrived. */
  async missed(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#readMissed(id)));
  }

  async #readMissed(id: string): Promise<void> {
    const opened = this.#open.get(id);
    const open = this.#store.getState().conversations.get(id);
    if (opened === undefined || open === undefined) return;
    if (open.conversation === null || open.failure !== null || opened.waiting !== null) return this.#read(id);
    const waiting: SessionEvent[] = [];
    opened.waiting = waiting;
    const missed = await opened.reader.readMissed(open.conversation).catch(() => null);
    if (opened.waiting !== waiting) return;
    opened.waiting = null;
    // Without what was missed, what was heard since would hide that something is missing.
    if (missed === null) await this.#read(id);
    else {
      this.#change(id, (now) => foldEvents(now, [...missed, ...waiting]));
      await this.#readRows(id);
    }
  }

  /** Called when another program wrote to a session: open terminal sessions are followed, others read on demand. */
  listed(session: ListedSession, before: ListedSession | undefined): void {
    const open = this.#store.getState().conversations.get(session.id);
    if (open?.conversation == null || before === undefined) return;
    // What runs or waits in a terminal shows as such, until the terminal is at rest or gone: then its end does.
    const isElsewhere = session.openIn?.state !== before.openIn?.state;
    if (isElsewhere || (session.openIn !== null && session.size !== before.size)) return void this.#read(session.id);
    if (session.size === before.size) return;
    if (session.hosted) void this.#hasSaid(session, before);
    else void this.#lookForNews(session.id);
  }

  /** Our own process writes to it as well: words that nobody sent here are a terminal's. */
  async #hasSaid({ id, lastPrompt }: ListedSession, before: ListedSession): Promise<void> {
    const wasHere = (words: string): boolean =>
      wasSaid(this.#store.getState().conversations.get(id)?.conversation ?? null, words);
    if (lastPrompt === null || lastPrompt === before.lastPrompt || wasHere(lastPrompt)) return;
    // A turn that has just begun here may be in the list before its event is.
    await this.#readMissed(id);
    if (!wasHere(lastPrompt)) this.#set(id, (now) => ({ ...now, hasNews: true }));
  }

  /** Claude Code also writes what nobody reads: its end, names, times. */
  async #lookForNews(id: string): Promise<void> {
    const read = await new ConversationReader(id, this.#bridge).read().catch(() => null);
    const last = read?.turns.at(-1);
    // A turn that was led here is told of by its events.
    if (last === undefined || last.number !== null) return;
    const end = endOf(last);
    this.#set(id, (now) => {
      // A message from here may have begun a turn meanwhile.
      const isNew = now.conversation?.turns.every((turn) => endOf(turn) !== end) === true;
      return isNew && !now.hasNews ? { ...now, hasNews: true } : now;
    });
  }

  #change(id: string, change: (conversation: Conversation) => Conversation): void {
    this.#set(id, (open) => {
      const conversation = open.conversation && change(open.conversation);
      return conversation === open.conversation ? open : { ...open, conversation };
    });
  }

  #set(id: string, change: (open: OpenConversation) => OpenConversation): void {
    if (!this.#open.has(id)) return;
    this.#store.setState((state) => {
      const { conversations } = state;
      const next = change(conversations.get(id) ?? unread);
      return next === conversations.get(id) ? state : { conversations: new Map(conversations).set(id, next) };
    });
  }
}

/** Text of a turn, as far as it was read. */
function endOf({ id, state, blocks }: Turn): string {
  return JSON.stringify([id, state, blocks]);
}

/** Whether a prompt of the transcript is one of those that are known here, or was said into a turn. */
function wasSaid(conversation: Conversation | null, prompt: string): boolean {
  // Claude Code notes the beginning of a long one, which may end within a sign, and an ellipsis.
  const noted = prompt.replace(/[\ud800-\udbff\ufffd]?\s*…$/, '');
  const words = (blocks: Turn['prompt']): string => {
    const all = (blocks ?? []).flatMap((block) => textOf(block, 'text') ?? []).join(' ');
    return all
      .slice(0, 4 * prompt.length)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, noted.length)
      .trim();
  };
  const said = (conversation?.turns ?? []).flatMap(({ prompt, blocks }) => [
    words(prompt),
    ...blocks.flatMap((block) => (block.kind === 'steered' ? [words(block.prompt)] : [])),
  ]);
  const waiting = (conversation?.steering ?? []).map((message) => words(message.prompt));
  // Claude Code writes the names of files behind the words.
  return [...said, ...waiting].some((one) => one !== '' && noted.startsWith(one));
}

/** A row has then what no event tells. */
function tellsOfTurn({ kind }: SessionEvent): boolean {
  return kind === 'turn-started' || kind === 'turn-ended' || kind === 'cost';
}
