import type { GoneModel } from '../../api/models.ts';
import type { ModelRule } from '../../api/rules.ts';
import type { Catalog } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { History } from '../../history/history.ts';
import type { Clock } from '../../ports.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { autoName, hiddenMeant, resolveModel, resolveTarget } from './resolve.ts';

/** Models that are in use, or that a rule names, and not in the catalog. Pure. */
export function goneModels(
  models: readonly CatalogModel[],
  overrides: Record<string, string>,
  /** What requests ran on of late, and what they had asked for. */
  used: readonly { model: string; asked: string }[],
  rules: readonly ModelRule[] = [],
): GoneModel[] {
  const known = new Set(models.map(({ id }) => id.toLowerCase()));
  const overridden = Object.entries(overrides).map(([asked, model]) => ({ asked, model }));
  // An override may name a family, or a model in another spelling: then it still names a model.
  const leadsNowhere = ({ asked, model }: { asked: string; model: string }): boolean => {
    if (model === autoName) return false;
    const choice = resolveModel(asked.replace(/\*$/, ''), models, { overrides, longContext: false });
    return !choice.ok && choice.because === 'missing';
  };
  const byRule = rules.flatMap((rule, at) => goneOfRule(rule, at + 1, models));
  // Requests ran on it by the rule, which is what has to change.
  const ofRules = new Set(byRule.map(({ model }) => model.toLowerCase()));
  const gone = new Map<string, GoneModel>();
  for (const one of [...used, ...overridden.filter(leadsNowhere)]) {
    const { model, asked } = one;
    if (known.has(model.toLowerCase()) || ofRules.has(model.toLowerCase()) || gone.has(model)) continue;
    const choice = resolveModel(asked, models, { overrides, longContext: false });
    gone.set(model, { model, asked, runsOn: choice.ok ? choice.model.id : null, ...whoHides(model, models) });
  }
  return [...gone.values(), ...byRule];
}

function whoHides(model: string, models: readonly CatalogModel[]): Pick<GoneModel, 'notAllowedBy'> {
  const hidden = hiddenMeant(model, models);
  return hidden === null ? {} : { notAllowedBy: hidden.by };
}

/** A rule with another account names models of that account's catalog. */
function goneOfRule({ use }: ModelRule, rule: number, models: readonly CatalogModel[]): GoneModel[] {
  if (use.account !== undefined) return [];
  return [use.model, use.fallback].flatMap((model) => {
    if (model === undefined || model.toLowerCase() === autoName) return [];
    const choice = resolveTarget(model, models);
    return choice.ok || choice.because === 'disabled'
      ? []
      : [{ model, asked: model, runsOn: null, rule, ...whoHides(model, models) }];
  });
}

interface GoneWatchDependencies {
  /** Catalog of the account in use. */
  catalog(): Catalog;
  settings: SettingsStore;
  history: History;
  clock: Pick<Clock, 'now'>;
  changed(): void;
}

/** Models in use that the last catalog does not have. */
export class GoneWatch {
  readonly #dependencies: GoneWatchDependencies;
  #gone: GoneModel[] = [];
  #isDue = false;

  constructor(dependencies: GoneWatchDependencies) {
    this.#dependencies = dependencies;
  }

  get gone(): GoneModel[] {
    return this.#gone;
  }

  /** After what is going on: a request may be waiting for the catalog. */
  look(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const models = this.#dependencies.catalog().known();
      const { modelOverrides: overrides, models: chosen } = this.#dependencies.settings.current();
      this.#gone = models === null ? [] : goneModels(models, overrides, this.#usedModels(), chosen.rules);
      this.#dependencies.changed();
    });
  }

  #usedModels(): { model: string; asked: string }[] {
    try {
      return this.#dependencies.history.usedModels(this.#dependencies.clock.now() - namesInUseMs);
    } catch {
      return [];
    }
  }
}

/** A name counts as in use for this long after its last request. */
export const namesInUseMs = 30 * 24 * 60 * 60_000;
