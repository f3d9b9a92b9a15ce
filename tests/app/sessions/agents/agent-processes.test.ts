import { expect, it } from 'vitest';
import { processMemory } from '../../../../app/sessions/agents/agent-processes.ts';

it.skipIf(process.platform === 'win32')(
  'is what the system says of a process, and nothing of one that is gone',
  async () => {
    const memory = await processMemory(process.pid);
    expect(memory).toBeGreaterThan(1_000_000);
    expect(memory).toBeLessThan(100_000_000_000);
    // No system gives out so high a number.
    expect(await processMemory(2 ** 30)).toBeNull();
  },
);
