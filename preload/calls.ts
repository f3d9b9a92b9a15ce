/** Where a call is made; it has an answer. */
export const callChannel = (name: string): string => `jumpseat:call:${name}`;
/** Sent from main alone. */
export const eventChannel = 'jumpseat:event';

type Carry = (...given: unknown[]) => Promise<unknown>;

/**
 * One narrow function for each call that a window of the tray app may make.
 * @param places the calls by name, with whose window may make them
 */
export function carried(
  places: Readonly<Record<string, string>>,
  invoke: (channel: string, given: unknown[]) => Promise<unknown>,
): Record<string, Carry> {
  const names = Object.keys(places).filter((name) => places[name] !== 'dashboard');
  return Object.fromEntries(
    names.map((name) => {
      const channel = callChannel(name);
      return [name, (...given: unknown[]) => invoke(channel, given)];
    }),
  );
}
