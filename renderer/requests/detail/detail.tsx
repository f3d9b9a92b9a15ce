import classNames from 'classnames/bind';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { initiatorParts, isFailedAfterHeaders } from '../../../app/words/exchange-cells.ts';
import { exactTime, isoWithOffset } from '../../../app/words/times.ts';
import { IconButton } from '../../parts/button.tsx';
import { ChevronDown, ChevronUp, Close, Copy, Warning } from '../../parts/icons.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Empty } from '../../parts/view-frame.tsx';
import { useLog, useServices, useWindow } from '../../state/services.ts';
import { initiatorIcons } from '../cells.tsx';
import { isOwnSearch, routeOf } from '../export.ts';
import { fetchExchange } from '../fetch-exchanges.ts';
import { RequestTab, ResponseTab } from './contents.tsx';
import styles from './detail.module.css';
import { HeadersTab } from './headers.tsx';
import { Overview } from './overview.tsx';
import { Timing } from './timing.tsx';

const css = classNames.bind(styles);

const tabs = [
  { name: 'overview', label: msg('Overview') },
  { name: 'timing', label: msg('Timing') },
  { name: 'request', label: msg('Request') },
  { name: 'response', label: msg('Response') },
  { name: 'headers', label: msg('Headers') },
] as const;

type TabName = (typeof tabs)[number]['name'];

interface DetailProps {
  id: string;
  close: () => void;
  step: (by: 1 | -1) => void;
  press: (event: KeyboardEvent<HTMLElement>) => void;
  copyCurl: () => void;
  showOnly: (key: 'session' | 'prompt') => void;
}

/** One request from all sides. Keeps its tab from request to request. */
export function Detail({ id, close, step, press, copyCurl, showOnly }: DetailProps) {
  const [tab, setTab] = useState<TabName>('overview');
  const found = useExchange(id);
  const panel = useId();
  const aside = useRef<HTMLElement>(null);
  const letterKeys = useWindow((state) => state.letterKeys);

  // Enter moves into the panel; going from row to row with the keys leaves the focus where it is.
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    if (document.activeElement?.getAttribute('role') !== 'grid') return;
    aside.current?.querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus();
  }, []);

  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const by = letterKeys ? { '[': -1, ']': 1 }[event.key] : undefined;
    if (plain && by !== undefined) {
      const now = tabs.findIndex(({ name }) => name === tab);
      const next = tabs.at((now + by) % tabs.length);
      if (next !== undefined) {
        setTab(next.name);
        // The focus goes along where it was on a tab.
        if (isTab(document.activeElement)) document.getElementById(`${panel}-${next.name}`)?.focus();
      }
      event.preventDefault();
      return;
    }
    // Anywhere but on a tab the arrows scroll, or move in a text.
    const arrows = isTab(event.target) ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : undefined;
    const row = arrows ?? (letterKeys ? { j: 1, k: -1 }[event.key] : undefined);
    if (plain && (row === 1 || row === -1)) {
      event.preventDefault();
      step(row);
      return;
    }
    const onButton = event.target instanceof HTMLElement && event.target.closest('button, a') !== null;
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return;
    press(event);
  };

  return (
    <aside
      ref={aside}
      className={css('detail')}
      aria-label={t('Request details')}
      data-testid="detail"
      onKeyDown={keys}
    >
      <header className={css('detail-head', 'in-row')}>
        <DetailTitle found={found} />
        <IconButton label={t('Copy as cURL')} icon={<Copy size={16} />} onClick={copyCurl} />
        <IconButton label={t('Previous request')} icon={<ChevronUp size={16} />} onClick={() => step(-1)} />
        <IconButton label={t('Next request')} icon={<ChevronDown size={16} />} onClick={() => step(1)} />
        <IconButton label={t('Close details')} icon={<Close size={16} />} onClick={close} />
        <DetailSubtitle found={found} />
      </header>
      <Tabs
        label={t('Request details')}
        tabs={tabs.map(({ name, label }) => ({ name, label: translated(label) }))}
        chosen={tab}
        choose={setTab}
        panel={panel}
      />
      <div
        className={css('detail-body')}
        role="tabpanel"
        id={panel}
        aria-labelledby={`${panel}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls has to be reached by the keyboard.
        tabIndex={0}
      >
        <Body found={found} tab={tab} showOnly={showOnly} />
      </div>
    </aside>
  );
}

function isTab(target: unknown): boolean {
  return target instanceof Element && target.getAttribute('role') === 'tab';
}

type Found =
  | { kind: 'there'; exchange: Exchange }
  | { kind: 'asking' }
  | { kind: 'gone' }
  | { kind: 'failed'; text: string };

/** The whole exchange, new whenever its row is. */
function useExchange(id: string): Found {
  const services = useServices();
  useLog();
  const row = services.log.row(id);
  const kept = services.log.exchange(id);
  const [asked, setAsked] = useState<{ id: string; found: Found } | null>(null);
  const missing = kept === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed row is asked for again.
  useEffect(() => {
    if (!missing) return;
    let left = false;
    const tell = (found: Found): void => {
      if (!left) setAsked({ id, found });
    };
    fetchExchange(services, id).then(
      (exchange) => tell(exchange === null ? { kind: 'gone' } : { kind: 'there', exchange }),
      (error: unknown) => tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      left = true;
    };
  }, [id, missing, row, services]);
  if (kept !== null) return { kind: 'there', exchange: kept };
  return asked !== null && asked.id === id ? asked.found : { kind: 'asking' };
}

function DetailTitle({ found }: { found: Found }) {
  if (found.kind !== 'there') return <h2>{t('Request')}</h2>;
  const { exchange } = found;
  const parts = initiatorParts(exchange);
  const Icon = parts === null ? null : initiatorIcons[parts.icon];
  return (
    <h2>
      {Icon !== null && <Icon size={16} />}
      {parts === null ? t('Request') : t('{who} request', { who: parts.who })} <StatusPill exchange={exchange} />
    </h2>
  );
}

const statusWords: Readonly<Record<number, Message>> = {
  400: msg('Bad request'),
  401: msg('Unauthorized'),
  402: msg('Payment required'),
  403: msg('Forbidden'),
  404: msg('Not found'),
  413: msg('Too large'),
  429: msg('Too many requests'),
  500: msg('Server error'),
  502: msg('Bad gateway'),
  503: msg('Unavailable'),
  529: msg('Overloaded'),
};

function StatusPill({ exchange: { outcome, status } }: { exchange: Exchange }) {
  switch (outcome) {
    case 'running':
      return <Pill tone="accent">{t('Running')}</Pill>;
    case 'cut':
      return <Pill tone="danger">{t('Cut')}</Pill>;
    case 'cancelled':
      return <Pill>{t('Left')}</Pill>;
    default: {
      if (status === null || isFailedAfterHeaders({ outcome, status })) return <Pill tone="danger">{t('Failed')}</Pill>;
      const words = statusWords[status];
      return (
        <Pill {...(status >= 400 && outcome !== 'declined' && { tone: 'danger' })}>
          {status}
          {words !== undefined && ` ${translated(words)}`}
        </Pill>
      );
    }
  }
}

function DetailSubtitle({ found }: { found: Found }) {
  if (found.kind !== 'there') return <p className={css('ell', 'detail-sub', 'muted', 'small')}>…</p>;
  const { exchange } = found;
  const iso = isoWithOffset(exchange.startedAt);
  return (
    <p className={css('ell', 'detail-sub', 'muted', 'small')}>
      <time className="figures" dateTime={iso} title={iso}>
        {exactTime(exchange.startedAt)}
      </time>
      {' · '}
      {cameInAt(exchange)}
    </p>
  );
}

function Body({ found, tab, showOnly }: { found: Found; tab: TabName; showOnly: (key: 'session' | 'prompt') => void }) {
  if (found.kind === 'asking') return null;
  if (found.kind !== 'there') {
    return (
      <Empty
        icon={<Warning size={24} />}
        title={found.kind === 'gone' ? t('This request is gone') : t('This request can’t be read')}
      >
        {found.kind === 'gone' ? t('It is older than the saved history.') : found.text}
      </Empty>
    );
  }
  const { exchange } = found;
  switch (tab) {
    case 'overview':
      return <Overview exchange={exchange} showOnly={showOnly} />;
    case 'timing':
      return <Timing exchange={exchange} />;
    case 'request':
      return <RequestTab exchange={exchange} />;
    case 'response':
      return <ResponseTab exchange={exchange} />;
    case 'headers':
      return <HeadersTab exchange={exchange} />;
  }
}

function cameInAt(exchange: Exchange): ReactNode {
  if (isOwnSearch(exchange)) return t('your own search');
  return <span className="mono">POST {routeOf(exchange)}</span>;
}
