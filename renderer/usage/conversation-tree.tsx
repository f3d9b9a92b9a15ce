// biome-ignore-all lint/a11y/useSemanticElements: a table whose rows open is a treegrid.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows hold the focus, cells do not.

import classNames from 'classnames/bind';
import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { chargeHead, type World } from '../../app/words/exchange-cells.ts';
import { grouped, percentage } from '../../app/words/numbers.ts';
import { folderName, isSessionLabel } from '../../app/words/sessions.ts';
import { clockTime, day, duration } from '../../app/words/times.ts';
import { cachedShare, promptCount, sumCell } from '../../app/words/usage.ts';
import { LinkButton } from '../parts/button.tsx';
import { Agent, Branch, ChevronDown, ChevronRight, List, Person, Tree } from '../parts/icons.tsx';
import { go } from '../state/routes.ts';
import { UnknownToo } from './cards.tsx';
import { partName, rowRoute, type TreeRow } from './conversation-rows.ts';
import styles from './usage.module.css';

const css = classNames.bind(styles);

interface TreeGridProps {
  rows: readonly TreeRow[];
  /** What a client is called. */
  nameOf: (client: string) => string;
  world: World;
  now: number;
  toggle: (row: TreeRow) => void;
  showAll: (session: string) => void;
  retry: (session: string) => void;
}

export function TreeGrid({ rows, nameOf, world, now, toggle, showAll, retry }: TreeGridProps) {
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
    const route = rowRoute(row);
    if (row.kind === 'earlier') showAll(row.session);
    else if (row.kind === 'note' && row.again) retry(row.session);
    else if (route !== null) go({ place: 'requests', ...route });
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
    <div className={css('usage-tree')} role="treegrid" aria-label={t('Sessions')} ref={grid} onKeyDown={press}>
      <div role="rowgroup">
        <div className={css('tree-row', 'tree-head', 'figures', 'muted')} role="row">
          <span role="columnheader">{t('Session')}</span>
          <span role="columnheader">{t('Requests')}</span>
          <span role="columnheader">{t('User / agent')}</span>
          <span role="columnheader" className={css('col-cached')}>
            {t('Cached')}
          </span>
          <span role="columnheader" className={css('col-span')}>
            {t('Span')}
          </span>
          <span role="columnheader">{head}</span>
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row, index) => (
          <div
            key={row.id}
            className={css('tree-row', 'figures', `level-${row.level}`)}
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
            <span
              role="gridcell"
              className={css('tree-name', 'in-row', { wide: row.kind === 'note' })}
              aria-colspan={row.kind === 'note' ? 6 : undefined}
            >
              <span className={css('tree-chevron', 'muted')}>
                {row.expanded !== null && (row.expanded ? <ChevronDown size={14} /> : <ChevronRight size={14} />)}
              </span>
              <Name row={row} nameOf={nameOf} now={now} />
              {rowRoute(row) !== null && (
                <button
                  type="button"
                  className={css('button', 'quiet', 'icon', 'small', 'tree-open')}
                  tabIndex={-1}
                  aria-label={row.kind === 'note' ? t('Show this request') : t('Show these requests')}
                  title={row.kind === 'note' ? t('Show this request') : t('Show these requests')}
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
                  {t('Try again')}
                </LinkButton>
              )}
            </span>
            {row.kind !== 'note' && <Sums row={row} world={world} />}
          </div>
        ))}
      </div>
    </div>
  );
}

function Name({ row, nameOf, now }: Pick<TreeGridProps, 'nameOf' | 'now'> & { row: TreeRow }) {
  const today = (at: number): boolean => day(at) === day(now);
  switch (row.kind) {
    case 'session': {
      const { session, client, prompts, startedAt, title, folder } = row.conversation;
      const own = isSessionLabel(client) ? nameOf(client) : null;
      const name = own ?? title;
      return (
        <>
          <Tree size={14} />
          <span className="ell" title={session ?? undefined}>
            {name !== null ? (
              <span>{name}</span>
            ) : session === null ? (
              <span>{t('Without a session')}</span>
            ) : (
              <span className="mono">{session.slice(0, 8)}</span>
            )}
            <span className="muted">
              {' '}
              {!today(startedAt) && `${day(startedAt)} · `}
              {folder !== null && `${folderName(folder)} · `}
              {own === null ? client : t('session')}
              {prompts > 0 && ` · ${promptCount(prompts)}`}
            </span>
          </span>
        </>
      );
    }
    case 'prompt': {
      const { prompt, isReport, startedAt } = row.prompt;
      const time = `${today(startedAt) ? '' : `${day(startedAt)}, `}${clockTime(startedAt)}`;
      const what =
        prompt === null
          ? t('Without a prompt, from {time}', { time })
          : isReport
            ? t('Background task’s report at {time}', { time })
            : t('Prompt at {time}', { time });
      return (
        <>
          {isReport ? <Agent size={14} /> : <Person size={14} />}
          <span className="ell" title={prompt ?? undefined}>
            {what} {prompt !== null && <span className="mono muted">{prompt.slice(0, 4)}</span>}
          </span>
        </>
      );
    }
    case 'part':
      return (
        <>
          {row.part.kind === 'subagent' ? <Branch size={14} /> : <Agent size={14} />}
          <span className="ell" title={row.part.agentId ?? undefined}>
            {partName(row.part)}{' '}
            {row.part.agentId !== null && <span className="mono muted">{row.part.agentId.slice(0, 4)}</span>}
          </span>
        </>
      );
    case 'earlier':
      return (
        <>
          <Person size={14} />
          <span className="ell">{earlierWords(row)}</span>
        </>
      );
    case 'note':
      return (
        <span className="muted" title={row.text}>
          {row.text}
        </span>
      );
  }
}

/** `3 earlier prompts, 1 report` */
function earlierWords({ prompts, reports }: { prompts: number; reports: number }): string {
  if (reports === 0) return t('{prompts, plural, one {# earlier prompt} other {# earlier prompts}}', { prompts });
  if (prompts === 0) return t('{reports, plural, one {# earlier report} other {# earlier reports}}', { reports });
  return t(
    '{prompts, plural, one {# earlier prompt} other {# earlier prompts}}, {reports, plural, one {# report} other {# reports}}',
    { prompts, reports },
  );
}

function Sums({ row, world }: { row: TreeRow; world: World }) {
  const { sums } = row;
  if (sums === null) {
    return (
      <>
        <span role="gridcell" />
        <span role="gridcell" />
        <span role="gridcell" className={css('col-cached')} />
        <span role="gridcell" className={css('col-span')} />
        <span role="gridcell" />
      </>
    );
  }
  const cached = cachedShare(sums);
  const cell = sumCell(world, sums, row.amount);
  const more = sums.unknown > 0 && cell.kind !== 'unknown';
  return (
    <>
      <span role="gridcell">{grouped(sums.requests)}</span>
      <span role="gridcell" className="muted">
        {grouped(sums.user)} / {grouped(sums.agent)}
      </span>
      <span role="gridcell" className={css('muted', 'col-cached')}>
        {cached === null ? '–' : percentage(cached * 100)}
      </span>
      <span role="gridcell" className={css('muted', 'col-span')}>
        {duration(Math.max(0, sums.endedAt - sums.startedAt))}
      </span>
      <span role="gridcell" className={css({ 'amount-free': cell.kind === 'free' })}>
        {more && <UnknownToo count={sums.unknown} />}
        {cell.text}
      </span>
    </>
  );
}
