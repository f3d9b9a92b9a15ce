import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { App } from '../app/api/app.ts';
import type { SetupPlace } from '../app/claude-code/setup/plan.ts';
import { readSetup } from '../app/claude-code/setup/read-setup.ts';
import { watchRecord } from '../app/claude-code/setup-record.ts';
import type { Log } from '../app/ports.ts';
import { leftKeys } from '../app/words/setup.ts';
import { settingsChangedNotice, setupNotice, undoneNotice } from './notices/answer-notices.ts';
import type { SystemNotice } from './notices/notice.ts';
import { privateQuestion, type Question, setupQuestion, undoQuestion } from './questions.ts';

interface SetupDependencies {
  app: Pick<App, 'planSetup' | 'applySetup'>;
  place: SetupPlace;
  log: Log;
  ask: (question: Question) => Promise<boolean>;
  notify: (notice: SystemNotice) => void;
  /** Whether Claude Code is set up may have changed. */
  changed: () => void;
}

/** An undo in a terminal writes the settings, then forgets what it wrote: both are done when the file is looked at. */
const settleMs = 1_000;

/** Claude Code's settings.json, as the tray sees it: set it up, undo that, notice changes by other programs. */
export class ClaudeCodeSetup {
  readonly #dependencies: SetupDependencies;
  #isSetup = false;
  #address: 'ours' | 'changed' | 'removed' | 'not-set-up' = 'not-set-up';
  #writing = false;
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopWatchingRecord: (() => void) | null = null;

  constructor(dependencies: SetupDependencies) {
    this.#dependencies = dependencies;
  }

  /** Our keys are in it. */
  get isSetup(): boolean {
    return this.#isSetup;
  }

  async setup(): Promise<void> {
    const { app, ask, notify } = this.#dependencies;
    const plan = await app.planSetup('setup');
    if (!(await ask(setupQuestion(plan)))) return;
    const open = privateQuestion(plan);
    const closes = open !== null && (await ask(open));
    await this.apply(closes && plan.privateId !== null ? plan.privateId : plan.id);
    notify(setupNotice);
  }

  async undo(): Promise<void> {
    const { app, ask, notify } = this.#dependencies;
    const plan = await app.planSetup('undo');
    if (!(await ask(undoQuestion(plan)))) return;
    await this.apply(plan.id);
    notify(undoneNotice(leftKeys(plan)));
  }

  /** A plan that was shown: by the tray's questions, or by the window. */
  apply(id: string): Promise<{ backup: string | null }> {
    return this.#write(() => this.#dependencies.app.applySetup(id));
  }

  /** Looks at the file now and whenever it changes. */
  async start(): Promise<void> {
    await this.#look();
    this.#watch();
    // A first setup makes the folder of the settings, which can't be watched before.
    this.#stopWatchingRecord = watchRecord(this.#dependencies.place.paths.home, () => {
      if (!this.#writing) void this.#look();
      if (this.#watcher === null) this.#watch();
    });
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = null;
    this.#stopWatchingRecord?.();
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#writing = true;
    try {
      const result = await work();
      await this.#look();
      return result;
    } finally {
      this.#writing = false;
      if (this.#watcher === null) this.#watch();
    }
  }

  async #look(): Promise<void> {
    const { place, notify, changed } = this.#dependencies;
    const led = this.#address === 'ours';
    try {
      const { isSetUp, changed: others, env } = await readSetup(place);
      this.#isSetup = isSetUp;
      if (!isSetUp && others.length === 0) this.#address = 'not-set-up';
      else if (!others.includes('ANTHROPIC_BASE_URL')) this.#address = 'ours';
      else this.#address = env.has('ANTHROPIC_BASE_URL') ? 'changed' : 'removed';
    } catch {
      // In the middle of being written, or broken: what was known holds until it can be read.
      return;
    }
    const by = this.#address;
    if (led && (by === 'changed' || by === 'removed') && !this.#writing) notify(settingsChangedNotice(by));
    changed();
  }

  /** The folder, not the file: an atomic write puts a new file in its place. */
  #watch(): void {
    const { settings } = this.#dependencies.place;
    try {
      const watcher = watch(dirname(settings), { persistent: false }, (_kind, name) => {
        if (name !== null && name !== basename(settings)) return;
        if (this.#timer) clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          if (!this.#writing) void this.#look();
        }, settleMs);
      });
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = null;
      });
      this.#watcher = watcher;
    } catch (error) {
      this.#dependencies.log.write('debug', 'claude-code.settings-not-watched', {
        why: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
