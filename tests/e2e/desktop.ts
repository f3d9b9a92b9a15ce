import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../soon.ts';
import { Bus } from './bus.ts';
import { NotificationServer } from './notifications.ts';
import { StatusNotifierHost } from './status-notifier.ts';

/** Ends with this process at the latest, also where a test forgot. */
const everyChild = new Set<ChildProcess>();
for (const end of ['exit', 'disconnect'] as const)
  process.once(end, () => {
    for (const child of everyChild) child.kill('SIGKILL');
  });

export interface DesktopOptions {
  /** Whether there is a keychain: a real one, empty and unlocked. Default false. */
  keyring?: boolean;
  /** Whether tray icons are shown. Default true. */
  tray?: boolean;
  /** What its notifications can do. */
  capabilities?: string[];
}

/**
 * A person's desktop session of its own: a home folder, a message bus on which nothing starts by itself, a tray,
 * notifications, a browser that only writes down what it was to open, and a keyring. Ends with everything it started.
 */
export class Desktop {
  readonly folder: string;
  readonly bus: Bus;
  readonly notifications: NotificationServer;
  readonly #tray: StatusNotifierHost | null;
  readonly #address: string;
  readonly #children: ChildProcess[];

  private constructor(parts: {
    folder: string;
    address: string;
    bus: Bus;
    notifications: NotificationServer;
    tray: StatusNotifierHost | null;
    children: ChildProcess[];
  }) {
    this.folder = parts.folder;
    this.bus = parts.bus;
    this.notifications = parts.notifications;
    this.#address = parts.address;
    this.#tray = parts.tray;
    this.#children = parts.children;
  }

  static async start({ keyring = false, tray = true, capabilities }: DesktopOptions = {}): Promise<Desktop> {
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-desktop-'));
    for (const name of ['home', 'run', 'bin']) mkdirSync(join(folder, name), { mode: 0o700 });
    writeFileSync(join(folder, 'bin', 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/opened"\n`, {
      mode: 0o755,
    });
    const children: ChildProcess[] = [];
    try {
      const { daemon, address } = await startBus(folder);
      children.push(daemon);
      everyChild.add(daemon);
      const bus = new Bus(address);
      const host = tray ? await StatusNotifierHost.start(bus) : null;
      const notifications = await NotificationServer.start(bus, capabilities);
      const desktop = new Desktop({ folder, address, bus, notifications, tray: host, children });
      if (keyring) await desktop.#startKeyring();
      return desktop;
    } catch (error) {
      await endAll(children);
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get tray(): StatusNotifierHost {
    if (this.#tray === null) throw new Error('This desktop has no tray.');
    return this.#tray;
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  /** The variables of a program that is started in this session. */
  get env(): Record<string, string> {
    const { PATH = '', DISPLAY = '', XAUTHORITY } = process.env;
    return {
      PATH: `${join(this.folder, 'bin')}:${PATH}`,
      HOME: this.home,
      XDG_RUNTIME_DIR: join(this.folder, 'run'),
      DBUS_SESSION_BUS_ADDRESS: this.#address,
      DISPLAY,
      ...(XAUTHORITY !== undefined && { XAUTHORITY }),
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
    };
  }

  /** The addresses that the browser was to open. */
  get opened(): string[] {
    const list = join(this.folder, 'opened');
    return existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : [];
  }

  /** A file below the person's home; null when there is none. */
  read(path: string): Promise<string | null> {
    return readFile(join(this.home, path), 'utf8').catch(() => null);
  }

  async lockKeyring(): Promise<void> {
    await this.#askKeyring('org.freedesktop.Secret.Service', 'Lock', 'ao', [[login]]);
  }

  /** As its own dialog does after the password was typed. */
  async unlockKeyring(): Promise<void> {
    const [, session] = await this.#askKeyring('org.freedesktop.Secret.Service', 'OpenSession', 'sv', [
      'plain',
      ['s', ''],
    ]);
    const secret = [session, Buffer.alloc(0), Buffer.from(keyringPassword), 'text/plain'];
    const face = 'org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface';
    await this.#askKeyring(face, 'UnlockWithMasterPassword', 'o(oayays)', [login, secret]);
  }

  #askKeyring(face: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    return this.bus.call({
      to: 'org.freedesktop.secrets',
      path: '/org/freedesktop/secrets',
      face,
      member,
      signature,
      body,
    });
  }

  async close(): Promise<void> {
    this.bus.close();
    await endAll(this.#children);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startKeyring(): Promise<void> {
    const args = [
      '--foreground',
      '--unlock',
      '--components=secrets',
      `--control-directory=${join(this.folder, 'run')}`,
    ];
    const keyring = spawn('gnome-keyring-daemon', args, { env: this.env, stdio: ['pipe', 'ignore', 'pipe'] });
    this.#children.push(keyring);
    everyChild.add(keyring);
    let said = '';
    keyring.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    keyring.stdin.end(keyringPassword);
    await until(
      () => this.bus.hasOwner('org.freedesktop.secrets'),
      () => said,
    );
  }
}

const keyringPassword = 'a password';
const login = '/org/freedesktop/secrets/collection/login';

async function startBus(folder: string): Promise<{ daemon: ChildProcess; address: string }> {
  const config = join(folder, 'bus.conf');
  writeFileSync(
    config,
    `<busconfig>
  <type>session</type>
  <listen>unix:dir=${join(folder, 'run')}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`,
  );
  const args = [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address=1'];
  const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  daemon.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [address] = await Promise.race([
    once(createInterface({ input: daemon.stdout }), 'line'),
    once(daemon, 'exit').then(() => Promise.reject(new Error(`dbus-daemon did not start. ${said}`))),
  ]);
  return { daemon, address: String(address) };
}

async function endAll(children: ChildProcess[]): Promise<void> {
  await Promise.all(
    children.toReversed().map(async (child) => {
      everyChild.delete(child);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(hard);
    }),
  );
}
