import type { FitNote } from '../../api/exchange.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { refuseModel } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';
import { type AbsenceContext, absenceOfName } from './absence.ts';
import { type ModelOptions, resolveModel } from './resolve.ts';

/**
 * The model that a name means, and what the log says where another one than the named was taken. Throws `Stopped` where
 * it means none.
 */
export function namedModel(
  asked: string,
  models: readonly CatalogModel[],
  options: ModelOptions & { offered: readonly string[]; absence(): AbsenceContext },
): { model: CatalogModel; note: FitNote | null } {
  const choice = resolveModel(asked, models, options);
  if (!choice.ok) throw new Stopped(refuseModel(absenceOfName(choice, options.absence()), options.offered));
  const { model, note, because } = choice;
  // That a name is spelled another way is said by the fit that sends it; why another model was taken is said here.
  const isSaid = note !== null && because !== 'same';
  return { model, note: isSaid ? { code: `model-${because}`, count: 1, text: note } : null };
}
