import type { RunningDoor } from '../server/running-proxy.ts';
import { runningProxy } from '../server/running-proxy.ts';
import type { Opened } from './surroundings.ts';

/** The way to the running Jumpseat, under this label. `no-key`: only that one has its key. */
export type RunningWay = RunningDoor | 'none' | 'no-key';

export async function runningDoor({ app, ports, variables }: Opened, label: string): Promise<RunningWay> {
  const running = await runningProxy(ports.paths.lock);
  if (running === null) return 'none';
  if (!knowsKey({ ports, variables })) return 'no-key';
  return { baseUrl: running.baseUrl, key: `${await app.localKey()}.${label}` };
}

/** The key is not in the memory of another process alone. */
export function knowsKey({ ports, variables }: Pick<Opened, 'ports' | 'variables'>): boolean {
  return ports.secrets.storage !== 'memory' || variables.key !== null;
}
