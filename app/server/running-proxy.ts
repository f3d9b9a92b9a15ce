import { answers, readLock } from './lock.ts';

/** The Jumpseat that owns a folder and answers now. */
export interface RunningProxy {
  pid: number;
  port: number;
  baseUrl: string;
}

/** Who asks shows it the local key next: another program on that port doesn’t count, whatever it says. */
export async function runningProxy(lock: string): Promise<RunningProxy | null> {
  const owner = readLock(lock);
  if (owner?.secret === undefined || !(await answers(owner))) return null;
  const { pid, port } = owner;
  return { pid, port, baseUrl: addressOf(port) };
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
