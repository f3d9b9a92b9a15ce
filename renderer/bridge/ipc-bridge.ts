import type { CallAnswer } from '../../app/api/call.ts';
import { callPlaces } from '../../app/api/call-places.ts';
import type { Bridge, BridgeCalls, Preloaded } from './bridge.ts';
import { bridgeCalls } from './bridge-calls.ts';

/**
 * The tray app's bridge: what the preload script offers, with failures as errors again. Its calls are looked up by
 * name at run time, so TypeScript checks no types here.
 */
export function ipcBridge(
  preloaded: Pick<Preloaded, 'listen'> & Partial<Pick<Preloaded, 'pathOf'>>,
  places: Readonly<Record<string, string>> = callPlaces,
): Bridge {
  const carry = (name: string, given: unknown[]): Promise<CallAnswer<unknown>> =>
    Reflect.apply(Reflect.get(preloaded, name), preloaded, given);
  const calls = bridgeCalls(places, 'tray', carry) as BridgeCalls;
  const { listen, pathOf } = preloaded;
  return { ...calls, listen, ...(pathOf !== undefined && { pathOf }) };
}
