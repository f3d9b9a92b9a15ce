import type { LimitKind } from '../../api/exchange.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import { limitOf } from '../../copilot/limit-of.ts';
import { dayAndTime, wait, weekdayAndTime } from '../../words/times.ts';
import type { RecoverContext } from './recover-context.ts';
import { final, longestRetryAfter, say, type Told, waits } from './told.ts';

const limitSentences: Record<Exclude<LimitKind, 'overloaded' | 'credits'>, string> = {
  weekly: 'you’ve reached Copilot’s weekly limit',
  session: 'you’ve reached Copilot’s 5-hour limit',
  account: 'you’ve reached Copilot’s limit for your account',
  model: 'Copilot limits how often you may use this model',
  client: 'Copilot limits how often this kind of client may ask',
  agents: 'you’ve reached Copilot’s limit for agents',
  provider: 'the provider behind Copilot is at its limit',
  blocked: 'Copilot has blocked this client for now',
  unnamed: 'Copilot asks to slow down',
};

/** Copilot’s 429. */
export function tellRateLimit(failure: CopilotFailure, context: RecoverContext): Told {
  const limit = limitOf(failure);
  if (limit === 'overloaded')
    return say(
      'overloaded',
      529,
      'overloaded_error',
      'Jumpseat: this model is overloaded at Copilot right now.',
      waits(failure),
    );
  if (limit === 'credits')
    return say('no-credits', 429, 'billing_error', outOfCredits(context), { ...waits(failure), ...final });
  const resets = limit === 'weekly' ? context.weeklyResetsAt : limit === 'session' ? context.sessionResetsAt : null;
  const long = limit === 'weekly' || limit === 'session' || (failure.retryAfterSeconds ?? 0) > longestRetryAfter;
  return say(
    'limit',
    429,
    'rate_limit_error',
    `Jumpseat: ${limitSentences[limit]}. ${whenAgain(failure.retryAfterSeconds, resets, context.now)}`,
    { ...waits(failure), shouldRetry: !long },
  );
}

function whenAgain(seconds: number | null, resetsAt: string | null, now: number): string {
  const reset = resetsAt === null ? Number.NaN : Date.parse(resetsAt);
  if (!Number.isNaN(reset)) return `It resets on ${weekdayAndTime(reset)}.`;
  if (seconds === null) return 'Try again in a minute.';
  if (seconds <= longestRetryAfter) return `Try again in ${wait(seconds)}.`;
  return `Try again in ${wait(seconds)}, on ${weekdayAndTime(now + seconds * 1000)}.`;
}

export function outOfCredits(context: RecoverContext): string {
  const reset = context.quotaResetsAt === null ? Number.NaN : Date.parse(context.quotaResetsAt);
  const when = Number.isNaN(reset) ? '' : ` They reset on ${dayAndTime(reset)}.`;
  return `Jumpseat: you’re out of Copilot credits.${when} Set a budget at github.com/settings/billing to go on now.`;
}
