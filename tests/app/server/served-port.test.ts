import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';
import { startStack } from '../stack.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-port-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The address in the lines of an app that serves nothing itself. */
async function addressIn(port: number | null, defaultPort: number): Promise<string | undefined> {
  const stack = await startStack({ home, idle: true, app: { port, defaultPort } });
  try {
    return (await stack.app.claudeCodeLines('claude-code')).variables.ANTHROPIC_BASE_URL;
  } finally {
    await stack.close();
  }
}

describe('the address in the lines for a client', () => {
  it('is that of the Jumpseat that owns the folder, while it answers', async () => {
    const owner = await startStack({ home });
    const fallback = await freePort();
    try {
      expect(await addressIn(null, fallback)).toBe(owner.baseUrl);
    } finally {
      await owner.close();
    }
    expect(await addressIn(null, fallback)).toBe(`http://127.0.0.1:${fallback}`);
  });

  it('is a port that a start can be expected to take: 0 names none', async () => {
    const fallback = await freePort();
    expect(await addressIn(0, fallback)).toBe(`http://127.0.0.1:${fallback}`);
  });
});
