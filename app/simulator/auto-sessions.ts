import type { SimulatedModel } from './catalog.ts';
import type { RecordedRequest } from './record.ts';
import { modelNotSupported, type Refusal, textRefusal } from './refusal.ts';

/** What lets requests go to the model that Auto chose. */
export interface SimulatedAutoSession {
  token: string;
  /** What stands for it in recordings. */
  name: string;
  model: string;
  /** s since the epoch. */
  expiresAt: number;
}

const lifeSeconds = 24 * 3600;

/** Auto: GitHub chooses a model, and a token says so. The script may say which one comes next. */
export class AutoSessions {
  readonly #byToken = new Map<string, SimulatedAutoSession>();
  /** Chosen in turn, the last one for ever. Null: there is no Auto for this account. */
  models: readonly string[] | null = ['claude-sonnet-4.6'];
  lifeSeconds = lifeSeconds;

  open(): SimulatedAutoSession | null {
    const { models } = this;
    const model = models?.[Math.min(this.#byToken.size, models.length - 1)];
    if (model === undefined) return null;
    const number = this.#byToken.size + 1;
    const session = {
      token: `auto-session-simulated-${number}`,
      name: `<auto-session-${number}>`,
      model,
      expiresAt: Math.floor(Date.now() / 1000) + this.lifeSeconds,
    };
    this.#byToken.set(session.token, session);
    return session;
  }

  find(token: string): SimulatedAutoSession | null {
    return this.#byToken.get(token) ?? null;
  }

  /** By what stands for it in recordings. */
  named(name: string): SimulatedAutoSession | null {
    return [...this.#byToken.values()].find((session) => session.name === name) ?? null;
  }
}

/** Refuses a request that carries the token of Auto and asks for another model than Auto chose. */
export function checkAuto(sessions: AutoSessions, request: RecordedRequest, model: SimulatedModel): Refusal | null {
  const name = request.headers['copilot-session-token'];
  if (name === undefined) return null;
  const session = sessions.named(name);
  if (session === null || session.expiresAt * 1000 <= Date.now())
    return textRefusal(401, 'unauthorized: token expired');
  return session.model === model.id ? null : modelNotSupported();
}
