import type { KeyedEngine, SearchKeyState } from '../api/search.ts';
import { keyedSearchEngineNames } from '../api/search-engines.ts';
import { t } from '../language/translate.ts';
import type { SecretName, Secrets } from '../ports.ts';
import { FixedFromOutsideError } from '../settings/write-settings.ts';
import { keyProblem, keyVariable } from './from-outside.ts';

interface SearchKeysDependencies {
  secrets: Secrets;
  /** Keys from the environment; never stored. */
  outside: Readonly<Partial<Record<KeyedEngine, string>>>;
  hideSecret(value: string): void;
  changed(): void;
}

function secretOf(engine: KeyedEngine): SecretName {
  return `${engine}-key`;
}

/** A key that can't be one. `message` says why, and never the key. */
class SearchKeyError extends Error {
  override readonly name = 'SearchKeyError';
  readonly remedy = t('Copy it from the engine’s own page, in one piece.');
}

/**
 * The person's own keys for engines: beside the token, or from the environment, and never in settings.json. Which of
 * them an engine has refused is known until the end of the process.
 */
export class SearchKeys {
  readonly #dependencies: SearchKeysDependencies;
  readonly #refused = new Map<KeyedEngine, string>();

  constructor(dependencies: SearchKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** Rejects with `SecretsError`. */
  async get(engine: KeyedEngine): Promise<string | null> {
    const { outside, secrets } = this.#dependencies;
    return outside[engine] ?? ((await secrets.get(secretOf(engine))) || null);
  }

  /**
   * Null takes it away. Rejects with `SearchKeyError`, `FixedFromOutsideError` or `SecretsError`; then nothing changed.
   */
  async set(engine: KeyedEngine, key: string | null): Promise<void> {
    const { outside, secrets, hideSecret, changed } = this.#dependencies;
    const variable = keyVariable(engine);
    const secret = secretOf(engine);
    if (outside[engine] !== undefined)
      throw new FixedFromOutsideError(
        t('The key comes from {variable}.', { variable }),
        t('Unset {variable} to enter one here.', { variable }),
      );
    const given = key?.trim() ?? null;
    if (given === null || given === '') await secrets.delete(secret);
    else {
      const problem = keyProblem(given);
      if (problem !== null) throw new SearchKeyError(problem);
      hideSecret(given);
      await secrets.set(secret, given);
    }
    this.#refused.delete(engine);
    changed();
  }

  /** An engine has answered a request with its key. */
  async was(engine: KeyedEngine, good: boolean): Promise<void> {
    const key = await this.get(engine).catch(() => null);
    if (good || key === null) this.#refused.delete(engine);
    else this.#refused.set(engine, key);
  }

  async states(): Promise<Record<KeyedEngine, SearchKeyState>> {
    const states = await Promise.all(
      keyedSearchEngineNames.map(async (name) => [name, await this.state(name)] as const),
    );
    return Object.fromEntries(states) as Record<KeyedEngine, SearchKeyState>;
  }

  /** What is known of it without asking the engine. A store that can't be read has none. */
  async state(engine: KeyedEngine): Promise<SearchKeyState> {
    const key = await this.get(engine).catch(() => null);
    if (key === null) return 'none';
    if (this.#refused.get(engine) === key) return 'refused';
    return this.#dependencies.outside[engine] === undefined ? 'kept' : 'environment';
  }
}
