import { createHmac } from 'node:crypto';
import type { Account } from '../account/account.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { CopilotClient } from '../copilot/client.ts';
import type { AutoModels } from './model/auto-models.ts';

/** The account that a request goes out with, from its beginning to its end. */
export interface UsedAccount {
  readonly id: string;
  /** For the row; null: there is one account. */
  readonly name: string | null;
  readonly account: Account;
  readonly client: CopilotClient;
  readonly catalog: Catalog;
  readonly auto: AutoModels;
}

/**
 * The salts of the ledger's keys: what one account has accepted is nothing to another one, which counts a prompt that
 * it sees for the first time as a person's.
 */
export class AccountSalts {
  readonly #salt: () => Buffer;
  readonly #first: string;
  readonly #made = new Map<string, Buffer>();
  #madeOf: Buffer | null = null;

  /**
   * @param salt another one where another file was opened
   * @param first the id of the account whose keys are those of a time with one account
   */
  constructor(salt: () => Buffer, first: string) {
    this.#salt = salt;
    this.#first = first;
  }

  /** The same object for the same account. */
  of(id: string): Buffer {
    const of = this.#salt();
    if (id === this.#first) return of;
    if (of !== this.#madeOf) this.#made.clear();
    this.#madeOf = of;
    let salt = this.#made.get(id);
    if (salt === undefined) {
      salt = createHmac('sha256', of).update(id).digest();
      this.#made.set(id, salt);
    }
    return salt;
  }
}
