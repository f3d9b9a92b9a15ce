import type { IpcMain } from 'electron';
import { type CallArguments, type CallName, type CallResult, calls } from '../app/api/calls.ts';
import type { Log } from '../app/ports.ts';
import { callChannel } from '../preload/channels.ts';
import { answerCall } from './ipc-answer.ts';
import type { CallEvent } from './ipc-sender.ts';

/** One function per call of the contract; what it is given has been checked. */
export type CallHandlers = {
  readonly [Name in CallName]: (...given: CallArguments<Name>) => CallResult<Name> | Promise<CallResult<Name>>;
};

/** From now on the window's calls are answered. Call once. */
export function answerWindow(ipc: Pick<IpcMain, 'handle'>, handlers: CallHandlers, log: Log): void {
  for (const [name, { arguments: expected, result }] of Object.entries(calls)) {
    const handler = isCallName(name) ? handlers[name] : null;
    if (handler === null) continue;
    const call = {
      name,
      expected,
      result,
      perform: (given: unknown[]): unknown => Reflect.apply(handler, handlers, given),
    };
    ipc.handle(callChannel(name), (event: CallEvent, given: unknown) => answerCall(call, event, given, log));
  }
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}
