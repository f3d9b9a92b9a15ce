import { isDeepStrictEqual } from 'node:util';
import type { McpServer, SessionConfigOption } from '@agentclientprotocol/sdk/unstable';
import { type RestartReason, restartReasonSchema, type Session, type Wanted } from '../../api/sessions.ts';
import type { SessionSettings } from '../../api/settings.ts';
import { t } from '../../language/translate.ts';
import type { AgentDescription } from '../agents/agent.ts';
import type { Recorder } from '../store/session-record.ts';
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

const settings = ['model', 'effort', 'mode'] as const;
type Setting = (typeof settings)[number];

/** What a session's process was started with. A change of it needs another start. */
export interface StartedWith {
  choices: Choices;
  servers: readonly McpServer[];
}

/** The session in its agent's process, as far as choices have to do with it. */
interface RunningSession {
  readonly options: readonly SessionConfigOption[];
  readonly mode: string | null;
  setMode(mode: string): Promise<void>;
  setOption(id: string, value: string): Promise<void>;
}

/**
 * What a session is wanted to run with, and what its agent says is in force: the two are never mixed up. Nothing is
 * asked of the agent where they are equal.
 */
export class Control {
  wanted: Choices;
  readonly #applied: Record<Setting, string | null> = { model: null, effort: null, mode: null };
  /** What its process was started with; null if it has none. */
  #startedWith: StartedWith | null = null;
  /** A choice that only a new start of the session's process can bring about. */
  #mustRestart = false;

  /** Servers of a front, in memory alone, because they may hold secrets. Changes apply to the next message. */
  servers: readonly McpServer[] = [];

  readonly #modes: SessionModes;

  constructor(wanted: Choices, modes: SessionModes) {
    this.wanted = wanted;
    this.#modes = modes;
  }

  /** Its process ends because of these, and another one starts; empty: none does. */
  restartsFor: readonly RestartReason[] = [];

  /** Servers and folders may also have changed while the process was starting. */
  get needsRestart(): boolean {
    const started = this.#startedWith;
    if (this.#mustRestart || started === null) return this.#mustRestart;
    const given = { servers: started.servers, ...this.#fixed(started.choices) };
    return !isDeepStrictEqual(given, { servers: this.servers, ...this.#fixed(this.wanted) });
  }

  /** Choices that a running process can't change. It can't stop asking: only a person can choose that. */
  #fixed({ directories, pluginsOff, mode }: Choices) {
    const asksNothing = this.#modes.asksNothing(mode);
    return { directories: [...directories], pluginsOff: [...pluginsOff], asksNothing };
  }

  /** What has changed since the process was started that needs another start. */
  restartReasons(): RestartReason[] {
    const started = this.#startedWith;
    if (started === null) return [];
    const { choices, servers } = started;
    const [before, now] = [this.#fixed(choices), this.#fixed(this.wanted)];
    const changed: Readonly<Record<RestartReason, boolean>> = {
      model: this.#isNew('model', choices),
      effort: this.#isNew('effort', choices),
      permissions: before.asksNothing !== now.asksNothing,
      folders: !isDeepStrictEqual(before.directories, now.directories),
      plugins: !isDeepStrictEqual(before.pluginsOff, now.pluginsOff),
      servers: !isDeepStrictEqual(servers, this.servers),
    };
    return restartReasonSchema.options.filter((reason) => changed[reason]);
  }

  /** True if the value differs from the one at the start, and the running process hasn't taken it up. */
  #isNew(setting: Setting, choices: Choices): boolean {
    const wanted = this.wanted[setting];
    return wanted !== choices[setting] && wanted !== this.#applied[setting];
  }

  /** @param isAtRest no turn is under way: a mode that the next one will not have is not in force */
  view(isAtRest = false): Pick<Session, Setting> {
    const mode = this.#of('mode');
    const asked = this.#startedWith !== null && !this.#modes.asksNothing(this.#startedWith.choices.mode);
    const isDue = isAtRest && asked && this.#modes.asksNothing(mode.wanted);
    return {
      ...{ model: this.#of('model'), effort: this.#of('effort') },
      mode: isDue ? { ...mode, applied: null } : mode,
    };
  }

  #of(setting: Setting): Wanted {
    return { wanted: this.wanted[setting], applied: this.#applied[setting] };
  }

  /** Returns true if the value is new. */
  sees(setting: Setting, value: string | null): boolean {
    if (this.#applied[setting] === value) return false;
    this.#applied[setting] = value;
    return true;
  }

  seesOptions(options: readonly SessionConfigOption[]): boolean {
    let isNew = false;
    for (const { id, ...option } of options) {
      if (id !== 'model' && id !== 'effort' && id !== 'mode') continue;
      if (typeof option.currentValue === 'string') isNew = this.sees(id, option.currentValue) || isNew;
    }
    return isNew;
  }

  /** The process is gone: nothing is in force. */
  unloaded(): void {
    for (const setting of settings) this.#applied[setting] = null;
    this.restartsFor = [];
    this.#startedWith = null;
    this.#mustRestart = false;
  }

  /**
   * Model and effort went along with the start; the mode is asked for. What was chosen since counts with the next
   * start. Resolves with false where the mode was refused: another one is in force then.
   */
  async started(live: RunningSession, given: StartedWith): Promise<boolean> {
    this.restartsFor = [];
    this.#startedWith = given;
    this.#mustRestart = this.wanted.model !== given.choices.model || this.wanted.effort !== given.choices.effort;
    if (live.mode !== null) this.sees('mode', live.mode);
    this.seesOptions(live.options);
    // What is shown where none was chosen: a conversation that went on elsewhere and asked less asks here.
    const mode = this.wanted.mode ?? this.#modes.usual;
    if (mode === null || mode === this.#applied.mode) return true;
    return this.#apply(live, 'mode', mode).then(
      () => true,
      () => false,
    );
  }

  /** Takes a choice up. `live`: the running process, to which it is applied where it can be; null: at its start. */
  async choose(choice: Partial<Choices>, live: RunningSession | null): Promise<void> {
    const before = this.wanted;
    this.wanted = { ...before, ...choice };
    const isStarting = live === null && this.#startedWith !== null;
    if (live === null && !isStarting) return;
    for (const setting of settings) {
      const value = choice[setting];
      if (value === undefined || value === this.#applied[setting]) continue;
      if (value === null || live === null) this.#mustRestart = this.#mustRestart || before[setting] !== value;
      else if (setting !== 'mode' || !this.#modes.asksNothing(value)) await this.#apply(live, setting, value);
    }
  }

  /** A value that the agent does not offer can still be one that it starts with. */
  async #apply(live: RunningSession, setting: Setting, value: string): Promise<void> {
    if (setting === 'mode') {
      await live.setMode(value);
      this.sees('mode', value);
    } else if (offers(live.options, setting, value)) {
      await live.setOption(setting, value);
      this.seesOptions(live.options);
    } else this.#mustRestart = true;
  }
}

function offers(options: readonly SessionConfigOption[], id: string, value: string): boolean {
  const option = options.find((option) => option.id === id);
  if (option?.type !== 'select') return false;
  return option.options.some((one) =>
    'value' in one ? one.value === value : one.options.some((inner) => inner.value === value),
  );
}

interface ChoosingDependencies {
  kept: { readonly isKept: boolean; keepChoices(choices: Choices): void };
  control: Control;
  modes: SessionModes;
  recorder: Recorder;
  live(): RunningSession | null;
  turnId(): string | null;
  changed(): void;
}

/** Applies choices to a session: sends them to its process, stores, records and reports them. */
export class Choosing {
  readonly #given: ChoosingDependencies;

  constructor(given: ChoosingDependencies) {
    this.#given = given;
  }

  /** What its process can't change counts from the next message on. */
  async choose(choice: Partial<Choices>): Promise<void> {
    this.#given.modes.refuseNeverAsking(choice);
    await this.#choose(choice);
  }

  /** Nothing is asked any more, until the session or Jumpseat ends. */
  async neverAsk(): Promise<void> {
    await this.#choose({ mode: this.#given.modes.neverAsking() });
  }

  /** Its process has started. */
  async started(live: RunningSession, given: StartedWith): Promise<void> {
    const { control, recorder, turnId, changed } = this.#given;
    const isApplied = await control.started(live, given);
    if (!isApplied) this.noteMode();
    recorder.add('applied', control.view(), turnId());
    changed();
  }

  /** Notes that the mode in force differs from the chosen one. */
  noteMode(): void {
    const { control, recorder } = this.#given;
    const { wanted, applied } = control.view().mode;
    recorder.add('note', { code: 'mode-refused', wanted, applied }, null);
  }

  /** The agent takes this one up by itself: it is kept, and not asked for again. */
  keepMode(mode: string): void {
    const { control } = this.#given;
    control.wanted = { ...control.wanted, mode };
    this.#keep();
  }

  async #choose(choice: Partial<Choices>): Promise<void> {
    const { control, live } = this.#given;
    try {
      await control.choose(choice, live());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SessionError('not-possible', t('The agent refused this choice: {why}', { why }), t('Choose another.'), {
        cause: error,
      });
    } finally {
      this.#keep();
    }
  }

  #keep(): void {
    const { kept, control, recorder, turnId, changed } = this.#given;
    kept.keepChoices(control.wanted);
    if (kept.isKept) recorder.add('applied', control.view(), turnId());
    changed();
  }
}
