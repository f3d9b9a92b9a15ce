import type { OwnLimit } from '../../api/state.ts';
import { sentences } from '../../language/sentences.ts';
import { t } from '../../language/translate.ts';
import { creditsOf, premiumRequests } from '../../words/numbers.ts';
import { scopeInWords, theRule } from '../../words/own-limits.ts';
import { dayAndTime } from '../../words/times.ts';
import { type ClientError, refuseInOwnWords } from '../recover/error.ts';

/** A limit of the person's that is reached. `because` is a sentence without its capital. */
export interface Reached {
  because: string;
  remedy: string;
  /** After which a request may go; null if unknown. */
  seconds: number | null;
  shouldRetry: boolean;
}

/** Amounts that are used up. */
export function usedUp(
  limit: Pick<OwnLimit, 'setting' | 'scope' | 'used' | 'most' | 'month'> & { unit: string; until: number },
  now: number,
): Reached {
  const { setting, scope, unit, used, most, month, until } = limit;
  const amount = unit === 'credits' ? creditsOf(used * 1e9) : premiumRequests(used);
  const period = month === null ? 'day' : 'month';
  const words = { amount, most: String(most), unit: unit === 'credits' ? t('credits') : t('premium requests') };
  const spent =
    scope === null
      ? spentOfAll(words, period)
      : scope.rule === undefined
        ? spentBy(scopeInWords(scope), words, period)
        : spentByRule(theRule(scope.rule), words, period);
  return {
    because: sentences(spent, t('They start anew on {time}.', { time: dayAndTime(until) })),
    remedy: raiseWords({ setting, scope }),
    ...{ seconds: Math.ceil((until - now) / 1000), shouldRetry: false },
  };
}

function raiseWords({ setting, scope }: Pick<OwnLimit, 'setting' | 'scope'>): string {
  if (scope?.rule !== undefined)
    return t('Raise them in Settings → Rules (models.rules in settings.json) to go on now.');
  return t('Raise them in Settings → Limits (limits.{setting} in settings.json) to go on now.', {
    setting: scope === null ? setting : 'rules',
  });
}

type Spending = { amount: string; most: string; unit: string };

function spentOfAll({ amount, most, unit }: Spending, period: 'day' | 'month'): string {
  return period === 'day'
    ? t('{amount} of the {most} {unit} you allow for a day are used.', { amount, most, unit })
    : t('{amount} of the {most} {unit} you allow for a month are used.', { amount, most, unit });
}

function spentBy(scope: string, { amount, most, unit }: Spending, period: 'day' | 'month'): string {
  return period === 'day'
    ? t('{scope} has used {amount} of the {most} {unit} you allow it a day.', { scope, amount, most, unit })
    : t('{scope} has used {amount} of the {most} {unit} you allow it a month.', { scope, amount, most, unit });
}

function spentByRule(rule: string, { amount, most, unit }: Spending, period: 'day' | 'month'): string {
  return period === 'day'
    ? t('{rule} has used {amount} of its {most} {unit} for today.', { rule, amount, most, unit })
    : t('{rule} has used {amount} of its {most} {unit} for this month.', { rule, amount, most, unit });
}

/** A burst that was not let through. A repeat would wait as long again. */
export function heldTooLong(most: number): Reached {
  return {
    because: t('more than {most, plural, one {# request} other {# requests}} started within a minute.', { most }),
    remedy: t('Let it through in the window.'),
    ...{ seconds: null, shouldRetry: false },
  };
}

/** The error that the client gets. */
export function heldBack({ because, remedy, seconds, shouldRetry }: Reached): ClientError {
  return {
    ...refuseInOwnWords(
      429,
      'rate_limit_error',
      'held-back',
      sentences(t('Jumpseat: held back because {why}', { why: because }), remedy),
      shouldRetry,
    ),
    retryAfterSeconds: seconds,
  };
}
