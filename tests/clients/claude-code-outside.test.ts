import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(() => product.close());

describe.runIf(claudeBinary !== '')('the real Claude Code and the world outside', () => {
  it('D10 C13.1 with every engine off, WebSearch is refused in one request with our sentence, and the turn goes on', async () => {
    const off = await startProduct({}, { search: { engines: ['off'] } });
    try {
      const { code, text } = await runClaude(off, 'use: WebSearch {"query":"the weather"}', {
        args: ['--allowedTools', 'WebSearch'],
        env: { ENABLE_TOOL_SEARCH: 'false' },
      });
      expect([code, text]).toEqual([0, expect.stringContaining('Web search is not available through Copilot.')]);
      expect(text).toContain('Settings → Web search');
      expect(
        off.exchanges.map(({ initiator, reason, status, failure }) => [
          initiator,
          reason?.sentence.replace(/ [0-9a-f]{4}…/, ''),
          status,
          failure?.code,
        ]),
      ).toEqual([
        ['user', 'new prompt', 200, undefined],
        ['agent', 'web search', 400, 'server-tool-refused'],
        ['agent', 'results of WebSearch', 200, undefined],
      ]);
      // Copilot was not asked for what it does not have.
      expect(off.simulator.requests.filter(({ path }) => path === '/v1/messages')).toHaveLength(2);
    } finally {
      await off.close();
    }
  });

  it.each([
    { nonessential: '1', asked: [] },
    { nonessential: '', asked: ['CONNECT api.anthropic.com:443'] },
  ])(
    'D14 with DISABLE_NONESSENTIAL_TRAFFIC=$nonessential it asks elsewhere for: $asked',
    async ({ nonessential, asked }) => {
      const elsewhere = await listen();
      const { code, text } = await runClaude(product, 'run: echo hi', {
        env: {
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: nonessential,
          HTTPS_PROXY: elsewhere.url,
          HTTP_PROXY: elsewhere.url,
          NO_PROXY: '127.0.0.1',
        },
      });
      elsewhere.close();
      expect([code, text]).toEqual([0, expect.stringContaining('hi')]);
      // The second row proves that the listener would hear it.
      expect([...new Set(elsewhere.heard)]).toEqual(asked);
    },
  );
});

/** A proxy that leads nowhere, and what it was asked for. */
async function listen(): Promise<{ url: string; heard: string[]; close: () => void }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      heard.push(bytes.toString('latin1').split(' HTTP/', 1)[0] ?? '');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  return { url: `http://127.0.0.1:${address.port}`, heard, close: () => server.close() };
}
