import type { AppState } from '../../app/api/state.ts';
import { limitWindow } from '../../app/words/usage.ts';
import { Meter } from '../parts/meter.tsx';

/** Copilot's own limits, as its last answer told them. */
export function Limits({ app, now }: { app: AppState; now: number }) {
  return (
    <section className="usage-card" aria-labelledby="usage-limits">
      <h2 id="usage-limits">Copilot limits</h2>
      {(['session', 'weekly'] as const).map((kind) => {
        const name = kind === 'session' ? '5-hour limit' : 'Weekly limit';
        const words = limitWindow(app.usageWindows[kind], now);
        return (
          <div className="limit" key={kind}>
            <p className="limit-top">
              <span>{name}</span>
              <span className="figures">{words.figure}</span>
            </p>
            {words.used !== null && <Meter label={name} text={words.figure} share={words.used} tone={words.tone} />}
            <p className="muted small">{words.line}</p>
          </div>
        );
      })}
    </section>
  );
}
