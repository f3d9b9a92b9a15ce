import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { both, dashboard, desktop, large, tray } from '../../../app/api/call.ts';
import { callPlaces } from '../../../app/api/call-places.ts';
import { calls } from '../../../app/api/calls.ts';
import { dashboardCalls } from '../../../app/server/dashboard-routes.ts';
import { answerWindow, type CallEvent } from '../../../main/windows/ipc.ts';
import { carried } from '../../../preload/calls.ts';
import type { Bridge } from '../../../renderer/bridge/bridge.ts';
import { httpBridge } from '../../../renderer/bridge/http-bridge.ts';
import { ipcBridge } from '../../../renderer/bridge/ipc-bridge.ts';
import { sampleOf } from '../../main/sample-of.ts';
import { fromOurPage } from '../../main/window-calls.ts';

/** The table with calls that the product does not have: one line each, and a method below. */
const table = {
  ...calls,
  greet: both(z.tuple([z.string().max(9)]), z.object({ text: z.string() })),
  measure: both(z.tuple([z.string()]), z.number()),
  measureLarge: large(both(z.tuple([z.string()]), z.number())),
  onlyTray: tray(z.tuple([]), z.string()),
  onlyDesktop: desktop(z.tuple([]), z.string()),
  onlyDashboard: dashboard(z.tuple([]), z.string()),
};
const places = Object.fromEntries(Object.entries(table).map(([name, { from }]) => [name, from]));

class NoGreetingError extends Error {
  readonly code = 'no-greeting';
  readonly remedy = 'Say another name.';
}
const answers = {
  greet: (name: string) => {
    if (name === 'nobody') throw new NoGreetingError('Nobody is not greeted with ?token=abcdef.');
    return { text: `Hello ${name}`, secret: 'stays here' };
  },
  measure: (text: string) => text.length,
  measureLarge: (text: string) => text.length,
  onlyTray: () => 'tray',
  onlyDesktop: () => 'desktop',
  onlyDashboard: () => 'dashboard',
};
const answering = {
  table,
  answers: [answers],
  redact: (text: string) => text.replace(/token=\w+/, 'token=[redacted]'),
};

type Bridged = Record<string, ((...given: unknown[]) => Promise<unknown>) | null>;

/** The calls of this test's table, which the contract does not name. */
const byName = (bridge: Bridge): Bridged =>
  Object.fromEntries(Object.keys(bridge).map((name) => [name, Reflect.get(bridge, name)]));

/** The tray app's way: preload, IPC, main. What crosses is copied as Electron copies it. */
function overIpc(): Bridged {
  const listeners = new Map<string, (event: CallEvent, given: unknown) => unknown>();
  answerWindow(
    {
      handle: (channel, listener) => {
        listeners.set(channel, listener as (event: CallEvent, given: unknown) => unknown);
      },
    },
    answering,
    { write: () => undefined },
  );
  const preloaded = carried(places, async (channel, given) => {
    const listener = listeners.get(channel);
    if (!listener) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(await listener(fromOurPage() as CallEvent, structuredClone(given)));
  });
  return byName(ipcBridge({ ...preloaded, listen: () => () => {} }, places));
}

/** The dashboard's way: a page's `fetch` and a server. */
async function overHttp(): Promise<Bridged> {
  const router = express.Router();
  dashboardCalls(answering)(router, express);
  server = createServer(express().use(router)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, options: RequestInit) =>
    fetch(`${base}/ui/${path}`, { ...options, headers: { ...options.headers, origin: base } }),
  );
  return byName(httpBridge(places));
}

let server: Server | null = null;
afterEach(() => {
  vi.unstubAllGlobals();
  server?.closeAllConnections();
  server?.close();
  server = null;
});

describe.each([
  ['the tray app’s window', 'onlyTray', 'onlyDashboard', async () => overIpc()],
  ['the dashboard', 'onlyDashboard', 'onlyTray', overHttp],
] as const)('a call that is added to the table, in %s', (_front, own, foreign, open) => {
  let bridge: Bridged;
  beforeEach(async () => {
    bridge = await open();
  });

  it('reaches its method and answers what its schema knows', async () => {
    expect(await bridge.greet?.('Ada')).toEqual({ text: 'Hello Ada' });
  });

  it('is refused with other arguments than the table says', async () => {
    await expect(bridge.greet?.('more than nine')).rejects.toMatchObject({ code: 'bad-call' });
    await expect(bridge.greet?.('Ada', 'more')).rejects.toMatchObject({ code: 'bad-call' });
  });

  it('fails in the words of its error, without a secret', async () => {
    await expect(bridge.greet?.('nobody')).rejects.toMatchObject({
      code: 'no-greeting',
      message: 'Nobody is not greeted with ?token=[redacted].',
      remedy: 'Say another name.',
    });
  });

  it('is there for the front that the table names, and null for the other', async () => {
    expect(await bridge[own]?.()).toBe(own === 'onlyTray' ? 'tray' : 'dashboard');
    expect(bridge[foreign]).toBeNull();
  });
});

it('a call that is for the tray app alone has no route, and one for the dashboard alone no channel', async () => {
  await overHttp();
  for (const name of ['onlyTray', 'onlyDesktop']) {
    const response = await fetch(`api/call/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    expect(response.status).toBe(404);
  }
  expect(Object.keys(carried(places, async () => null))).not.toContain('onlyDashboard');
});

it('over HTTP a call may be given an image only where the table says so', async () => {
  const bridge = await overHttp();
  const image = 'A'.repeat(4_000_000);
  expect(await bridge.measureLarge?.(image)).toBe(image.length);
  await expect(bridge.measure?.(image)).rejects.toThrow();
  expect(await bridge.measure?.('A'.repeat(60_000))).toBe(60_000);
});

it('the places of the calls are those of the table', () => {
  expect(callPlaces).toEqual(Object.fromEntries(Object.entries(calls).map(([name, { from }]) => [name, from])));
});

it.each(Object.entries(calls))(
  '%s: a sample can be made of its arguments and its result',
  (_name, { given, result }) => {
    expect(given.safeParse(sampleOf(given)).error).toBeUndefined();
    expect(result.safeParse(sampleOf(result)).error).toBeUndefined();
  },
);
