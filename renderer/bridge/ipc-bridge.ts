import type { CallAnswer } from '../../app/api/call.ts';
import { callPlaces } from '../../app/api/call-places.ts';
import { onLanguage, shownLanguage } from '../../app/language/language.ts';
import type { Bridge, BridgeCalls, Preloaded } from './bridge.ts';
import { bridgeCalls } from './bridge-calls.ts';

/**
 * The tray app's bridge: what the preload script offers, with failures as errors again. Its calls are looked up by
 * name at run time, so TypeScript checks no types here.
 */
export function ipcBridge(
  preloaded: Pick<Preloaded, 'listen'> & Partial<Pick<Preloaded, 'pathOf' | 'speak'>>,
  places: Readonly<Record<string, string>> = callPlaces,
): Bridge {
  const { pathOf, speak } = preloaded;
  const carry = (name: string, given: unknown[]): Promise<CallAnswer<unknown>> => {
    speak?.(shownLanguage().tag);
    return Reflect.apply(Reflect.get(preloaded, name), preloaded, given);
  };
  const calls = bridgeCalls(places, 'tray', carry) as BridgeCalls;
  const listen: Bridge['listen'] = (listener, connected) => {
    const stop = preloaded.listen(listener);
    // Events come in the new language once a call has named it. What was sent before is asked for again.
    const stopLanguage = onLanguage(() => {
      void calls.state().then(
        (state) => {
          listener({ event: 'state', state });
          connected?.(true);
        },
        () => undefined,
      );
    });
    return () => {
      stopLanguage();
      stop();
    };
  };
  return { ...calls, listen, ...(pathOf !== undefined && { pathOf }) };
}
