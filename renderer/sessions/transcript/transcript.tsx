import classNames from 'classnames/bind';
import { type ReactNode, useMemo, useState } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { creditsOf } from '../../../app/words/numbers.ts';
import { retryWords } from '../../../app/words/sessions.ts';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/icons.tsx';
import type { Conversation, Turn } from '../state/conversation.ts';
import { useAgentWords } from '../state/hooks.ts';
import { startingWords } from '../state/session-words.ts';
import { AddressDialog } from '../text/safe-address.tsx';
import { Feed } from './feed.tsx';
import type { FindRequest } from './find/use-find.ts';
import { ItemView } from './item-view.tsx';
import type { Item } from './items.ts';
import { placeOf } from './place.ts';
import styles from './transcript.module.css';
import { type TranscriptActions, TranscriptContext } from './transcript-context.ts';

const css = classNames.bind(styles);

interface TranscriptProps {
  sessionId: string;
  /** Null if it is being read. */
  conversation: Conversation | null;
  /** Null if no process of ours runs it. */
  session: Session | null;
  /** What its turns run on, by the name that Copilot has for it; null if unknown. */
  model?: string | null;
  /** Folder that paths are shown relative to, if no process of ours runs it. */
  cwd?: string | null;
  /** Why it can't be read; null if it can. */
  problem: { text: string; tryAgain: () => void } | null;
  /** Reads older turns; a call while one is under way does nothing. */
  loadOlder: () => void;
  /** True if it, or older turns of it, are being read. */
  isReading?: boolean;
  /** What is looked for in it; null if nothing. Another object is another search. */
  request?: FindRequest | null;
  /** Opens Find; absent if nothing can be searched. */
  openFind?: () => void;
  closeFind?: () => void;
  /** How many sessions are in line before it. */
  before?: number;
  /** Counts up with each message that was sent from here: what is sent is seen. */
  sent?: number;
  actions: TranscriptActions;
}

const nothing = (): void => {};
const drawItem = (item: Item, depth: number): ReactNode => <ItemView item={item} depth={depth} />;

/** One conversation, from its first turn to what is under way. */
export function Transcript(props: TranscriptProps) {
  const { sessionId, conversation, session, problem, loadOlder, openFind, actions, before = 0 } = props;
  const cwd = session?.cwd ?? props.cwd ?? null;
  const [asked, setAsked] = useState<string | null>(null);
  const { openAddress } = actions;
  const place = placeOf(sessionId);
  const { model = null } = props;
  const state = session?.state ?? null;
  const waiting = session?.isQueuePaused === true ? session.queue.length : 0;
  const { title: agent } = useAgentWords();
  const starting = session?.restartsFor === undefined ? t('Starting {agent}…', { agent }) : startingWords(session);
  const retrying = session === null ? null : retryWords(session, true);
  const continuesAt = session?.continuesAt ?? null;
  const usualCost = usualCostOf(conversation?.turns ?? []);
  const context = useMemo(
    () => ({
      ...{ sessionId, cwd, model, agent, state, starting, before, waiting, drawItem },
      ...{ continuesAt, usualCost, retrying, openSteps: place.openSteps },
      // Every address is asked about here, also one that a person wrote.
      actions: openAddress === undefined ? actions : { ...actions, openAddress: setAsked },
    }),
    [
      sessionId,
      cwd,
      model,
      agent,
      state,
      starting,
      continuesAt,
      usualCost,
      retrying,
      before,
      waiting,
      place.openSteps,
      actions,
      openAddress,
    ],
  );
  return (
    <TranscriptContext value={context}>
      {problem !== null ? (
        <Unreadable problem={problem} openFolder={actions.openFolder} />
      ) : conversation === null ? (
        <Loading />
      ) : (
        <Feed
          key={sessionId}
          {...{ conversation, place, loadOlder, openFind }}
          isReading={props.isReading ?? false}
          request={props.request ?? null}
          closeFind={props.closeFind ?? nothing}
          sent={props.sent ?? 0}
        />
      )}
      {asked !== null && openAddress !== undefined && (
        <AddressDialog address={asked} open={openAddress} close={() => setAsked(null)} />
      )}
    </TranscriptContext>
  );
}

const turnsOfCost = 3;

/** What its last turns cost on average, of those whose cost is known: `0.42 credits`. */
function usualCostOf(turns: readonly Turn[]): string | null {
  const costs = turns.flatMap(({ cost }) => (cost === null || cost.nanoAiu === 0 ? [] : cost.nanoAiu));
  const last = costs.slice(-turnsOfCost);
  const sum = last.reduce((all, cost) => all + cost, 0);
  return sum === 0 ? null : t('{amount} credits', { amount: creditsOf(sum / last.length) });
}

/** Three grey blocks, after a moment. */
function Loading() {
  return (
    <div className={css('talk')} aria-busy="true" data-testid="transcript">
      <div className={css('talk-inner', 'loading-blocks')}>
        <span className="sr">{t('The conversation is being read.')}</span>
        <span className={css('grey-block')} />
        <span className={css('grey-block')} />
        <span className={css('grey-block')} />
      </div>
    </div>
  );
}

interface UnreadableProps {
  problem: NonNullable<TranscriptProps['problem']>;
  openFolder: (() => void) | undefined;
}

function Unreadable({ problem: { text, tryAgain }, openFolder }: UnreadableProps) {
  return (
    <div className={css('talk')} data-testid="transcript">
      <div className={css('talk-inner')}>
        <div className={css('turn-failure')} role="alert">
          <Failed size={16} />
          <p>
            <b>{t('This conversation can’t be read.')}</b> {text}
          </p>
          <div className={css('acts')}>
            <Button onClick={tryAgain}>{t('Try again')}</Button>
            {openFolder !== undefined && <Button onClick={openFolder}>{t('Open folder')}</Button>}
          </div>
        </div>
      </div>
    </div>
  );
}
