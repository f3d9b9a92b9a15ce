import type { AppEvent } from '../../app/api/events.ts';
import type { TurnCost } from '../../app/api/sessions.ts';
import type { SoundName } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import type { Clock } from '../../app/ports.ts';
import type { SettingsStore } from '../../app/settings/settings.ts';
import { agentWords } from '../../app/words/agents.ts';
import { costUnknown, costWithUnit, costWords } from '../../app/words/charge.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { turnFailureWords } from '../../app/words/failures.ts';
import { waitingWords } from '../../app/words/session-questions.ts';
import { hasNext, isWorking } from '../../app/words/sessions.ts';
import { duration } from '../../app/words/times.ts';
import { asksLine, failed, namedSession, sessionName, sessionPlace, waitingPlace } from '../sessions/session-lines.ts';
import type { SessionWatch, WatchedSession, WatchedTurn } from '../sessions/session-watch.ts';
import { isWanted, type NoticeAnswers, noticeOf, type SystemNotice } from './notice.ts';

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
      : asksNotice(watched, this.#withTitles, () => this.#answersTo(watched));
  }

  /** Only where the whole question is in the notification, and the person wants it there. */
  #answersTo({ session, questions }: WatchedSession): NoticeAnswers | null {
    const [question, ...others] = questions;
    const { answer, settings } = this.#given;
    if (!settings.current().notifications.answers || others.length > 0) return null;
    if (question === undefined || question.command === null) return null;
    const { id, command } = question;
    const button = (label: string, given: 'allow' | 'deny') => ({
      label,
      press: () => answer(session.id, id, given),
    });
    return { body: command, buttons: [button(t('Allow once'), 'allow'), button(t('Deny'), 'deny')] };
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
  { session, questions: [first] }: Pick<WatchedSession, 'session' | 'questions'>,
  withTitles: boolean,
  answersTo: () => NoticeAnswers | null,
): SystemNotice {
  const cause = `session-waits-${first?.id ?? session.id}`;
  return noticeOf({ cause, opens: { place: sessionPlace(session.id) } }, () => {
    const answers = answersTo();
    return {
      title: asksLine(session, withTitles, first?.about),
      body: t('Open Jumpseat to answer.'),
      ...(answers !== null && { answers }),
    };
  });
}

/** Replaces separate notices if several sessions ask within a minute. */
function manyAskNotice(waiting: readonly WatchedSession[], withTitles: boolean): SystemNotice {
  const ids = waiting.map(({ session, questions }) => questions[0]?.id ?? session.id);
  return noticeOf({ cause: `session-waits-${ids.join('-')}`, opens: { place: waitingPlace } }, () => {
    const all = [...new Set(waiting.map(({ session }) => sessionName(session, withTitles)))];
    const names = all.slice(0, mostNames).join(', ');
    const more = all.length - mostNames;
    return {
      title: waitingWords(waiting.length),
      body: more > 0 ? t('{names} and {more} more', { names, more }) : names,
    };
  });
}

/** @param ms how long it took */
function doneNotice(
  { session, turn, ms }: { session: WatchedSession['session']; turn: WatchedTurn; ms: number },
  world: World,
  withTitles: boolean,
): SystemNotice {
  return noticeOf({ cause: `session-done-${turn.id}`, opens: { place: sessionPlace(session.id) } }, () => {
    const { name, isTitled } = namedSession(session, withTitles);
    return {
      title: isTitled ? t('{name} · is done', { name }) : t('{name} is done', { name }),
      body: timeAndCost(duration(ms), turn.cost, world),
    };
  });
}

function timeAndCost(time: string, cost: TurnCost | null, world: World): string {
  if (cost === null || cost.user + cost.agent === 0) return t('{time}.', { time });
  if (costWithUnit(world, cost) === costUnknown()) return t('{time}, cost unknown.', { time });
  const amount = costWords(world, cost);
  const unit = world !== 'premium' ? 'credits' : amount === '1' ? 'one' : 'premium';
  return t('{time}, {amount} {unit, select, one {premium request} premium {premium requests} other {credits}}.', {
    time,
    amount,
    unit,
  });
}

function failedNotice(
  session: WatchedSession['session'],
  { id }: Pick<WatchedTurn, 'id'>,
  withTitles: boolean,
): SystemNotice {
  return noticeOf({ cause: `session-failed-${id}`, opens: { place: sessionPlace(session.id) } }, () => {
    const { name, isTitled } = namedSession(session, withTitles);
    return {
      title: isTitled ? t('{name} · stopped', { name }) : t('{name} stopped', { name }),
      body: failureSentence(session),
    };
  });
}

function failureSentence({ agent, problem }: WatchedSession['session']): string {
  const { code, facts = {} } = problem ?? { code: '' };
  const program = agentWords(agent).title;
  switch (code) {
    case 'agent-ended':
      return t('{program} ended in the middle of a turn.', { program });
    case 'not-started':
    case 'agent-missing':
      return t('{program} couldn’t start.', { program });
    case 'refused':
      return t('Copilot refused a request.');
    case 'not-sent':
      return t('Jumpseat refused a request.');
    case 'held-back':
      return t('A limit held a request back.');
    case 'limit':
      return t('It reached your limit of credits.');
    case 'stopped-early':
      return t('It stopped at a limit of the agent’s own.');
    default:
      return turnFailureWords(code, facts, program)?.what ?? t('Its turn failed.');
  }
}
