import { isDeepStrictEqual } from 'node:util';
import type { McpServer, SessionConfigOption } from '@agentclientprotocol/sdk/unstable';
import { type RestartReason, restartReasonSchema, type Session, type Wanted } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { Choices, SessionModes } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import type { Recorder } from '../session/recorder.ts';
import type { LiveSession } from './live-session.ts';

const settings = ['model', 'effort', 'mode'] as const;
type Setting = (typeof settings)[number];

/** What a session's process was started with. A change of it needs another start. */
export interface StartedWith {
  choices: Choices;
  servers: readonly McpServer[];
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
  async started(live: LiveSession, given: StartedWith): Promise<boolean> {
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
  async choose(choice: Partial<Choices>, live: LiveSession | null): Promise<void> {
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
  async #apply(live: LiveSession, setting: Setting, value: string): Promise<void> {
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
  kept: KeptSession;
  control: Control;
  modes: SessionModes;
  recorder: Recorder;
  live(): LiveSession | null;
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
  async started(live: LiveSession, given: StartedWith): Promise<void> {
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
