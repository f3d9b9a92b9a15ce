import { NoPlace } from './no-place.ts';

/** OpenAI's clients send null for what they leave out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Empty where there is none. Throws `NoPlace` for another type, as the next two do. */
export function listOf(value: unknown, place: string): unknown[] {
  if (!isGiven(value)) return [];
  if (!Array.isArray(value)) throw new NoPlace(place, 'a list is required.');
  return value;
}

export function numberOf(value: unknown, place: string): number | null {
  if (!isGiven(value)) return null;
  if (typeof value !== 'number') throw new NoPlace(place, 'a number is required.');
  return value;
}

/** A text that has to be there. */
export function textOf(value: unknown, place: string): string {
  if (typeof value !== 'string' || value === '') throw new NoPlace(place, 'a string is required.');
  return value;
}
