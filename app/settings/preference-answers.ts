import type { AnswersTo, App } from '../api/app.ts';
import type { preferenceCalls } from '../api/calls/setup.ts';
import { isRow, windowSettings } from '../api/setting-table.ts';
import type { Preferences, PreferencesChange } from '../api/settings.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import { allowedAddress, type GithubAddresses, keptHost, typedHost } from './github-addresses.ts';
import { addressProblem, networkNames, networkProblem } from './network-settings.ts';
import type { Settings, SettingsStore } from './settings.ts';
import { SettingsError } from './write-settings.ts';

interface PreferenceAnswersDependencies {
  settings: SettingsStore;
  clock: Pick<Clock, 'now'>;
  facts(): PreferenceFacts;
  /** `requireFree` throws where the environment has chosen the host. */
  github: { requireFree(): void; follow(): Promise<void>; readonly addresses: GithubAddresses };
  /** What the host before gave goes with it. */
  leaveGithub(): Promise<void>;
  historyDaysChanged(): void;
  bodyLimitsChanged(): void;
  /** The port that is served; null while nothing listens. */
  servedPort(): number | null;
  /** Rejects if the proxy could not listen there. */
  tryPort(port: number): Promise<void>;
  restartProxy(): Promise<void>;
}

export function preferenceAnswers(dependencies: PreferenceAnswersDependencies): AnswersTo<typeof preferenceCalls> {
  const { settings, clock, facts, github } = dependencies;
  const preferences = () => preferencesOf(settings.current(), facts());
  const changePreferences: App['changePreferences'] = async (change, { restart } = { restart: false }) => {
    const served = dependencies.servedPort();
    if (change.githubHost !== undefined) github.requireFree();
    const { port } = change;
    const moves = port !== undefined && served !== null && served !== port && !facts().portFixed;
    // Before anything is changed: a port that is taken must not cut off those who use the one of now.
    if (restart && moves) await dependencies.tryPort(port);
    const { href } = github.addresses.web;
    await settings.update((before) => settingsOf(change, before, clock.now()));
    await github.follow();
    if (github.addresses.web.href !== href) await dependencies.leaveGithub();
    if (change.historyDays !== undefined) dependencies.historyDaysChanged();
    if (change.bodies !== undefined) dependencies.bodyLimitsChanged();
    if (restart && moves) await dependencies.restartProxy();
    return preferences();
  };
  return { preferences, changePreferences };
}

type WindowName = keyof typeof windowSettings;
const windowNames = Object.keys(windowSettings) as WindowName[];

/** What the window shows among the preferences and no settings file says. */
export type PreferenceFacts = Pick<
  Preferences,
  'port' | 'portFixed' | 'githubHost' | 'githubFixedBy' | 'ownShell' | 'storageIsFree' | 'managed' | 'keys'
>;

/** What of the settings a person sees and changes in the window. */
export function preferencesOf(settings: Settings, facts: PreferenceFacts): Preferences {
  const shown = Object.fromEntries(windowNames.map((name) => [name, settings[name]])) as Pick<Settings, WindowName>;
  return { ...shown, welcomedAt: settings.welcomedAt, ...facts, desktop: null };
}

/** The settings that a change of `before` touches. What is a front's own is not among them. Throws `SettingsError`. */
function settingsOf(change: PreferencesChange, before: Settings, now: number): Partial<Settings> {
  refuseAddress('SearXNG', change.search?.searxngUrl, 'http://127.0.0.1:8080');
  refuseAddress('the collector', change.otlp?.endpoint, 'http://127.0.0.1:4318');
  refuseNetwork(change.network ?? {});
  const { welcomed, githubHost, agreedAddress, ...rest }: PreferencesChange = change;
  refusePlace(rest.proxy?.address ?? null, agreedAddress ?? null);
  const changed = windowNames.flatMap((name) => {
    const value = name === 'githubHost' ? undefined : rest[name];
    // A part of a group leaves the others of it as they were.
    if (value === undefined) return [];
    return [[name, isRow(windowSettings[name]) ? value : Object.assign({}, before[name], value)]];
  });
  return {
    ...Object.fromEntries(changed),
    ...(welcomed === undefined ? {} : { welcomedAt: now }),
    ...(rest.proxy?.address === undefined ? {} : { addressAgreed: rest.proxy.address }),
    ...(githubHost === undefined ? {} : { githubHost: keptHost(typedHost(githubHost)) }),
  };
}

/** Throws `SettingsError` where it is none that may be given a key. */
function refuseAddress(of: string, address: string | null | undefined, example: string): void {
  if (address == null || allowedAddress(address) !== null) return;
  throw new SettingsError(
    t('The address of {of} has to be https, or http on this machine, with no name, password or query.', { of }),
    t('Enter one like {example}.', { example }),
  );
}

/** Throws `SettingsError`. */
function refuseNetwork(network: Partial<Settings['network']>): void {
  for (const name of networkNames) {
    const value = network[name];
    const problem = value == null ? null : networkProblem(name, value);
    if (problem !== null) throw new SettingsError(problem.text, problem.remedy);
  }
}

/** Throws `SettingsError` where nobody can listen on it, or the person didn't read who can reach it. */
function refusePlace(address: string | null, agreed: string | null): void {
  if (address === null) return;
  const problem = addressProblem(address);
  if (problem !== null) throw new SettingsError(problem.text, problem.remedy);
  if (agreed === address) return;
  throw new SettingsError(
    t('Jumpseat listens on {address} only if you agree that others can reach it.', { address }),
    t('Agree in Settings → Proxy, or with "jumpseat serve --address".'),
  );
}
