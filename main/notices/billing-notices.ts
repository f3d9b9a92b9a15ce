import type { Quota } from '../../app/api/account.ts';
import type { QuotaThresholds } from '../../app/api/settings.ts';
import type { AppState } from '../../app/api/state.ts';
import { t } from '../../app/language/translate.ts';
import { isPastIncluded, leftOf, percentLeft, unitName } from '../../app/words/quota.ts';
import { overageWords } from '../../app/words/status.ts';
import { noticeOf, type SystemNotice } from './notice.ts';

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
