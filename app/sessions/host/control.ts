import { isDeepStrictEqual } from 'node:util';
import type { McpServer, SessionConfigOption } from '@agentclientprotocol/sdk/unstable';
import type { Session, Wanted } from '../../api/sessions.ts';
import type { LiveSession } from './live-session.ts';

/** What a person can choose for a session; null: the agent's own choice. */
export interface Choices {
  model: string | null;
  effort: string | null;
  mode: string | null;
  directories: readonly string[];
}

type Setting = 'model' | 'effort' | 'mode';

/**
 * What a session is wanted to run with, and what its agent says is in force: the two are never mixed up. Nothing is
 * asked of the agent where they are equal.
 */
export class Control {
  wanted: Choices;
  readonly #applied: Record<Setting, string | null> = { model: null, effort: null, mode: null };
  /** A choice that only a new start of the session's process can bring about. */
  #needsRestart = false;

  /** Of a front, in memory alone: they may hold secrets, and go with it. */
  servers: readonly McpServer[] = [];

  constructor(wanted: Choices) {
    this.wanted = wanted;
  }

  get needsRestart(): boolean {
    return this.#needsRestart;
  }

  view(): Pick<Session, Setting> {
    return { model: this.#of('model'), effort: this.#of('effort'), mode: this.#of('mode') };
  }

  #of(setting: Setting): Wanted {
    return { wanted: this.wanted[setting], applied: this.#applied[setting] };
  }

  /** Returns whether anything is told that was not known. */
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
    for (const setting of ['model', 'effort', 'mode'] as const) this.#applied[setting] = null;
    this.#needsRestart = false;
  }

  /**
   * Model and effort went along with the start; the mode has to be asked for. Resolves with false where it was refused:
   * another one is in force then.
   */
  async started(live: LiveSession): Promise<boolean> {
    this.#needsRestart = false;
    if (live.mode !== null) this.sees('mode', live.mode);
    this.seesOptions(live.options);
    const { mode } = this.wanted;
    if (mode === null || mode === this.#applied.mode) return true;
    return this.#apply(live, 'mode', mode).then(
      () => true,
      () => false,
    );
  }

  /** Other servers count from the next message on; the same ones change nothing. */
  serve(servers: readonly McpServer[], live: LiveSession | null): void {
    if (isDeepStrictEqual(servers, this.servers)) return;
    this.servers = servers;
    this.#needsRestart = live !== null;
  }

  /** Takes a choice up. `live`: the running process, to which it is applied where it can be; null: at its start. */
  async choose(choice: Partial<Choices>, live: LiveSession | null): Promise<void> {
    const before = this.wanted;
    this.wanted = { ...before, ...choice };
    if (live === null) return;
    if (choice.directories !== undefined && choice.directories.join('\0') !== before.directories.join('\0')) {
      this.#needsRestart = true;
    }
    for (const setting of ['model', 'effort', 'mode'] as const) {
      const value = choice[setting];
      if (value === undefined || value === this.#applied[setting]) continue;
      if (value === null) this.#needsRestart = this.#needsRestart || before[setting] !== null;
      else await this.#apply(live, setting, value);
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
    } else this.#needsRestart = true;
  }
}

function offers(options: readonly SessionConfigOption[], id: string, value: string): boolean {
  const option = options.find((option) => option.id === id);
  if (option?.type !== 'select') return false;
  return option.options.some((one) =>
    'value' in one ? one.value === value : one.options.some((inner) => inner.value === value),
  );
}
