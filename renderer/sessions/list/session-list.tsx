import { useEffect, useRef, useState } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { go } from '../../state/navigation.ts';
import { keep, recall } from '../../state/remembered.ts';
import { useApp, useWindow } from '../../state/services.ts';
import { todayWords } from '../cost-words.ts';
import { useSessionActions, useSessions } from '../state/hooks.ts';
import { useCostsOfToday } from '../use-session-costs.ts';
import { Loading } from './empty-list.tsx';
import { ListHead } from './list-head.tsx';
import type { GroupBy, Show } from './list-rows.ts';
import { ListTools } from './list-tools.tsx';
import { SessionRows, type SessionRowsHandle } from './session-rows.tsx';
import { useSessionList } from './use-session-list.ts';

const groupKey = 'jumpseat.sessions.group';

/** Every session of this machine: which works, which waits, which failed, which is done. */
export function SessionList({ chosen }: { chosen: string | null }) {
  const rows = useSessionList();
  const [words, setWords] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [by, setBy] = useState<GroupBy>(() => (recall(groupKey) === 'day' ? 'day' : 'folder'));
  const handle = useRef<SessionRowsHandle>(null);
  const all = rows ?? [];
  const wanted = useWindow(({ route }) => route.query);
  useEffect(() => {
    if (wanted !== 'waiting') return;
    setShow('waiting');
    // Said once: what is chosen afterwards holds.
    go({ place: 'sessions' }, { replace: true });
  }, [wanted]);
  const group = (next: GroupBy): void => {
    setBy(next);
    keep(groupKey, next);
  };
  return (
    <section className="pane session-list" aria-label="All sessions" data-testid="session-list">
      <ListHead rows={all} by={by} group={group} />
      <ListTools
        {...{ rows: all, words, show }}
        search={setWords}
        choose={setShow}
        toRows={(how) => (how === 'open' ? handle.current?.openFirst() : handle.current?.focus())}
      />
      <Problem />
      {rows === null ? (
        <Loading />
      ) : (
        <SessionRows {...{ rows, words: words.trim(), show, by, chosen }} ref={handle} clear={() => setWords('')} />
      )}
      <ListFoot count={all.length} />
    </section>
  );
}

/** Why not all sessions may be there. */
function Problem() {
  const problem = useSessions((state) => state.listProblem);
  const failure = useSessions((state) => state.listFailure);
  const actions = useSessionActions();
  const why = failure?.text ?? problem;
  if (why === null) return null;
  return (
    <p className="list-problem" role="status">
      Only sessions of this window are listed: {why.replace(/\.$/, '')}.{' '}
      <LinkButton onClick={actions.readList}>Try again</LinkButton>
    </p>
  );
}

function ListFoot({ count }: { count: number }) {
  const today = useCostsOfToday();
  const { quota } = useApp();
  return (
    <footer className="session-foot">
      <span>
        <b className="figures">{grouped(count)}</b> {count === 1 ? 'session' : 'sessions'}
      </span>
      {today !== null && <span className="today figures">{todayWords(quota?.world ?? 'unknown', today)}</span>}
    </footer>
  );
}
