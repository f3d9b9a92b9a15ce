import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.ts';
import { pathsIn, startStack } from '../stack.ts';

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
    const owner = createServer((_request, response) => response.setHeader('x-jumpseat', '1').end());
    await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve));
    const { port } = owner.address() as AddressInfo;
    const fallback = await freePort();
    try {
      writeFileSync(pathsIn(home).lock, JSON.stringify({ pid: process.pid, port }));
      expect(await addressIn(null, fallback)).toBe(`http://127.0.0.1:${port}`);
    } finally {
      owner.closeAllConnections();
      await new Promise((resolve) => owner.close(resolve));
    }
    expect(await addressIn(null, fallback)).toBe(`http://127.0.0.1:${fallback}`);
  });

  it('is a port that a start can be expected to take: 0 names none', async () => {
    const fallback = await freePort();
    expect(await addressIn(0, fallback)).toBe(`http://127.0.0.1:${fallback}`);
  });
});
