import type { Quota } from '../../app/api/account.ts';
import type { GoneModel } from '../../app/api/models.ts';
import type { QuotaThresholds } from '../../app/api/settings.ts';
import type { AppState } from '../../app/api/state.ts';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { inShownLanguage } from '../../app/language/remembered.ts';
import { t } from '../../app/language/translate.ts';
import type { Clock } from '../../app/ports.ts';
import type { Settings, SettingsStore } from '../../app/settings/settings.ts';
import { refusedSignIn } from '../../app/words/account.ts';
import { passedShares } from '../../app/words/own-limits.ts';
import { isPastIncluded, leftOf, percentLeft, resetOf, unitName } from '../../app/words/quota.ts';
import { heldWords, overageWords } from '../../app/words/status.ts';
import { dayAndTime, weekdayAndTime } from '../../app/words/times.ts';
import { limitCountdowns } from '../../app/words/usage.ts';
import { BusySign } from '../tray/busy-sign.ts';
import { updateNotice } from './answer-notices.ts';
import { isWanted, noticeOf, type SystemNotice } from './notice.ts';

/** Notifications about the state of the app: when they are due, then in which words. */

interface StateNotifierDependencies {
  clock: Clock;
  settings: SettingsStore;
  state: () => AppState;
  notify: (notice: SystemNotice) => void;
  /** What was told for this cause is no longer so. */
  over: (cause: string) => void;
  /** What is shown has changed without a change of state. */
  changed: () => void;
}

const codeTickMs = 5_000;
const limitTickMs = 30_000;

/** What is shown once, over restarts too. */
type Reported = Pick<Settings['shownNotices'], 'quota' | 'world' | 'goneModels'>;

/** What follows from the state over time: notifications, the busy sign, the minutes that are left of a code. */
export class StateNotifier {
  readonly #dependencies: StateNotifierDependencies;
  readonly #busy: BusySign;
  #before: AppState;
  #reported: Reported;
  #timer: NodeJS.Timeout | null = null;
  #everyMs: number | null = null;

  constructor(dependencies: StateNotifierDependencies) {
    this.#dependencies = dependencies;
    this.#busy = new BusySign(dependencies.clock, dependencies.changed);
    this.#before = dependencies.state();
    const { quota, world, goneModels } = dependencies.settings.current().shownNotices;
    this.#reported = { quota, world, goneModels };
  }

  /** How many requests to show as running. */
  get running(): number {
    return this.#busy.shown;
  }

  see(state: AppState): void {
    for (const notice of noticesFor(this.#before, state, this.#dependencies.clock.now())) this.#tell(notice);
    // A policy that breaks once more within the hour stops what had gone on.
    if (this.#before.proxy.kind !== 'on' && state.proxy.kind === 'on') this.#dependencies.over(proxyCause);
    this.#before = state;
    this.#tellOnce(state);
    this.#busy.see(state.health.running);
    const isCode = state.account.kind === 'signing-in';
    const countsDown = limitCountdowns({ ...state, ...state.health }, this.#dependencies.clock.now()).length > 0;
    this.#countDown(isCode ? codeTickMs : countsDown ? limitTickMs : null);
  }

  updateReady(version: string): void {
    this.#tell(updateNotice(version));
  }

  close(): void {
    this.#busy.close();
    this.#countDown(null);
  }

  #tell(notice: SystemNotice): void {
    const { settings, notify } = this.#dependencies;
    if (isWanted(notice, settings.current().notifications)) notify(notice);
  }

  #tellOnce(state: AppState): void {
    const { settings } = this.#dependencies;
    const quota = quotaNotice(state, this.#reported.quota, settings.current().quotaThresholds);
    const world = worldNotice(state, this.#reported.world);
    const gone = goneNotice(state.goneModels, this.#reported.goneModels);
    if (quota === null && world === null && gone === null) return;
    for (const found of [quota, world, gone]) if (found?.notice) this.#tell(found.notice);
    this.#reported = {
      quota: quota?.reported ?? this.#reported.quota,
      world: world?.reported ?? this.#reported.world,
      goneModels: gone?.reported ?? this.#reported.goneModels,
    };
    const reported = this.#reported;
    void settings
      .update(({ shownNotices }) => ({ shownNotices: { ...shownNotices, ...reported } }))
      .catch(() => undefined);
  }

  /** What is said of a time goes on with it. @param everyMs null: there is nothing of that kind */
  #countDown(everyMs: number | null): void {
    if (everyMs === this.#everyMs) return;
    this.#everyMs = everyMs;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = everyMs === null ? null : setInterval(this.#dependencies.changed, everyMs);
  }
}

const proxyCause = 'proxy';
const offlineAfterMs = 2 * 60_000;

/** What of a change of state needs the person. `answer-notices.ts` has answers to what they did themselves. */
export function noticesFor(before: AppState, after: AppState, now: number): SystemNotice[] {
  return [
    ...exhausted(before, after),
    ...limited(before, after),
    ...refused(before, after),
    ...stopped(before, after),
    ...offline(after, now),
    ...burst(before, after),
    ...monthlyLimit(before, after),
  ];
}

function exhausted(before: AppState, after: AppState): SystemNotice[] {
  if (after.status !== 'exhausted' || before.status === 'exhausted') return [];
  const reset = resetOf(after.quota);
  return [
    noticeOf({ cause: 'exhausted', opens: { place: '#/usage' } }, () => ({
      title: t('You’re out of {unit, select, premium {premium requests} other {credits}}', {
        unit: unitName(after.quota),
      }),
      body:
        reset === null
          ? t('Copilot refuses requests for now.')
          : t('Copilot refuses requests until {time}.', { time: dayAndTime(reset) }),
    })),
  ];
}

function limited(before: AppState, after: AppState): SystemNotice[] {
  const { limit } = after.health;
  if (after.status !== 'limited' || limit === null) return [];
  if (before.status === 'limited' && before.health.limit?.kind === limit.kind) return [];
  return [
    noticeOf({ cause: `limit-${limit.kind}`, opens: { place: '#/usage' } }, () => ({
      title: t(
        'You’ve reached {kind, select, weekly {Copilot’s weekly limit} session {Copilot’s 5-hour limit} other {Copilot’s limit for your account}}',
        { kind: limit.kind },
      ),
      body: t('It resets {time}.', { time: weekdayAndTime(limit.until) }),
    })),
  ];
}

function refused(before: AppState, after: AppState): SystemNotice[] {
  const isRefused = ({ status, account }: AppState) => status === 'signed-out' && account.kind === 'signed-in';
  if (!isRefused(after) || isRefused(before)) return [];
  const { account } = after;
  const login = account.kind === 'signed-in' && refusedSignIn(account) !== null ? account.login : null;
  return [
    noticeOf({ cause: 'sign-in-refused', opens: { place: '#/sign-in' } }, () => ({
      title: t('Sign in to GitHub again'),
      body: login === null ? t('GitHub refuses the sign-in.') : t('{login}: GitHub refuses the sign-in.', { login }),
    })),
  ];
}

function stopped(before: AppState, after: AppState): SystemNotice[] {
  const { proxy } = after;
  if (proxy.kind !== 'failed' || before.proxy.kind === 'failed') return [];
  return [
    noticeOf({ cause: proxyCause, opens: { place: '#/health' } }, () => ({
      // Rules that can't be read stop one that runs; anything else is in the way of a start.
      title: proxy.code === 'policy' ? t('The proxy stopped') : t('The proxy couldn’t start'),
      body: inShownLanguage(proxy.reason),
    })),
  ];
}

function offline({ status, health }: AppState, now: number): SystemNotice[] {
  if (status !== 'offline' || health.offline === null || health.running === 0) return [];
  if (now - health.offline.since < offlineAfterMs) return [];
  return [
    noticeOf({ cause: 'offline', opens: { place: '#/health' } }, () => ({
      title: t('No connection to Copilot'),
      body: t('Check the network.'),
    })),
  ];
}

function burst(before: AppState, after: AppState): SystemNotice[] {
  const { held, overage } = after.health;
  if (held.prompts === 0 || before.health.held.prompts > 0) return [];
  const cause = overage === 'asks' ? 'overage' : 'burst';
  return [
    noticeOf({ cause, opens: { place: '#/requests' } }, () => {
      const { title, text } = heldWords(after.health, after.quota);
      return { title, body: text };
    }),
  ];
}

function monthlyLimit(before: AppState, after: AppState): SystemNotice[] {
  return inFrontLanguage(() => passedShares(before, after)).map(({ key, title, body }) => ({
    ...{ cause: `limit-${key}`, title, body },
    opens: { place: '#/usage' },
  }));
}

/** Missing models that are remembered as reported, which is more than a person uses. */
const mostGone = 100;

/** One notice for all models in use that are gone and were not reported yet; null if there is none. */
export function goneNotice(
  gone: readonly GoneModel[],
  reported: readonly string[],
): { notice: SystemNotice; reported: string[] } | null {
  const news = gone.filter(({ model }) => !reported.includes(model));
  const [first] = news;
  if (first === undefined) return null;
  const place = news.every(({ rule }) => rule !== undefined) ? '#/settings/rules' : '#/models';
  return {
    notice: noticeOf({ cause: `model-${first.model}`, opens: { place } }, () =>
      news.length === 1
        ? { title: goneTitle(first), body: goneText(first) }
        : {
            title: news.some(({ notAllowedBy }) => notAllowedBy !== undefined)
              ? t('{count, plural, one {# model is} other {# models are}} no longer available', { count: news.length })
              : t('{count, plural, one {# model is} other {# models are}} no longer in your catalog', {
                  count: news.length,
                }),
            body: t('{models}.', { models: news.map(({ model }) => model).join(', ') }),
          },
    ),
    reported: [...reported, ...news.map(({ model }) => model)].slice(-mostGone),
  };
}

function goneTitle({ model, rule, notAllowedBy }: GoneModel): string {
  if (notAllowedBy !== undefined) return t('{model} isn’t allowed by {by}', { model, by: notAllowedBy });
  return rule === undefined
    ? t('{model} is no longer in your catalog', { model })
    : t('{model} isn’t in your catalog', { model });
}

function goneText({ rule, asked, runsOn }: GoneModel): string {
  if (rule !== undefined)
    return t('Rule {rule} names it. Its requests get error 404 until you change the rule.', { rule: String(rule) });
  return runsOn === null
    ? t('Claude Code’s "{asked}" gets error 404 until you choose another model.', { asked })
    : t('Claude Code’s "{asked}" now runs on {model}.', { asked, model: runsOn });
}

/** Last notice about the quota: share used, and cycle. */
interface QuotaShown {
  resetsAt: string | null;
  used: number;
}

/**
 * Each threshold once in a cycle, the highest first, and the end of what is included; null if there is nothing new
 * to tell.
 */
export function quotaNotice(
  { quota, health }: { quota: Quota | null; health: Pick<AppState['health'], 'overage'> },
  reported: QuotaShown | null,
  { warning, alarm }: QuotaThresholds = { warning: 80, alarm: 95 },
): { notice: SystemNotice; reported: QuotaShown } | null {
  if (quota === null || quota.unlimited || quota.exhausted || quota.percentRemaining === null) return null;
  const used = 100 - quota.percentRemaining;
  const past = isPastIncluded(quota);
  const passed = past ? 100 : [alarm, warning].find((threshold) => used >= threshold);
  if (passed === undefined) return null;
  if (reported !== null && reported.resetsAt === quota.resetsAt && reported.used >= passed) return null;
  const unit = unitName(quota);
  const words = () =>
    past
      ? {
          title: t('You’re past your included {unit, select, premium {premium requests} other {credits}}', { unit }),
          body: overageWords(health.overage),
        }
      : {
          title: t('{percent} of your {unit, select, premium {premium requests} other {credits}} are left', {
            percent: percentLeft(quota),
            unit,
          }),
          body: leftOf(quota),
        };
  return {
    notice: noticeOf({ cause: `quota-${passed}`, opens: { place: '#/usage' } }, words),
    reported: { resetsAt: quota.resetsAt, used: passed },
  };
}

/** How an account was billed when it was looked at last. */
interface WorldShown {
  login: string;
  world: 'credits' | 'premium';
}

/**
 * What to remember of how the account is billed, and the notice where that is another way than before; null where
 * nothing is new.
 */
export function worldNotice(
  { account, quota }: Pick<AppState, 'account' | 'quota'>,
  reported: WorldShown | null,
): { notice: SystemNotice | null; reported: WorldShown } | null {
  const login = account.kind === 'signed-in' ? account.login : null;
  const world = quota?.world ?? 'unknown';
  if (login === null || world === 'unknown') return null;
  if (reported?.login === login && reported.world === world) return null;
  const credits = world === 'credits';
  const notice = noticeOf({ cause: `world-${world}`, opens: { place: '#/usage' } }, () =>
    credits
      ? { title: t('Your plan is now billed in credits'), body: t('Amounts come from Copilot from now on.') }
      : {
          title: t('Your plan now counts premium requests'),
          body: t('Amounts are estimated by Jumpseat from now on.'),
        },
  );
  return { notice: reported?.login === login ? notice : null, reported: { login, world } };
}
