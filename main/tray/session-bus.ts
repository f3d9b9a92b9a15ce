import { connect, type Socket } from 'node:net';
import { userInfo } from 'node:os';

/**
 * As much of D-Bus as it takes to ask the session's bus who owns a name, and to be told when that changes: the D-Bus
 * specification's «Message Protocol» and «Authentication Protocol», EXTERNAL over a Unix socket.
 */

const bus = 'org.freedesktop.DBus';
const little = 0x6c;
const methodCall = 1;
const methodReturn = 2;
const signal = 4;
/** Field codes of a header. */
const field = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, signature: 8 } as const;

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
  const socket = connect({ path });
  socket.unref();
  let closed = false;
  const end = () => {
    if (closed) return;
    closed = true;
    socket.destroy();
    listener.lost();
  };
  socket.on('error', end);
  socket.on('close', end);
  socket.on('connect', () => {
    const uid = Buffer.from(String(userInfo().uid)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  });
  let received: Buffer = Buffer.alloc(0);
  let greeted = false;
  const nameHasOwnerSerial = 3;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (!greeted) {
      const newline = received.indexOf('\r\n');
      if (newline < 0) return;
      if (!received.subarray(0, newline).toString('latin1').startsWith('OK ')) return end();
      received = received.subarray(newline + 2);
      greeted = true;
      socket.write('BEGIN\r\n');
      const rule = `type='signal',sender='${bus}',interface='${bus}',member='NameOwnerChanged',arg0='${name}'`;
      call(socket, 1, 'Hello', null);
      call(socket, 2, 'AddMatch', rule);
      call(socket, nameHasOwnerSerial, 'NameHasOwner', name);
    }
    for (;;) {
      const message = readMessage(received);
      if (message === 'broken') return end();
      if (message === null) return;
      received = received.subarray(message.length);
      if (closed) return;
      if (message.type === methodReturn && message.replySerial === nameHasOwnerSerial) {
        listener.owned(message.body.length >= 4 && message.u32(message.body, 0) === 1);
      }
      if (message.type === signal && message.member === 'NameOwnerChanged') {
        const [changed, , owner] = strings(message.body, 3, message.u32);
        if (changed === name) listener.owned(owner !== '');
      }
    }
  });
  return {
    close() {
      closed = true;
      socket.destroy();
    },
  };
}

function call(socket: Socket, serial: number, member: string, argument: string | null): void {
  const body = argument === null ? Buffer.alloc(0) : text(argument);
  const fields = [
    headerField(field.path, 'o', text('/org/freedesktop/DBus')),
    headerField(field.interface, 's', text(bus)),
    headerField(field.member, 's', text(member)),
    headerField(field.destination, 's', text(bus)),
    ...(argument === null ? [] : [headerField(field.signature, 'g', Buffer.from([1, 0x73, 0]))]),
  ];
  // Every field is a struct, and those begin at multiples of 8.
  const array = fields.reduce((so, next) => Buffer.concat([padded(so, 8), next]), Buffer.alloc(0));
  const head = Buffer.alloc(16);
  head.set([little, methodCall, 0, 1]);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  socket.write(Buffer.concat([padded(Buffer.concat([head, array]), 8), body]));
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

interface Message {
  type: number;
  replySerial: number | null;
  member: string | null;
  body: Buffer;
  /** Length of the whole message in bytes. */
  length: number;
  u32: U32;
}

/** The first message; null while it is not whole. */
function readMessage(bytes: Buffer): Message | 'broken' | null {
  if (bytes.length < 16) return null;
  const u32: U32 = bytes[0] === little ? (from, at) => from.readUInt32LE(at) : (from, at) => from.readUInt32BE(at);
  const bodyLength = u32(bytes, 4);
  const fieldsEnd = 16 + u32(bytes, 12);
  const bodyStart = aligned(fieldsEnd, 8);
  const length = bodyStart + bodyLength;
  if (length > 128 * 1024 * 1024) return 'broken';
  if (bytes.length < length) return null;
  const message: Message = {
    type: bytes[1] ?? 0,
    replySerial: null,
    member: null,
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
      if (code === field.member) message.member = bytes.subarray(value + 4, value + 4 + size).toString();
      at = value + 4 + size + 1;
    } else if (kind === 'g') at = value + 1 + (bytes[value] ?? 0) + 1;
    else return 'broken';
    at = aligned(at, 8);
  }
  return message;
}

function strings(body: Buffer, count: number, u32: U32): string[] {
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
