import { beforeEach, describe, expect, it, vi } from 'vitest';
import { calls } from '../../app/api/calls.ts';
import type { WindowEvent } from '../../app/api/events.ts';
import { eventChannel } from '../../preload/calls.ts';
import { BridgeError, type Preloaded } from '../../renderer/bridge/bridge.ts';
import { ipcBridge } from '../../renderer/bridge/ipc-bridge.ts';
import { appState } from '../main/app-state.ts';
import { sampleOf } from '../main/sample-of.ts';
import { CallDesk } from '../main/window-calls.ts';

type Listener = (event: unknown, ...given: unknown[]) => void;

/** Electron as a preload script sees it; `desk` is main. */
const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  listeners: new Set<[string, Listener]>(),
  desk: null as null | { invoke: (channel: string, given: unknown) => Promise<unknown> },
}));
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => electron.exposed.set(name, value) },
  webUtils: { getPathForFile: (file: { name: string }) => `/home/ada/${file.name}` },
  ipcRenderer: {
    invoke: (channel: string, given: unknown) => electron.desk?.invoke(channel, given),
    on: (channel: string, listener: Listener) => electron.listeners.add([channel, listener]),
    off: (channel: string, listener: Listener) => {
      for (const pair of electron.listeners)
        if (pair[0] === channel && pair[1] === listener) electron.listeners.delete(pair);
    },
  },
}));
await import('../../preload/preload.ts');

/** Those of the dashboard alone have no channel. */
const names = Object.entries(calls).flatMap(([name, { from }]) => (from === 'dashboard' ? [] : [name]));
const preloaded = electron.exposed.get('jumpseat') as Preloaded;
let desk: CallDesk;
beforeEach(() => {
  desk = new CallDesk();
  electron.desk = desk;
});

it('puts one thing into the page: a function for every call, a way to listen, and the path of a file', () => {
  expect([...electron.exposed.keys()]).toEqual(['jumpseat']);
  expect(Object.keys(preloaded)).toEqual([...names, 'listen', 'pathOf', 'speak']);
  expect(new Set(Object.values(preloaded).map((value) => typeof value))).toEqual(new Set(['function']));
});

it('says where a file lies that the person gave', () => {
  expect(ipcBridge(preloaded).pathOf?.(new File([], 'plan.md'))).toBe('/home/ada/plan.md');
});

describe('a call from the page', () => {
  it('reaches its handler with its arguments, and its answer comes back', async () => {
    const bridge = ipcBridge(preloaded);
    expect(await bridge.state()).toEqual(sampleOf(calls.state.result));
    expect(await bridge.exchanges({ limit: 7 })).toEqual([]);
    expect(await bridge.signIn()).toEqual(sampleOf(calls.signIn.result));
    expect(await bridge.setProxy?.(true)).toBeUndefined();
    expect(await bridge.totals('day', 1)).toEqual([]);
    expect(desk.done).toEqual([
      ['state'],
      ['exchanges', { limit: 7 }],
      ['signIn'],
      ['setProxy', true],
      ['totals', 'day', 1],
    ]);
  });

  it('every one of the contract', async () => {
    const bridge = ipcBridge(preloaded);
    for (const [name, call] of Object.entries(bridge)) {
      if (!['listen', 'pathOf'].includes(name))
        await Reflect.apply(call ?? (async () => {}), bridge, []).catch(() => {});
    }
    const asked = [...desk.done.map(([name]) => name), ...desk.log.lines.map(({ facts }) => facts.call)];
    expect(asked.toSorted()).toEqual(names.toSorted());
  });

  it('that fails rejects with what happened and what to do', async () => {
    const error = await ipcBridge(preloaded)
      .exchanges({ limit: 0 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BridgeError);
    expect(error).toMatchObject({
      code: 'bad-call',
      message: 'The window asked for “exchanges” wrongly.',
      remedy: 'Start Jumpseat again.',
    });
  });
});

describe('listening', () => {
  const send = (event: WindowEvent): void => {
    for (const [channel, listener] of electron.listeners) {
      if (channel === eventChannel) listener({ sender: 'Electron’s own event' }, event);
    }
  };

  it('hears what main sends and nothing of Electron, until it is enough', () => {
    const received: unknown[][] = [];
    const stop = preloaded.listen((...given) => received.push(given));
    const other = preloaded.listen(() => {});
    const event: WindowEvent = { event: 'state', state: appState() };
    send(event);
    stop();
    send(event);
    expect(received).toEqual([[event]]);
    expect(electron.listeners.size).toBe(1);
    other();
    expect(electron.listeners.size).toBe(0);
  });
});
