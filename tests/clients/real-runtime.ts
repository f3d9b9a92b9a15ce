import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CopilotRuntime } from '../../app/account/sdk/copilot-runtime.ts';
import { isMusl, runtimePackage, systemName } from '../../app/account/sdk/runtime-package.ts';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { script } from '../scripts/script.ts';

/** GitHub's own runtime for this system; null: it is not offered for it. */
export const realRuntime = runtimePackage(systemName(process.platform, process.arch, isMusl()));

/** Longer than any registry takes for 50 MB. */
export const fetchPatienceMs = 600_000;

/** Fetches it as the product does, once for all runs of the tests on this machine. The cache folder that has it. */
export async function fetchRealRuntime(): Promise<string> {
  const { cacheFolder } = await script<{ cacheFolder(): string }>('project');
  const cache = join(cacheFolder(), 'tests');
  const dialer = nodeDialer();
  try {
    await new CopilotRuntime({
      ...{ clock: nodeClock(), dialer, platform: process.platform, environment: process.env, runtime: realRuntime },
      ...{ userHome: homedir(), githubApi: new URL('https://api.github.com'), paths: { cache } },
    }).fetch();
  } finally {
    dialer.close();
  }
  return cache;
}

/** As if the Jumpseat of this folder had fetched it. */
export function lendRuntime(cache: string, home: string): void {
  const own = join(home, 'cache');
  mkdirSync(own, { recursive: true });
  symlinkSync(join(cache, 'packages'), join(own, 'packages'));
}
