import { z } from 'zod';
import type { AppEvent } from '../../app/api/events.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import {
  type Session,
  type SessionEvent,
  sessionQuestionSchema,
  type TurnCost,
  type TurnState,
  turnCostSchema,
  turnStateSchema,
} from '../../app/api/sessions.ts';
import { type AskedFor, askedFor, notifiableCommand } from '../../app/words/session-questions.ts';
import { isAtWork } from '../../app/words/sessions.ts';

/**
 * What tray and notifications show of a session. Nothing of what was said or asked is in it but its title and a short
 * command.
 */
export interface WatchedSession {
  session: Session;
  /** Questions that wait for an answer, oldest first. */
  questions: readonly WatchedQuestion[];
  /** The last one; null if none began since Jumpseat was started. */
  turn: WatchedTurn | null;
}

interface WatchedQuestion {
  id: string;
  about: AskedFor;
  askedAt: number;
  /** What a notification may show of it and have answered, if the person wants that; null: nothing. */
  command: string | null;
}

export interface WatchedTurn {
  id: string;
  startedAt: number;
  /** Null while it is under way. */
  ended: { at: number; state: TurnState } | null;
  /** Null if nothing of it is known yet. */
  cost: TurnCost | null;
}

const askedSchema = sessionQuestionSchema.pick({ id: true, kind: true, child: true, request: true });
const answeredSchema = z.object({ id: z.string().nullable() });
const endedSchema = z.object({ state: turnStateSchema });

/** The sessions that this process holds, from the app's events. */
export class SessionWatch {
  readonly #sessions = new Map<string, WatchedSession>();
  /** Running requests of the log that belong to one of them. */
  readonly #requests = new Set<string>();
  #resting: (() => void)[] = [];

  get all(): readonly WatchedSession[] {
    return [...this.#sessions.values()];
  }

  /** Sessions that quitting Jumpseat would interrupt. */
  get atWork(): readonly Session[] {
    return this.all.map(({ session }) => session).filter(isAtWork);
  }

  get waiting(): number {
    return this.all.filter(({ session }) => session.state === 'waiting').length;
  }

  get runningRequests(): number {
    return this.#requests.size;
  }

  find(id: string): WatchedSession | null {
    return this.#sessions.get(id) ?? null;
  }

  /** Returns whether it was about them. */
  hear(event: AppEvent): boolean {
    switch (event.event) {
      case 'session':
        this.#changed(event.session);
        break;
      case 'session-gone':
        this.#sessions.delete(event.id);
        break;
      case 'session-event':
        if (!this.#happened(event.entry)) return false;
        break;
      case 'exchange':
        this.#request(event.exchange);
        return false;
      default:
        return false;
    }
    this.#lookForRest();
    return true;
  }

  /** Resolves when none is at work. */
  rested(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting.push(resolve);
      this.#lookForRest();
    });
  }

  #lookForRest(): void {
    if (this.#resting.length === 0 || this.atWork.length > 0) return;
    const resting = this.#resting;
    this.#resting = [];
    for (const resolve of resting) resolve();
  }

  #changed(session: Session): void {
    const known = this.#sessions.get(session.id);
    const questions = session.questions === 0 ? [] : (known?.questions ?? []);
    this.#sessions.set(session.id, { session, questions, turn: known?.turn ?? null });
  }

  /** False: nothing that is shown. */
  #happened({ sessionId, turnId, at, kind, event }: SessionEvent): boolean {
    const known = this.#sessions.get(sessionId);
    if (known === undefined) return false;
    const { questions, turn } = known;
    const change = (part: Partial<WatchedSession>): true => {
      this.#sessions.set(sessionId, { ...known, ...part });
      return true;
    };
    switch (kind) {
      case 'question': {
        const asked = askedSchema.safeParse(event).data;
        if (asked === undefined) return false;
        return change({
          questions: [
            ...questions,
            { id: asked.id, about: askedFor(asked), askedAt: at, command: notifiableCommand(asked) },
          ],
        });
      }
      case 'answered': {
        const id = answeredSchema.safeParse(event).data?.id;
        return change({ questions: questions.filter((one) => one.id !== id) });
      }
      case 'turn-started':
        return turnId !== null && change({ turn: { id: turnId, startedAt: at, ended: null, cost: null } });
      case 'turn-ended': {
        const state = endedSchema.safeParse(event).data?.state;
        return turn?.id === turnId && state !== undefined && change({ turn: { ...turn, ended: { at, state } } });
      }
      case 'cost': {
        const cost = turnCostSchema.safeParse(event).data;
        if (turn?.id === turnId && cost !== undefined) change({ turn: { ...turn, cost } });
        // It is told at the end of the turn alone.
        return false;
      }
      default:
        return false;
    }
  }

  #request({ id, client, outcome }: Exchange): void {
    if (outcome === 'running' && this.#sessions.has(client)) this.#requests.add(id);
    else this.#requests.delete(id);
  }
}
