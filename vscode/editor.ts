import type { EnvEntry } from '../app/claude-code/env-snippet.ts';
import type { LmTextClass } from '../app/formats/lm/language-model.ts';
import type { Copyable } from './environment.ts';
import type { LmModel } from './models.ts';
import type { StatusBarText } from './status.ts';

/** What the extension asks of VS Code. `extension.ts` fills it; it alone knows the module `vscode`. */
export interface Editor {
  readonly classes: LmTextClass;
  /** Version of this extension. */
  readonly version: string;
  /** This window, as a person knows it, for a sentence: `the window “jumpseat” of VS Code`. */
  readonly window: string;
  models(): Promise<readonly LmModel[]>;
  settings(): BridgeSettings;
  /** Writes `jumpseat.enabled`, for all windows. */
  setEnabled(isEnabled: boolean): Promise<void>;
  readKey(): Promise<string | undefined>;
  keepKey(key: string): Promise<void>;
  /** 0: none. */
  lastPort(): number;
  rememberPort(port: number): void;
  wasAllowed(): boolean;
  rememberAllowed(isAllowed: boolean): void;
  showStatus(shown: StatusBarText | null): void;
  /** Variables of terminals that are opened from now on; none: as they are without us. */
  setTerminalEnvironment(entries: readonly EnvEntry[]): void;
  log(line: string): void;
  showLog(): void;
  /** A message with buttons; gives the one that was pressed. */
  tell(kind: 'information' | 'warning', message: string, ...buttons: string[]): Promise<string | undefined>;
  choose(items: readonly Copyable[]): Promise<Copyable | undefined>;
  copy(text: string): Promise<void>;
}

/** `jumpseat.*` */
export interface BridgeSettings {
  enabled: boolean;
  port: number;
  atOnce: number;
  /** Null for the whole conversation. */
  historyTurns: number | null;
  terminalEnvironment: boolean;
  verbose: boolean;
}

/** Settings are whatever stands in the file. */
export function readSettings(value: (name: keyof BridgeSettings) => unknown): BridgeSettings {
  const whole = (name: 'port' | 'atOnce' | 'historyTurns', least: number, most: number): number | null => {
    const found = value(name);
    return typeof found === 'number' && Number.isInteger(found) && found >= least && found <= most ? found : null;
  };
  return {
    enabled: value('enabled') === true,
    port: whole('port', 0, 65_535) ?? 0,
    atOnce: whole('atOnce', 1, 32) ?? 4,
    historyTurns: whole('historyTurns', 1, 1000),
    terminalEnvironment: value('terminalEnvironment') === true,
    verbose: value('verbose') === true,
  };
}
