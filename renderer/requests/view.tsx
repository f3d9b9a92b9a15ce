import classNames from 'classnames/bind';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { chargeHead } from '../../app/words/exchange-cells.ts';
import { grouped } from '../../app/words/numbers.ts';
import { clockTime } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { Segmented } from '../parts/choices.tsx';
import { Export, Pause, Play } from '../parts/icons.tsx';
import { ViewHead } from '../parts/view-frame.tsx';
import { useActions } from '../state/actions.ts';
import { withTerm } from '../state/log/filter/language.ts';
import { type QuickFilter, quickFilters } from '../state/log/log-view.ts';
import { isError, type Row } from '../state/log/row.ts';
import { announce, toast } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { useApp, useLog, useServices, useWindow } from '../state/services.ts';
import type { ColumnName } from './columns.ts';
import { ColumnsDialog } from './columns-dialog.tsx';
import { useCopyRequest } from './copy-request.ts';
import { Detail } from './detail/detail.tsx';
import { DetailEdge, useDetailWidth } from './detail/detail-edge.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { Foot } from './foot.tsx';
import { EmptyList, GreyRows, HistoryNotice, useSpokenNews } from './list-notices.tsx';
import {
  isUnsorted,
  movedBefore,
  nextSorting,
  orderOf,
  resized,
  type Sorting,
  useListSettings,
} from './list-settings.ts';
import { RequestShortcuts, useViewShortcuts } from './list-shortcuts.tsx';
import { MoreActions } from './more-actions.tsx';
import styles from './requests.module.css';
import { RowMenu } from './row-menu.tsx';
import { SaveFilterDialog, useSavedFilters } from './saved-filters.tsx';
import { SearchField, useFoldersOfSessions, useSearchInBodies } from './search-field.tsx';
import { Table } from './table.tsx';

const css = classNames.bind(styles);

const quickNames: Readonly<Record<QuickFilter, Message>> = {
  all: msg('All'),
  billed: msg('Billed'),
  free: msg('Free'),
  unknown: msg('Unknown'),
  none: msg('No charge'),
  errors: msg('Errors'),
};

/** What “Free” is not. */
const quickTitles: Partial<Record<QuickFilter, Message>> = {
  unknown: msg('Copilot reported no charge for them.'),
  none: msg('Refused, failed, not sent or not billed'),
};

type OpenOverlay = 'export' | 'keys' | 'columns' | 'filter' | { menu: string; at: { x: number; y: number } } | null;

/** What is going on, and why it cost that. */
export function RequestsView() {
  const { log, store } = useServices();
  const view = useLog();
  const app = useApp();
  const route = useWindow((state) => state.route);
  const history = useWindow((state) => state.history);
  const lost = useWindow(({ connection }) => connection.kind === 'lost');
  const letterKeys = useWindow((state) => state.letterKeys);
  const settings = useListSettings();
  const saved = useSavedFilters();
  const actions = useActions();
  const copy = useCopyRequest();
  const { sorting, setSorting } = settings;
  const [cursor, setCursor] = useState<string | null>(route.part);
  const [following, setFollowing] = useState(route.part === null && isUnsorted(sorting));
  const [fitted, setFitted] = useState<readonly ColumnName[] | null>(null);
  const [overlay, setOverlay] = useState<OpenOverlay>(null);
  const detailWidth = useDetailWidth();
  const list = useRef<HTMLDivElement>(null);

  const selected = route.part;
  const active = cursor ?? selected;
  const world: World = app.quota?.world ?? 'unknown';
  const clients = useRef(new Set<string>());
  for (const row of view.rows.slice(-200)) clients.current.add(row.client);

  useEffect(() => log.sort(orderOf(sorting)), [log, sorting]);
  useEffect(() => log.search(route.query), [log, route.query]);
  useSearchInBodies(route.query);
  useFoldersOfSessions(route.query);
  useEffect(() => {
    if (selected !== null) setCursor(selected);
  }, [selected]);
  useSpokenNews(following);

  const search = useCallback(
    (query: string): void => go({ place: 'requests', part: store.getState().route.part, query }, { replace: true }),
    [store],
  );
  const open = useCallback(
    (id: string | null, replace = false): void => {
      setCursor((old) => id ?? old);
      if (id !== null) setFollowing(false);
      go({ place: 'requests', part: id, query: store.getState().route.query }, { replace });
    },
    [store],
  );
  const focusGrid = useCallback((): HTMLElement | null => {
    const grid = list.current?.querySelector<HTMLElement>('[role=grid]') ?? null;
    grid?.focus();
    return grid;
  }, []);
  const closeDetail = useCallback((): void => {
    open(null);
    focusGrid();
  }, [open, focusGrid]);
  const moveTo = useCallback(
    (id: string): void => {
      if (store.getState().route.part === null) setCursor(id);
      else open(id, true);
    },
    [open, store],
  );
  const sortBy = useCallback(
    (column: Sorting['column']): void => {
      const next = nextSorting(sorting, column);
      setSorting(next);
      if (next.column !== 'time') setFollowing(false);
    },
    [sorting, setSorting],
  );

  const { changeColumns } = settings;
  const resize = useCallback(
    (name: ColumnName, width: number | null) => changeColumns((now) => resized(now, name, width)),
    [changeColumns],
  );
  const moveColumn = useCallback(
    (name: ColumnName, before: ColumnName | null) => changeColumns((now) => movedBefore(now, name, before)),
    [changeColumns],
  );

  const step = (matches: (row: Row) => boolean, by: 1 | -1): void => {
    const { rows } = log.view();
    let index = active === null ? (by > 0 ? -1 : rows.length) : log.indexOf(active);
    for (index += by; index >= 0 && index < rows.length; index += by) {
      const row = rows[index];
      if (row !== undefined && matches(row)) {
        setFollowing(false);
        moveTo(row.id);
        return;
      }
    }
    announce(store, t('No more of them in this direction.'));
  };
  const stepBy = (by: 1 | -1): void => step(() => true, by);

  const togglePause = (): void => (view.paused ? log.resume() : log.pause());
  const clear = (): void => {
    log.clear();
    open(null, true);
  };
  const mark = (): void => {
    const now = Date.now();
    log.mark(now);
    announce(store, t('Marked at {time}', { time: clockTime(now) }));
  };
  const pin = (id: string): void => toast(store, log.togglePin(id) ? t('Pinned') : t('No longer pinned'));
  const showOnly = (key: 'session' | 'prompt', id: string): void => {
    const value = log.row(id)?.[key];
    if (value != null) search(withTerm(route.query, key, value));
  };

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const letters = plain && letterKeys;
    const by = event.shiftKey ? -1 : 1;
    const keyActions: Record<string, (() => void) | false> = {
      Enter: plain && active !== null && (() => open(active)),
      Escape: plain && selected !== null && closeDetail,
      ' ': plain && togglePause,
      u: letters && (() => step((row) => row.initiator === 'user', by)),
      e: letters && (() => step(isError, by)),
      p: letters && active !== null && (() => pin(active)),
      c: letters && active !== null && (() => void copy(active, 'curl')),
      s: letters && active !== null && (() => showOnly('session', active)),
    };
    const act = keyActions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  useViewShortcuts({
    copyCurl: active !== null && (() => void copy(active, 'curl')),
    exportList: () => setOverlay('export'),
    clear,
    showShortcuts: () => setOverlay('keys'),
    focusList: focusGrid,
  });

  const clearFilter = (): void => {
    search('');
    log.choose('all');
  };

  const segments = quickFilters
    .filter((name) => name !== 'unknown' || world !== 'premium' || view.counts.unknown > 0)
    // Of a request that was never sent, and of a search: only where there is one, so that the counts add up. The last,
    // so that the others stay where they are.
    .filter((name) => name !== 'none' || view.counts.none > 0 || view.quick === 'none')
    .map((name) => {
      const title = quickTitles[name];
      const more = grouped(view.counts[name]);
      return { name, label: translated(quickNames[name]), more, ...(title && { title: translated(title) }) };
    });
  const empty = view.rows.length === 0 && history !== 'first';

  return (
    <div className={css('requests', { 'with-detail': selected !== null })}>
      <ViewHead title={t('Requests')}>
        <Button icon={view.paused ? <Play size={16} /> : <Pause size={16} />} onClick={togglePause}>
          {!view.paused
            ? t('Pause list')
            : view.waiting > 0
              ? t('Resume ({count})', { count: grouped(view.waiting) })
              : t('Resume')}
        </Button>
        <Button icon={<Export size={16} />} onClick={() => setOverlay('export')}>
          {t('Export')}
        </Button>
        <MoreActions
          settings={settings}
          fitted={fitted}
          sorting={sorting}
          sortBy={sortBy}
          chargeHead={chargeHead(world)}
          query={route.query}
          saved={saved.filters}
          search={search}
          clear={clear}
          mark={mark}
          ask={setOverlay}
          deleteHistory={actions.deleteHistory}
        />
      </ViewHead>
      <div className={css('filter-line')}>
        <SearchField query={route.query} saved={saved.filters} change={search} leave={focusGrid} />
        <Segmented label={t('Show')} segments={segments} chosen={view.quick} choose={(name) => log.choose(name)} />
      </div>
      <div className={css('split')} style={{ '--detail-width': `${detailWidth.width}px` }}>
        <section className={css('list')} aria-label={t('List of requests')} ref={list}>
          <HistoryNotice />
          {history === 'first' && <GreyRows />}
          {empty && <EmptyList clearFilter={clearFilter} />}
          {!empty && history !== 'first' && (
            <Table
              chosen={settings.columns}
              resize={resize}
              move={moveColumn}
              rowHeight={settings.rowHeight}
              chargeHead={chargeHead(world)}
              sorting={sorting}
              sort={sortBy}
              selected={selected}
              active={active}
              moveTo={moveTo}
              open={(id) => (id === selected ? closeDetail() : open(id))}
              menu={(id, at) => setOverlay({ menu: id, at })}
              arrange={() => setOverlay('columns')}
              press={press}
              following={following}
              follow={setFollowing}
              showsClient={clients.current.size > 1}
              muted={lost}
              fitted={setFitted}
            />
          )}
          <Foot world={world} following={following && !empty} />
        </section>
        {selected !== null && (
          <>
            <DetailEdge width={detailWidth} />
            <Detail
              key="detail"
              id={selected}
              close={closeDetail}
              step={stepBy}
              press={press}
              copyCurl={() => void copy(selected, 'curl')}
              showOnly={(key) => showOnly(key, selected)}
            />
          </>
        )}
      </div>
      {overlay === 'export' && <ExportDialog selected={selected ?? cursor} close={() => setOverlay(null)} />}
      {overlay === 'columns' && (
        <ColumnsDialog
          settings={settings}
          fitted={fitted}
          chargeHead={chargeHead(world)}
          close={() => setOverlay(null)}
        />
      )}
      {overlay === 'filter' && (
        <SaveFilterDialog
          query={route.query.trim()}
          saved={saved}
          done={(name) => toast(store, t('Filter saved as {name}.', { name }))}
          close={() => setOverlay(null)}
        />
      )}
      {overlay === 'keys' && <RequestShortcuts close={() => setOverlay(null)} />}
      {overlay !== null && typeof overlay === 'object' && (
        <RowMenu
          id={overlay.menu}
          at={overlay.at}
          close={() => setOverlay(null)}
          pinned={log.isPinned(overlay.menu)}
          actions={{ open, copy, pin, showOnly }}
        />
      )}
    </div>
  );
}
