import { createHmac } from 'node:crypto';
import type { Account } from '../account/account.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { CopilotClient } from '../copilot/client.ts';

/** The account that a request goes out with, from its beginning to its end. */
export interface UsedAccount {
  readonly id: string;
  /** For the row; null: there is one account. */
  readonly name: string | null;
  readonly account: Account;
  readonly client: CopilotClient;
  readonly catalog: Catalog;
}

/**
 * The salts of the ledger's keys: what one account has accepted is nothing to another one, which counts a prompt that
 * it sees for the first time as a person's.
 */
export class AccountSalts {
  readonly #salt: Buffer;
  readonly #first: string;
  readonly #made = new Map<string, Buffer>();

  /** @param first the id of the account whose keys are those of a time with one account */
  constructor(salt: Buffer, first: string) {
    this.#salt = salt;
    this.#first = first;
  }

  /** The same object for the same account. */
  of(id: string): Buffer {
    if (id === this.#first) return this.#salt;
    let salt = this.#made.get(id);
    if (salt === undefined) {
      salt = createHmac('sha256', this.#salt).update(id).digest();
      this.#made.set(id, salt);
    }
    return salt;
  }
}
