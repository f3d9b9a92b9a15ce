// biome-ignore-all lint/a11y/useSemanticElements: a grid of which only a part is in the page can’t be a table.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and points at its rows and cells.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: rows of a grid can be selected.
import { memo, type ReactNode } from 'react';
import { firstTokenTime } from '../../app/words/exact-times.ts';
import { chargeCell, initiatorParts } from '../../app/words/exchange-cells.ts';
import { bytes, tokenCount } from '../../app/words/numbers.ts';
import { clockTime, duration } from '../../app/words/times.ts';
import { Arrow } from '../parts/arrow.tsx';
import { Agent, Branch, Clock, Person, Pin, Ring } from '../parts/icons.tsx';
import { useTenth } from '../parts/now.ts';
import { useActions } from '../state/actions.ts';
import { isError, isLocal, isRunning, type Row } from '../state/log/row.ts';
import { type Column, type ColumnName, speedOf } from './columns.ts';

export const initiatorIcons = { person: Person, agent: Agent, branch: Branch } as const;

export interface RowLineProps {
  row: Row;
  /** Place in the whole list, from 0. */
  index: number;
  top: number;
  columns: readonly Column[];
  /** Its detail is open. */
  selected: boolean;
  /** The cursor is on it; a number: on this cell. */
  active: boolean;
  activeCell: number | null;
  pinned: boolean;
  /** The list shows the name that was asked for. */
  showsAsked: boolean;
  showsAgent: boolean;
  /** The clients are many: say which. */
  showsClient: boolean;
  /** The mark that it is the first after. */
  afterMark: number | null;
}

/** One row. Drawn again only when something of it changed. */
export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { row, index, top, columns, selected, active, pinned, afterMark } = props;
  const kinds = [
    'row',
    row.initiator === 'user' ? 'by-user' : '',
    row.reason?.code === 'subagent' ? 'by-subagent' : '',
    isError(row) ? 'error' : '',
    isRunning(row) ? 'running' : '',
    active ? 'active' : '',
  ];
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      data-id={row.id}
      data-testid={`request-row-${row.id}`}
      className={kinds.filter(Boolean).join(' ')}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={isRunning(row) || undefined}
      aria-label={
        afterMark === null ? rowName(row) : `${rowName(row)}, first after the mark at ${clockTime(afterMark)}`
      }
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ name, align }, place) => (
        <div
          key={name}
          role="gridcell"
          id={active && props.activeCell === place ? `cell-${row.id}` : undefined}
          data-testid={`cell-${name}`}
          className={[
            'cell',
            `cell-${name}`,
            align === 'right' ? 'right' : '',
            active && props.activeCell === place ? 'active-cell' : '',
          ]
            .filter(Boolean)
            .join(' ')}
          aria-colindex={place + 1}
          title={titleOf(name, row)}
        >
          {cellOf(name, props, pinned)}
        </div>
      ))}
    </div>
  );
});

/** What a cell leaves out, or may have no room for. The other cells say it themselves. */
function titleOf(name: ColumnName, row: Row): string | undefined {
  switch (name) {
    case 'session':
    case 'prompt':
    case 'client':
    case 'account':
      return row[name] ?? undefined;
    case 'endpoint':
      return row.api;
    default:
      return undefined;
  }
}

function cellOf(name: ColumnName, props: RowLineProps, pinned: boolean): ReactNode {
  const { row } = props;
  switch (name) {
    case 'time':
      return (
        <>
          {pinned && <Pin size={12} />}
          <time dateTime={new Date(row.startedAt).toISOString()}>{clockTime(row.startedAt)}</time>
        </>
      );
    case 'status':
      return <Status row={row} />;
    case 'initiator':
      return <Initiator {...props} />;
    case 'model':
      return (
        <>
          <Model row={row} showsAsked={props.showsAsked} />
          {row.held && isRunning(row) && <LetThrough id={row.id} />}
        </>
      );
    case 'input':
      return figure(row.input);
    case 'cached':
      return figure(row.cached);
    case 'output':
      return <Output row={row} />;
    case 'first-token':
      return row.firstToken === null ? '–' : firstTokenTime(row.firstToken);
    case 'duration':
      return <Duration row={row} />;
    case 'charge':
      return <ChargeCell row={row} />;
    case 'session':
      return row.session?.slice(0, 8) ?? '–';
    case 'endpoint':
      return row.api;
    case 'client':
      return row.client;
    case 'prompt':
      return row.prompt?.slice(0, 4) ?? '–';
    case 'speed': {
      const speed = speedOf(row);
      return speed === null ? '–' : `${Math.round(speed)} tok/s`;
    }
    case 'size':
      return row.size === null ? '–' : bytes(row.size);
    case 'changes':
      return row.changeCount === 0 ? '–' : row.changeCount;
    case 'attempts':
      return row.attempts === 0 ? '–' : row.attempts;
    case 'account':
      return row.account ?? '–';
  }
}

function Output({ row }: { row: Row }) {
  const text = figure(row.output);
  if (!isRunning(row) || row.output === null) return text;
  return <span title={`${text}, estimated by Jumpseat until the answer is complete`}>{text}</span>;
}

const figure = (count: number | null): string => (count === null ? '–' : tokenCount(count));

function Status({ row }: { row: Row }) {
  switch (row.outcome) {
    case 'running':
      if (row.held) {
        return (
          <span className="held" title="It waits for you: more requests started within a minute than you allow">
            <Clock size={12} /> Held
          </span>
        );
      }
      return row.firstToken === null ? (
        <>
          <Ring />
          <span className="sr">Waiting for Copilot</span>
        </>
      ) : (
        <>
          <Ring /> {row.status ?? 200}
        </>
      );
    case 'cut':
      return <span title={`Status ${row.status ?? 200}, then the stream was cut`}>Cut</span>;
    case 'cancelled':
      return (
        <span className="muted" title="The client closed the connection">
          Left
        </span>
      );
    default: {
      const status = row.status === null ? '–' : String(row.status);
      if (isLocal(row)) return <span title="Answered by Jumpseat, never sent">{status}</span>;
      if (row.firstStatus !== null) return <span title={`Second attempt, first: ${row.firstStatus}`}>{status}</span>;
      return status;
    }
  }
}

function Initiator({ row, showsAgent, showsClient }: RowLineProps) {
  const parts = initiatorParts(row);
  if (parts === null) return <span className="muted">–</span>;
  const Icon = initiatorIcons[parts.icon];
  const quiet = parts.who === 'Agent' && parts.why !== '';
  const why =
    showsClient && row.client !== 'claude-code' ? [parts.why, row.client].filter(Boolean).join(' · ') : parts.why;
  return (
    <span className="initiator" title={[parts.who, why].filter(Boolean).join(' ')}>
      <Icon size={14} />
      <span className={quiet && !showsAgent ? 'sr' : 'who'}>{parts.who}</span>
      {why !== '' && <span className="why">{why}</span>}
    </span>
  );
}

function Model({ row, showsAsked }: { row: Row; showsAsked: boolean }) {
  const { model, asked } = row;
  const served = servedHere(row);
  if (served !== null) return <span className="muted">{served}</span>;
  if (model === null) return <span title={asked ?? undefined}>{asked ?? '–'}</span>;
  const differs = asked !== null && asked !== model;
  return (
    <span title={differs ? `${model} ← ${asked}` : model}>
      {model}
      {differs && showsAsked && (
        <span className="muted">
          <Arrow>←</Arrow>
          {asked}
        </span>
      )}
    </span>
  );
}

/** What Jumpseat itself did, in the place of a model. */
function servedHere({ api, changes }: Pick<Row, 'api' | 'changes'>): string | null {
  if (api !== 'web') return null;
  return changes.split(' ').includes('web-page') ? 'web page' : 'web search';
}

/** With the keyboard it is in the menu of the row. */
function LetThrough({ id }: { id: string }) {
  const { letThrough } = useActions();
  return (
    <button
      type="button"
      className="button let-through"
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        letThrough(id);
      }}
    >
      Let through
    </button>
  );
}

function Duration({ row }: { row: Row }) {
  const running = isRunning(row);
  const now = useTenth(running);
  if (running) return duration(Math.max(0, now - row.startedAt));
  return row.took === null ? '–' : duration(row.took);
}

function ChargeCell({ row }: { row: Row }) {
  const text = chargeText(row);
  if (row.charge === 'unknown') {
    return (
      <span className="unknown" title="Copilot reported no charge. It may appear on your bill.">
        {text}
      </span>
    );
  }
  if (row.charge === 'pending') return <span title="Known when the answer is complete">{text}</span>;
  return row.charge === 'billed' ? text : <span className="muted">{text}</span>;
}

function chargeText(row: Row): string {
  return chargeCell({
    kind: row.charge,
    nanoAiu: row.nanoAiu,
    premiumRequests: row.premium,
    partial: false,
    details: [],
  });
}

/** `User request, 10:39:41, claude-opus-4.8, status 200, 18.6 seconds, 7.528 credits` */
export function rowName(row: Row): string {
  const parts = initiatorParts(row);
  const who = parts === null ? 'Request' : `${parts.who} request${parts.why === '' ? '' : `, ${parts.why}`}`;
  const state =
    row.outcome === 'running'
      ? row.held
        ? 'held back until you let it through'
        : row.firstToken === null
          ? 'waiting for Copilot'
          : 'streaming'
      : row.outcome === 'cut'
        ? 'cut'
        : row.outcome === 'cancelled'
          ? 'left by the client'
          : `status ${row.status ?? 'unknown'}`;
  const took = row.took === null ? null : `${(row.took / 1000).toFixed(1)} seconds`;
  return [who, clockTime(row.startedAt), servedHere(row) ?? row.model ?? row.asked, state, took, spokenCharge(row)]
    .filter((part) => part !== null)
    .join(', ');
}

function spokenCharge(row: Row): string | null {
  switch (row.charge) {
    case 'billed':
      return row.nanoAiu === null ? `${chargeText(row)} premium requests` : `${chargeText(row)} credits`;
    case 'free':
      return 'free';
    case 'unknown':
      return 'charge unknown';
    default:
      return null;
  }
}
