import type { GoneModel } from '../../api/models.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { autoName, resolveModel } from './resolve.ts';

/** Models that are in use and no longer in the catalog. Pure. */
export function goneModels(
  models: readonly CatalogModel[],
  overrides: Record<string, string>,
  /** What requests ran on of late, and what they had asked for. */
  used: readonly { model: string; asked: string }[],
): GoneModel[] {
  const known = new Set(models.map(({ id }) => id.toLowerCase()));
  const overridden = Object.entries(overrides).map(([asked, model]) => ({ asked, model }));
  // An override may name a family, or a model in another spelling: then it still names a model.
  const leadsNowhere = ({ asked, model }: { asked: string; model: string }): boolean => {
    if (model === autoName) return false;
    const choice = resolveModel(asked.replace(/\*$/, ''), models, { overrides, longContext: false });
    return !choice.ok && choice.because === 'missing';
  };
  const gone = new Map<string, GoneModel>();
  for (const one of [...used, ...overridden.filter(leadsNowhere)]) {
    const { model, asked } = one;
    if (known.has(model.toLowerCase()) || gone.has(model)) continue;
    const choice = resolveModel(asked, models, { overrides, longContext: false });
    gone.set(model, { model, asked, runsOn: choice.ok ? choice.model.id : null });
  }
  return [...gone.values()];
}
