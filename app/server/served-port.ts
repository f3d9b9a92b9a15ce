import type { Problem } from '../api/call.ts';
import { t } from '../language/translate.ts';
import type { Paths } from '../ports.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { LocalProxy } from './local-proxy.ts';
import { isTaken } from './lock.ts';
import { runningProxy } from './running-proxy.ts';
import { addressOf, readLock } from './who-answers.ts';

interface ServedPortDependencies {
  /** JUMPSEAT_PORT; the settings' port counts where this is null. */
  fixed: number | null;
  /** The port where neither settings nor variables name another one. */
  fallback: number;
  settings: SettingsStore;
  paths: Pick<Paths, 'lock'>;
  proxy: LocalProxy;
}

/** The port that the proxy is or would be served on, and who chose it. */
export class ServedPort {
  readonly #dependencies: ServedPortDependencies;
  /** What listens took its port from the settings, and not from a variable, an option or a test. */
  isFromSettings = false;

  constructor(dependencies: ServedPortDependencies) {
    this.#dependencies = dependencies;
  }

  get isFixed(): boolean {
    return this.#dependencies.fixed !== null;
  }

  /** The one that the next start takes. */
  chosen(): number {
    return this.#dependencies.fixed ?? this.#fromSettings();
  }

  /** The one of this process: that is served, or would be. */
  here(): number {
    return this.#serving()?.port ?? this.chosen();
  }

  /**
   * Where clients find the proxy of this folder, in whichever process it runs, as far as that is known without asking.
   */
  forClients(): number {
    const { paths } = this.#dependencies;
    return this.#serving()?.port ?? readLock(paths.lock)?.port ?? this.chosen();
  }

  /** Where clients find the proxy of this folder, or would find one. A stopped process still has its port. */
  async baseUrl(): Promise<string> {
    const { fixed, paths } = this.#dependencies;
    const owner = isTaken(paths.lock) ? readLock(paths.lock) : null;
    if (this.#serving() === null && owner !== null) return addressOf(owner.port);
    const running = this.#serving() ?? (await runningProxy(paths.lock));
    // Port 0 takes a free one: which, only a start will tell.
    return running?.baseUrl ?? addressOf(fixed || this.#fromSettings());
  }

  /** The settings' port, which holds from the next start on: saving a file must not cut connections. */
  warnings(): Problem[] {
    const serving = this.#serving();
    const port = this.#fromSettings();
    if (serving === null || !this.isFromSettings || serving.port === port) return [];
    return [
      {
        code: 'settings-wait',
        text: t(
          'settings.json says port {port}. The proxy stays on {port2} until it starts again, and ' +
            'Claude Code with it.',
          { port, port2: serving.port },
        ),
        remedy: t(
          'Turn the proxy off and on in the window, or restart "jumpseat serve". Then set up Claude Code again.',
        ),
      },
    ];
  }

  #serving(): LocalProxy['serving'] {
    return this.#dependencies.proxy.serving;
  }

  #fromSettings(): number {
    const { settings, fallback } = this.#dependencies;
    return settings.current().port ?? fallback;
  }
}
