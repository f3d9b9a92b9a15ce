import type { SessionSettings } from '../../api/settings.ts';
import { t } from '../../language/translate.ts';
import type { AgentDescription } from '../agents/agent.ts';
import { SessionError } from './error.ts';

/** What a person can choose for a session; null for the agent's own choice. */
export interface Choices {
  model: string | null;
  effort: string | null;
  mode: string | null;
  directories: readonly string[];
  /** Ids of plugins that are off. */
  pluginsOff: readonly string[];
}

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

  /** Where none was chosen; null if none is known. */
  get usual(): string | null {
    return this.#agent.modes[0]?.id ?? null;
  }

  /** The one in which nothing is asked. Throws where the agent has none, or refuses it. */
  neverAsking(): string {
    const { title, modes } = this.#agent;
    const mode = modes.find(({ asksNothing }) => asksNothing);
    if (mode === undefined) {
      throw new SessionError(
        'not-possible',
        t('{title} has no mode in which it never asks.', { title }),
        t('Choose another mode.'),
      );
    }
    if (mode.refusal === null) return mode.id;
    const remedy = t('Run Jumpseat as another user, or choose another mode.');
    throw new SessionError('not-possible', t('{title} never runs without asking as root.', { title }), remedy);
  }

  /** Throws if it is given among other choices. */
  refuseNeverAsking({ mode = null }: { mode?: string | null }): void {
    if (!this.asksNothing(mode)) return;
    const message = t('The mode in which nothing is asked isn’t chosen like others.');
    throw new SessionError('not-possible', message, t('Choose “Never ask” in the session, in Jumpseat’s window.'));
  }
}

export type NewSessionSettings = Pick<SessionSettings, 'mode' | 'model' | 'effort'>;

/**
 * What a new session runs with: what was chosen for it, else as the person's settings have it. These name modes and
 * models of Claude Code. A model that the account lacks, and an effort that the model lacks, is left to the agent.
 */
export async function firstChoices(
  agent: Pick<AgentDescription, 'name' | 'models'>,
  settings: NewSessionSettings,
  chosen: Partial<Choices>,
): Promise<Partial<Choices>> {
  if (agent.name !== 'claude') return chosen;
  const offered = await agent.models();
  const usual = offered.find(({ id }) => id === settings.model);
  const model = chosen.model === undefined ? (usual?.id ?? null) : chosen.model;
  const efforts = offered.find(({ id }) => id === model)?.efforts ?? [];
  const effort = efforts.find((one) => one === settings.effort) ?? null;
  return { mode: settings.mode, effort, ...chosen, model };
}

/**
 * What a session of another program goes on with: what a person chose for it here, else its own last model and
 * effort, else what a new session would get. A person sees it before a message is sent. Its own last mode doesn't
 * count: what is asked here is chosen here.
 */
export async function goOnWith(
  agent: Pick<AgentDescription, 'name' | 'models'>,
  settings: NewSessionSettings,
  chosen: Choices,
  last: Pick<Choices, 'model' | 'effort'>,
): Promise<Choices> {
  const own = last.model === null ? undefined : await offeredAs(agent, last.model);
  const model = chosen.model ?? own?.id;
  const effort = chosen.effort ?? own?.efforts.find((one) => one === last.effort);
  const got = await firstChoices(agent, settings, {
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(chosen.mode !== null && { mode: chosen.mode }),
  });
  return { ...chosen, model: got.model ?? null, effort: got.effort ?? null, mode: got.mode ?? null };
}

/** Claude Code writes `claude-opus-4-8` where Copilot says `claude-opus-4.8`. */
async function offeredAs(agent: Pick<AgentDescription, 'models'>, model: string) {
  const plain = (name: string): string => name.replaceAll('.', '-');
  return (await agent.models()).find((one) => [one.id, one.model].some((name) => plain(name) === plain(model)));
}
