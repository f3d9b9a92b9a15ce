import classNames from 'classnames/bind';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { LastRequest, TotalsRow } from '../../app/api/history.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { Client, ClientVersion } from '../../app/api/setup.ts';
import { t, translated } from '../../app/language/translate.ts';
import { costUnit } from '../../app/words/charge.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { filesWords, stateOfUse, useNames } from '../../app/words/setup.ts';
import { lastingMoment, timeOf, timeParts } from '../../app/words/times.ts';
import { sumCell } from '../../app/words/usage.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { Failure } from '../parts/notices.tsx';
import { useAsked } from '../state/asked.ts';
import { useNews } from '../state/news.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import { showClient } from '../state/setup-plan.ts';
import { ClaudeCodeSetup } from './claude-code.tsx';
import { ClientLines } from './client-lines.tsx';
import { Field } from './field.tsx';
import { Section } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** Every program that Jumpseat can set up: what it has of Jumpseat, what it does, and the lines to paste instead. */
export function ClientsSection({ preferences }: { preferences: Preferences }) {
  return (
    <Section id="clients">
      <Clients />
      <LinesAlone of="openai" title={t('OpenAI’s SDKs and other programs')}>
        {t('Two variables that most programs for OpenAI’s APIs read. They hold your local key.')}
      </LinesAlone>
      <LinesAlone of="editors" title={t('Other editors')}>
        {t('Jumpseat as an agent over ACP: the same sessions, in the editor. No key is in this line.')}
      </LinesAlone>
      <LinesAlone of="places" title={t('Containers, WSL and SSH')}>
        {t('Leads clients there to this Jumpseat, over its socket or its other address (Settings → Proxy).')}
      </LinesAlone>
      <Field name="openai.atOnce" preferences={preferences} />
      <Field name="openai.streamByDefault" preferences={preferences} />
      <Field name="openai.historyTurns" preferences={preferences} />
    </Section>
  );
}

/** True from the time on when it was in view: looking for programs starts some of them. */
function useSeen(mark: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (mark.current === null) return;
    const observer = new IntersectionObserver((found) => {
      if (found.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [mark]);
  return isSeen;
}

function Clients() {
  const { bridge } = useServices();
  const list = useRef<HTMLUListElement>(null);
  const isSeen = useSeen(list);
  const changes = useWindow(({ setupChanges }) => setupChanges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew after each setup and undo.
  const look = useCallback(async () => (isSeen ? bridge.clients() : []), [bridge, isSeen, changes]);
  const { asked, again } = useAsked(look);
  const find = useCallback(async () => (isSeen ? bridge.clientVersions() : []), [bridge, isSeen]);
  const { asked: versions } = useAsked(find);
  const ask = useCallback(async () => (isSeen ? readActivity(bridge) : null), [bridge, isSeen]);
  const { asked: activity, again: anew } = useAsked(ask);
  useNews(anew);
  const world: World = useApp().quota?.world ?? 'unknown';
  const versionOf = (name: ClientVersion['name']): string | null =>
    versions.last?.find((one) => one.name === name)?.version ?? null;
  const done = (label: string): string | null => activityWords(activity.last, label, world);
  const clients = asked.last ?? [];
  const isThere = ({ isInstalled, uses }: Client): boolean => isInstalled || uses.some(({ by }) => by !== null);
  return (
    <ul ref={list} className={css('clients')}>
      <ClaudeCodeClient version={versionOf('claude-code')} activity={done('claude-code')} />
      {asked.kind === 'failed' && (
        <li>
          <Failure text={asked.text} remedy={asked.remedy}>
            <Button onClick={() => void again()}>{t('Try again')}</Button>
          </Failure>
        </li>
      )}
      {[...clients.filter(isThere), ...clients.filter((client) => !isThere(client))].map((client) => (
        <OneClient
          key={client.name}
          client={client}
          isThere={isThere(client)}
          version={versionOf(client.name)}
          activity={done(client.label)}
        />
      ))}
    </ul>
  );
}

interface Activity {
  today: readonly TotalsRow[];
  last: readonly LastRequest[];
}

async function readActivity({ totals, lastRequests }: Bridge): Promise<Activity> {
  const { year, month, day } = timeParts(Date.now());
  const [today, last] = await Promise.all([totals('client', timeOf(year, month, day)), lastRequests()]);
  return { today, last };
}

/** `Last request 10:42:04 on claude-opus-4.8 · 31.07 credits today`; null if it made none. */
function activityWords(activity: Activity | null, label: string, world: World): string | null {
  const last = activity?.last.find(({ client }) => client === label);
  if (activity === null || last === undefined) return null;
  const sums = activity.today.find(({ key }) => key === label);
  const cell = sums === undefined ? null : sumCell(world, sums);
  const at = lastingMoment(last.at, Date.now());
  const { model } = last;
  if (cell === null || cell.kind === 'none') return t('Last request {at} on {model} · nothing today', { at, model });
  return cell.kind === 'amount'
    ? t('Last request {at} on {model} · {amount} {unit} today', { at, model, amount: cell.text, unit: costUnit(world) })
    : t('Last request {at} on {model} · {amount} today', { at, model, amount: cell.text });
}

function ClaudeCodeClient({ version, activity }: { version: string | null; activity: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={css('setting')}>
        <ClaudeCodeSetup heading={<Heading title="Claude Code" version={version} />} activity={activity}>
          <LinesButton title="Claude Code" open={open} setOpen={setOpen} />
        </ClaudeCodeSetup>
      </div>
      {open && <ClientLines of="claude-code" title="Claude Code" />}
    </li>
  );
}

function OneClient({
  client,
  isThere,
  version,
  activity,
}: {
  client: Client;
  isThere: boolean;
  version: string | null;
  activity: string | null;
}) {
  const { store } = useServices();
  const [open, setOpen] = useState(false);
  const { name, title, uses } = client;
  const written = uses.filter(({ by }) => by !== null).map(({ use }) => use);
  const row = useRef<HTMLLIElement>(null);
  const isWritten = written.length > 0;
  const wasWritten = useRef(isWritten);
  useEffect(() => {
    // The button that had the focus has gone with what was undone.
    if (wasWritten.current && !isWritten && document.activeElement === document.body)
      row.current?.querySelector('button')?.focus();
    wasWritten.current = isWritten;
  }, [isWritten]);
  const ask = (action: 'setup' | 'undo'): void => {
    const all = uses.map(({ use }) => use);
    const undone = written.length > 1 ? [null, ...written] : written;
    showClient(store, { name, title, action, uses: action === 'setup' ? all : undone });
  };
  return (
    <li ref={row}>
      <div className={css('setting')}>
        <div className={css('setting-text')}>
          <Heading title={title} version={version} />
          {isThere ? (
            uses.map(({ use, files, state, by, trouble }) => (
              <div key={use}>
                <p className="muted small">
                  {translated(useNames[use])}: {stateOfUse({ state, by })}
                  {by !== null && trouble === null && (
                    <>
                      {' · '}
                      <code>{filesWords(files)}</code>
                    </>
                  )}
                </p>
                {trouble !== null && by === 'jumpseat' && <p className="bad small">{trouble}</p>}
                {trouble !== null && by !== 'jumpseat' && <p className="muted small">{trouble}</p>}
              </div>
            ))
          ) : (
            <p className="muted small">{t('Not found')}</p>
          )}
          {activity !== null && <p className="muted small figures">{activity}</p>}
        </div>
        <div className={css('setting-control', 'in-row')}>
          <Button aria-label={t('Set up {title}…', { title })} onClick={() => ask('setup')}>
            {t('Set up…')}
          </Button>
          {isWritten && (
            <Button aria-label={t('Undo setup of {title}…', { title })} onClick={() => ask('undo')}>
              {t('Undo…')}
            </Button>
          )}
          <LinesButton title={title} open={open} setOpen={setOpen} />
        </div>
      </div>
      {open && <ClientLines of={name} title={title} />}
    </li>
  );
}

function Heading({ title, version }: { title: string; version: string | null }) {
  return (
    <span>
      <b>{title}</b>
      {version !== null && <span className="muted small figures"> {version}</span>}
    </span>
  );
}

/** A program without a setup of its own. */
function LinesAlone({
  of,
  title,
  children,
}: {
  of: 'openai' | 'editors' | 'places';
  title: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className={css('setting')}>
        <div className={css('setting-text')}>
          <b>{title}</b>
          <p className="muted small">{children}</p>
        </div>
        <div className={css('setting-control', 'in-row')}>
          <LinesButton title={title} open={open} setOpen={setOpen} />
        </div>
      </div>
      {open && <ClientLines of={of} title={title} />}
    </>
  );
}

function LinesButton({ title, open, setOpen }: { title: string; open: boolean; setOpen: (open: boolean) => void }) {
  return (
    <Button
      look="quiet"
      aria-expanded={open}
      aria-label={t('Copy lines: {title}', { title })}
      onClick={() => setOpen(!open)}
    >
      {t('Copy lines…')}
    </Button>
  );
}
