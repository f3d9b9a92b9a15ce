import type { Client } from '../client.ts';
import type { Figure } from '../figures.ts';
import type { Bench } from '../processes.ts';

export interface Surroundings {
  bench: Bench;
  client: Client;
  /** A shorter run, for a first impression. */
  quick: boolean;
}

/** One part of the benchmark. Asked again when a figure misses its limit, since other programs share the machine. */
export interface Measure {
  title: string;
  run(surroundings: Surroundings): Promise<Figure[]>;
}

/** Turns the order round every other time, so that what drifts meets all alike. */
export async function alternate<T>(
  things: readonly T[],
  round: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  for (const thing of round % 2 === 0 ? things : [...things].reverse()) await work(thing);
}
