import type { AnswersTo, App } from '../api/app.ts';
import type { preferenceCalls } from '../api/calls/setup.ts';
import type { Clock } from '../ports.ts';
import type { GithubAddresses } from './github-addresses.ts';
import { type PreferenceFacts, preferencesOf, settingsOf } from './preferences.ts';
import type { SettingsStore } from './settings.ts';

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
