import { calls } from './calls.ts';

/**
 * Every call by name, with whose window may make it. The build puts the value in place of this file where window and
 * preload ask for it: they need no schema (vite.config.ts).
 */
export const callPlaces = Object.fromEntries(Object.entries(calls).map(([name, { from }]) => [name, from]));
