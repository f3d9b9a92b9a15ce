import type { App } from '../../app/api/app.ts';
import type { AppEvent } from '../../app/api/events.ts';
import type { Preferences } from '../../app/api/settings.ts';

interface FigureDependencies {
  app: Pick<App, 'statusLine'>;
  chosen: () => Preferences['trayFigure'];
  /** It is another one. */
  changed: () => void;
}

/** The figure that a person has pinned to the tray, in the words of the status line. */
export class PinnedFigure {
  readonly #dependencies: FigureDependencies;
  #words: string | null = null;
  #reading: 'no' | 'once' | 'again' = 'no';

  constructor(dependencies: FigureDependencies) {
    this.#dependencies = dependencies;
  }

  /** `2,002 credits left`, `31.07 today`; null if there is none, or it isn’t known. */
  get words(): string | null {
    return this.#words;
  }

  /** It costs something to know: it is asked for where a request has ended, or something else is shown. */
  see(event: AppEvent): void {
    if (event.event === 'exchange' ? event.exchange.outcome !== 'running' : event.event === 'state') this.read();
  }

  read(): void {
    if (this.#reading !== 'no') this.#reading = 'again';
    else void this.#read();
  }

  async #read(): Promise<void> {
    const { app, changed, chosen } = this.#dependencies;
    do {
      this.#reading = 'once';
      const figure = chosen();
      // Nothing is asked for who wants none.
      const line = figure === 'none' ? null : await app.statusLine(null).catch(() => null);
      const words = figure === 'none' ? null : (line?.[figure] ?? null);
      if (words === this.#words) continue;
      this.#words = words;
      changed();
    } while (this.#isAgain());
    this.#reading = 'no';
  }

  #isAgain(): boolean {
    return this.#reading === 'again';
  }
}
