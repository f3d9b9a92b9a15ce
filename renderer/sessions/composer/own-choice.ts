import type { OfferedMode, SessionOffers } from '../../../app/api/session-surroundings.ts';
import { modeName } from './modes.ts';

/** What `/model` is to choose by the words behind it; null: they name none that is offered. */
export function namedModel(offers: Pick<SessionOffers, 'models'> | null, words: string): string | null {
  const wanted = words.toLowerCase();
  const offered = offers?.models ?? [];
  const found = offered.find(({ id }) => id.toLowerCase() === wanted) ?? offered.find(({ model }) => model === wanted);
  return found?.id ?? null;
}

/** What `/permissions` is to choose by the words behind it, by its id or as it is shown. */
export function namedMode(offers: Pick<SessionOffers, 'modes'> | null, words: string): OfferedMode | null {
  const wanted = words.toLowerCase();
  const names = (mode: OfferedMode): string[] => [mode.id, modeName(mode)];
  const found = offers?.modes.find((mode) => names(mode).some((name) => name.toLowerCase() === wanted));
  return found === undefined || found.refusal !== null ? null : found;
}
