import type { AgentDescription } from '../agents/agent.ts';
import { SessionError } from './session-error.ts';

/**
 * An agent's permission modes, as its host acts on them. The one in which nothing is asked is chosen by a call of its
 * own, is on no disk, and goes to no other session: it ends with the session, and with Jumpseat.
 */
export class SessionModes {
  readonly #agent: Pick<AgentDescription, 'title' | 'modes'>;

  constructor(agent: Pick<AgentDescription, 'title' | 'modes'>) {
    this.#agent = agent;
  }

  asksNothing(mode: string | null): boolean {
    return this.#agent.modes.some(({ id, asksNothing }) => asksNothing && id === mode);
  }

  /** The mode that is kept: null in place of the one that is not. */
  lasting<Chosen extends { mode: string | null }>(choices: Chosen): Chosen {
    return this.asksNothing(choices.mode) ? { ...choices, mode: null } : choices;
  }

  /** Where none was chosen; null: none is known. */
  get usual(): string | null {
    return this.#agent.modes[0]?.id ?? null;
  }

  /** The one in which nothing is asked. Throws where the agent has none, or refuses it. */
  neverAsking(): string {
    const { title, modes } = this.#agent;
    const mode = modes.find(({ asksNothing }) => asksNothing);
    if (mode === undefined) {
      throw new SessionError('not-possible', `${title} has no mode in which it never asks.`, 'Choose another mode.');
    }
    if (mode.refusal === null) return mode.id;
    const mend = 'Run Jumpseat as another user, or choose another mode.';
    throw new SessionError('not-possible', `${title} never runs without asking as root.`, mend);
  }

  /** Throws where it stands among other choices. */
  refuseNeverAsking({ mode = null }: { mode?: string | null }): void {
    if (!this.asksNothing(mode)) return;
    const message = 'The mode in which nothing is asked isn’t chosen like others.';
    throw new SessionError('not-possible', message, 'Choose “Never ask” in the session, in Jumpseat’s window.');
  }
}
