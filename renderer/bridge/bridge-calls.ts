import type { CallAnswer } from '../../app/api/call.ts';
import { BridgeError } from './bridge.ts';

type Call = (...given: unknown[]) => Promise<unknown>;

/**
 * A function for each call of the table that this front's window may make, and null for the others.
 * @param places the calls by name, with whose window may make them
 * @param carry brings a call to the app and its answer back
 */
export function bridgeCalls(
  places: Readonly<Record<string, string>>,
  front: 'tray' | 'dashboard',
  carry: (name: string, given: unknown[]) => Promise<CallAnswer<unknown>>,
): Record<string, Call | null> {
  const call =
    (name: string): Call =>
    async (...given) => {
      const answer = await carry(name, given);
      if (answer.ok) return answer.value;
      throw new BridgeError(answer.problem);
    };
  return Object.fromEntries(
    Object.entries(places).map(([name, from]) => [name, from === 'both' || from === front ? call(name) : null]),
  );
}
