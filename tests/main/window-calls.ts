import { redact } from '../../app/adapters/redact.ts';
import type { CallTable } from '../../app/api/call.ts';
import { calls } from '../../app/api/calls.ts';
import { answerWindow } from '../../main/windows/ipc.ts';
import { callChannel } from '../../preload/calls.ts';
import { LineLog } from '../app/account/surroundings.ts';
import { sampleOf } from './sample-of.ts';

type Answer = { ok: boolean; value?: unknown; problem?: { code: string; text: string; remedy: string } };
type Listener = (event: never, given: unknown, language: unknown) => unknown;

/** Everything that was asked. */
export type Done = [name: string, ...given: unknown[]][];
/** In place of what would answer with a sample. */
export type Change = Readonly<Record<string, (...given: never[]) => unknown>>;

/** For each call a method that writes down what it was given and answers what is well formed. */
function quietAnswers(table: CallTable, done: Done): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, { result }]) => [
      name,
      (...given: unknown[]): unknown => {
        done.push([name, ...given]);
        return sampleOf(result);
      },
    ]),
  );
}

/** Main's side of the wire, without Electron. What crosses is copied as Electron copies it. */
export class CallDesk {
  readonly log = new LineLog();
  readonly done: Done = [];
  readonly #listeners = new Map<string, Listener>();

  constructor(change: Change = {}, table: CallTable = calls) {
    answerWindow(
      {
        handle: (channel, listener) => {
          if (this.#listeners.has(channel)) throw new Error(`${channel} has two handlers.`);
          this.#listeners.set(channel, listener);
        },
      },
      { table, answers: [change, quietAnswers(table, this.done)], redact },
      this.log,
    );
  }

  get channels(): string[] {
    return [...this.#listeners.keys()];
  }

  async ask(name: string, given: unknown, event: unknown = fromOurPage()): Promise<Answer> {
    return this.invoke(callChannel(name), given, event);
  }

  /** @param language what the page shows */
  async invoke(channel: string, given: unknown, event: unknown = fromOurPage(), language?: unknown): Promise<Answer> {
    const listener = this.#listeners.get(channel);
    if (!listener) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(await Reflect.apply(listener, undefined, [event, structuredClone(given), language]));
  }
}

export function fromOurPage(url = 'app://bundle/index.html#/requests'): unknown {
  const frame = { url };
  return { senderFrame: frame, sender: { mainFrame: frame } };
}
