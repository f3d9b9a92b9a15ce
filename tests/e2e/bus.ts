import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { patienceMs } from '../soon.ts';

/** What of the D-Bus library is used here; its own types know only a part of it. */
interface Library {
  createClient(options: { busAddress: string }): LibraryBus;
}
interface LibraryBus {
  connection: EventEmitter & { end(): void; message(message: object): void };
  serial: number;
  invoke(
    message: object,
    answered: (error: { name: string; message: string } | null, ...body: unknown[]) => void,
  ): void;
  setMethodCallHandler(path: string, face: string, member: string, handler: [Handler, string]): void;
  exportInterface(values: object, path: string, face: object): void;
  sendSignal(path: string, face: string, member: string, signature: string, body: unknown[]): void;
}
type Handler = (...args: unknown[]) => unknown;

const library: Library = createRequire(import.meta.url)('@homebridge/dbus-native');

export interface Call {
  to: string;
  path: string;
  face: string;
  member: string;
  signature?: string;
  body?: unknown[];
}

/** One connection to a message bus: raw calls, since what a tray icon offers is not all in its introspection. */
export class Bus {
  readonly #bus: LibraryBus;

  constructor(address: string) {
    this.#bus = library.createClient({ busAddress: address });
    // The daemon ends before its clients do.
    this.#bus.connection.on('error', () => {});
  }

  call({ to, path, face, member, signature, body }: Call): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${face}.${member} had no answer.`)), patienceMs);
      const message = { destination: to, path, interface: face, member, ...(signature ? { signature, body } : {}) };
      this.#bus.invoke(message, (error, ...answer) => {
        clearTimeout(late);
        if (error) reject(new Error(`${face}.${member}: ${error.name}: ${error.message}`));
        else resolve(answer);
      });
    });
  }

  /** Asks the bus itself. */
  ask(member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    return this.call({
      to: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      face: 'org.freedesktop.DBus',
      member,
      signature,
      body,
    });
  }

  async own(name: string): Promise<void> {
    const [answer] = await this.ask('RequestName', 'su', [name, 0]);
    if (answer !== 1) throw new Error(`${name} has an owner already.`);
  }

  async hasOwner(name: string): Promise<boolean> {
    const [answer] = await this.ask('NameHasOwner', 's', [name]);
    return answer === true;
  }

  /** The process behind a unique name; null when it has left. */
  async processOf(owner: string): Promise<number | null> {
    const [pid] = await this.ask('GetConnectionUnixProcessID', 's', [owner]).catch(() => [null]);
    return typeof pid === 'number' ? pid : null;
  }

  /** Answers a method. The handler gets the arguments and the sender's unique name. */
  serve(
    path: string,
    face: string,
    member: string,
    signature: string,
    handler: (args: unknown[], sender: string) => unknown,
  ) {
    this.#bus.setMethodCallHandler(path, face, member, [
      (...given) => handler(given.slice(0, -1), senderOf(given.at(-1))),
      signature,
    ]);
  }

  /** Serves an object with properties and methods. @param properties name → D-Bus signature */
  offer(
    path: string,
    face: string,
    values: object,
    properties: Record<string, string>,
    methods: Record<string, [string, string]>,
  ) {
    this.#bus.exportInterface(values, path, { name: face, properties, methods, signals: {} });
  }

  signal(path: string, face: string, member: string, signature: string, body: unknown[]): void {
    this.#bus.sendSignal(path, face, member, signature, body);
  }

  /** To one program alone, whatever it asked the bus for. */
  signalTo(destination: string, path: string, face: string, member: string, signature: string, body: unknown[]): void {
    const serial = this.#bus.serial++;
    const signal = 4;
    this.#bus.connection.message({ type: signal, serial, destination, path, interface: face, member, signature, body });
  }

  close(): void {
    this.#bus.connection.end();
  }
}

function senderOf(message: unknown): string {
  return typeof message === 'object' && message !== null && 'sender' in message ? String(message.sender) : '';
}

/** What a variant holds. The library gives [parsed signature, [value]]. */
export function unwrap(variant: unknown): unknown {
  return Array.isArray(variant) && Array.isArray(variant[1]) ? variant[1][0] : undefined;
}

/** A dictionary of variants. */
export function dictionary(pairs: unknown): Map<string, unknown> {
  if (!Array.isArray(pairs)) return new Map();
  return new Map(pairs.map(([key, variant]) => [String(key), unwrap(variant)]));
}
