import type { OwnAccount } from '../../api/account.ts';
import type { App } from '../../api/app.ts';
import { accountName } from '../../words/account.ts';
import type { Terminal } from '../terminal.ts';
import { accountNamed } from './accounts.ts';

/** Where `--account` signs in. */
export interface SignInPlace {
  id: string;
  name: string;
  /** It was made for this sign-in, and goes with it where that comes to nothing. */
  isNew: boolean;
}

export async function placeFor(app: App, name: string): Promise<SignInPlace> {
  const known = accountNamed(app.state().accounts, name);
  if (known !== null) return { id: known.id, name: known.name, isNew: false };
  return { id: await app.addAccount(name), name: name.trim(), isNew: true };
}

export async function leavePlace(app: App, { id, isNew }: SignInPlace): Promise<void> {
  if (isNew) await app.removeAccount(id);
}

export function sayPlace({ out, style }: Pick<Terminal, 'out' | 'style'>, account: OwnAccount): void {
  const who = accountName(account.state);
  out(`${style('green', `Signed in${who === null ? '' : ` as ${who}`}.`)} The account is ${account.name}.`);
  if (account.isInUse) out('Next: run "jumpseat serve".');
  else out(`Next: run "jumpseat accounts use ${account.name}", or "jumpseat accounts bind ${account.name} LABEL".`);
}
