import { connect, type Socket } from 'node:net';
import { userInfo } from 'node:os';

/**
 * As much of D-Bus as it takes to call methods on the session's bus and to hear signals: the D-Bus specification's
 * «Message Protocol» and «Authentication Protocol», EXTERNAL over a Unix socket.
 */

const bus = 'org.freedesktop.DBus';
const little = 0x6c;
const methodCall = 1;
const methodReturn = 2;
const errorReturn = 3;
const signal = 4;
/** Field codes of a header. */
const field = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, sender: 7, signature: 8 } as const;

/** Where the session's bus listens; null if there is none. The first address that is a Unix socket is taken. */
export function sessionBusPath(env: Readonly<Record<string, string | undefined>>): string | null {
  for (const address of (env.DBUS_SESSION_BUS_ADDRESS ?? '').split(';')) {
    if (!address.startsWith('unix:')) continue;
    for (const pair of address.slice('unix:'.length).split(',')) {
      const [key, value] = pair.split('=', 2);
      if (!value) continue;
      if (key === 'path') return decodeURIComponent(value);
      if (key === 'abstract') return `\0${decodeURIComponent(value)}`;
    }
  }
  return env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/bus` : null;
}

/** A method and what it is given. */
interface BusCall {
  to: string;
  path: string;
  face: string;
  member: string;
  /** The signature of `body`; without it there is none. */
  signature?: string;
  body?: BusBody;
}

interface BusListener {
  signal?: (message: BusMessage) => void;
  /** The bus cannot be asked (any more); nothing follows it. */
  lost: () => void;
}

/** One connection to the session's bus. */
export class SessionBus {
  readonly #socket: Socket;
  readonly #listener: BusListener;
  readonly #waiting = new Map<number, { resolve: (message: BusMessage) => void; reject: (error: Error) => void }>();
  /** Until the bus has let us in. */
  #early: Buffer[] | null = [];
  #received: Buffer = Buffer.alloc(0);
  #serial = 0;
  #isClosed = false;

  constructor(path: string, listener: BusListener) {
    this.#listener = listener;
    this.#socket = connect({ path });
    this.#socket.unref();
    this.#socket.on('error', () => this.#end());
    this.#socket.on('close', () => this.#end());
    this.#socket.on('connect', () => {
      const uid = Buffer.from(String(userInfo().uid)).toString('hex');
      this.#socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    void this.ask('Hello').catch(() => {});
  }

  /** Rejects where it is refused, or the bus is lost. */
  call(given: BusCall): Promise<BusMessage> {
    if (this.#isClosed) return Promise.reject(new Error('The bus is closed.'));
    this.#serial += 1;
    const serial = this.#serial;
    const message = methodMessage(serial, given);
    if (this.#early === null) this.#socket.write(message);
    else this.#early.push(message);
    return new Promise((resolve, reject) => this.#waiting.set(serial, { resolve, reject }));
  }

  /** Asks the bus itself. */
  ask(member: string, argument?: string): Promise<BusMessage> {
    const given = argument === undefined ? {} : { signature: 's', body: new BusBody().text(argument) };
    return this.call({ to: bus, path: '/org/freedesktop/DBus', face: bus, member, ...given });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
    this.#rejectAll();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.lost();
  }

  #rejectAll(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('The bus was lost.'));
    this.#waiting.clear();
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.#early !== null) {
      const newline = this.#received.indexOf('\r\n');
      if (newline < 0) return;
      if (!this.#received.subarray(0, newline).toString('latin1').startsWith('OK ')) {
        this.#end();
        return;
      }
      this.#received = this.#received.subarray(newline + 2);
      this.#socket.write('BEGIN\r\n');
      for (const message of this.#early) this.#socket.write(message);
      this.#early = null;
    }
    for (;;) {
      const message = readMessage(this.#received);
      if (message === 'broken') this.#end();
      if (message === 'broken' || message === null) return;
      this.#received = this.#received.subarray(message.length);
      if (this.#isClosed) return;
      this.#take(message);
    }
  }

  #take(message: BusMessage): void {
    if (message.type === signal) this.#listener.signal?.(message);
    if (message.replySerial === null) return;
    const waiting = this.#waiting.get(message.replySerial);
    this.#waiting.delete(message.replySerial);
    if (message.type === methodReturn) waiting?.resolve(message);
    else if (message.type === errorReturn) waiting?.reject(new Error('The call was refused.'));
  }
}

/** Watches who owns one name on the bus. */
interface NameWatch {
  close(): void;
}

/**
 * Tells whether `name` has an owner: once at first and then at every change. `lost` when the bus cannot be asked (any
 * more); nothing follows it.
 */
export function watchName(
  path: string,
  name: string,
  listener: { owned: (owned: boolean) => void; lost: () => void },
): NameWatch {
  const connection = new SessionBus(path, {
    lost: listener.lost,
    signal: ({ member, body, u32 }) => {
      if (member !== 'NameOwnerChanged') return;
      const [changed, , owner] = strings(body, 3, u32);
      if (changed === name) listener.owned(owner !== '');
    },
  });
  const rule = `type='signal',sender='${bus}',interface='${bus}',member='NameOwnerChanged',arg0='${name}'`;
  void connection.ask('AddMatch', rule).catch(() => {});
  void connection
    .ask('NameHasOwner', name)
    .then(({ body, u32 }) => listener.owned(body.length >= 4 && u32(body, 0) === 1))
    .catch(() => {});
  return connection;
}

/** The arguments of a call, one behind the other. */
export class BusBody {
  #bytes: Buffer = Buffer.alloc(0);

  get bytes(): Buffer {
    return this.#bytes;
  }

  u32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value >>> 0);
    return this.#add(bytes, 4);
  }

  text(value: string): this {
    return this.#add(text(value), 4);
  }

  texts(values: readonly string[]): this {
    const inside = values.reduce((so, value) => Buffer.concat([padded(so, 4), text(value)]), Buffer.alloc(0));
    return this.u32(inside.length).#add(inside, 4);
  }

  /** An empty `a{sv}`; its entries would begin at a multiple of 8. */
  noEntries(): this {
    return this.u32(0).#add(Buffer.alloc(0), 8);
  }

  #add(bytes: Buffer, to: number): this {
    this.#bytes = Buffer.concat([padded(this.#bytes, to), bytes]);
    return this;
  }
}

function methodMessage(serial: number, { to, path, face, member, signature, body }: BusCall): Buffer {
  const bytes = body?.bytes ?? Buffer.alloc(0);
  const fields = [
    headerField(field.path, 'o', text(path)),
    headerField(field.interface, 's', text(face)),
    headerField(field.member, 's', text(member)),
    headerField(field.destination, 's', text(to)),
    ...(signature === undefined
      ? []
      : [headerField(field.signature, 'g', Buffer.from([signature.length, ...Buffer.from(signature), 0]))]),
  ];
  // Every field is a struct, and those begin at multiples of 8.
  const array = fields.reduce((so, next) => Buffer.concat([padded(so, 8), next]), Buffer.alloc(0));
  const head = Buffer.alloc(16);
  head.set([little, methodCall, 0, 1]);
  head.writeUInt32LE(bytes.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  return Buffer.concat([padded(Buffer.concat([head, array]), 8), bytes]);
}

/** The variant's signature, then its value, which is aligned to 4 by the four bytes before it. */
function headerField(code: number, signature: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, 1, signature.charCodeAt(0), 0]), value]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes, Buffer.alloc(1)]);
}

function padded(bytes: Buffer, to: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)]);
}

type U32 = (bytes: Buffer, at: number) => number;

export interface BusMessage {
  type: number;
  replySerial: number | null;
  member: string | null;
  /** The unique name of the connection that sent it. */
  sender: string | null;
  body: Buffer;
  /** Length of the whole message in bytes. */
  length: number;
  u32: U32;
}

/** The first message; null while it is not whole. */
function readMessage(bytes: Buffer): BusMessage | 'broken' | null {
  if (bytes.length < 16) return null;
  const u32: U32 = bytes[0] === little ? (from, at) => from.readUInt32LE(at) : (from, at) => from.readUInt32BE(at);
  const bodyLength = u32(bytes, 4);
  const fieldsEnd = 16 + u32(bytes, 12);
  const bodyStart = aligned(fieldsEnd, 8);
  const length = bodyStart + bodyLength;
  if (length > 128 * 1024 * 1024) return 'broken';
  if (bytes.length < length) return null;
  const message: BusMessage = {
    type: bytes[1] ?? 0,
    replySerial: null,
    member: null,
    sender: null,
    body: bytes.subarray(bodyStart, length),
    length,
    u32,
  };
  let at = 16;
  while (at < fieldsEnd) {
    const code = bytes[at] ?? 0;
    const kind = String.fromCharCode(bytes[at + 2] ?? 0);
    const value = at + 4;
    if (kind === 'u') {
      if (code === field.replySerial) message.replySerial = u32(bytes, value);
      at = value + 4;
    } else if (kind === 's' || kind === 'o') {
      const size = u32(bytes, value);
      const said = bytes.subarray(value + 4, value + 4 + size).toString();
      if (code === field.member) message.member = said;
      if (code === field.sender) message.sender = said;
      at = value + 4 + size + 1;
    } else if (kind === 'g') at = value + 1 + (bytes[value] ?? 0) + 1;
    else return 'broken';
    at = aligned(at, 8);
  }
  return message;
}

/** The texts that a body begins with. */
export function strings(body: Buffer, count: number, u32: U32): string[] {
  const found: string[] = [];
  let at = 0;
  while (found.length < count && at + 4 <= body.length) {
    const size = u32(body, at);
    found.push(body.subarray(at + 4, at + 4 + size).toString());
    at = aligned(at + 4 + size + 1, 4);
  }
  return found;
}

function aligned(at: number, to: number): number {
  return Math.ceil(at / to) * to;
}
