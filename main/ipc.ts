import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { App } from '../app/api.ts';
import { channels } from '../preload/channels.ts';
import { mayAsk } from './ipc-sender.ts';

const mostExchanges = 1000;

/** What the window may ask. Every call is checked for who asks and what it holds. */
export function answerWindow(app: App): void {
  handle(channels.state, () => app.state());
  handle(channels.exchanges, (limit) => app.exchanges({ limit: readLimit(limit) }));
  handle(channels.setProxy, async (on) => {
    if (typeof on !== 'boolean') throw new TypeError('set-proxy takes true or false.');
    if (on) await app.startProxy();
    else await app.stopProxy();
  });
}

function handle(channel: string, answer: (argument: unknown) => unknown): void {
  ipcMain.handle(channel, (event: IpcMainInvokeEvent, argument: unknown) => {
    if (!mayAsk(event)) throw new Error(`${channel} was asked by something that is not our window.`);
    return answer(argument);
  });
}

function readLimit(limit: unknown): number {
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > mostExchanges) {
    throw new TypeError(`The limit is a whole number from 1 to ${mostExchanges}.`);
  }
  return limit;
}
