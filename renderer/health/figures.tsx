import { firstTokenTime } from '../../app/words/exact-times.ts';
import { grouped, share } from '../../app/words/numbers.ts';
import { ago, clockTime, dayAndTime, hourAndMinute } from '../../app/words/times.ts';
import { useSecond } from '../parts/now.ts';
import type { Pace } from '../state/pace.ts';
import { useApp } from '../state/services.ts';

/** The pulse in four figures: last success, how fast, how often it fails, how long the token holds. */
export function Figures({ pace }: { pace: Pace | null }) {
  const { health, account, reach } = useApp();
  const now = useSecond();
  const last = health.lastSuccessAt ?? pace?.lastSuccessAt ?? null;
  const token = account.kind === 'signed-in' ? account.token : null;
  const basis =
    pace === null || pace.requests === 0
      ? 'No request yet'
      : pace.requests === 1
        ? 'Last request'
        : `Last ${grouped(pace.requests)} requests`;
  return (
    <dl className="health-figures">
      <Figure
        name="Last success"
        value={last === null ? '–' : (ago(last, now) ?? clockTime(last))}
        more={last === null ? 'No request worked yet' : dayAndTime(last)}
      />
      <Figure
        name="First token"
        value={pace?.firstToken ? firstTokenTime(pace.firstToken.median) : '–'}
        more={pace?.firstToken ? `1 in 10 over ${firstTokenTime(pace.firstToken.slow)}` : basis}
      />
      <Figure
        name="Errors"
        value={pace === null || pace.requests === 0 ? '–' : share(pace.failed / pace.requests)}
        more={pace === null || pace.failed === 0 ? basis : `${grouped(pace.failed)} of the ${basis.toLowerCase()}`}
      />
      {reach.kind === 'directly' && (
        <Figure
          name="Copilot token"
          value={token === null ? '–' : timeLeft(token.usableUntil, now)}
          more={
            token === null ? 'None yet' : `Renewed ${hourAndMinute(token.mintedAt)}, next ${renewal(token.usableUntil)}`
          }
        />
      )}
    </dl>
  );
}

function Figure({ name, value, more }: { name: string; value: string; more: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figure figures">{value}</dd>
      <dd className="muted small figures">{more}</dd>
    </div>
  );
}

function timeLeft(until: number | null, now: number): string {
  if (until === null) return 'No end';
  return until <= now ? 'Renewing' : `${Math.ceil((until - now) / 60_000)} min`;
}

function renewal(at: number | null): string {
  return at === null ? 'when Copilot refuses it' : hourAndMinute(at);
}
