import { mayOpenConfirmed, notOpened } from '../app/words/confirmed-address.ts';

/** An address that a person wanted to see isn't opened. It is in no text of this: texts are logged. */
class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  readonly mend = notOpened.mend;
}

/** Opens what a person confirmed, and exactly that, with the system's own program for it. */
export async function openAddress(address: string, open: (address: string) => Promise<void>): Promise<void> {
  if (!mayOpenConfirmed(address)) throw new NotOpenedError(notOpened.text);
  try {
    await open(address);
  } catch {
    throw new NotOpenedError('The system has no program that opens this address.');
  }
}
