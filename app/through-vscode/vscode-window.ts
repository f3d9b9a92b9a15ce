import { readBody } from '../account/read-response.ts';
import type { WindowState } from '../api/account.ts';
import { parseObject } from '../formats/wire/json.ts';
import type { Dialer, HideSecret, Log } from '../ports.ts';
import { newChallenge } from '../server/who-answers.ts';
import { findWindow, type ServedWindow } from './served-window.ts';

interface VscodeWindowDependencies {
  /** Path of `vscode.json`. */
  path: string;
  dialer: Dialer;
  log: Log;
  hideSecret: HideSecret;
  /** The state is another one. */
  changed(): void;
  /** The window that served does so no more: what it said is not true any more. */
  windowChanged(): void;
  /** For tests. */
  lookEveryMs?: number;
}

const lookEveryMs = 3000;
const answersWithinMs = 2000;
const largestHealth = 16 * 1024;

/**
 * The window of VS Code that serves, found by the file in Jumpseat's folder and asked how it is. It is looked for only
 * while requests go through it; its answer comes from what it knows, so that neither Copilot nor the person is asked.
 */
export class VscodeWindow {
  readonly #dependencies: VscodeWindowDependencies;
  #state: WindowState = { kind: 'unknown' };
  /** The last one that answered. */
  #known: ServedWindow | null = null;
  #looking: Promise<WindowState> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(dependencies: VscodeWindowDependencies) {
    this.#dependencies = dependencies;
  }

  state(): WindowState {
    return this.#state;
  }

  /** Looks again and again, or no more. */
  watch(isWanted: boolean): void {
    if (isWanted === (this.#timer !== null)) return;
    if (!isWanted) {
      this.close();
      this.#forget();
      this.#become({ kind: 'unknown' });
      return;
    }
    this.#timer = setInterval(() => void this.look(), this.#dependencies.lookEveryMs ?? lookEveryMs);
    this.#timer.unref();
    void this.look();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Never rejects. */
  look(): Promise<WindowState> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Where a request goes now; null: nowhere. One that was not seen before is asked first whether it is ours. */
  async door(): Promise<ServedWindow | null> {
    const found = findWindow(this.#dependencies.path);
    if (found.kind === 'found' && isSame(found.window, this.#known)) return this.#known;
    await this.look();
    return this.#known;
  }

  /** Called when no program answered there. */
  lost(window: ServedWindow): void {
    if (!isSame(window, this.#known)) return;
    this.#forget();
    this.#become({ kind: 'absent' });
  }

  /** Where none was known, nothing is known of it that has to go: the first request may wait for this. */
  #forget(): void {
    if (this.#known === null) return;
    this.#known = null;
    this.#dependencies.windowChanged();
  }

  async #look(): Promise<WindowState> {
    const found = findWindow(this.#dependencies.path);
    if (found.kind !== 'found') {
      this.#forget();
      return this.#become(found);
    }
    const { window } = found;
    this.#dependencies.hideSecret(window.key, 'kept');
    const state = await this.#ask(window);
    if (state === null) {
      this.#forget();
      return this.#become({ kind: 'absent' });
    }
    if (!isSame(window, this.#known)) this.#forget();
    this.#known = window;
    return this.#become(state);
  }

  /** Null: what answers there doesn't know the key. It proves that; the key is not shown for it. */
  async #ask({ port, key }: ServedWindow): Promise<WindowState | null> {
    const { headers, isProved } = newChallenge({ port, secret: key });
    try {
      const { response } = await this.#dependencies.dialer.dial({
        url: new URL(`http://127.0.0.1:${port}/healthz`),
        method: 'GET',
        headers: { Accept: 'application/json', ...headers },
        headTimeoutMs: answersWithinMs,
        idleTimeoutMs: answersWithinMs,
      });
      const body = await readBody(response, largestHealth, answersWithinMs);
      if (response.statusCode !== 200 || !isProved(response.headers)) return null;
      const said = body.kind === 'whole' ? parseObject(body.text) : null;
      if (said === null || typeof said.version !== 'string') return null;
      const { version, reason } = said;
      if (said.copilot === 'ok') return { kind: 'serving', port, version };
      return { kind: reason === 'consent_required' ? 'no-consent' : 'no-copilot', port, version };
    } catch {
      return null;
    }
  }

  #become(state: WindowState): WindowState {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return this.#state;
    this.#dependencies.log.write('info', 'vscode.window', { state: state.kind, before: this.#state.kind });
    this.#state = state;
    this.#dependencies.changed();
    return state;
  }
}

function isSame(one: ServedWindow, other: ServedWindow | null): other is ServedWindow {
  return other !== null && one.port === other.port && one.pid === other.pid && one.key === other.key;
}
