import type { ClientError } from './client-error.ts';

/** A step that cannot go on: thrown by any step of an exchange, answered at one place. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly error: ClientError;
  constructor(error: ClientError) {
    super(error.message);
    this.error = error;
  }
}

/** What `step` makes, or null where it stops. */
export function unlessStopped<In, Out>(step: (given: In) => Out): (given: In) => Out | null {
  return (given) => {
    try {
      return step(given);
    } catch (error) {
      if (error instanceof Stopped) return null;
      throw error;
    }
  };
}
