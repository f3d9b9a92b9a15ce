import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionBusPath } from '../../../main/session-bus.ts';
import { patienceMs, watchTrayHost } from '../../../main/tray/tray-host.ts';
import { soon } from '../../soon.ts';

const watcher = 'org.kde.StatusNotifierWatcher';

/** As much of a message bus as one client of ours needs; it may speak either byte order. */
class FakeBus {
  readonly path: string;
  readonly received: string[] = [];
  readonly #server: Server;
  readonly #big: boolean;
  readonly #owned: boolean;
  #client: Socket | null = null;

  constructor(folder: string, options: { owned: boolean; big?: boolean; refuses?: boolean }) {
    this.path = join(folder, 'bus');
    this.#big = options.big ?? false;
    this.#owned = options.owned;
    this.#server = createServer((client) => {
      this.#client = client;
      let greeted = false;
      let received = Buffer.alloc(0);
      client.on('error', () => {});
      client.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (!greeted && received.includes('AUTH EXTERNAL')) {
          greeted = true;
          received = Buffer.alloc(0);
          client.write(options.refuses ? 'REJECTED EXTERNAL\r\n' : 'OK 0123456789abcdef\r\n');
          return;
        }
        const text = received.toString('latin1');
        if (!text.includes('NameHasOwner')) return;
        this.received.push(...['BEGIN', 'Hello', 'AddMatch', 'NameHasOwner'].filter((word) => text.includes(word)));
        received = Buffer.alloc(0);
        // First a reply to another call, and everything in two pieces.
        const answer = Buffer.concat([
          this.#message(2, 1, null, this.#text(':1.7')),
          this.#message(2, 3, null, this.#u32(this.#owned ? 1 : 0)),
        ]);
        client.write(answer.subarray(0, 21));
        setImmediate(() => client.write(answer.subarray(21)));
      });
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(this.path, resolve));
  }

  changed(name: string, owner: string): void {
    const body = Buffer.concat([this.#padded(this.#text(name), 4), this.#padded(this.#text(''), 4), this.#text(owner)]);
    this.#client?.write(this.#message(4, null, 'NameOwnerChanged', body));
  }

  hangUp(): void {
    this.#client?.destroy();
  }

  close(): void {
    this.#client?.destroy();
    this.#server.close();
  }

  #message(type: number, replySerial: number | null, member: string | null, body: Buffer): Buffer {
    const fields = [
      ...(replySerial === null ? [] : [Buffer.concat([Buffer.from([5, 1, 0x75, 0]), this.#u32(replySerial)])]),
      ...(member === null ? [] : [Buffer.concat([Buffer.from([3, 1, 0x73, 0]), this.#text(member)])]),
      Buffer.from([8, 1, 0x67, 0, 1, 0x73, 0]),
    ];
    const array = fields.reduce((so, next) => Buffer.concat([this.#padded(so, 8), next]), Buffer.alloc(0));
    const head = Buffer.concat([
      Buffer.from([this.#big ? 0x42 : 0x6c, type, 1, 1]),
      this.#u32(body.length),
      this.#u32(9),
      this.#u32(array.length),
    ]);
    return Buffer.concat([this.#padded(Buffer.concat([head, array]), 8), body]);
  }

  #u32(value: number): Buffer {
    const bytes = Buffer.alloc(4);
    if (this.#big) bytes.writeUInt32BE(value);
    else bytes.writeUInt32LE(value);
    return bytes;
  }

  #text(value: string): Buffer {
    return Buffer.concat([this.#u32(Buffer.byteLength(value)), Buffer.from(value), Buffer.alloc(1)]);
  }

  #padded(bytes: Buffer, to: number): Buffer {
    return Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);
  }
}

let folder: string;
let bus: FakeBus | null = null;
let stop = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-bus-'));
});
afterEach(() => {
  stop();
  bus?.close();
  bus = null;
  rmSync(folder, { recursive: true, force: true });
});

async function watch(options: { owned: boolean; big?: boolean; refuses?: boolean }): Promise<string[]> {
  bus = new FakeBus(folder, options);
  await bus.listen();
  return watchAt({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus.path}` });
}
function watchAt(env: Record<string, string>, platform: NodeJS.Platform = 'linux'): string[] {
  const seen: string[] = [];
  stop = watchTrayHost({ platform, env, found: () => seen.push('found'), missing: () => seen.push('missing') });
  return seen;
}

describe.skipIf(process.platform === 'win32')('who shows tray icons', () => {
  it.each([false, true])('is found on the bus at once; bytes in big order: %s', async (big) => {
    const seen = await watch({ owned: true, big });
    await soon(() => expect(seen).toEqual(['found']));
    expect(bus?.received).toEqual(['BEGIN', 'Hello', 'AddMatch', 'NameHasOwner']);
  });

  it('may come later, go and come again; what else joins the bus does not matter', async () => {
    const seen = await watch({ owned: false });
    await soon(() => expect(bus?.received).not.toEqual([]));
    await new Promise((resolve) => setImmediate(resolve));
    bus?.changed('org.other', ':1.5');
    bus?.changed(watcher, ':1.9');
    await soon(() => expect(seen).toEqual(['found']));
    bus?.changed(watcher, '');
    bus?.changed(watcher, ':1.11');
    await soon(() => expect(seen).toEqual(['found', 'found']));
  });

  it('is missing when it went and did not come back', async () => {
    const seen = await watch({ owned: true });
    await soon(() => expect(seen).toEqual(['found']));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      bus?.changed(watcher, '');
      await soon(() => expect(vi.getTimerCount()).toBe(1));
      expect(seen).toEqual(['found']);
      vi.advanceTimersByTime(3_000);
      expect(seen).toEqual(['found', 'missing']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is missing when it did not come in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const seen = await watch({ owned: false });
      vi.advanceTimersByTime(2_999);
      expect(seen).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(seen).toEqual(['missing']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is missing at once where there is no bus, or one that refuses the sign-in, or one that goes', async () => {
    for (const seen of [
      watchAt({}),
      watchAt({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'none')}` }),
      await watch({ owned: true, refuses: true }),
    ])
      await soon(() => expect(seen).toEqual(['missing']));
    bus?.close();
    rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-bus-'));
    const seen = await watch({ owned: false });
    await soon(() => expect(bus?.received).not.toEqual([]));
    bus?.hangUp();
    await soon(() => expect(seen).toEqual(['missing']));
  });

  it('macOS and Windows always have one', () => {
    expect([watchAt({}, 'darwin'), watchAt({}, 'win32')]).toEqual([['found'], ['found']]);
  });
});

it('Wayland desktops get more time until their tray is there', () => {
  expect([
    patienceMs({}),
    patienceMs({ WAYLAND_DISPLAY: 'wayland-0' }),
    patienceMs({ XDG_SESSION_TYPE: 'wayland' }),
  ]).toEqual([3_000, 15_000, 15_000]);
});

it('where the session’s bus is', () => {
  expect([
    sessionBusPath({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus,guid=12' }),
    sessionBusPath({ DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=/tmp/dbus-x%20y,guid=12' }),
    sessionBusPath({ DBUS_SESSION_BUS_ADDRESS: 'tcp:host=a;unix:path=/b' }),
    sessionBusPath({ XDG_RUNTIME_DIR: '/run/user/1000' }),
    sessionBusPath({}),
  ]).toEqual(['/run/user/1000/bus', '\0/tmp/dbus-x y', '/b', '/run/user/1000/bus', null]);
});
