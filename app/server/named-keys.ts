import { createHash, randomBytes } from 'node:crypto';
import { clientLabelSchema } from '../api/account.ts';
import type { AnswersTo } from '../api/app.ts';
import type { keyCalls } from '../api/calls/accounts.ts';
import { namedKeyPrefix, type StoredKey } from '../api/keys.ts';
import { KeyRevoked } from '../exchange/client-call.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { SettingsError } from '../settings/write-settings.ts';
import type { FoundKey } from './door.ts';
import type { RunningCalls } from './take-call.ts';

/** Keys at most: they are a list in settings.json. */
const most = 50;
const dayMs = 86_400_000;

/** Further local keys. settings.json has their hashes; the keys themselves are stored nowhere. */
export class NamedKeys {
  readonly #settings: SettingsStore;
  readonly #clock: Clock;
  readonly #running: RunningCalls;
  #known: ReadonlyMap<string, StoredKey> = new Map();

  constructor(settings: SettingsStore, clock: Clock, running: RunningCalls) {
    this.#settings = settings;
    this.#clock = clock;
    this.#running = running;
    this.#follow();
    settings.onChange(() => this.#follow());
  }

  /** Answers that run with a key that is gone are ended. */
  #follow(): void {
    const known = new Map(this.#settings.current().keys.map((key) => [key.hash, key]));
    const gone = [...this.#known.values()].filter(({ hash }) => !known.has(hash));
    this.#known = known;
    for (const { name } of gone) this.#running.endOf(name, new KeyRevoked(name));
  }

  /** Looked up by its hash, so that the time of it doesn’t say how much of it was right. */
  keyOf(key: string): FoundKey | null {
    if (!key.startsWith(namedKeyPrefix)) return null;
    const found = this.#known.get(hashOf(key));
    if (found === undefined) return null;
    const { name, clients, expiresAt } = found;
    return { name, clients, expiredAt: expiresAt !== null && expiresAt <= this.#clock.now() ? expiresAt : null };
  }

  /** Answers to the calls. `keysUsed`: when the last request with each began. */
  answers(keysUsed: () => ReadonlyMap<string, number>): AnswersTo<typeof keyCalls> {
    return {
      namedKeys: async () => {
        const used = keysUsed();
        return this.#settings.current().keys.map(({ hash: _hash, ...key }) => {
          return { ...key, lastUsedAt: used.get(key.name) ?? null };
        });
      },
      createKey: async ({ name, clients, days }) => {
        for (const label of [name, ...clients]) requireLabel(label);
        const key = `${namedKeyPrefix}${randomBytes(32).toString('base64url')}`;
        const createdAt = this.#clock.now();
        const expiresAt = days === null ? null : createdAt + days * dayMs;
        await this.#update((keys) => {
          const same = keys.find((one) => sameName(one.name, name));
          if (same !== undefined) {
            throw new SettingsError(
              same.name === name
                ? t('There is a key named "{name}" already.', { name })
                : t('There is a key named "{name}" already. Upper and lower case count as the same.', {
                    name: same.name,
                  }),
              t('Choose another name, or revoke that key first.'),
            );
          }
          if (keys.length >= most)
            throw new SettingsError(t('There are {most} keys already.', { most }), t('Revoke one first.'));
          return [...keys, { name, hash: hashOf(key), clients, createdAt, expiresAt }];
        });
        return key;
      },
      revokeKey: async (name) => {
        await this.#update((keys) => {
          const left = keys.filter((one) => !sameName(one.name, name));
          if (left.length === keys.length)
            throw new SettingsError(
              t('There is no key named "{name}".', { name }),
              t('Run "jumpseat keys" for those that there are.'),
            );
          return left;
        });
      },
    };
  }

  /** A list that a person mistyped counts as empty: a change of it would lose the other keys. */
  async #update(change: (keys: readonly StoredKey[]) => StoredKey[]): Promise<void> {
    await this.#settings.update((before, unusable) => {
      if (unusable.has('keys'))
        throw new SettingsError(
          t('The list "keys" in settings.json can’t be used, so nothing was changed.'),
          t('Correct it there, or delete it.'),
        );
      return { keys: change(before.keys) };
    });
  }
}

function requireLabel(label: string): void {
  if (clientLabelSchema.safeParse(label).success) return;
  throw new SettingsError(
    t('“{label}” can’t name a key or a client.', { label }),
    t('Use up to 64 letters, digits, dots, dashes and underscores. Begin with a letter or a digit.'),
  );
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');
