import { homedir } from 'node:os';
import type { Problem } from '../api/call.ts';
import { setupLabel } from '../api/names.ts';
import type { KnownFile } from '../api/setup.ts';
import type { Paths } from '../ports.ts';
import { type ClaudeCodeSurroundings, mostTelling } from './checks.ts';
import type { PromptLimits } from './context-windows.ts';
import { type ClaudeCodeModels, claudeCodeEnvironment, environmentNotes } from './env-snippet.ts';
import { claudeSettingsPath, shownPath } from './settings-file.ts';
import type { SetupPlace } from './setup/plan.ts';
import { otherKey, readSetup, setUpAgain } from './setup/read-setup.ts';
import { findShellVariables } from './shell-variables.ts';

interface ClaudeCodeDependencies {
  paths: Paths;
  /** The environment of the process, for what Claude Code would find there. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folder a person works in, whose own settings for Claude Code would win. */
  project: string | null;
  /** How this Jumpseat is started in a shell; `jumpseat` unless given. */
  command?: string | undefined;
  /** Where clients find the proxy, or would. */
  baseUrl(): Promise<string>;
  port(): number;
  key(): Promise<string>;
  /** What clients have to show to the Jumpseat that runs, or to the next one; null where that isn’t known. */
  askedKey(): Promise<string | null>;
  /** The key works tomorrow. */
  isKeyKept(): boolean;
  /** Asks for them where they are not known; none where they can't be had. */
  models(): Promise<KnownModels>;
  areModelsKnown(): boolean;
  isDemo: boolean;
  /** Copilot's and GitHub's addresses. */
  upstreams(): readonly string[];
  /** Called when `keyProblem` has changed. */
  changed(): void;
}

/** What the lines say of the account's models. */
export interface KnownModels {
  named: ClaudeCodeModels;
  /** Replacement for a haiku that the account lacks; null if it has one, or nothing is known. */
  haikuNote: string | null;
  promptLimits: PromptLimits;
}

/** Claude Code on this machine: where its settings are, and what they need. */
export class ClaudeCode {
  readonly #dependencies: ClaudeCodeDependencies;
  #keyProblem: Problem | null = null;
  /** Which look is the newest. */
  #keyLook = Symbol();

  constructor(dependencies: ClaudeCodeDependencies) {
    this.#dependencies = dependencies;
  }

  get env(): ClaudeCodeDependencies['env'] {
    return this.#dependencies.env;
  }

  get project(): string | null {
    return this.#dependencies.project;
  }

  get isKeyKept(): boolean {
    return this.#dependencies.isKeyKept();
  }

  place(): SetupPlace {
    const { env, paths, port, command } = this.#dependencies;
    return { settings: claudeSettingsPath(env), paths, port, command };
  }

  /**
   * What a person pastes, and sentences about it for a comment or a terminal.
   * @param label the client's name in the log
   */
  async lines(label: string): Promise<{ variables: Record<string, string>; notes: string[] }> {
    const variables = await this.variables(label);
    const { promptLimits, haikuNote } = await this.models();
    // A demo is gone before a setup would help.
    const limits = this.#dependencies.isDemo ? {} : promptLimits;
    return { variables, notes: environmentNotes(variables, limits, haikuNote) };
  }

  /** @param label the client's name in the log */
  async variables(label: string, key?: string): Promise<Record<string, string>> {
    const { baseUrl, key: own } = this.#dependencies;
    const given = { models: (await this.models()).named, baseUrl: await baseUrl(), key: key ?? (await own()), label };
    return Object.fromEntries(claudeCodeEnvironment(given).map(({ name, value }) => [name, value]));
  }

  models(): Promise<KnownModels> {
    return this.#dependencies.models();
  }

  async surroundings(): Promise<ClaudeCodeSurroundings> {
    const { env, project, port, upstreams, areModelsKnown, askedKey } = this.#dependencies;
    const key = await askedKey();
    const variables = areModelsKnown() && key !== null ? await this.variables(setupLabel, key) : null;
    const own = { variables, key, isKeyKept: this.isKeyKept, port: port() };
    return { place: this.place(), env, project, ...own, upstreams: upstreams() };
  }

  /** Why requests of Claude Code are refused here, as it was looked at last; null if nothing is known. */
  get keyProblem(): Problem | null {
    return this.#keyProblem;
  }

  /** Compares the key in Claude Code's settings with ours. Settings with another address or without a key are fine. */
  async lookAtKey(): Promise<void> {
    const look = Symbol();
    this.#keyLook = look;
    const place = this.place();
    const { askedKey, changed } = this.#dependencies;
    const [key, setup] = await Promise.all([askedKey(), readSetup(place)]).catch(() => [null, null] as const);
    const shownKey = setup?.shownKey ?? null;
    const isOther = key !== null && shownKey !== null && shownKey !== key;
    if (this.#keyLook !== look || isOther === (this.#keyProblem !== null)) return;
    const text = otherKey(shownPath(place.settings));
    this.#keyProblem = isOther ? { code: 'other-key', text, remedy: setUpAgain(this.isKeyKept) } : null;
    changed();
  }

  /** Path of a file to show to a person; null if there is no such file. */
  async fileOf(which: KnownFile): Promise<string | null> {
    const { env, project, paths, areModelsKnown } = this.#dependencies;
    const variables = areModelsKnown() ? await this.variables(setupLabel) : {};
    return fileOf(which, { paths, env, project, variables });
  }
}

/** Path of the file that a finding is about; null if it is about none. */
export async function fileOf(
  which: KnownFile,
  around: {
    paths: Paths;
    env: Readonly<Record<string, string | undefined>>;
    project: string | null;
    /** Our lines for Claude Code, as far as they are known. */
    variables: Readonly<Record<string, string>>;
    home?: string;
  },
): Promise<string | null> {
  switch (which) {
    case 'settings':
      return around.paths.settings;
    case 'claude-code':
      return claudeSettingsPath(around.env);
    case 'shell-variable': {
      const home = around.home ?? homedir();
      const found = await findShellVariables({ env: around.env, project: around.project, home }, around.variables);
      return mostTelling(found)?.file?.replace(/^~(?=[\\/])/, () => home) ?? null;
    }
  }
}
