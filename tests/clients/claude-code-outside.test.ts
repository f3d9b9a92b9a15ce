import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../app/api/state.ts';
import { soon } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { builtCli, type Product, startProduct } from './product.ts';

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
      expect([code, text]).toEqual([0, expect.stringContaining('Jumpseat: Web search is off.')]);
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
      expect([...new Set(elsewhere.received)]).toEqual(asked);
    },
  );

  it('WebFetch that can’t ask Anthropic about a domain is said by doctor, and asks no service after the setup for it', async () => {
    const elsewhere = await listen();
    const fetches = async (): Promise<string[]> => {
      elsewhere.received.length = 0;
      const { code } = await runClaude(product, 'use: WebFetch {"url":"https://docs.example/page","prompt":"read"}', {
        args: ['--allowedTools', 'WebFetch'],
        env: {
          ENABLE_TOOL_SEARCH: 'false',
          HTTPS_PROXY: elsewhere.url,
          HTTP_PROXY: elsewhere.url,
          NO_PROXY: '127.0.0.1',
        },
      });
      expect(code).toBe(0);
      return [...new Set(elsewhere.received)];
    };
    const jumpseat = async (...args: string[]): Promise<string> => {
      const env = {
        PATH: process.env.PATH,
        HOME: product.home,
        JUMPSEAT_HOME: join(product.home, 'jumpseat'),
        JUMPSEAT_SECRETS: 'memory',
        JUMPSEAT_KEY: product.key,
        JUMPSEAT_GITHUB_TOKEN: product.simulator.githubToken,
        JUMPSEAT_GITHUB_URL: product.simulator.webUrl,
        JUMPSEAT_GITHUB_API_URL: product.simulator.apiUrl,
      };
      const { out, err } = await new Started(process.execPath, [builtCli(), ...args], { env }).ended();
      return out + err;
    };
    const found = async () => {
      const { checks }: { checks: Check[] } = JSON.parse(await jumpseat('doctor', '--json'));
      return checks.find(({ id }) => id === 'claude-code.webfetch');
    };
    try {
      expect(await fetches()).toEqual(['CONNECT api.anthropic.com:443']);
      expect(product.exchanges.flatMap(({ fits }) => fits.map(({ code }) => code))).toContain('webfetch-unverified');
      // Rows are in the file, where another process finds them, half a second after their end.
      await soon(async () =>
        expect(await found()).toMatchObject({ verdict: 'warning', found: 'webfetch-asks-in-vain' }),
      );
      const offered = await jumpseat('setup', 'claude-code', '--dry-run');
      expect(offered).toContain('--skip-webfetch-preflight');
      expect(await jumpseat('setup', 'claude-code', '--skip-webfetch-preflight')).toContain(
        '+ "skipWebFetchPreflight": true',
      );
      expect(await found()).toMatchObject({ verdict: 'passed' });
      expect(await fetches()).toEqual(['CONNECT docs.example:443']);
      expect(await jumpseat('setup', 'claude-code', '--undo')).toContain('- "skipWebFetchPreflight": true');
    } finally {
      elsewhere.close();
    }
  });
});

/** A proxy that leads nowhere, and what it was asked for. */
async function listen(): Promise<{ url: string; received: string[]; close: () => void }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      received.push(bytes.toString('latin1').split(' HTTP/', 1)[0] ?? '');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.');
  return { url: `http://127.0.0.1:${address.port}`, received, close: () => server.close() };
}
