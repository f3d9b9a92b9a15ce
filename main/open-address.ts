import { mayOpenConfirmed } from './pages.ts';

/** An address that a person wanted to see isn't opened. It is in no text of this: texts are logged. */
class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  readonly mend = 'Copy it, and open it yourself if you trust it.';
}

/** Opens what a person confirmed, and exactly that, with the system's own program for it. */
export async function openAddress(address: string, open: (address: string) => Promise<void>): Promise<void> {
  if (!mayOpenConfirmed(address)) throw new NotOpenedError('This address isn’t one that is opened from here.');
  try {
    await open(address);
  } catch {
    throw new NotOpenedError('The system has no program that opens this address.');
  }
}
