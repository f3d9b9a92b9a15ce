import type { Quota, SignInResult } from '../app/api/account.ts';
import type { GoneModel } from '../app/api/models.ts';
import type { NotificationWishes, QuotaThresholds } from '../app/api/settings.ts';
import type { LinesFor } from '../app/api/setup.ts';
import type { AppState } from '../app/api/state.ts';
import { planName } from '../app/words/account.ts';
import { heldWords, isPastIncluded, leftOf, limitWords, resetOf, unitOf } from '../app/words/status.ts';
import { dayAndTime, weekdayAndTime } from '../app/words/times.ts';
import { addressOf } from './tray-icon.ts';

/** A place of the window, or a page in the browser. */
export type Opens = { place: string } | { url: string } | null;

export interface SystemNotice {
  /**
   * The same cause is not told twice within an hour. Null: it answers something that a person just did, and is always
   * told.
   */
  cause: string | null;
  title: string;
  body: string;
  /** What a click on it opens. */
  opens: Opens;
}

const hourMs = 3_600_000;
const offlineAfterMs = 2 * 60_000;

/** What of a change of state needs the person. Answers to what they did themselves are made below, one by one. */
export function noticesFor(before: AppState, after: AppState, now: number): SystemNotice[] {
  return [
    ...exhausted(before, after),
    ...limited(before, after),
    ...refused(before, after),
    ...stopped(before, after),
    ...offline(after, now),
    ...burst(before, after),
  ];
}

function exhausted(before: AppState, after: AppState): SystemNotice[] {
  if (after.status !== 'exhausted' || before.status === 'exhausted') return [];
  const reset = resetOf(after.quota);
  const until = reset === null ? 'for now' : `until ${dayAndTime(reset)}`;
  return [
    {
      cause: 'exhausted',
      title: `You’re out of ${unitOf(after.quota)}`,
      body: `Copilot refuses requests ${until}.`,
      opens: { place: '#/usage' },
    },
  ];
}

function limited(before: AppState, after: AppState): SystemNotice[] {
  const { limit } = after.health;
  if (after.status !== 'limited' || limit === null) return [];
  if (before.status === 'limited' && before.health.limit?.kind === limit.kind) return [];
  return [
    {
      cause: `limit-${limit.kind}`,
      title: `You’ve reached ${limitWords(limit.kind)}`,
      body: `It resets ${weekdayAndTime(limit.until)}.`,
      opens: { place: '#/usage' },
    },
  ];
}

function refused(before: AppState, after: AppState): SystemNotice[] {
  const isRefused = ({ status, account }: AppState) => status === 'signed-out' && account.kind === 'signed-in';
  if (!isRefused(after) || isRefused(before)) return [];
  return [
    {
      cause: 'sign-in-refused',
      title: 'Sign in to GitHub again',
      body: 'GitHub no longer accepts the stored token.',
      opens: { place: '#/sign-in' },
    },
  ];
}

function stopped(before: AppState, after: AppState): SystemNotice[] {
  if (after.proxy.kind !== 'failed' || before.proxy.kind === 'failed') return [];
  return [{ cause: 'proxy', title: 'The proxy stopped', body: after.proxy.reason, opens: { place: '#/health' } }];
}

function offline({ status, health }: AppState, now: number): SystemNotice[] {
  if (status !== 'offline' || health.offline === null || health.running === 0) return [];
  if (now - health.offline.since < offlineAfterMs) return [];
  return [
    {
      cause: 'offline',
      title: 'No connection to Copilot',
      body: 'Jumpseat keeps trying.',
      opens: { place: '#/health' },
    },
  ];
}

/** How an account was billed when it was looked at last. */
export interface WorldTold {
  login: string;
  world: 'credits' | 'premium';
}

/**
 * What to remember of how the account is billed, and the notice where that is another way than before; null where
 * nothing is new.
 */
export function worldNotice(
  { account, quota }: Pick<AppState, 'account' | 'quota'>,
  told: WorldTold | null,
): { notice: SystemNotice | null; told: WorldTold } | null {
  const login = account.kind === 'signed-in' ? account.login : null;
  const world = quota?.world ?? 'unknown';
  if (login === null || world === 'unknown') return null;
  if (told?.login === login && told.world === world) return null;
  const credits = world === 'credits';
  const notice: SystemNotice = {
    cause: `world-${world}`,
    title: credits ? 'Your plan is now billed in credits' : 'Your plan now counts premium requests',
    body: credits ? 'Amounts come from Copilot from now on.' : 'Amounts are estimated by Jumpseat from now on.',
    opens: { place: '#/usage' },
  };
  return { notice: told?.login === login ? notice : null, told: { login, world } };
}

/** So many models that are gone are remembered as told, which is more than a person uses. */
const mostGone = 100;

/** One notice for all models in use that are gone and were not told yet; null where there is none. */
export function goneNotice(
  gone: readonly GoneModel[],
  told: readonly string[],
): { notice: SystemNotice; told: string[] } | null {
  const news = gone.filter(({ model }) => !told.includes(model));
  const [first] = news;
  if (first === undefined) return null;
  const now =
    first.runsOn === null
      ? `Claude Code’s "${first.asked}" gets error 404 until you choose another model.`
      : `Claude Code’s "${first.asked}" now runs on ${first.runsOn}.`;
  return {
    notice: {
      cause: `model-${first.model}`,
      title:
        news.length === 1
          ? `${first.model} is no longer in your catalog`
          : `${news.length} models are no longer in your catalog`,
      body: news.length === 1 ? now : `${news.map(({ model }) => model).join(', ')}.`,
      opens: { place: '#/models' },
    },
    told: [...told, ...news.map(({ model }) => model)].slice(-mostGone),
  };
}

function burst(before: AppState, after: AppState): SystemNotice[] {
  const { held } = after.health;
  if (held.prompts === 0 || before.health.held.prompts > 0) return [];
  const { title, text } = heldWords(held);
  return [{ cause: 'burst', title, body: text, opens: { place: '#/requests' } }];
}

/** What was told about the quota: up to which share used, in which cycle. */
export interface QuotaTold {
  resetsAt: string | null;
  used: number;
}

/**
 * Each threshold once in a cycle, the highest first, and the end of what is included; null where there is nothing new
 * to tell.
 */
export function quotaNotice(
  quota: Quota | null,
  told: QuotaTold | null,
  { warning, alarm }: QuotaThresholds = { warning: 80, alarm: 95 },
): { notice: SystemNotice; told: QuotaTold } | null {
  if (quota === null || quota.unlimited || quota.exhausted || quota.percentRemaining === null) return null;
  const used = 100 - quota.percentRemaining;
  const past = isPastIncluded(quota);
  const passed = past ? 100 : [alarm, warning].find((threshold) => used >= threshold);
  if (passed === undefined) return null;
  if (told !== null && told.resetsAt === quota.resetsAt && told.used >= passed) return null;
  const budget: SystemNotice = {
    cause: 'quota-100',
    title: `You’re past your included ${unitOf(quota)}`,
    body: 'Requests are billed to your budget.',
    opens: { place: '#/usage' },
  };
  return {
    notice: past
      ? budget
      : {
          cause: `quota-${passed}`,
          title: `${100 - passed}% of your ${unitOf(quota)} are left`,
          body: leftOf(quota),
          opens: { place: '#/usage' },
        },
    told: { resetsAt: quota.resetsAt, used: passed },
  };
}

/** How a sign-in from the tray ended; null where the person ended it. */
export function signInNotice(result: SignInResult, state: AppState): SystemNotice | null {
  const answer = (title: string, body: string, opens: Opens = { place: '#/sign-in' }): SystemNotice => ({
    cause: null,
    title,
    body,
    opens,
  });
  switch (result.kind) {
    case 'signed-in': {
      const { account, proxy } = state;
      if (account.kind === 'signed-in' && account.notice !== null) {
        const { title, message, url } = account.notice;
        return answer(title, message, url === null ? { place: '#/sign-in' } : { url });
      }
      const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
      const proxySentence =
        proxy.kind === 'on' ? `The proxy is on at ${addressOf(proxy.baseUrl)}.` : 'The proxy is off.';
      return answer(
        result.login === null ? 'Signed in to GitHub' : `Signed in as ${result.login}`,
        plan === null ? proxySentence : `${plan}. ${proxySentence}`,
        { place: '#/requests' },
      );
    }
    case 'denied':
      return answer('You declined the sign-in on GitHub.', 'Nothing was stored.');
    case 'expired':
      return answer('This code has expired.', 'Codes are good for 15 minutes.');
    case 'no-storage':
    case 'failed':
      return answer(result.text, result.mend);
    case 'cancelled':
      return null;
  }
}

/** @param shell its name as the menu has it */
export function linesCopiedNotice(what: LinesFor, shell: string): SystemNotice {
  const paste = `Paste them into ${shell}. They hold your local key.`;
  switch (what) {
    case 'claude-code':
      return told('Lines for Claude Code copied', paste);
    case 'openai':
      return told('Lines for OpenAI clients copied', paste);
    case 'codex':
      return told('Key for Codex copied', `Paste it into ${shell}, then run codex there.`);
    case 'codex-config':
      return told('Config for Codex copied', 'Paste it into ~/.codex/config.toml. Its key is copied apart from it.');
    case 'vscode':
      return told('Models for VS Code copied', 'Paste them into chatLanguageModels.json. They hold your local key.');
    case 'mcp':
      return told('MCP server for Claude Code copied', paste);
    case 'mcp-codex':
      return told(
        'MCP server for Codex copied',
        'Paste it into ~/.codex/config.toml. Its key is copied apart from it.',
      );
    case 'mcp-zed':
      return told('MCP server for Zed copied', 'Paste it into Zed’s settings.json. It holds your local key.');
    case 'acp':
      return told('Agent for editors copied', 'Give it to the plugin of your editor as its command.');
    case 'acp-zed':
      return told('Agent for Zed copied', 'Paste it into Zed’s settings.json.');
    case 'acp-jetbrains':
      return told('Agent for JetBrains copied', 'Paste it into ~/.jetbrains/acp.json.');
  }
}

function told(title: string, body: string): SystemNotice {
  return { cause: null, title, body, opens: null };
}

export const setupNotice: SystemNotice = {
  cause: null,
  title: 'Claude Code set up',
  body: 'Open a new terminal.',
  opens: null,
};

export function undoneNotice(left: readonly string[]): SystemNotice {
  const many = `${left.length} keys now have other values. They were`;
  const kept = left.length === 1 ? '1 key now has another value. It was' : many;
  const body = left.length === 0 ? 'Open a new terminal.' : `${kept} left alone; the rest was undone.`;
  return { cause: null, title: 'Claude Code setup undone', body, opens: null };
}

export function updateNotice(version: string): SystemNotice {
  return {
    cause: `update-${version}`,
    title: `Jumpseat ${version} is ready`,
    body: 'Restart to update.',
    opens: { place: '#/settings/about' },
  };
}

export const settingsChangedNotice: SystemNotice = {
  cause: 'claude-code-settings',
  title: 'Claude Code no longer uses Jumpseat',
  body: 'ANTHROPIC_BASE_URL in settings.json was changed.',
  opens: { place: '#/health' },
};

export function keepsRunningNotice(platform: NodeJS.Platform): SystemNotice {
  const where = platform === 'win32' ? ' On Windows, drag it out of the overflow to keep it in view.' : '';
  return { cause: null, title: 'Jumpseat keeps running', body: `Find it in the tray.${where}`, opens: null };
}

export const noTrayNotice: SystemNotice = {
  cause: null,
  title: 'This desktop shows no tray',
  body: 'Everything works from the window. Start Jumpseat again to see it.',
  opens: null,
};

/** Whether a person wants to hear of it. What they just asked for is always answered. */
export function isWanted({ cause }: SystemNotice, wishes: NotificationWishes): boolean {
  if (cause === null) return true;
  if (/^(quota|exhausted|limit|world)\b/.test(cause)) return wishes.quota;
  if (/^session-waits\b/.test(cause)) return wishes.sessionWaits;
  if (/^session-done\b/.test(cause)) return wishes.sessionDone;
  if (/^session-failed\b/.test(cause)) return wishes.sessionFailed;
  return /^update\b/.test(cause) ? wishes.updates : wishes.trouble;
}

/** Never the same cause twice within an hour, and nothing while the window is in sight and shows it itself. */
export class NotificationGate {
  readonly #toldAt = new Map<string, number>();

  lets({ cause }: SystemNotice, facts: { now: number; inSight: boolean }): boolean {
    if (cause === null) return true;
    if (facts.inSight) return false;
    const last = this.#toldAt.get(cause);
    if (last !== undefined && facts.now - last < hourMs && facts.now >= last) return false;
    for (const [known, at] of this.#toldAt) if (facts.now - at >= hourMs) this.#toldAt.delete(known);
    this.#toldAt.set(cause, facts.now);
    return true;
  }
}
