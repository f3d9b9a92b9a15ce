import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import { inShownLanguage } from '../../app/language/remembered.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { estimateWords } from '../../app/words/charge.ts';
import {
  answeredWords,
  chargeCell,
  initiatorParts,
  isFailedAfterHeaders,
  isOutputIncomplete,
  servedHere,
} from '../../app/words/exchange-cells.ts';
import { bytes, tokenCount } from '../../app/words/numbers.ts';
import { clockTime, duration, firstTokenTime } from '../../app/words/times.ts';
import { Agent, Branch, Clock, Person, Pin, Ring } from '../parts/icons.tsx';
import { useTenth } from '../parts/now.ts';
import { useActions } from '../state/actions.ts';
import { isLocal, isRunning, type Row } from '../state/log/row.ts';
import { useWindow } from '../state/services.ts';
import { type Column, type ColumnName, speedOf } from './columns.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

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
  /** Its label, or the program of the hosted session that it is. */
  clientName: string;
  /** Title of the hosted session that is the client; null if the client is no hosted session. */
  sessionTitle: string | null;
  /** The mark that it is the first after. */
  afterMark: number | null;
}

export function cellOf(name: ColumnName, props: RowLineProps, pinned: boolean): ReactNode {
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
      return <Input row={row} />;
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
      return props.sessionTitle ?? row.session?.slice(0, 8) ?? '–';
    case 'endpoint':
      return row.api;
    case 'client':
      return props.clientName;
    case 'prompt':
      return row.prompt?.slice(0, 4) ?? '–';
    case 'speed': {
      const speed = speedOf(row);
      return speed === null ? '–' : t('{speed} tok/s', { speed: Math.round(speed) });
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

/** The tokens beside the cached ones, whose column a narrow window has no room for. */
function Input({ row }: { row: Row }) {
  const text = figure(row.input);
  if (row.cached === null || row.cached === 0) return text;
  return (
    <span title={t('{text} new, and {cached} read from the cache', { text, cached: figure(row.cached) })}>{text}</span>
  );
}

function Output({ row }: { row: Row }) {
  const text = figure(row.output);
  if (row.output === null) return text;
  if (isOutputIncomplete(row))
    return (
      <span title={t('At least {text}: the answer ended before Copilot reported its tokens', { text })}>≥ {text}</span>
    );
  if (!isRunning(row)) return text;
  return <span title={t('{text}, estimated by Jumpseat until the answer is complete', { text })}>{text}</span>;
}

const figure = (count: number | null): string => (count === null ? '–' : tokenCount(count));

function Status({ row }: { row: Row }) {
  switch (row.outcome) {
    case 'running':
      if (row.held) {
        return (
          <span
            className={css('held')}
            title={t('It waits for you: more requests started within a minute than you allow')}
          >
            <Clock size={12} /> {t('Held')}
          </span>
        );
      }
      return row.firstToken === null ? (
        <>
          <Ring />
          <span className="sr">{t('Waiting for Copilot')}</span>
        </>
      ) : (
        <>
          <Ring /> {row.status ?? 200}
        </>
      );
    case 'cut':
      return (
        <span title={t('Status {status}, then the stream was cut', { status: row.status ?? 200 })}>{t('Cut')}</span>
      );
    case 'cancelled':
      return (
        <span className="muted" title={t('The client closed the connection')}>
          {t('Left')}
        </span>
      );
    case 'declined':
      return <span title={row.failure === null ? undefined : inShownLanguage(row.failure)}>{row.status}</span>;
    default: {
      if (isFailedAfterHeaders(row))
        return (
          <span
            title={t('Status {status}, and in it: {failure}', {
              status: String(row.status),
              failure: row.failure === null ? t('a failure') : inShownLanguage(row.failure),
            })}
          >
            {t('Failed')}
          </span>
        );
      const status = row.status === null ? '–' : String(row.status);
      if (isLocal(row)) return <span title={t('Answered by Jumpseat, never sent')}>{status}</span>;
      if (row.firstStatus !== null)
        return <span title={t('Second attempt, first: {status}', { status: row.firstStatus })}>{status}</span>;
      if (row.failure !== null) return <span title={failedTitle(row.failure, status)}>{status}</span>;
      return status;
    }
  }
}

/** Copilot’s status is in the failure’s words, and can be another one than the client got. */
const failedTitle = (failure: string, status: string): string =>
  sentences(inShownLanguage(failure), answeredWords(status));

function Initiator({ row, showsAgent, showsClient, clientName, sessionTitle }: RowLineProps) {
  const parts = initiatorParts(row);
  if (parts === null) return <span className="muted">–</span>;
  const Icon = initiatorIcons[parts.icon];
  // The icon says it where there is no room for the word.
  const quiet = parts.icon !== 'person' && parts.why !== '';
  const client = showsClient && row.client !== 'claude-code' ? (sessionTitle ?? clientName) : '';
  const why = [parts.why, client].filter(Boolean).join(' · ');
  return (
    <span className={css('initiator')} title={[parts.who, why].filter(Boolean).join(' ')}>
      <Icon size={14} />
      <span className={css(quiet && !showsAgent ? 'sr' : 'who')}>{parts.who}</span>
      {why !== '' && (
        <span className={css('why')}>
          {parts.why !== '' && <span className={css('reason')}>{parts.why}</span>}
          {client !== '' && (
            <span className={css('client', { titled: sessionTitle !== null })}>
              {parts.why === '' ? client : ` · ${client}`}
            </span>
          )}
        </span>
      )}
    </span>
  );
}

function Model({ row, showsAsked }: { row: Row; showsAsked: boolean }) {
  const { model, asked } = row;
  const served = servedHere(row);
  if (served !== null) return <span className="muted">{served}</span>;
  if (model === null) return <span title={asked ?? undefined}>{asked ?? '–'}</span>;
  const differs = asked !== null && asked !== model;
  const byRule = differs && row.changes.split(' ').includes('model-rule');
  return (
    <span
      title={
        !differs ? model : byRule ? t('{model} ← {asked}, by a rule of yours', { model, asked }) : `${model} ← ${asked}`
      }
    >
      {model}
      {differs && (showsAsked || byRule) && (
        <span className="muted">
          <Arrow>←</Arrow>
          <span className={showsAsked ? undefined : 'sr'}>{asked}</span>
          {byRule && <span className="sr">, {t('by a rule of yours')}</span>}
        </span>
      )}
    </span>
  );
}

/** For the mouse; the row's menu has it for the keyboard. */
function LetThrough({ id }: { id: string }) {
  const { letThrough } = useActions();
  return (
    <button
      type="button"
      className={css('button', 'small', 'let-through')}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        letThrough(id);
      }}
    >
      {t('Let through')}
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
      <span className={css('unknown')} title={t('Copilot reported no charge. It may appear on your bill.')}>
        {text}
      </span>
    );
  }
  if (row.charge === 'pending') return <PendingCharge id={row.id} text={text} />;
  return row.charge === 'billed' ? text : <span className="muted">{text}</span>;
}

function PendingCharge({ id, text }: { id: string; text: string }) {
  const estimate = useWindow((state) => state.runningAnswers.find((one) => one.id === id)?.nanoAiu ?? null);
  const known = t('Known when the answer is complete');
  if (estimate === null) return <span title={known}>{text}</span>;
  return <span title={`${t('Estimated from the model’s prices.')} ${known}`}>{estimateWords(estimate)}</span>;
}

export function chargeText(row: Row): string {
  return chargeCell({
    kind: row.charge,
    nanoAiu: row.nanoAiu,
    premiumRequests: row.premium,
    partial: false,
    details: [],
  });
}

/**
 * An arrow between names: in the text’s own face, since many monospace ones have a tiny one. With a space to either
 * side, also when copied.
 */
export function Arrow({ children }: { children: string }) {
  return <span className="arrow"> {children} </span>;
}
