import { answers, readLock } from './lock.ts';

/** The Jumpseat that owns a folder and answers now. */
export interface RunningProxy {
  pid: number;
  port: number;
  baseUrl: string;
}

export async function runningProxy(lock: string): Promise<RunningProxy | null> {
  const owner = readLock(lock);
  if (owner === null || !(await answers(owner.port))) return null;
  return { ...owner, baseUrl: addressOf(owner.port) };
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
