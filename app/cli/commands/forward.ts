import { statSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import type { Surroundings } from '../surroundings.ts';

/*
 * `jumpseat forward`: in a container or on another machine, it joins 127.0.0.1 there to the Jumpseat that is elsewhere.
 * Nothing but Node is loaded for it, so that it starts at once and needs neither a sign-in nor a folder of its own.
 */

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the examples put the socket's folder. */
export const usualTarget = '/run/jumpseat/jumpseat.sock';
const usualPort = 4180;

interface ForwardOptions {
  /** The path of a socket, or `HOST:PORT`. */
  target: string;
  port: number;
}

/** Null if the arguments are others than its own; their form is what the help says. */
export function readForward(args: readonly string[], env: Environment): ForwardOptions | null {
  let target: string | null = null;
  let port = usualPort;
  for (let at = 0; at < args.length; at += 1) {
    const [arg = '', next] = [args[at], args[at + 1]];
    if (arg === '--port' || arg.startsWith('--port=')) {
      const text = arg === '--port' ? next : arg.slice('--port='.length);
      if (text === undefined || !/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) return null;
      port = Number(text);
      if (arg === '--port') at += 1;
    } else if (arg === '' || arg.startsWith('-') || target !== null) return null;
    else target = arg;
  }
  return { target: target ?? (env.JUMPSEAT_SOCKET || usualTarget), port };
}

/** A path has a slash; `host.docker.internal:4180` and `[fd00::1]:4180` have none. */
export function placeOf(target: string): NetConnectOpts {
  const [, host, port] = /^(?:\[([^\]/]+)\]|[^/:]+):(\d{1,5})$/.exec(target) ?? [];
  if (port === undefined) return { path: target, allowHalfOpen: true };
  return { host: host ?? target.slice(0, target.lastIndexOf(':')), port: Number(port), allowHalfOpen: true };
}

/** Why the target can't be reached: what happened and what to do. */
export function unreachable(target: string, error: NodeJS.ErrnoException): string {
  const isPath = 'path' in placeOf(target);
  switch (error.code) {
    case 'ENOENT':
      return isPath
        ? `The socket ${target} isn’t there. Start Jumpseat on its machine with the socket turned on, and mount the socket’s folder here.`
        : `${target} isn’t known here. Check its name.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${target} isn’t known here. Check its name.`;
    case 'ECONNREFUSED':
      return `Nothing listens at ${target}. Start Jumpseat on its machine.`;
    case 'EACCES':
    case 'EPERM':
      return `Your user here${userWords()} may not open ${target}${ownerWords(target)}. Run this as that user, or as root.`;
    default:
      return `${target} can’t be reached: ${error.code ?? error.message}. Start Jumpseat on its machine, and check the path.`;
  }
}

function userWords(): string {
  const uid = process.getuid?.();
  return uid === undefined ? '' : ` (uid ${uid})`;
}

function ownerWords(path: string): string {
  try {
    return `, which belongs to uid ${statSync(path).uid}`;
  } catch {
    return '';
  }
}

/** In words for the client, too: it shows them instead of a broken connection. */
function answer503(words: string): string {
  const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: `jumpseat forward: ${words}` } });
  return (
    'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json; charset=utf-8\r\n' +
    `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  );
}

/** Joins each connection to the target. Bytes are passed as they are, no faster than they are read. */
export function forwarder(target: string, failed: (words: string) => void): Server {
  const place = placeOf(target);
  return createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    const there: Socket = connect(place);
    let isJoined = false;
    there.on('connect', () => {
      isJoined = true;
      there.setNoDelay(true);
      client.pipe(there);
      there.pipe(client);
    });
    there.on('error', (error) => {
      if (isJoined) {
        client.resetAndDestroy();
        return;
      }
      const words = unreachable(target, error);
      failed(words);
      // Its request comes first: an answer to nothing is an error to many clients.
      client.once('data', () => client.end(answer503(words)));
      client.resume();
    });
    client.on('error', () => there.destroy());
    // One that is broken off on one side has no other one any more.
    client.on('close', () => there.destroy());
    there.on('close', () => {
      if (isJoined) client.destroySoon();
    });
  });
}

/** Until it is ended. Resolves with the exit code. */
export function forward({ target, port }: ForwardOptions, say: (line: string) => void, warn: (line: string) => void) {
  let last = '';
  const server = forwarder(target, (words) => {
    if (words !== last) warn(`jumpseat: ${words}`);
    last = words;
  });
  return new Promise<number>((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use here. End the program that has it, or choose another with --port, which ANTHROPIC_BASE_URL then has to name.`
          : `127.0.0.1:${port} can’t be opened: ${error.code ?? error.message}. Choose another port with --port.`;
      warn(`jumpseat: ${why}`);
      resolve(1);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      say(`http://127.0.0.1:${port} leads to ${target}. Ctrl-C ends it.`);
      // Said at once; it is tried again with each connection.
      const probe = connect(placeOf(target), () => probe.destroy());
      probe.on('error', (error) => {
        last = unreachable(target, error);
        warn(`jumpseat: ${last} Until then, requests get error 503.`);
      });
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(0));
  });
}

/** The command without the rest of the program. False: these are other arguments than its own. */
export async function runAlone(args: readonly string[]): Promise<boolean> {
  const options = readForward(args, process.env);
  if (options === null) return false;
  // Who started it may be gone, and nobody reads any more.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const code = await forward(
    options,
    (line) => process.stdout.write(`${line}\n`),
    (line) => process.stderr.write(`${line}\n`),
  );
  process.exit(code);
}

/** The same for the program that lists all commands. */
export function forwardFrom({ terminal, env }: Surroundings, target: string | undefined, { port }: { port?: string }) {
  const options = readForward([...(target ? [target] : []), ...(port === undefined ? [] : ['--port', port])], env);
  if (options === null)
    throw Object.assign(new Error(`--port must be a whole number from 1 to 65535, not "${port}".`), { exitCode: 2 });
  return forward(
    options,
    (line) => terminal.out(line),
    (line) => terminal.err(line),
  );
}
