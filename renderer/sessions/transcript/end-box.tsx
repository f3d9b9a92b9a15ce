import { memo, useState } from 'react';
import { shortened } from '../../../app/words/shortened.ts';
import { clockTime, duration } from '../../../app/words/times.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Failed } from '../../parts/icons.tsx';
import type { Turn } from '../state/model.ts';
import { lastLines, lineCount } from '../text/lines.ts';
import { Terminal } from '../text/terminal.tsx';
import { type FailureAction, failureOf } from './failure-words.ts';
import type { TranscriptActions } from './transcript-actions.ts';
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
    <div className="divider">
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
  const asked = turn.blocks.some((block) => block.kind === 'step' && block.answered?.by === 'stopped');
  return (
    <Divider>
      Jumpseat was closed in the middle of this turn
      {turn.endedAt === null ? '' : ` at ${clockTime(turn.endedAt).slice(0, 5)}`}.
      {asked && ' It asked when Jumpseat was closed. That was denied.'}{' '}
      {goOn !== undefined && isLast && <LinkButton onClick={() => goOn(turn.id)}>Continue</LinkButton>}
    </Divider>
  );
}

const labels: Record<FailureAction, string> = {
  tryAgain: 'Try again',
  tryAgainWithModel: 'Try again with another model…',
  goOn: 'Continue',
  compactAndTryAgain: 'Compact and try again',
  changePrompt: 'Change the prompt…',
  showSettings: 'Session settings',
  chooseAgent: 'Change where it comes from',
  copyReport: 'Copy for a bug report',
};

const linesShown = 3;
/** Characters of what an agent says of a failure; a bug report has all of it. */
const mostSaid = 2_000;

function FailureBox({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const { actions } = useTranscript();
  const [isWhole, setWhole] = useState(false);
  const { what, why, kept, buttons, note } = failureOf(turn);
  const { problem } = turn;
  const { showRequest } = actions;
  const stderr = problem?.stderr ?? null;
  const requestId = problem?.requestId ?? null;
  // A later turn went on from here: what was to be done is over.
  const shown = buttons.filter(({ action }) => actions[action] !== undefined && (isLast || action === 'copyReport'));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a field set holds fields.
    <div className="turn-failure" role="group" aria-label={shortened(what, 200)}>
      <Failed size={16} />
      <p>
        <b>{shortened(what, mostSaid)}</b> {shortened(why, mostSaid)}
      </p>
      {stderr !== null && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
          <pre tabIndex={0}>
            <Terminal text={isWhole ? stderr : lastLines(stderr, linesShown).slice(-mostSaid)} />
          </pre>
          {!isWhole && lineCount(stderr) > linesShown && (
            <LinkButton onClick={() => setWhole(true)}>Show all</LinkButton>
          )}
        </>
      )}
      <div className="acts">
        {shown.map(({ action, label }) => (
          <Button key={action} onClick={() => run(actions, action, turn.id)}>
            {label ?? labels[action]}
          </Button>
        ))}
        {requestId !== null && showRequest !== undefined && (
          <LinkButton onClick={() => showRequest(requestId)}>Show request {requestId.slice(0, 8)}</LinkButton>
        )}
      </div>
      {kept !== null && <p className="more">{kept}</p>}
      {note !== null && shown.some(({ action }) => action === 'goOn') && <p className="more">{note}</p>}
    </div>
  );
}

function run(actions: TranscriptActions, action: FailureAction, turnId: string): void {
  actions[action]?.(turnId);
}
