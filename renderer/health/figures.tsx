import { grouped, share } from '../../app/words/numbers.ts';
import { ago, clockTime, dayAndTime, firstTokenBasis, firstTokenTime, hourAndMinute } from '../../app/words/times.ts';
import { useSecond } from '../parts/now.ts';
import type { Pace } from '../state/health-checks.ts';
import { useApp } from '../state/services.ts';

/** The pulse in four figures: last success, how fast, how often it fails, how long the token holds. */
export function Figures({ pace }: { pace: Pace | null }) {
  const { health, account, reach } = useApp();
  const now = useSecond();
  const last = health.lastSuccessAt ?? pace?.lastSuccessAt ?? null;
  const token = account.kind === 'signed-in' ? account.token : null;
  const basis = basisOf(pace);
  return (
    <dl className="health-figures">
      <Figure
        name="Last success"
        value={last === null ? '–' : (ago(last, now) ?? clockTime(last))}
        more={last === null ? 'No request worked yet' : dayAndTime(last)}
      />
      <Figure
        name="First token"
        title={firstTokenBasis}
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

/** Requests that are counted: `Last 3 requests, without 1 that its client left`. */
function basisOf(pace: Pace | null): string {
  if (pace === null || pace.requests + pace.left === 0) return 'No request yet';
  const left =
    pace.left === 0 ? '' : `, without ${grouped(pace.left)} that ${pace.left === 1 ? 'its client' : 'clients'} left`;
  if (pace.requests === 0) return `No request yet${left}`;
  return `${pace.requests === 1 ? 'Last request' : `Last ${grouped(pace.requests)} requests`}${left}`;
}

function Figure({ name, value, more, title }: { name: string; value: string; more: string; title?: string }) {
  return (
    <div title={title}>
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
