import { createHmac } from 'node:crypto';
import type { Account } from '../../account/account.ts';
import type { Reach } from '../../api/reach.ts';
import type { Catalog } from '../../copilot/catalog.ts';
import type { CopilotClient } from '../../copilot/client.ts';
import type { AutoModels } from '../model/auto-models.ts';

/** With what a request goes out, from its beginning to its end. */
export interface UsedAccount {
  readonly id: string;
  /** Of the account, for the row; null: there is one account, or none of ours. */
  readonly name: string | null;
  /** Through VS Code there is no account of ours: nothing is known of who is signed in there. */
  readonly reach: Reach;
  readonly account: Pick<Account, 'state' | 'quota' | 'usageWindows' | 'servesAuto' | 'githubToken'>;
  readonly client: Pick<CopilotClient, 'send'>;
  readonly catalog: Catalog;
  readonly auto: Pick<AutoModels, 'of' | 'end'>;
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
