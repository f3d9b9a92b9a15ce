import type { Clock, Log } from '../app/ports.ts';
import { Bridge } from './bridge.ts';
import { Consent } from './consent.ts';
import type { Editor } from './editor.ts';
import { copyables, environmentFor } from './environment.ts';
import { LmExchange } from './exchange.ts';
import { HandOver } from './hand-over.ts';
import { type LmModel, offeredModels } from './models.ts';
import { copilotHealth, logLine, type Status, statusBar } from './status.ts';

export interface JumpseatDependencies {
  editor: Editor;
  /** Jumpseat's folder. */
  folder: string;
  clock: Clock;
  /** Process id of this window's extensions. */
  pid: number;
  /** For tests. */
  lookEveryMs?: number;
  /** For tests. */
  consentWithinMs?: number;
}

const copyButton = 'Copy Environment';
const logButton = 'Show Log';
const keyRequired = `Clients need the key, which “${copyButton}” copies.`;

/** The extension without VS Code: what its commands do, and what follows from a change of settings or models. */
export class Jumpseat {
  readonly #editor: Editor;
  readonly #consent: Consent;
  readonly #bridge: Bridge;
  /** Null until VS Code is asked. */
  #models: readonly LmModel[] | null = null;
  /** The last question of VS Code for its models; null: forgotten since. */
  #asking: symbol | null = null;
  #requests = 0;
  #running = 0;
  #port: number;
  /** What terminals were given last, as JSON. */
  #terminals = '';

  constructor({ editor, folder, clock, pid, lookEveryMs, consentWithinMs }: JumpseatDependencies) {
    this.#editor = editor;
    this.#port = editor.settings().port;
    const changed = (): void => this.#show();
    this.#consent = new Consent({
      wasGiven: editor.wasAllowed(),
      remember: (given) => editor.rememberAllowed(given),
      changed,
      ...(consentWithinMs === undefined ? {} : { withinMs: consentWithinMs }),
    });
    const models = (): Promise<readonly LmModel[]> => this.#offered();
    const exchange = new LmExchange({
      classes: editor.classes,
      consent: this.#consent,
      settings: () => editor.settings(),
      window: editor.window,
      now: () => clock.now(),
      models,
      forgetModels: () => this.#forgetModels(),
      begun: () => {
        this.#running += 1;
        this.#show();
      },
      done: (line) => {
        this.#running -= 1;
        this.#requests += 1;
        editor.log(logLine(line, editor.settings().verbose));
        this.#show();
      },
    });
    this.#bridge = new Bridge({
      version: editor.version,
      window: editor.window,
      handOver: new HandOver(folder),
      health: () => copilotHealth(this.#status()),
      readKey: () => editor.readKey(),
      keepKey: (key) => editor.keepKey(key),
      port: () => editor.settings().port,
      lastPort: () => editor.lastPort(),
      rememberPort: (port) => editor.rememberPort(port),
      log: logTo(editor),
      logState: (line) => editor.log(line),
      ...{ exchange, models, clock, changed, pid, ...(lookEveryMs === undefined ? {} : { lookEveryMs }) },
    });
  }

  /** When VS Code has started. Asks the person nothing. */
  async activate(): Promise<void> {
    if (this.#editor.settings().enabled) await this.#start();
  }

  async deactivate(): Promise<void> {
    await this.#bridge.stop();
  }

  /** The command: switches it on, and asks for the consent while the person is looking. */
  async enable(): Promise<void> {
    const { window } = this.#editor;
    await this.#editor.setEnabled(true);
    await this.#start();
    const { state } = this.#bridge;
    if (state.kind === 'problem') {
      await this.#tell('warning', `${state.text} ${state.remedy}`, logButton);
      return;
    }
    const [model] = await this.#offered();
    if (model === undefined) {
      const remedy = 'Sign in to GitHub Copilot, then run “Jumpseat: Enable” again.';
      await this.#tell('warning', `VS Code offers no Copilot model in ${window}. ${remedy}`);
      return;
    }
    const consent = await this.#consent.ask(model);
    if (consent === 'refused') {
      const remedy = 'Run “Jumpseat: Enable” again and press Allow, or switch it off with “Jumpseat: Disable”.';
      await this.#tell('warning', `Jumpseat may not use Copilot, so every request is refused. ${remedy}`);
      return;
    }
    await this.#tell('information', this.#sentence(), copyButton);
  }

  /** The command. */
  async disable(): Promise<void> {
    await this.#editor.setEnabled(false);
    await this.#bridge.stop();
    this.#show();
    await this.#tell('information', 'Jumpseat is off in all windows of VS Code.');
  }

  /** The command. */
  async status(): Promise<void> {
    const isOn = this.#bridge.where() !== null;
    await this.#tell('information', this.#sentence(), ...(isOn ? [copyButton] : []), logButton);
  }

  /** The command. */
  async copyEnvironment(): Promise<void> {
    const where = this.#bridge.where();
    if (where === null) {
      await this.#tell('warning', 'Jumpseat is off in VS Code. Run “Jumpseat: Enable” first.');
      return;
    }
    const chosen = await this.#editor.choose(
      copyables({ ...where, models: await this.#offered() }, process.env, process.platform),
    );
    if (chosen === undefined) return;
    await this.#editor.copy(chosen.text);
    const warning = 'The lines contain the key of this server: keep them secret.';
    await this.#tell('information', `Copied the lines for ${chosen.label}. ${warning}`);
  }

  /** Called in all windows, because they share the file of settings. */
  async settingsChanged(): Promise<void> {
    const { enabled, port } = this.#editor.settings();
    const isOff = this.#bridge.state.kind === 'off';
    const moved = port !== this.#port;
    this.#port = port;
    if (!enabled) await this.#bridge.stop();
    else if (isOff) await this.#start();
    else if (moved) await this.#bridge.restart();
    this.#show();
  }

  /** VS Code has other models than before. */
  async modelsChanged(): Promise<void> {
    this.#forgetModels();
    if (this.#bridge.state.kind !== 'off') await this.#offered();
  }

  async #start(): Promise<void> {
    await this.#bridge.start();
    await this.#offered();
  }

  /** What was offered last; asked again while there is none, for Copilot may have been signed in meanwhile. */
  async #offered(): Promise<readonly LmModel[]> {
    if (this.#models !== null && this.#models.length > 0) return this.#models;
    const asking = Symbol('asking');
    this.#asking = asking;
    const models = offeredModels(await this.#editor.models());
    // Who asked later knows better, and what was forgotten meanwhile is old.
    if (this.#asking === asking) {
      this.#models = models;
      this.#show();
    }
    return models;
  }

  #forgetModels(): void {
    this.#models = null;
    this.#asking = null;
  }

  #status(): Status {
    return {
      bridge: this.#bridge.state,
      consent: this.#consent.state,
      models: this.#models?.length ?? null,
      requests: this.#requests,
      running: this.#running,
    };
  }

  #show(): void {
    this.#editor.showStatus(statusBar(this.#status()));
    const where = this.#bridge.where();
    const isWanted = where !== null && this.#editor.settings().terminalEnvironment;
    const models = this.#models ?? [];
    const entries = isWanted ? environmentFor('claude', { ...where, models }) : [];
    // Each change makes VS Code ask for a new start of the terminals that are open.
    const written = JSON.stringify(entries);
    if (written === this.#terminals) return;
    this.#terminals = written;
    this.#editor.setTerminalEnvironment(entries);
  }

  #sentence(): string {
    const { bridge } = this.#status();
    if (bridge.kind === 'off') return 'Jumpseat is off. Run “Jumpseat: Enable” to switch it on.';
    const lines = statusBar(this.#status())?.hover ?? [];
    const serves = bridge.kind === 'serving' || bridge.kind === 'elsewhere';
    return [...lines, serves ? keyRequired : ''].filter((line) => line !== '').join(' ');
  }

  async #tell(kind: 'information' | 'warning', message: string, ...buttons: string[]): Promise<void> {
    const pressed = await this.#editor.tell(kind, message, ...buttons);
    if (pressed === copyButton) await this.copyEnvironment();
    if (pressed === logButton) this.#editor.showLog();
  }
}

function logTo(editor: Editor): Log {
  return {
    write: (level, event, facts = {}) => {
      if (level === 'debug') return;
      const said = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
      editor.log(`${level} ${event}${said.join('')}`);
    },
  };
}
