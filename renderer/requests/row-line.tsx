// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only a part is in the page can’t be a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its rows and cells.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: rows of a grid can be selected.
import classNames from 'classnames/bind';
import { memo } from 'react';
import { t } from '../../app/language/translate.ts';
import { initiatorParts, isFailedAfterHeaders, servedHere } from '../../app/words/exchange-cells.ts';
import { grouped } from '../../app/words/numbers.ts';
import { clockTime } from '../../app/words/times.ts';
import { isError, isRunning, type Row } from '../state/log/row.ts';
import { cellOf, chargeText, type RowLineProps } from './cells.tsx';
import type { ColumnName } from './columns.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

/** One row. Drawn again only when something of it changed. */
export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { row, index, top, columns, selected, active, pinned, afterMark } = props;
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      data-id={row.id}
      data-testid={`request-row-${row.id}`}
      className={css('row', {
        'by-user': row.initiator === 'user',
        'by-subagent': row.reason?.code === 'subagent',
        error: isError(row),
        running: isRunning(row),
        active,
      })}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={isRunning(row) || undefined}
      aria-label={
        afterMark === null
          ? rowName(row)
          : t('{row}, first after the mark at {time}', { row: rowName(row), time: clockTime(afterMark) })
      }
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ name, align }, place) => (
        <div
          key={name}
          role="gridcell"
          id={active && props.activeCell === place ? `cell-${row.id}` : undefined}
          data-testid={`cell-${name}`}
          className={css('cell', `cell-${name}`, {
            right: align === 'right',
            'active-cell': active && props.activeCell === place,
          })}
          aria-colindex={place + 1}
          title={titleOf(name, props)}
        >
          {cellOf(name, props, pinned)}
        </div>
      ))}
    </div>
  );
});

/** What a cell leaves out, or may have no room for. The other cells say it themselves. */
function titleOf(name: ColumnName, { row, clientName, sessionTitle }: RowLineProps): string | undefined {
  switch (name) {
    case 'client':
      return clientName;
    case 'session':
      return [sessionTitle, row.session].filter((part) => part !== null).join(', ') || undefined;
    case 'prompt':
    case 'account':
      return row[name] ?? undefined;
    case 'endpoint':
      return row.api;
    default:
      return undefined;
  }
}

/** `User request, 10:39:41, claude-opus-4.8, status 200, 18.6 seconds, 7.528 credits` */
function rowName(row: Row): string {
  const parts = initiatorParts(row);
  const who =
    parts === null
      ? t('Request')
      : parts.why === ''
        ? t('{who} request', { who: parts.who })
        : t('{who} request, {why}', { who: parts.who, why: parts.why });
  const state =
    row.outcome === 'running'
      ? row.held
        ? t('held back until you let it through')
        : row.firstToken === null
          ? t('waiting for Copilot')
          : t('streaming')
      : row.outcome === 'cut'
        ? t('cut')
        : row.outcome === 'cancelled'
          ? t('left by the client')
          : isFailedAfterHeaders(row)
            ? t('failed')
            : row.status === null
              ? t('status unknown')
              : t('status {status}', { status: row.status });
  const took = row.took === null ? null : t('{seconds} seconds', { seconds: grouped(row.took / 1000, 1) });
  return [who, clockTime(row.startedAt), servedHere(row) ?? row.model ?? row.asked, state, took, spokenCharge(row)]
    .filter((part) => part !== null)
    .join(', ');
}

function spokenCharge(row: Row): string | null {
  switch (row.charge) {
    case 'billed':
      return row.nanoAiu === null
        ? t('{amount} premium requests', { amount: chargeText(row) })
        : t('{amount} credits', { amount: chargeText(row) });
    case 'free':
      return t('free');
    case 'unknown':
      return t('charge unknown');
    default:
      return null;
  }
}
