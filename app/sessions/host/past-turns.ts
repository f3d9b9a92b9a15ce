import { t } from '../../language/translate.ts';
import { SessionError } from '../session/error.ts';
import { type ForkPoint, forkOf } from '../store/session-rows.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';

/** A turn as the agent's own conversation has it, also one that Jumpseat did not lead. */
export interface PastTurn {
  id: string;
  /** Content blocks; null if no prompt opened it. */
  prompt: unknown;
  /** ms since the epoch; null if unknown. */
  startedAt: number | null;
  /** The uuid of its last answer; null if it has none. */
  lastMessage: string | null;
}

/** Turns of a conversation by the agent's own id of it; null if it can't be read here. */
export type ReadPast = (agentSessionId: string) => Promise<readonly PastTurn[] | null>;

/** The turns up to the one with this last message; null for all of them. */
export function upTo<Turn extends Pick<PastTurn, 'lastMessage'>>(
  turns: readonly Turn[],
  last: string | null,
): readonly Turn[] {
  const at = last === null ? -1 : turns.findLastIndex(({ lastMessage }) => lastMessage === last);
  return at === -1 ? turns : turns.slice(0, at + 1);
}

/** A session with all that was said in it, here, in other programs, and in what it was copied from. */
export class PastTurns {
  readonly rows: readonly TurnRow[];
  /** All that the agent has, in its order, with what a person went back behind. */
  readonly all: readonly PastTurn[];
  /** The conversation that `turns` belong to; null if there is none yet. */
  readonly agentSessionId: string | null;
  /** The message that it ends with now: a person went back, or it is to be copied up to there; null for its end. */
  readonly last: string | null;
  /** What it was copied from, where its turns may still be known by the names that they have there. */
  readonly #origin: readonly PastTurn[];

  private constructor(given: {
    rows: readonly TurnRow[];
    place: { agentSessionId: string | null; last: string | null };
    all: readonly PastTurn[];
    origin: readonly PastTurn[];
  }) {
    this.rows = given.rows;
    this.all = given.all;
    this.agentSessionId = given.place.agentSessionId;
    this.last = given.place.last;
    this.#origin = given.origin;
  }

  static async of(
    store: SessionStore,
    { id, agentSessionId, resumeAt }: { id: string; agentSessionId: string | null; resumeAt: string | null },
    read: ReadPast,
  ): Promise<PastTurns> {
    const from: ForkPoint | null = forkOf(store.sessions.find(id));
    const origin = from === null ? [] : upTo((await read(from.agentSessionId)) ?? [], from.last);
    const isCopied = from === null || agentSessionId !== null;
    const place = isCopied ? { agentSessionId, last: resumeAt } : from;
    const own = agentSessionId === null ? null : await read(agentSessionId);
    return new PastTurns({
      rows: store.turns.of(id, { limit: 100_000 }),
      place,
      all: isCopied ? (own ?? []) : origin,
      origin,
    });
  }

  /** Turns without those that a person left by going back. */
  get turns(): readonly PastTurn[] {
    return upTo(this.all, this.last);
  }

  /** A turn by our id of it, or by the one that the conversation has for it. Throws where there is none. */
  find(turnId: string): { row: TurnRow } | { at: number; turn: PastTurn } {
    const row = this.rows.find(({ id }) => id === turnId);
    if (row !== undefined) return { row };
    const { turns } = this;
    const own = turns.findIndex(({ id }) => id === turnId);
    // A copy names all of its turns anew.
    const at = own === -1 ? this.#origin.findIndex(({ id }) => id === turnId) : own;
    const turn = turns[at];
    if (turn === undefined) throw noTurn();
    const its = this.rows.find((one) => isWithin(one, turn));
    return its === undefined ? { at, turn } : { row: its };
  }

  /** The last answer before a turn of ours; null if there is none. */
  lastBefore(row: TurnRow): string | null {
    const before = this.rows.slice(0, this.rows.indexOf(row)).findLast(({ lastMessage }) => lastMessage !== null);
    if (before !== undefined) return before.lastMessage;
    const past = this.turns.filter(({ startedAt }) => startedAt !== null && startedAt < row.startedAt);
    return past.findLast(({ lastMessage }) => lastMessage !== null)?.lastMessage ?? null;
  }
}

function isWithin(row: TurnRow, { startedAt }: PastTurn): boolean {
  if (startedAt === null) return false;
  return row.startedAt <= startedAt && startedAt <= (row.endedAt ?? Number.POSITIVE_INFINITY);
}

function noTurn(): SessionError {
  return new SessionError('no-turn', t('There is no such turn in this session.'), t('Choose another turn.'));
}

/** The place after a turn's answer; null: after the last one. Throws where there is none. */
export function forkPoint(past: PastTurns, turnId: string | null): ForkPoint {
  const { agentSessionId } = past;
  if (turnId === null) return atEnd(past);
  const found = past.find(turnId);
  const last = ('row' in found ? found.row : found.turn).lastMessage;
  if (last === null || agentSessionId === null) throw noAnswer(t('Choose an earlier turn.'));
  return { agentSessionId, last };
}

function atEnd({ agentSessionId, rows, turns, last }: PastTurns): ForkPoint {
  const isAnswered = ({ lastMessage }: { lastMessage: string | null }): boolean => lastMessage !== null;
  const ours = rows.findLast(isAnswered)?.lastMessage ?? last;
  const at = turns.findIndex(({ lastMessage }) => lastMessage !== null && lastMessage === ours);
  // It may have gone on in another program since.
  const later = at === -1 ? undefined : turns.slice(at).findLast(isAnswered);
  const answered = later?.lastMessage ?? ours;
  // Nothing was led here: all of it lies with the agent.
  const end = answered ?? (rows.length === 0 ? null : (turns.findLast(isAnswered)?.lastMessage ?? null));
  if (agentSessionId === null || (end === null && rows.length > 0)) throw noAnswer(t('Send a message first.'));
  return { agentSessionId, last: end };
}

function noAnswer(remedy: string): SessionError {
  return new SessionError('no-answer', t('There is no answer to fork from yet.'), remedy);
}
