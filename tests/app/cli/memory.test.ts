import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { rssMiB } from '../../bench/processes.ts';
import { Spawned } from './spawn-jumpseat.ts';

let home: string;
let simulator: Simulator;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-memory-'));
  simulator = await startSimulator();
});
afterEach(async () => {
  await simulator.close();
  rmSync(home, { recursive: true, force: true });
});

/** A conversation of 60 MB, in turns of 100 kB. */
function largeBody(): string {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(2_300);
  const turns = Array.from({ length: 600 }, () => [
    { role: 'user', content: [{ type: 'text', text }] },
    { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
  ]);
  const messages = [...turns.flat(), { role: 'user', content: 'go on' }];
  return JSON.stringify({ model: 'claude-opus-4.5', max_tokens: 100, messages });
}

it('gives the memory of large bodies back once nothing runs', { timeout: 180_000 }, async () => {
  const served = new Spawned(['serve', '--port', '0', '--json'], {
    HOME: home,
    JUMPSEAT_HOME: join(home, 'home'),
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
  });
  try {
    const { baseUrl, authToken } = JSON.parse(await served.line());
    const { pid = 0 } = served.child;
    const body = largeBody();
    let most = 0;
    const send = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' };
      const answer = await fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body });
      await answer.text();
      most = Math.max(most, rssMiB(pid));
    };
    await Promise.all(Array.from({ length: 6 }, send));
    // Otherwise there was nothing to give back.
    expect(most).toBeGreaterThan(300);
    await expect.poll(() => rssMiB(pid), { timeout: 60_000 }).toBeLessThan(250);
  } finally {
    await served.stop();
  }
});
