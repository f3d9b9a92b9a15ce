import { memo, useState } from 'react';
import { counted } from '../../../app/words/numbers.ts';
import { goOnWords, longestLimitMs } from '../../../app/words/sessions.ts';
import { shortened } from '../../../app/words/text.ts';
import { clockTime, countdown, duration, timeLeft, timeOrDay } from '../../../app/words/times.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Failed, Sync } from '../../parts/icons.tsx';
import { useMinute, useSecond } from '../../parts/now.ts';
import type { Turn } from '../state/conversation.ts';
import { continuesWords } from '../state/session-words.ts';
import { lastLines, lineCount } from '../text/lines.ts';
import { Terminal } from '../text/terminal.tsx';
import { type FailureAction, failureOf } from './failure-words.ts';
import { useTranscript } from './transcript-context.ts';

/** How a turn ended that did not end well. */
export const EndBox = memo(function EndBox({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { problem, state } = turn;
  if (state === 'cancelled') return <Divider>{stoppedWords(turn)}</Divider>;
  if (problem === null && state === 'interrupted') return <ClosedLine turn={turn} isLast={isLast} />;
  return <FailureBox turn={turn} isLast={isLast} />;
});

export function Divider({ children }: { children: React.ReactNode }) {
  return (
    <div className="divider muted small">
      <span>{children}</span>
    </div>
  );
}

function stoppedWords({ startedAt, endedAt }: Turn): string {
  if (startedAt === null || endedAt === null) return 'Stopped by you.';
  return `Stopped by you after ${duration(endedAt - startedAt).replace(/\.0 s$/, ' s')}.`;
}

function ClosedLine({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { actions } = useTranscript();
  const { goOn } = actions;
  const { askedAtEnd, endedAt } = turn;
  return (
    <Divider>
      Jumpseat was closed in the middle of this turn
      {endedAt === null ? '' : ` at ${clockTime(endedAt).slice(0, 5)}`}.
      {askedAtEnd !== null && ` It ${inThePast(askedAtEnd)} when Jumpseat was closed. It was denied.`}{' '}
      {goOn !== undefined && isLast && <LinkButton onClick={() => goOn(turn.id)}>Continue</LinkButton>}
    </Divider>
  );
}

/** `asks to run a command` */
const inThePast = (asks: string): string => asks.replace(/^asks/, 'asked');

const labels: Record<FailureAction, string> = {
  tryAgain: 'Try again',
  tryAgainWithModel: 'Try again with another model…',
  goOn: 'Continue',
  compactAndTryAgain: 'Compact and try again',
  forkEarlier: 'Fork from an earlier turn…',
  changePrompt: 'Change the prompt…',
  showSettings: 'Session settings',
  showLimits: 'Open limits',
  chooseAgent: 'Change where it comes from',
  copyReport: 'Copy for a bug report',
};

const linesShown = 3;
/** Characters of what an agent says of a failure; a bug report has all of it. */
const mostSaid = 2_000;

function FailureBox({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { actions, agent, waiting } = useTranscript();
  const { what, why, kept, buttons, note } = failureOf(turn, agent);
  const stderr = turn.problem?.stderr ?? null;
  // A later turn went on from here: what was to be done is over.
  const shown = buttons.filter(({ action }) => actions[action] !== undefined && (isLast || action === 'copyReport'));
  const waits =
    isLast && waiting > 0 ? `${counted(waiting, 'message')} ${waiting === 1 ? 'is' : 'are'} queued and ` : '';
  const below = [kept, waits === '' ? null : `${waits}${waiting === 1 ? 'waits' : 'wait'}.`].filter(Boolean).join(' ');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set holds fields.
    <div className="turn-failure" role="group" aria-label={shortened(what, 200)}>
      <Failed size={16} />
      <p>
        <b>{shortened(what, mostSaid)}</b> {shortened(why, mostSaid)}
      </p>
      {stderr !== null && <LastLines text={stderr} />}
      <div className="acts">
        {shown.map(({ action, label }) => (
          <Button
            key={action}
            icon={action === 'goOn' && note !== null ? <Sync size={14} /> : undefined}
            onClick={({ currentTarget }) => actions[action]?.(turn.id, currentTarget)}
          >
            {label ?? labels[action]}
          </Button>
        ))}
        {isLast && <ContinueLater turn={turn} />}
        <FailedRequest turn={turn} />
      </div>
      {isLast && <ContinuesAt turn={turn} />}
      {below !== '' && <p className="more">{below}</p>}
      {note !== null && shown.some(({ action }) => action === 'goOn') && <p className="more">{note}</p>}
    </div>
  );
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
  return <Button onClick={continueLater}>Continue {timeOrDay(at, now)}</Button>;
}

/** What continuing later does, before it was chosen; when it does, after that. */
function ContinuesAt({ turn }: { turn: Turn }) {
  const { actions, continuesAt, usualCost } = useTranscript();
  const [minute, second] = [useMinute(), useSecond(continuesAt !== null)];
  const { continueLater, dontContinue } = actions;
  const cost = usualCost === null ? '' : ` The last turns cost ${usualCost} on average.`;
  if (continuesAt === null) {
    const at = endOfLimit(turn, minute);
    if (at === null || continueLater === undefined) return null;
    return (
      <p className="more">
        Continue {timeOrDay(at, minute)} sends “{goOnWords}” once, as a user request, if Jumpseat runs then.{cost}
      </p>
    );
  }
  const left = continuesAt - second;
  const words = left < 60_000 ? countdown(left) : timeLeft(left);
  // What changes each second stands last, so that nothing else moves.
  return (
    <p className="more">
      <span>
        {continuesWords(continuesAt, second)}. A message or a change of the session cancels that.{cost}
      </span>{' '}
      {dontContinue !== undefined && <LinkButton onClick={dontContinue}>Don’t continue</LinkButton>}{' '}
      <span className="figures">{words} left</span>
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
      {!isWhole && lineCount(text) > linesShown && <LinkButton onClick={() => setWhole(true)}>Show all</LinkButton>}
    </>
  );
}

function FailedRequest({ turn: { problem } }: { turn: Turn }) {
  const { showRequest } = useTranscript().actions;
  const requestId = problem?.requestId ?? null;
  const status = problem?.facts?.status ?? null;
  if (requestId === null || showRequest === undefined) return null;
  return (
    <span className="failed-request">
      <LinkButton onClick={() => showRequest(requestId)}>
        Show request {requestId.replace(/^req_/, '').slice(0, 8)}
      </LinkButton>
      {status !== null && <span className="muted figures">{status}</span>}
    </span>
  );
}
