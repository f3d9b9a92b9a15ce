import type { Preferences, PreferencesChange } from './api/settings.ts';
import { shellOf } from './claude-code/render-env.ts';
import { keptHost, typedHost } from './settings/github-host.ts';
import type { Settings } from './settings/settings.ts';

/** What of the settings a person sees and changes in the window. */
export function preferencesOf(
  settings: Settings,
  facts: {
    /** The port that is in use, or would be. */
    port: number;
    portFixed: boolean;
    githubHost: string;
    githubFixedBy: string | null;
    env: Readonly<Record<string, string | undefined>>;
    platform: string;
    storageIsFree: boolean;
  },
): Preferences {
  const { theme, timeZone, closing, trayIcon, proxyOnAtStart, historyDays, shell, welcomedAt } = settings;
  const { notifications, quotaThresholds, limits, openai, bodies } = settings;
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
    welcomedAt,
    port: facts.port,
    portFixed: facts.portFixed,
    githubHost: facts.githubHost,
    githubFixedBy: facts.githubFixedBy,
    ownShell: shellOf(facts.env, facts.platform),
    storageIsFree: facts.storageIsFree,
    desktop: null,
  };
}

/** The settings that a change of `before` touches. What is a front's own is not among them. */
export function settingsOf(change: PreferencesChange, before: Settings, now: number): Partial<Settings> {
  const { openAtLogin: _, welcomed, githubHost, bodies, notifications, limits, openai, ...rest } = change;
  return {
    ...rest,
    ...(bodies && { bodies: { ...before.bodies, ...bodies } }),
    ...(notifications && { notifications: { ...before.notifications, ...notifications } }),
    ...(limits && { limits: { ...before.limits, ...limits } }),
    ...(openai && { openai: { ...before.openai, ...openai } }),
    ...(welcomed === undefined ? {} : { welcomedAt: now }),
    ...(githubHost === undefined ? {} : { githubHost: keptHost(typedHost(githubHost)) }),
  };
}
