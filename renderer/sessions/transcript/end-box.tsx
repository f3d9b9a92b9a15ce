import classNames from 'classnames/bind';
import { memo, useState } from 'react';
import { type Message, msg } from '../../../app/language/messages.ts';
import { sentences } from '../../../app/language/sentences.ts';
import { t, translated } from '../../../app/language/translate.ts';
import type { AskedFor } from '../../../app/words/session-questions.ts';
import { goOnWords, longestLimitMs } from '../../../app/words/sessions.ts';
import { shortened } from '../../../app/words/text.ts';
import { countdown, duration, hourAndMinute, timeLeft, timeOrDay } from '../../../app/words/times.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Failed, Sync } from '../../parts/icons.tsx';
import { useMinute, useSecond } from '../../parts/now.ts';
import type { Turn } from '../state/conversation.ts';
import { lastLines, lineCount } from '../text/lines.ts';
import { Terminal } from '../text/terminal.tsx';
import { type FailureAction, failureOf } from './failure-words.ts';
import styles from './transcript.module.css';
import { useTranscript } from './transcript-context.ts';

const css = classNames.bind(styles);

/** How a turn ended that did not end well. */
export const EndBox = memo(function EndBox({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { problem, state } = turn;
  if (state === 'cancelled') return <Divider>{stoppedWords(turn)}</Divider>;
  if (problem === null && state === 'interrupted') return <ClosedLine turn={turn} isLast={isLast} />;
  return <FailureBox turn={turn} isLast={isLast} />;
});

export function Divider({ children }: { children: React.ReactNode }) {
  return (
    <div className={css('divider', 'muted', 'small')}>
      <span>{children}</span>
    </div>
  );
}

function stoppedWords({ startedAt, endedAt }: Turn): string {
  if (startedAt === null || endedAt === null) return t('Stopped by you.');
  return t('Stopped by you after {time}.', { time: duration(endedAt - startedAt).replace(/[.,]0 s$/, ' s') });
}

function ClosedLine({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { actions } = useTranscript();
  const { goOn } = actions;
  const { askedAtEnd, endedAt } = turn;
  return (
    <Divider>
      {endedAt === null
        ? t('Jumpseat was closed in the middle of this turn.')
        : t('Jumpseat was closed in the middle of this turn at {time}.', { time: hourAndMinute(endedAt) })}
      {askedAtEnd !== null && ` ${deniedWords(askedAtEnd)}`}{' '}
      {goOn !== undefined && isLast && <LinkButton onClick={() => goOn(turn.id)}>{t('Continue')}</LinkButton>}
    </Divider>
  );
}

function deniedWords({ what, name }: AskedFor): string {
  return t(
    'It asked {what, select, answer {a question} plan {about its plan} command {to run a command} ' +
      'write {to write a file} edit {to edit a file} read {to read a file} search {to search files} ' +
      'web {to search the web} page {to fetch a page} skill {to use a skill} subagent {to start a subagent} ' +
      'named {to use {name}} other {to use a tool}} when Jumpseat was closed. It was denied.',
    { what, name },
  );
}

const labels: Record<FailureAction, Message> = {
  tryAgain: msg('Try again'),
  tryAgainWithModel: msg('Try again with another model…'),
  goOn: msg('Continue'),
  compactAndTryAgain: msg('Compact and try again'),
  forkEarlier: msg('Fork from an earlier turn…'),
  changePrompt: msg('Change the prompt…'),
  showSettings: msg('Session settings'),
  showLimits: msg('Open limits'),
  signIn: msg('Sign in'),
  chooseAgent: msg('Change where it comes from'),
  copyReport: msg('Copy for a bug report'),
};

const linesShown = 3;
/** Characters of what an agent says of a failure; a bug report has all of it. */
const mostSaid = 2_000;

function FailureBox({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { actions, agent, waiting } = useTranscript();
  const { what, why, kept, buttons, note } = failureOf(turn, agent);
  const stderr = turn.problem?.stderr ?? null;
  // A later turn went on from here: what was to be done is over.
  const isOver = endOfLimit(turn, useMinute()) === null;
  const shown = buttons.filter(
    ({ action }) =>
      actions[action] !== undefined && (isLast || action === 'copyReport') && (isOver || action !== 'goOn'),
  );
  const waits = isLast && waiting > 0 ? waitingWords(waiting) : null;
  const below = sentences(kept ?? '', waits ?? '');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set holds fields.
    <div className={css('turn-failure')} role="group" aria-label={shortened(what, 200)}>
      <Failed size={16} />
      <p>
        <b>{shortened(what, mostSaid)}</b> {shortened(why, mostSaid)}
      </p>
      {stderr !== null && <LastLines text={stderr} />}
      <div className={css('acts')}>
        {shown.map(({ action, label }) => (
          <Button
            key={action}
            icon={action === 'goOn' && turn.problem?.code === 'agent-ended' ? <Sync size={14} /> : undefined}
            onClick={({ currentTarget }) => actions[action]?.(turn.id, currentTarget)}
          >
            {translated(label ?? labels[action])}
          </Button>
        ))}
        {isLast && <ContinueLater turn={turn} />}
        <FailedRequest turn={turn} />
      </div>
      {isLast && <ContinuesAt turn={turn} />}
      {below !== '' && <p className={css('more')}>{below}</p>}
      {note !== null && shown.some(({ action }) => action === 'goOn') && <p className={css('more')}>{note}</p>}
    </div>
  );
}

function waitingWords(count: number): string {
  return t('{count, plural, one {# message is queued and waits.} other {# messages are queued and wait.}}', { count });
}

/** When the limit that a turn ended at is over; null where nothing can be waited for. */
function endOfLimit({ problem }: Turn, now: number): number | null {
  const at = problem?.facts?.limitEndsAt;
  return at === undefined || at <= now || at - now > longestLimitMs ? null : at;
}

function ContinueLater({ turn }: { turn: Turn }) {
  const { actions, continuesAt } = useTranscript();
  const now = useMinute();
  const at = endOfLimit(turn, now);
  const { continueLater } = actions;
  if (at === null || continuesAt !== null || continueLater === undefined) return null;
  return <Button onClick={continueLater}>{t('Continue {when}', { when: timeOrDay(at, now) })}</Button>;
}

/** What continuing later does, before it was chosen; when it does, after that. */
function ContinuesAt({ turn }: { turn: Turn }) {
  const { actions, continuesAt, usualCost } = useTranscript();
  const [minute, second] = [useMinute(), useSecond(continuesAt !== null)];
  const { continueLater, dontContinue } = actions;
  const cost = usualCost === null ? '' : ` ${t('The last turns cost {cost} on average.', { cost: usualCost })}`;
  if (continuesAt === null) {
    const at = endOfLimit(turn, minute);
    if (at === null || continueLater === undefined) return null;
    return (
      <p className={css('more')}>
        {t('Continue {when} sends “{message}” once, as a user request, if Jumpseat runs then.', {
          when: timeOrDay(at, minute),
          message: goOnWords,
        })}
        {cost}
      </p>
    );
  }
  const left = continuesAt - second;
  const words = left < 60_000 ? countdown(left) : timeLeft(left);
  // What changes each second stands last, so that nothing else moves.
  return (
    <p className={css('more')}>
      <span>
        {t('Continues {when}. A message or a change of the session cancels that.', {
          when: timeOrDay(continuesAt, second),
        })}
        {cost}
      </span>{' '}
      {dontContinue !== undefined && <LinkButton onClick={dontContinue}>{t('Don’t continue')}</LinkButton>}{' '}
      <span className="figures">{t('{time} left', { time: words })}</span>
    </p>
  );
}

/** What an agent printed before it ended. */
function LastLines({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <Terminal text={isWhole ? text : lastLines(text, linesShown).slice(-mostSaid)} />
      </pre>
      {!isWhole && lineCount(text) > linesShown && (
        <LinkButton onClick={() => setWhole(true)}>{t('Show all')}</LinkButton>
      )}
    </>
  );
}

function FailedRequest({ turn: { problem } }: { turn: Turn }) {
  const { showRequest } = useTranscript().actions;
  const requestId = problem?.requestId ?? null;
  const status = problem?.facts?.status ?? null;
  if (requestId === null || showRequest === undefined) return null;
  return (
    <span className={css('failed-request')}>
      <LinkButton onClick={() => showRequest(requestId)}>
        {t('Show request {id}', { id: requestId.replace(/^req_/, '').slice(0, 8) })}
      </LinkButton>
      {status !== null && <span className="muted figures">{status}</span>}
    </span>
  );
}
