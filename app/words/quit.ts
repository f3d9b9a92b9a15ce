import type { Session } from '../api/sessions.ts';
import { listed } from '../language/formats.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { agentWords } from './agents.ts';
import { waitingWords } from './session-questions.ts';

/** What an end of Jumpseat, or of its proxy, would cut off. */
export interface Work {
  /** Sessions at work, and those that wait for an answer. */
  sessions: readonly Pick<Session, 'agent' | 'state'>[];
  /** Requests of other programs. */
  requests: number;
}

/** The action that would end running work. */
type Deed = 'quit' | 'off' | 'port';

export interface CutWords {
  title: string;
  text: string;
  /** Cuts nothing off: it is done after the work. */
  later: string;
  now: string;
  cancel: string;
  /** What Esc means: nothing changes. */
  onEscape: CutAnswer;
}

/** Whether to do it after the work, at once, or not at all. */
export type CutAnswer = 'later' | 'now' | 'cancel';

/**
 * What is asked before that is done; null if nothing is cut.
 * @param isDecided it is already to be done after the work
 */
export function cutWords(work: Work, deed: Deed, isDecided = false): CutWords | null {
  const words = undecidedWords(work, deed);
  if (words === null || !isDecided) return words;
  const title = quits(work, 'title');
  return { ...words, title, later: t('Keep waiting'), cancel: t('Don’t quit'), onEscape: 'later' };
}

function undecidedWords({ sessions, requests }: Work, deed: Deed): CutWords | null {
  const { length } = sessions;
  if (length + requests === 0) return null;
  const later = t(
    '{deed, select, quit {Quit} off {Turn off} other {Change port}} when {count, plural, one {it’s} other {they’re}} done',
    { deed, count: length + requests },
  );
  const now = t('{deed, select, quit {Quit} off {Turn off} other {Change port}} now', { deed });
  const ways = { later, now, cancel: t('Cancel'), onEscape: 'cancel' } as const;
  if (length === 0) {
    const title = t('{requests, plural, one {# request is} other {# requests are}} running', { requests });
    return { title, text: sentences(cutsOff(deed, requests), t('Claude Code can go on from there later.')), ...ways };
  }
  const agents = [...new Set(sessions.map(({ agent }) => agentWords(agent).title))].sort();
  const waiting = waitingIn(sessions);
  return {
    title: sessionsTitle(length - waiting, waiting),
    text: [
      stopsTurns(deed, listed(agents), length),
      ...(waiting === 0 || deed !== 'quit'
        ? []
        : [t('{length, plural, one {Its question is} other {Open questions are}} denied.', { length })]),
      t('You can go on later.'),
      ...(requests === 0
        ? []
        : [t('It also cuts off {requests, plural, one {# other request} other {# other requests}}.', { requests })]),
      ...(waiting === 0 ? [] : [t('A session that waits is done only after your answer.')]),
    ].join(' '),
    ...ways,
  };
}

function cutsOff(deed: Deed, requests: number): string {
  switch (deed) {
    case 'quit':
      return t('Quitting cuts {requests, plural, one {it} other {them}} off.', { requests });
    case 'off':
      return t('Turning the proxy off cuts {requests, plural, one {it} other {them}} off.', { requests });
    case 'port':
      return t('Changing the port cuts {requests, plural, one {it} other {them}} off.', { requests });
  }
}

function stopsTurns(deed: Deed, agents: string, turns: number): string {
  switch (deed) {
    case 'quit':
      return t('Quitting stops {agents} in the middle of {turns, plural, one {its turn} other {their turns}}.', {
        agents,
        turns,
      });
    case 'off':
      return t(
        'Turning the proxy off stops {agents} in the middle of {turns, plural, one {its turn} other {their turns}}.',
        { agents, turns },
      );
    case 'port':
      return t(
        'Changing the port stops {agents} in the middle of {turns, plural, one {its turn} other {their turns}}.',
        { agents, turns },
      );
  }
}

function waitingIn(sessions: Work['sessions']): number {
  return sessions.filter(({ state }) => state === 'waiting').length;
}

/** `2 sessions are working, 1 waits for you` */
function sessionsTitle(working: number, waiting: number): string {
  if (working === 0) return waitingWords(waiting);
  return waiting === 0
    ? t('{working, plural, one {# session is} other {# sessions are}} working', { working })
    : t(
        '{working, plural, one {# session is} other {# sessions are}} working, {waiting, plural, one {# waits} other {# wait}} for you',
        { working, waiting },
      );
}

/** What the end waits for, behind Jumpseat's name: `quits when 2 sessions are done (1 waits for you)`. */
export const quitsWhen = (work: Work): string => quits(work, 'state');

/**
 * What the end waits for.
 * @param form `line`: alone on a line; `tip`: a tooltip; `title`: with Jumpseat's name; `state`: behind that name
 */
export function quits(work: Work, form: 'line' | 'tip' | 'title' | 'state'): string {
  return form === 'tip' || form === 'title' ? namedQuits(work, form) : plainQuits(work, form);
}

function plainQuits(work: Work, form: 'line' | 'state'): string {
  const { all, count, waiting } = awaited(work);
  if (count === 0) return t('{form, select, line {Quits} other {quits}} when the last work is done', { form });
  return waiting === 0
    ? t('{form, select, line {Quits} other {quits}} when {work} {count, plural, one {is} other {are}} done', {
        form,
        work: all,
        count,
      })
    : t(
        '{form, select, line {Quits} other {quits}} when {work} {count, plural, one {is} other {are}} done ({waiting, plural, one {# waits} other {# wait}} for you)',
        { form, work: all, count, waiting },
      );
}

function namedQuits(work: Work, form: 'tip' | 'title'): string {
  const { all, count, waiting } = awaited(work);
  if (count === 0) return t('Jumpseat{form, select, tip {:} other {}} quits when the last work is done', { form });
  return waiting === 0
    ? t('Jumpseat{form, select, tip {:} other {}} quits when {work} {count, plural, one {is} other {are}} done', {
        form,
        work: all,
        count,
      })
    : t(
        'Jumpseat{form, select, tip {:} other {}} quits when {work} {count, plural, one {is} other {are}} done ({waiting, plural, one {# waits} other {# wait}} for you)',
        { form, work: all, count, waiting },
      );
}

/** What the proxy waits for to be turned off. @param form as for `quits` */
export function turnsOff(work: Work, form: 'line' | 'tip'): string {
  return form === 'line' ? turnsOffLine(work) : turnsOffTip(work);
}

function turnsOffLine(work: Work): string {
  const { all, count, waiting } = awaited(work);
  if (count === 0) return t('Turns the proxy off when the last work is done');
  return waiting === 0
    ? t('Turns the proxy off when {work} {count, plural, one {is} other {are}} done', { work: all, count })
    : t(
        'Turns the proxy off when {work} {count, plural, one {is} other {are}} done ({waiting, plural, one {# waits} other {# wait}} for you)',
        { work: all, count, waiting },
      );
}

function turnsOffTip(work: Work): string {
  const { all, count, waiting } = awaited(work);
  if (count === 0) return t('Jumpseat: turns the proxy off when the last work is done');
  return waiting === 0
    ? t('Jumpseat: turns the proxy off when {work} {count, plural, one {is} other {are}} done', { work: all, count })
    : t(
        'Jumpseat: turns the proxy off when {work} {count, plural, one {is} other {are}} done ({waiting, plural, one {# waits} other {# wait}} for you)',
        { work: all, count, waiting },
      );
}

/** `2 sessions and 1 request`, and how many sessions of them wait for the person. */
function awaited({ sessions, requests }: Work): { all: string; count: number; waiting: number } {
  const parts = [
    ...(sessions.length === 0
      ? []
      : [t('{count, plural, one {# session} other {# sessions}}', { count: sessions.length })]),
    ...(requests === 0 ? [] : [t('{count, plural, one {# request} other {# requests}}', { count: requests })]),
  ];
  return { all: listed(parts), count: sessions.length + requests, waiting: waitingIn(sessions) };
}
