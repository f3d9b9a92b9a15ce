import type { AppState } from '../../app/api/state.ts';
import { heldWords, limitWords, resetOf, unitOf } from '../../app/words/status.ts';
import { dayAndTime, weekdayAndTime } from '../../app/words/times.ts';
import type { SystemNotice } from './system-notice.ts';

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
      body: 'Check the network.',
      opens: { place: '#/health' },
    },
  ];
}

function burst(before: AppState, after: AppState): SystemNotice[] {
  const { held } = after.health;
  if (held.prompts === 0 || before.health.held.prompts > 0) return [];
  const { title, text } = heldWords(held);
  return [{ cause: 'burst', title, body: text, opens: { place: '#/requests' } }];
}
