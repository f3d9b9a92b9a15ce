import type { EnvEntry } from '../../app/claude-code/env-snippet.ts';
import type { LmRequest } from '../../app/formats/lm/language-model.ts';
import type { BridgeSettings, Editor } from '../../vscode/editor.ts';
import type { Copyable } from '../../vscode/environment.ts';
import type { LmModel } from '../../vscode/models.ts';
import type { StatusBarText } from '../../vscode/status.ts';
import { CallPart, DataPart, fakeClasses, TextPart } from '../app/formats/chat-via-lm/fake-classes.ts';

export type Answering = (request: LmRequest, signal: AbortSignal) => AsyncIterable<unknown>;

export function usagePart(prompt: number, completion: number): DataPart {
  const counts = { prompt_tokens: prompt, completion_tokens: completion };
  const usage = { ...counts, copilot_usage: { token_details: [], total_nano_aiu: 2_000_000_000 } };
  return new DataPart(Buffer.from(JSON.stringify(usage)), 'usage');
}

/** Gives back the last words, or calls the first tool where there is one and it has no result yet. */
export async function* echo(request: LmRequest): AsyncIterable<unknown> {
  const last = request.messages.at(-1)?.parts.at(-1);
  const [tool] = request.tools;
  if (tool !== undefined && last?.kind === 'text') yield new CallPart('call_1', tool.name, { path: 'a.txt' });
  else yield new TextPart(last?.kind === 'text' ? `You said: ${last.text}` : JSON.stringify(last));
  yield usagePart(100, 10);
}

export class NoPermissions extends Error {
  readonly code = 'NoPermissions';
}

/** A VS Code whose person does what the test says. */
export class FakeEditor implements Editor {
  readonly classes = fakeClasses;
  readonly version = '0.1.0';
  readonly window = 'the window “test” of VS Code';
  values: BridgeSettings = {
    enabled: false,
    port: 0,
    atOnce: 4,
    historyTurns: null,
    terminalEnvironment: false,
    verbose: false,
  };
  ids = ['claude-sonnet-4.6', 'gpt-4.1'];
  most = 100_000;
  answer: Answering = echo;
  /** What the dialog gives; a promise that is not settled is a dialog that stands there. */
  consent: () => Promise<void> = () => Promise.resolve();
  readonly sent: LmRequest[] = [];
  readonly said: string[] = [];
  readonly logged: string[] = [];
  readonly copied: string[] = [];
  asked = 0;
  bar: StatusBarText | null = null;
  terminals: readonly EnvEntry[] = [];
  allowed = false;
  key: string | undefined;
  /** Served last. */
  port = 0;
  /** What is pressed on the next message. */
  press: string | undefined;
  chooses = 'Claude Code';

  models(): Promise<readonly LmModel[]> {
    return Promise.resolve(this.ids.map((id) => this.model(id)));
  }

  model(id: string, vendor = 'copilot'): LmModel {
    return {
      ...{ id, vendor, name: id, family: id, version: '1', maxInputTokens: this.most },
      takesImages: true,
      callsTools: true,
      send: (request, signal) => {
        this.sent.push(request);
        return Promise.resolve(this.answer(request, signal));
      },
      count: (text) => Promise.resolve(Math.ceil(text.length / 4)),
      askConsent: () => {
        this.asked += 1;
        return this.consent();
      },
    };
  }

  settings(): BridgeSettings {
    return this.values;
  }
  setEnabled(enabled: boolean): Promise<void> {
    this.values = { ...this.values, enabled };
    return Promise.resolve();
  }
  readKey(): Promise<string | undefined> {
    return Promise.resolve(this.key);
  }
  keepKey(key: string): Promise<void> {
    this.key = key;
    return Promise.resolve();
  }
  lastPort(): number {
    return this.port;
  }
  rememberPort(port: number): void {
    this.port = port;
  }
  wasAllowed(): boolean {
    return this.allowed;
  }
  rememberAllowed(isAllowed: boolean): void {
    this.allowed = isAllowed;
  }
  showStatus(shown: StatusBarText | null): void {
    this.bar = shown;
  }
  setTerminalEnvironment(entries: readonly EnvEntry[]): void {
    this.terminals = entries;
  }
  log(line: string): void {
    this.logged.push(line);
  }
  showLog(): void {
    this.said.push('(log)');
  }
  tell(_kind: string, message: string): Promise<string | undefined> {
    this.said.push(message);
    const pressed = this.press;
    this.press = undefined;
    return Promise.resolve(pressed);
  }
  choose(items: readonly Copyable[]): Promise<Copyable | undefined> {
    return Promise.resolve(items.find(({ label }) => label === this.chooses));
  }
  copy(text: string): Promise<void> {
    this.copied.push(text);
    return Promise.resolve();
  }
}
