import classNames from 'classnames/bind';
import { useEffect, useMemo, useRef } from 'react';
import type { AppState } from '../../app/api/state.ts';
import { t } from '../../app/language/translate.ts';
import { type Banner, banners, type StatusAction, withoutWaiting } from '../../app/words/status.ts';
import { hourAndMinute } from '../../app/words/times.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Close, Info, Key, Lock, Pause, Warning } from '../parts/icons.tsx';
import { useSecond } from '../parts/now.ts';
import { rich } from '../parts/rich.tsx';
import { type Actions, useActions } from '../state/actions.ts';
import { announce, dismiss } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { type Services, useServices, useWindow } from '../state/services.ts';
import { showSetup } from '../state/setup-plan.ts';
import styles from './shell.module.css';

const css = classNames.bind(styles);

/**
 * At most one, above the view's heading: what is wrong with the connection to the app, else what the app's state says.
 */
export function BannerSlot() {
  const services = useServices();
  const { store, feed } = services;
  const state = useWindow((state) => state.app);
  const app = useMemo(() => (state === null ? null : withoutWaiting(state)), [state]);
  const connection = useWindow((state) => state.connection);
  const dismissed = useWindow((state) => state.dismissed);
  const place = useWindow(({ route }) => route.place);
  const actions = useActions();
  const now = useSecond();

  const lost = connection.kind === 'lost';
  const keyOf = ({ about }: Banner): string => about ?? `${app?.status} ${app?.quota?.resetsAt ?? ''}`;
  const isShown = (one: Banner): boolean => one.dismissible === null || !dismissed.has(keyOf(one));
  const visible = lost ? null : (shownBanners(app, place, now).find(isShown) ?? null);
  useAnnounced(lost ? t('Jumpseat isn’t answering.') : (visible?.title ?? null));
  useLooks(lost || app === null ? null : dueLook(app, now));

  if (lost) {
    const wait = connection.retryAt === null ? 0 : Math.max(0, Math.round((connection.retryAt - now) / 1000));
    return (
      <div className="banner amber" data-testid="banner">
        <Warning size={16} />
        <p>
          {rich('<b>Jumpseat isn’t answering.</b> Showing what was there at {since}. Trying again in {wait} s.', {
            since: hourAndMinute(connection.since),
            wait,
            b: (inside) => <b>{inside}</b>,
          })}
        </p>
        <Button onClick={feed.tryAgain}>{t('Try again now')}</Button>
      </div>
    );
  }
  if (visible === null || app === null) return null;
  return (
    <div className={css('banner', visible.tone)} data-testid="banner">
      <BannerIcon status={app.status} tone={visible.tone} />
      <p>
        <b>{visible.title}</b> {visible.text}
      </p>
      {visible.actions.map(({ action, label }) => {
        const run = actionOf(action, app, actions, services);
        return (
          run !== null && (
            <Button key={action} onClick={run}>
              {label}
            </Button>
          )
        );
      })}
      {visible.dismissible !== null && (
        <IconButton label={t('Dismiss')} icon={<Close size={16} />} onClick={() => dismiss(store, keyOf(visible))} />
      )}
    </div>
  );
}

/** Jumpseat quits once the work is done: for what it waits, and the way back. */
export function QuitBanner() {
  const { bridge } = useServices();
  const { tried } = useActions();
  const waits = useWindow(({ app, connection }) => (connection.kind === 'lost' ? null : (app?.quitWaits ?? null)));
  useAnnounced(waits === null ? null : t('Jumpseat quits when its work is done.'));
  if (waits === null) return null;
  return (
    <div className="banner" data-testid="quit-banner">
      <Info size={16} />
      <p>
        <b>Jumpseat {waits}.</b>
      </p>
      <Button onClick={() => void tried(bridge.dontQuit())}>{t('Don’t quit')}</Button>
    </div>
  );
}

const signInStatuses: readonly AppState['status'][] = ['signing-in', 'signed-out', 'no-access'];
const firstRunStatuses: readonly AppState['status'][] = [...signInStatuses, 'port', 'off', 'starting'];

function shownBanners(app: AppState | null, place: string, now: number): Banner[] {
  if (app === null) return [];
  // The view itself shows the code, or says it first and is the way out.
  const shownThere =
    { 'sign-in': signInStatuses, welcome: firstRunStatuses, health: ['off', 'exhausted'] }[place] ?? [];
  return shownThere.includes(app.status) ? [] : banners(app, now);
}

function BannerIcon({ status, tone }: { status: AppState['status']; tone: Banner['tone'] }) {
  if (status === 'off') return <Pause size={16} />;
  if (status === 'signed-out' || status === 'signing-in') return <Key size={16} />;
  if (status === 'no-keychain') return <Lock size={16} />;
  return tone === 'neutral' ? <Info size={16} /> : <Warning size={16} />;
}

/** Null if it cannot be done from here. */
function actionOf(
  action: StatusAction,
  app: AppState,
  actions: Actions,
  { bridge, store }: Services,
): (() => void) | null {
  switch (action) {
    case 'proxy-on': {
      const { setProxy } = actions;
      return setProxy === null ? null : () => void setProxy(true);
    }
    case 'retry': {
      const { setProxy } = actions;
      if (app.status === 'port') return setProxy === null ? null : () => void setProxy(true);
      return actions.refresh;
    }
    case 'sign-in':
      return () => go({ place: 'sign-in' });
    case 'usage':
      return () => go({ place: 'usage' });
    case 'requests':
      return store.getState().route.place === 'requests' ? null : () => go({ place: 'requests' });
    case 'limits':
    case 'rules':
      return () => go({ place: 'settings', part: action });
    case 'storage':
      return actions.chooseStorage;
    case 'account':
      return () => go({ place: 'settings', part: 'account' });
    case 'copy-code':
      return bridge.copyCode === null ? () => go({ place: 'sign-in' }) : actions.copyCode;
    case 'let-through':
      return () => actions.letThrough();
    case 'allow-overage':
      return () => actions.decideOverage(true);
    case 'refuse-overage':
      return () => actions.decideOverage(false);
    case 'setup':
      return () => showSetup(store, 'setup');
    case 'billing':
      return () => actions.openGithub('/settings/billing');
    case 'plans':
      return () => actions.openGithub('/features/copilot/plans');
    case 'open-github': {
      const url = app.account.kind === 'signed-in' ? app.account.notice?.url : null;
      return url ? () => actions.openOutside(url) : null;
    }
    case 'free-port': {
      const { takeFreePort } = actions;
      return takeFreePort === null ? null : () => void takeFreePort();
    }
    case 'open-folder': {
      const { openFolder } = actions;
      return openFolder === null ? null : () => openFolder('home');
    }
  }
}

/** How often somebody who looks sees whether the other Jumpseat still has the folder, in ms. */
const elsewhereMs = 5_000;

/** The time of the look that is due now, the same until the next one is. */
function dueLook({ status, health: { offline }, proxy }: AppState, now: number): number | null {
  if (proxy.kind === 'failed' && (proxy.code === 'already-running' || proxy.code === 'not-answering'))
    return now - (now % elsewhereMs);
  return status === 'offline' && offline !== null && offline.retryAt <= now ? offline.retryAt : null;
}

/** While somebody looks: Copilot is asked again at the time that it names. The clock rests in a hidden page. */
function useLooks(due: number | null): void {
  const { bridge } = useServices();
  useEffect(() => {
    if (due !== null) void bridge.lookAgain().catch(() => undefined);
  }, [due, bridge]);
}

/** A change of state is said once. */
function useAnnounced(title: string | null): void {
  const { store } = useServices();
  const said = useRef<string | null>(null);
  useEffect(() => {
    if (title !== null && title !== said.current) announce(store, title);
    said.current = title;
  }, [title, store]);
}
