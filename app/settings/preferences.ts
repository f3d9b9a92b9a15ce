import type { Preferences, PreferencesChange } from '../api/settings.ts';
import { allowedAddress } from './github-addresses.ts';
import { keptHost, typedHost } from './github-host.ts';
import { type Settings, SettingsError } from './settings.ts';

/** What the window shows among the preferences and no settings file says. */
export type PreferenceFacts = Pick<
  Preferences,
  'port' | 'portFixed' | 'githubHost' | 'githubFixedBy' | 'ownShell' | 'storageIsFree'
>;

/** What of the settings a person sees and changes in the window. */
export function preferencesOf(settings: Settings, facts: PreferenceFacts): Preferences {
  const { theme, timeZone, closing, trayIcon, proxyOnAtStart, historyDays, shell, welcomedAt } = settings;
  const { notifications, quotaThresholds, limits, openai, search, sessions, bodies, reach, githubClientId } = settings;
  return {
    theme,
    timeZone,
    closing,
    trayIcon,
    proxyOnAtStart,
    historyDays,
    bodies,
    shell,
    notifications,
    quotaThresholds,
    limits,
    openai,
    search,
    sessions,
    reach,
    githubClientId,
    welcomedAt,
    ...facts,
    desktop: null,
  };
}

/** The settings that a change of `before` touches. What is a front's own is not among them. Throws `SettingsError`. */
export function settingsOf(change: PreferencesChange, before: Settings, now: number): Partial<Settings> {
  const { searxngUrl = null } = change.search ?? {};
  if (searxngUrl !== null && allowedAddress(searxngUrl) === null)
    throw new SettingsError(
      'An address of SearXNG has to be https, or http on this machine, without a name, a password or a query.',
      'Enter one like http://127.0.0.1:8080.',
    );
  const {
    openAtLogin: _,
    welcomed,
    githubHost,
    bodies,
    notifications,
    limits,
    openai,
    search,
    sessions,
    ...rest
  } = change;
  return {
    ...rest,
    ...(bodies && { bodies: { ...before.bodies, ...bodies } }),
    ...(notifications && { notifications: { ...before.notifications, ...notifications } }),
    ...(limits && { limits: { ...before.limits, ...limits } }),
    ...(openai && { openai: { ...before.openai, ...openai } }),
    ...(search && { search: { ...before.search, ...search } }),
    ...(sessions && { sessions: { ...before.sessions, ...sessions } }),
    ...(welcomed === undefined ? {} : { welcomedAt: now }),
    ...(githubHost === undefined ? {} : { githubHost: keptHost(typedHost(githubHost)) }),
  };
}
