// biome-ignore-all lint/a11y/useSemanticElements: a table whose rows open is a treegrid.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows hold the focus, cells do not.
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Conversation, ConversationPrompt } from '../../app/api/history.ts';
import { chargeHead, type World } from '../../app/words/exchange-cells.ts';
import { counted, grouped } from '../../app/words/numbers.ts';
import { clockTime, day, duration } from '../../app/words/times.ts';
import { cachedShare, promptCount, sumCell } from '../../app/words/usage.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Agent, Branch, ChevronDown, ChevronRight, List, Person, Tree } from '../parts/icons.tsx';
import { type Asked, useAsked } from '../state/asked.ts';
import { go } from '../state/navigation.ts';
import { useServices } from '../state/services.ts';
import { partName, rowQuery, type TreeRow, treeRows } from './conversation-rows.ts';
import { useNews } from './news.ts';
import { UnknownToo } from './unknown-too.tsx';

const step = 20;

/** Who worked on what: sessions, the prompts in them, and the subagents of each. */
export function Conversations({ since, world, now }: { since: number; world: World; now: number }) {
  const { bridge } = useServices();
  const [limit, setLimit] = useState(step);
  const ask = useCallback(() => bridge.conversations({ since, limit: limit + 1, offset: 0 }), [bridge, since, limit]);
  const { asked, again } = useAsked(ask);
  const { opened, toggle, showAll, retry, refresh } = useOpened(since);
  useNews(
    useCallback(async () => {
      await Promise.all([again(), refresh()]);
    }, [again, refresh]),
  );

  const known = asked.last ?? [];
  const shown = useMemo(() => known.slice(0, limit), [known, limit]);
  const rows = useMemo(() => treeRows(shown, opened), [shown, opened]);
  if (asked.kind === 'loading') return <div className="usage-tree grey-tree" aria-busy="true" />;
  if (asked.kind === 'failed' && asked.last === null) {
    return (
      <section className="usage-card" role="alert">
        <b>The sessions can’t be read.</b> {asked.text} <LinkButton onClick={() => void again()}>Try again</LinkButton>
      </section>
    );
  }
  if (known.length === 0) return null;
  return (
    <>
      <TreeGrid rows={rows} world={world} now={now} toggle={toggle} showAll={showAll} retry={retry} />
      {known.length > limit && (
        <p className="tree-more">
          <Button onClick={() => setLimit(limit + step)}>Show {step} more</Button>
        </p>
      )}
    </>
  );
}

interface Opened {
  open: ReadonlySet<string>;
  whole: ReadonlySet<string>;
  prompts: ReadonlyMap<string, Asked<ConversationPrompt[]>>;
}

/** What is open in the tree. Prompts of a session are asked for when it is opened. */
function useOpened(since: number) {
  const { bridge } = useServices();
  const [opened, setOpened] = useState<Opened>({ open: new Set(), whole: new Set(), prompts: new Map() });
  const sessions = useRef(new Map<string, Conversation>());
  const asks = useRef(0);

  const read = useCallback(
    async (id: string): Promise<void> => {
      const conversation = sessions.current.get(id);
      if (conversation === undefined) return;
      const asking = asks.current;
      const put = (change: (before: Asked<ConversationPrompt[]> | undefined) => Asked<ConversationPrompt[]>): void => {
        if (asking !== asks.current) return;
        setOpened((old) => ({ ...old, prompts: new Map(old.prompts).set(id, change(old.prompts.get(id))) }));
      };
      try {
        const { client, session } = conversation;
        const last = await bridge.conversation({ since, client, session });
        put(() => ({ kind: 'known', last }));
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        put((before) => ({ kind: 'failed', last: before?.last ?? null, text, mend: '' }));
      }
    },
    [bridge, since],
  );

  const refresh = useCallback(async (): Promise<void> => {
    await Promise.all([...sessions.current.keys()].map(read));
  }, [read]);

  useEffect(() => {
    // Another period: what is open stays open and is read again.
    void refresh();
    return () => {
      asks.current += 1;
    };
  }, [refresh]);

  const toggle = useCallback(
    (row: TreeRow): void => {
      if (row.expanded === null || row.kind === 'earlier') return;
      if (row.kind === 'session') {
        if (row.expanded) sessions.current.delete(row.id);
        else {
          sessions.current.set(row.id, row.conversation);
          void read(row.id);
        }
      }
      setOpened((old) => {
        const open = new Set(old.open);
        if (!open.delete(row.id)) open.add(row.id);
        return { ...old, open };
      });
    },
    [read],
  );
  const showAll = useCallback(
    (session: string) => setOpened((old) => ({ ...old, whole: new Set([...old.whole, session]) })),
    [],
  );
  return { opened, toggle, showAll, retry: (id: string) => void read(id), refresh };
}

interface TreeGridProps {
  rows: readonly TreeRow[];
  world: World;
  now: number;
  toggle: (row: TreeRow) => void;
  showAll: (session: string) => void;
  retry: (session: string) => void;
}

function TreeGrid({ rows, world, now, toggle, showAll, retry }: TreeGridProps) {
  const [cursor, setCursor] = useState<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === cursor),
  );

  const focus = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    setCursor(row.id);
    const place = rows.indexOf(row);
    grid.current?.querySelectorAll<HTMLElement>('[data-tree-row]')[place]?.focus();
  };
  const run = (row: TreeRow): void => {
    const query = rowQuery(row);
    if (row.kind === 'earlier') showAll(row.session);
    else if (row.kind === 'note') retry(row.session);
    else if (query !== null) go({ place: 'requests', query });
  };
  const press = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (row === undefined) return;
    switch (event.key) {
      case 'ArrowDown':
        focus(at + 1);
        break;
      case 'ArrowUp':
        focus(at - 1);
        break;
      case 'Home':
        focus(0);
        break;
      case 'End':
        focus(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row.kind === 'earlier') showAll(row.session);
        else if (row.expanded === false) toggle(row);
        else if (row.expanded === true) focus(at + 1);
        break;
      case 'ArrowLeft':
        if (row.expanded === true) toggle(row);
        else if (row.parent !== null) focus(rows.findIndex(({ id }) => id === row.parent));
        break;
      case ' ':
        toggle(row);
        break;
      case 'Enter':
        run(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const head = chargeHead(world);
  return (
    <div className="usage-tree" role="treegrid" aria-label="Sessions" ref={grid} onKeyDown={press}>
      <div role="rowgroup">
        <div className="tree-row tree-head" role="row">
          <span role="columnheader">Session</span>
          <span role="columnheader">Requests</span>
          <span role="columnheader" className="col-split">
            User / agent
          </span>
          <span role="columnheader" className="col-cached">
            Cached
          </span>
          <span role="columnheader" className="col-span">
            Span
          </span>
          <span role="columnheader">{head}</span>
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row, index) => (
          <div
            key={row.id}
            className={`tree-row level-${row.level}`}
            role="row"
            data-tree-row=""
            aria-level={row.level}
            aria-expanded={row.expanded ?? undefined}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setCursor(row.id)}
            onClick={() => (row.kind === 'earlier' ? showAll(row.session) : toggle(row))}
            onDoubleClick={() => run(row)}
            onKeyDown={undefined}
          >
            <span role="gridcell" className="tree-name">
              <span className="tree-chevron">
                {row.expanded !== null && (row.expanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
              </span>
              <Name row={row} now={now} />
              {rowQuery(row) !== null && (
                <button
                  type="button"
                  className="button quiet icon tree-open"
                  tabIndex={-1}
                  aria-label="Show these requests"
                  title="Show these requests"
                  onClick={(event) => {
                    event.stopPropagation();
                    run(row);
                  }}
                >
                  <List size={14} />
                </button>
              )}
              {row.kind === 'note' && row.again && (
                <LinkButton tabIndex={-1} onClick={() => retry(row.session)}>
                  Try again
                </LinkButton>
              )}
            </span>
            <Sums row={row} world={world} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Name({ row, now }: { row: TreeRow; now: number }) {
  const today = (at: number): boolean => day(at) === day(now);
  switch (row.kind) {
    case 'session': {
      const { session, client, prompts, startedAt } = row.conversation;
      return (
        <>
          <Tree size={14} />
          <span className="tree-text" title={session ?? undefined}>
            {session === null ? <span>Without a session</span> : <span className="mono">{session.slice(0, 8)}</span>}
            <span className="muted">
              {' '}
              {!today(startedAt) && `${day(startedAt)} · `}
              {client}
              {prompts > 0 && ` · ${promptCount(prompts)}`}
            </span>
          </span>
        </>
      );
    }
    case 'prompt': {
      const { prompt, startedAt } = row.prompt;
      return (
        <>
          <Person size={14} />
          <span className="tree-text" title={prompt ?? undefined}>
            {prompt === null ? 'Without a prompt, from' : 'Prompt at'} {today(startedAt) ? '' : `${day(startedAt)}, `}
            {clockTime(startedAt)} {prompt !== null && <span className="mono muted">{prompt.slice(0, 4)}</span>}
          </span>
        </>
      );
    }
    case 'part':
      return (
        <>
          {row.part.kind === 'subagent' ? <Branch size={14} /> : <Agent size={14} />}
          <span className="tree-text" title={row.part.agentId ?? undefined}>
            {partName(row.part)}{' '}
            {row.part.agentId !== null && <span className="mono muted">{row.part.agentId.slice(0, 4)}</span>}
          </span>
        </>
      );
    case 'earlier':
      return (
        <>
          <Person size={14} />
          <span className="tree-text">{counted(row.count, 'earlier prompt')}</span>
        </>
      );
    case 'note':
      return <span className="tree-text muted">{row.text}</span>;
  }
}

function Sums({ row, world }: { row: TreeRow; world: World }) {
  const { sums } = row;
  if (sums === null) {
    return (
      <>
        <span role="gridcell" />
        <span role="gridcell" className="col-split" />
        <span role="gridcell" className="col-cached" />
        <span role="gridcell" className="col-span" />
        <span role="gridcell" />
      </>
    );
  }
  const cached = cachedShare(sums);
  const cell = sumCell(world, sums);
  const more = sums.unknown > 0 && cell !== 'Unknown';
  return (
    <>
      <span role="gridcell">{grouped(sums.requests)}</span>
      <span role="gridcell" className="muted col-split">
        {grouped(sums.user)} / {grouped(sums.agent)}
      </span>
      <span role="gridcell" className="muted col-cached">
        {cached === null ? '–' : `${Math.round(cached * 100)}%`}
      </span>
      <span role="gridcell" className="muted col-span">
        {duration(Math.max(0, sums.endedAt - sums.startedAt))}
      </span>
      <span role="gridcell" className={cell === 'Free' ? 'amount-free' : undefined}>
        {cell}
        {more && <UnknownToo count={sums.unknown} />}
      </span>
    </>
  );
}
