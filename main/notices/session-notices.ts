import type { AppEvent } from '../../app/api/events.ts';
import type { TurnCost } from '../../app/api/sessions.ts';
import type { SoundName } from '../../app/api/settings.ts';
import type { Clock } from '../../app/ports.ts';
import type { SettingsStore } from '../../app/settings/settings.ts';
import { agentWords } from '../../app/words/agents.ts';
import { costUnknown, costWithUnit, costWords } from '../../app/words/charge.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { turnFailureWords } from '../../app/words/failures.ts';
import { waitingWords } from '../../app/words/session-questions.ts';
import { hasNext, isWorking } from '../../app/words/sessions.ts';
import { capital } from '../../app/words/text.ts';
import { duration } from '../../app/words/times.ts';
import { failed, nameAnd, sessionName, sessionPlace, stopWords, waitingPlace } from '../sessions/session-lines.ts';
import type { SessionWatch, WatchedSession, WatchedTurn } from '../sessions/session-watch.ts';
import { isWanted, type SystemNotice } from './notice.ts';

/** Notifications about sessions: when they are due, then in which words. */

export interface SessionNotifierDependencies {
  clock: Clock;
  settings: SettingsStore;
  watch: SessionWatch;
  /** How the account is billed. */
  world: () => World;
  /** False: it was not shown. */
  notify: (notice: SystemNotice) => boolean;
  /** Plays what was chosen for it, if anything. */
  sound: (name: SoundName) => void;
  /** Answers a question of a session. */
  answer: (session: string, question: string, answer: 'allow' | 'deny') => void;
  /** Withdraws a notice that no longer holds. */
  withdraw: (cause: string) => void;
  /** What is shown has changed by the time alone. */
  changed: () => void;
}

/** A person at the machine has answered by then, and needs no notification. */
const unansweredMs = 10_000;
/** Further questions within this time share one notification. */
const togetherMs = 60_000;
/** The end of a shorter turn is not reported: the person is likely still there. */
const longMs = 30_000;
/** How often the minutes in the menu are brought up to date. */
const tickMs = 10_000;

/** What follows from sessions over time: notifications, and the minutes in the menu. */
export class SessionNotifier {
  readonly #given: SessionNotifierDependencies;
  /** Unanswered questions, by session; reported when their time is over. */
  readonly #asked = new Map<string, { question: string; answered: AbortController; cause: string | null }>();
  /** Turns whose end was looked at. */
  readonly #ended = new Map<string, string>();
  #lastAskedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(given: SessionNotifierDependencies) {
    this.#given = given;
  }

  /** Called after the watch has processed the event. */
  hear(event: AppEvent): void {
    if (this.#isClosed) return;
    if (event.event === 'session-gone') {
      this.#forget(event.id);
      this.#ended.delete(event.id);
    } else if (event.event === 'session') {
      const watched = this.#given.watch.find(event.session.id);
      if (watched !== null) {
        this.#lookAtQuestions(watched);
        this.#lookAtEnd(watched);
      }
    } else return;
    this.#tick(this.#given.watch.all.some(({ session }) => isWorking(session)));
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#asked.keys()]) this.#forget(id);
    this.#tick(false);
  }

  get #withTitles(): boolean {
    return this.#given.settings.current().sessions.titlesOutside;
  }

  #lookAtQuestions({ session, questions }: WatchedSession): void {
    const question = session.state === 'waiting' ? (questions[0]?.id ?? null) : null;
    if (this.#asked.get(session.id)?.question === question) return;
    this.#forget(session.id);
    if (question !== null) void this.#waitForAnswer(session.id, question);
  }

  async #waitForAnswer(id: string, question: string): Promise<void> {
    const answered = new AbortController();
    const entry = { question, answered, cause: null as string | null };
    this.#asked.set(id, entry);
    try {
      await this.#given.clock.sleep(unansweredMs, answered.signal);
    } catch {
      return;
    }
    const watched = this.#given.watch.find(id);
    if (watched === null || answered.signal.aborted) return;
    const notice = this.#askedNotice(watched);
    this.#given.sound('soundWaits');
    if (this.#tell(notice)) {
      entry.cause = notice.cause;
      this.#lastAskedAt = this.#given.clock.ticks();
    }
  }

  #askedNotice(watched: WatchedSession): SystemNotice {
    const waiting = this.#given.watch.all.filter(({ session }) => session.state === 'waiting');
    const isSoon = this.#given.clock.ticks() - this.#lastAskedAt < togetherMs;
    return isSoon && waiting.length > 1
      ? manyAskNotice(waiting, this.#withTitles)
      : { ...asksNotice(watched, this.#withTitles), ...this.#answersTo(watched) };
  }

  /** Only where the whole question is in the notification, and the person wants it there. */
  #answersTo({ session, questions }: WatchedSession): Pick<SystemNotice, 'answers'> {
    const [question, ...others] = questions;
    const { answer, settings } = this.#given;
    if (!settings.current().notifications.answers || others.length > 0) return {};
    if (question === undefined || question.command === null) return {};
    const { id, command } = question;
    const button = (label: string, given: 'allow' | 'deny') => ({
      label,
      press: () => answer(session.id, id, given),
    });
    return { answers: { body: command, buttons: [button('Allow once', 'allow'), button('Deny', 'deny')] } };
  }

  #forget(id: string): void {
    const known = this.#asked.get(id);
    if (known === undefined) return;
    this.#asked.delete(id);
    known.answered.abort();
    if (known.cause !== null) this.#given.withdraw(known.cause);
  }

  #lookAtEnd({ session, turn }: WatchedSession): void {
    if (turn === null || turn.ended === null || this.#ended.get(session.id) === turn.id) return;
    // The next message of its queue goes out: it is not done.
    if (hasNext(session)) return;
    this.#ended.set(session.id, turn.id);
    const ms = turn.ended.at - turn.startedAt;
    if (failed(session)) {
      this.#given.sound('soundFailed');
      this.#tell(failedNotice(session, turn, this.#withTitles));
    } else if (turn.ended.state === 'done' && ms >= longMs) {
      this.#given.sound('soundDone');
      this.#tell(doneNotice({ session, turn, ms }, this.#given.world(), this.#withTitles));
    }
  }

  #tell(notice: SystemNotice): boolean {
    const { settings, notify } = this.#given;
    return isWanted(notice, settings.current().notifications) && notify(notice);
  }

  #tick(on: boolean): void {
    if (on && this.#timer === null) this.#timer = setInterval(this.#given.changed, tickMs);
    if (on || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

/** System notices about sessions. Never with a prompt, a path or a command, because others may see the screen. */

const mostNames = 5;

function asksNotice(
  { session, questions }: Pick<WatchedSession, 'session' | 'questions'>,
  withTitles: boolean,
): SystemNotice {
  const [first] = questions;
  return {
    cause: `session-waits-${first?.id ?? session.id}`,
    title: nameAnd(session, withTitles, first?.words ?? 'asks a question'),
    body: 'Open Jumpseat to answer.',
    opens: { place: sessionPlace(session.id) },
  };
}

/** Replaces separate notices if several sessions ask within a minute. */
function manyAskNotice(waiting: readonly WatchedSession[], withTitles: boolean): SystemNotice {
  const names = [...new Set(waiting.map(({ session }) => sessionName(session, withTitles)))];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return {
    cause: `session-waits-${waiting.map(({ session, questions }) => questions[0]?.id ?? session.id).join('-')}`,
    title: waitingWords(waiting.length),
    body: `${names.slice(0, mostNames).join(', ')}${more}`,
    opens: { place: waitingPlace },
  };
}

/** @param ms how long it took */
function doneNotice(
  { session, turn, ms }: { session: WatchedSession['session']; turn: WatchedTurn; ms: number },
  world: World,
  withTitles: boolean,
): SystemNotice {
  const { cost } = turn;
  const isKnown = cost !== null && cost.user + cost.agent > 0;
  return {
    cause: `session-done-${turn.id}`,
    title: nameAnd(session, withTitles, 'is done'),
    body: `${duration(ms)}${isKnown ? `, ${amount(cost, world)}` : ''}.`,
    opens: { place: sessionPlace(session.id) },
  };
}

function amount(cost: TurnCost, world: World): string {
  if (world === 'premium' && costWords(world, cost) === '1') return '1 premium request';
  return costWithUnit(world, cost).replace(costUnknown(), costUnknown().toLowerCase());
}

function failedNotice(
  session: WatchedSession['session'],
  { id }: Pick<WatchedTurn, 'id'>,
  withTitles: boolean,
): SystemNotice {
  return {
    cause: `session-failed-${id}`,
    title: nameAnd(session, withTitles, 'stopped'),
    body: failureSentence(session),
    opens: { place: sessionPlace(session.id) },
  };
}

function failureSentence(session: WatchedSession['session']): string {
  if (session.problem?.code === 'agent-ended')
    return `${agentWords(session.agent).title} ended in the middle of a turn.`;
  const { code, facts = {} } = session.problem ?? { code: '' };
  const known = turnFailureWords(code, facts, agentWords(session.agent).title);
  if (known !== null && code !== 'limit') return known.what;
  const words = stopWords(session);
  return `${capital(words)}.`;
}
