import type { GoneModel } from '../../api/models.ts';
import type { Catalog } from '../../copilot/catalog.ts';
import type { History } from '../../history/history.ts';
import type { Clock } from '../../ports.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { goneModels } from './gone-models.ts';
import { namesInUseMs } from './names-in-use.ts';

export interface GoneWatchDependencies {
  /** Of the account in use. */
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
      const overrides = this.#dependencies.settings.current().modelOverrides;
      this.#gone = models === null ? [] : goneModels(models, overrides, this.#usedModels());
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
