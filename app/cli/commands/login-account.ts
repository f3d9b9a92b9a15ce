import type { OwnAccount } from '../../api/account.ts';
import type { App } from '../../api/app.ts';
import { accountNamed } from './accounts.ts';

/** Where `--account` signs in. */
export interface SignInPlace {
  id: string;
  /** It was made for this sign-in, and goes with it where that comes to nothing. */
  isNew: boolean;
}

export async function placeFor(app: App, name: string): Promise<SignInPlace> {
  const known = accountNamed(app.state().accounts, name);
  if (known !== null) return { id: known.id, isNew: false };
  return { id: await app.addAccount(name), isNew: true };
}

export async function leavePlace(app: App, { id, isNew }: SignInPlace): Promise<void> {
  if (isNew) await app.removeAccount(id);
}

/** What makes requests go out with it. */
export function nextFor({ isInUse, name }: Pick<OwnAccount, 'isInUse' | 'name'>, isServing: boolean): string {
  if (isInUse) return isServing ? 'run "claude". Jumpseat is already running.' : 'run "jumpseat serve".';
  return `run "jumpseat accounts use ${name}", or "jumpseat accounts bind ${name} LABEL".`;
}
