import type { App } from '../app/api/app.ts';
import type { SetupPlace } from '../app/claude-code/setup/plan.ts';
import { readSetup } from '../app/claude-code/setup/read-setup.ts';
import { recordPath, watchRecord } from '../app/claude-code/setup-record.ts';
import type { Log } from '../app/ports.ts';
import { FileWatch } from '../app/settings/files.ts';
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
  readonly #settings: FileWatch;
  readonly #record: FileWatch;

  constructor(dependencies: SetupDependencies) {
    this.#dependencies = dependencies;
    const { place, log } = dependencies;
    const look = (): void => {
      if (!this.#writing) void this.#look();
    };
    this.#settings = new FileWatch(place.settings, look, { settleMs, log });
    this.#record = watchRecord(recordPath(place.paths.home), log, () => {
      look();
      // A first setup makes the folder of the settings, which can't be watched before.
      this.#settings.begin();
    });
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
    notify(setupNotice());
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
    this.#settings.begin();
    this.#record.begin();
  }

  close(): void {
    this.#settings.close();
    this.#record.close();
  }

  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#writing = true;
    try {
      const result = await work();
      await this.#look();
      return result;
    } finally {
      this.#writing = false;
      this.#settings.begin();
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
}
