import type { App } from '../../app/api/app.ts';
import type { AppEvent } from '../../app/api/events.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { AppState } from '../../app/api/state.ts';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { statusLineWords } from '../../app/words/status.ts';

interface FigureDependencies {
  app: Pick<App, 'costOfToday'>;
  chosen: () => Preferences['trayFigure'];
  /** It is another one. */
  changed: () => void;
}

/** The figure that a person has pinned to the tray, in the words of the status line. */
export class PinnedFigure {
  readonly #dependencies: FigureDependencies;
  #today: Awaited<ReturnType<App['costOfToday']>> | null = null;
  #reading: 'no' | 'once' | 'again' = 'no';

  constructor(dependencies: FigureDependencies) {
    this.#dependencies = dependencies;
  }

  /** `2,002 credits left`, `31.07 today`; null if there is none, or it isn’t known. */
  words({ quota, reach }: Pick<AppState, 'quota' | 'reach'>): string | null {
    const figure = this.#dependencies.chosen();
    if (figure === 'none') return null;
    const known = {
      ...{ problem: null, conversation: null, limits: [], today: this.#today },
      quota: reach.kind === 'through-vscode' ? null : quota,
    };
    return inFrontLanguage(() => statusLineWords(known)[figure]);
  }

  /** It costs something to know: it is asked for where a request has ended, or something else is shown. */
  see(event: AppEvent): void {
    if (event.event === 'exchange' ? event.exchange.outcome !== 'running' : event.event === 'state') this.read();
  }

  read(): void {
    // Nothing is asked for who wants none; what is left stands in the state.
    if (this.#dependencies.chosen() !== 'today') return;
    if (this.#reading !== 'no') this.#reading = 'again';
    else void this.#read();
  }

  async #read(): Promise<void> {
    const { app, changed } = this.#dependencies;
    do {
      this.#reading = 'once';
      const today = await app.costOfToday().catch(() => null);
      if (JSON.stringify(today) === JSON.stringify(this.#today)) continue;
      this.#today = today;
      changed();
    } while (this.#isAgain());
    this.#reading = 'no';
  }

  #isAgain(): boolean {
    return this.#reading === 'again';
  }
}
