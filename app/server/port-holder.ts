import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The program that listens on a port of this machine. */
interface PortHolder {
  /** `postgres`; `another Jumpseat` where its command line says so. */
  name: string;
  pid: number;
}

const listening = '0A';

/**
 * Who listens on a TCP port, from /proc; null if the system does not tell (other systems, programs of another user).
 */
export function portHolder(port: number): PortHolder | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set([...socketsOf('/proc/net/tcp', hex), ...socketsOf('/proc/net/tcp6', hex)]);
  if (sockets.size === 0) return null;
  for (const entry of list('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    for (const descriptor of list(`/proc/${entry}/fd`)) {
      if (sockets.has(link(`/proc/${entry}/fd/${descriptor}`))) return { name: nameOf(entry), pid: Number(entry) };
    }
  }
  return null;
}

/** The program's file name; `comm` holds the name of its main thread, which Node calls MainThread. */
function nameOf(pid: string): string {
  const words = read(`/proc/${pid}/cmdline`).split('\0').slice(0, 3);
  if (words.some((word) => /^jumpseat(\.js)?$/.test(basename(word)))) return 'another Jumpseat';
  return basename(link(`/proc/${pid}/exe`)) || read(`/proc/${pid}/comm`).trim() || 'a program';
}

/** `socket:[inode]` of every listener on the port. */
function socketsOf(table: string, hexPort: string): string[] {
  return read(table)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === listening)
    .map((columns) => `socket:[${columns[9]}]`);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
