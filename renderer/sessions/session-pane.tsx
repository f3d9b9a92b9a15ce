import classNames from 'classnames/bind';
import { useCallback, useEffect } from 'react';
import type { Session } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { agentWords } from '../../app/words/agents.ts';
import { costSoFarWords, costUnknown, costWithUnit, unknownBecause } from '../../app/words/charge.ts';
import { bytes, grouped, percentage } from '../../app/words/numbers.ts';
import { oneLine } from '../../app/words/text.ts';
import { Meter } from '../parts/meter.tsx';
import { useSecond } from '../parts/now.ts';
import { rich } from '../parts/rich.tsx';
import { useAsked } from '../state/asked.ts';
import { writeRoute } from '../state/routes.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import { AgainMenus } from './again-menus.tsx';
import { showInForce } from './changes/session-dialog.ts';
import { Dock } from './composer/dock.tsx';
import { agentOf, isUnseen, type ListRow } from './list/list-rows.ts';
import styles from './panes.module.css';
import { QuestionCard } from './questions/question-card.tsx';
import { costOf, estimateOf, turnSoFar } from './session-costs.ts';
import { SessionHead, type SessionHeadProps } from './session-head.tsx';
import { SessionTranscript } from './session-transcript.tsx';
import { AgentContext, useAgentWords, useConversation, useQuestions, useSessions, useUnread } from './state/hooks.ts';
import { inLineBefore, notRead, type ProcessWords, processWords } from './state/session-words.ts';
import { countedRequests } from './use-transcript-actions.ts';

const css = classNames.bind(styles);

interface SessionPaneProps extends Pick<SessionHeadProps, 'toList' | 'isAlone'> {
  row: ListRow;
  openChanges: (turn: string | null) => void;
}

/** One session: what was said and done in it, what it asks, and the field for the next message. */
export function SessionPane({ row, openChanges, ...head }: SessionPaneProps) {
  const { id } = row;
  useSeen(row);
  return (
    <AgentContext value={agentWords(agentOf(row))}>
      <section className={css('pane', 'session')} aria-label={t('Session')}>
        <SessionHead {...{ row, ...head }} openChanges={() => openChanges(null)} />
        <SessionTranscript row={row} openChanges={openChanges} />
        <div className={css('dock')}>
          <QuestionCard sessionId={id} />
          <Dock sessionId={id} />
        </div>
        <SessionFoot row={row} />
        <AgainMenus sessionId={id} />
      </section>
    </AgentContext>
  );
}

/** A session that is looked at in a window with the focus has been seen. */
function useSeen(row: ListRow): void {
  const { bridge } = useServices();
  const isNews = isUnseen(row);
  const { id } = row;
  useEffect(() => {
    if (!isNews) return;
    const see = (): void => {
      // Where it fails the mark stays, which is no harm.
      if (document.hasFocus()) void bridge.sawSession(id).catch(() => {});
    };
    see();
    window.addEventListener('focus', see);
    return () => window.removeEventListener('focus', see);
  }, [bridge, id, isNews]);
}

/** From this share on the context is called nearly full. */
const fullFrom = 0.8;

/** What the session cost, how full its context is, and what its process does. */
function SessionFoot({ row }: { row: ListRow }) {
  const { id, held, listed } = row;
  const world = useApp().quota?.world ?? 'unknown';
  const sessions = useWindow((state) => state.sessions);
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const isUnread = useUnread(id);
  const questions = useQuestions(id);
  const isRunning = held?.state === 'running';
  const now = useSecond(isRunning);
  const began = useConversation(id, ({ turns }) => turns.at(-1)?.startedAt ?? null);
  const costOfLast = useConversation(id, ({ turns }) => turns.at(-1)?.cost ?? null);
  const startedAt = isRunning ? began : null;
  const before = held === null ? 0 : inLineBefore(sessions.values(), held);
  const workingMs = startedAt === null ? null : Math.max(0, now - startedAt);
  const estimate = useWindow(({ runningAnswers }) => estimateOf(runningAnswers, id));
  const ofTurn = isRunning || held?.state === 'waiting' ? costOfLast : null;
  const spent = ofTurn === null ? null : turnSoFar(world, ofTurn, estimate);
  const process = isUnread ? notRead : processWords({ held, listed, questions, before }, workingMs, spent);
  const costs = useSessions((state) => state.costs);
  const cost = costOf(row, costs);
  const isUnknown = cost !== null && estimate === 0 && costWithUnit(world, cost) === costUnknown();
  return (
    <footer className={css('session-foot')}>
      {cost !== null && (cost.user + cost.agent > 0 || estimate > 0) && (
        <>
          <span>
            {isUnknown ? (
              <span title={unknownBecause()}>{costUnknown()}</span>
            ) : (
              rich('<b>{cost}</b> {world, select, premium {premium requests} other {credits}}', {
                cost: costSoFarWords(world, cost, estimate),
                world,
                b: (inside) => (
                  <b
                    className="figures"
                    title={
                      estimate > 0
                        ? t('With an estimate of the running answer, from its model’s prices')
                        : cost.isPartlyUnknown
                          ? unknownBecause(cost)
                          : undefined
                    }
                  >
                    {inside}
                  </b>
                ),
              })
            )}
          </span>
          {cost.user + cost.agent > 0 && (
            <a
              className={css('requests-link')}
              href={writeRoute({ place: 'requests', part: null, query: countedRequests(id) })}
            >
              {t('{user} user, {agent} agent requests', { user: grouped(cost.user), agent: grouped(cost.agent) })}
            </a>
          )}
        </>
      )}
      {held?.context != null && <Context session={id} {...held.context} />}
      <Process row={row} words={isLost ? { text: t('Connection lost'), isFailed: false } : process} />
    </footer>
  );
}

/** What the process does; its title says which one it is. */
function Process({ row: { id, held, listed }, words }: { row: ListRow; words: ProcessWords }) {
  const { bridge } = useServices();
  const agent = useAgentWords();
  const hasProcess = listed?.openIn != null || (held !== null && withProcess.has(held.state));
  const { asked, again } = useAsked(
    useCallback(async () => (hasProcess ? await bridge.sessionProcess(id) : null), [bridge, id, hasProcess]),
  );
  const facts = hasProcess ? asked.last : null;
  const version = listed?.version == null ? null : `${agent.title} ${oneLine(listed.version, 40)}`;
  const known = [
    ...(facts === null ? [] : [t('pid {pid}', { pid: facts.pid })]),
    ...(facts?.memory == null ? [] : [bytes(facts.memory)]),
    ...(version === null ? [] : [version]),
  ].join(' · ');
  const isUnloaded = !hasProcess && held?.state !== 'provisional';
  return (
    <span
      className={css('process', { failed: words.isFailed })}
      data-testid="process"
      title={(isUnloaded ? t('It starts with your next message.') : known) || undefined}
      onPointerEnter={() => void again()}
    >
      {words.text}
    </span>
  );
}

const withProcess: ReadonlySet<Session['state']> = new Set(['running', 'waiting', 'stopping', 'idle']);

/** How full it was with the last request; what fills it stands in “In force”. */
function Context({ session, used, size }: { session: string; used: number; size: number }) {
  const agent = useAgentWords().title;
  const full = size === 0 ? 0 : Math.min(1, used / size);
  return (
    <button
      type="button"
      className={css('context')}
      title={t('{used} of {size} tokens in context at the last request. Shows what fills it.', {
        used: grouped(used),
        size: grouped(size),
      })}
      data-testid="context"
      onClick={() => showInForce({ session, agent })}
    >
      {t('Context')}{' '}
      <Meter
        label={t('Context')}
        text={t('{used} of {size} tokens in context at the last request', { used: grouped(used), size: grouped(size) })}
        share={full}
        tone={full >= fullFrom ? 'warning' : 'fine'}
      />
      <span className="figures">{percentage(full * 100)}</span>
    </button>
  );
}
