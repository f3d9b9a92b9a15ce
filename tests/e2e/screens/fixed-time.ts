/** Friday, 20 Nov 2026, 10:42:07 in Berlin: the same for the app, the simulator and the page. */
export const zone = 'Europe/Berlin';
export const now = Date.parse('2026-11-20T10:42:07+01:00');

/** From now on it is that time in this process; timers go on as they do. */
export function standStill(): void {
  process.env.TZ = zone;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now] : given),
    get: (target, name) => (name === 'now' ? () => now : Reflect.get(target, name)),
  });
}
