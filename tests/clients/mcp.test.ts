import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCodeMcp, codexMcp } from '../../app/clients/mcp.ts';
import { Started } from '../started.ts';
import { claudeBinary, claudeVariables, runClaude } from './claude.ts';
import { codexBinary, codexHome } from './codex.ts';
import { builtCli, type Product, startProduct } from './product.ts';

/** Jumpseat's MCP server, used by real clients that were told of it in the product's own words. */

let product: Product;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(() => product.close());

describe.runIf(claudeBinary !== '')('the real Claude Code', () => {
  it('adds the server with the line of "jumpseat env --for mcp", and searches with it; no key is in its files', async () => {
    const door = { baseUrl: product.baseUrl, key: product.key, label: 'claude-code' };
    const [variable = '', command = ''] = claudeCodeMcp(door, 'bash').trim().split('\n');
    const env = { PATH: process.env.PATH, ...claudeVariables(product) };
    const script = command.replace(/^claude /, `'${claudeBinary}' `);
    const added = await new Started('bash', ['-c', `${variable}\n${script}`], { cwd: product.home, env }).ended();
    expect([added.code, added.err]).toEqual([0, '']);
    expect(readFileSync(join(product.home, '.claude.json'), 'utf8')).not.toContain(product.key);
    const { text, errors } = await runClaude(product, 'use: mcp__jumpseat__web_search {"query":"latest node"}', {
      args: ['--allowedTools', 'mcp__jumpseat__web_search'],
      // Its tools are in the first request, where no model would look for them.
      env: { ENABLE_TOOL_SEARCH: 'false', JUMPSEAT_MCP_KEY: `${product.key}.claude-code` },
    });
    expect([text, errors]).toEqual([expect.stringContaining('docs.example'), '']);
    const searched = product.exchanges.filter(({ reason }) => reason?.rule === 'own-prompt');
    expect(searched.map(({ client, initiator }) => [client, initiator])).toEqual([['claude-code', 'user']]);
    expect(product.simulator.script.violations).toEqual([]);
  });
});

describe.runIf(codexBinary !== '')('the real Codex', () => {
  it('searches with the server of "jumpseat env --for mcp-codex"', async () => {
    const codex = codexHome(product, 'gpt-5.4', codexMcp(product));
    const run = await codex.run('use: mcp__jumpseat__web_search {"query":"latest node"}');
    expect([run.code, run.text], run.errors).toEqual([0, expect.stringContaining('"engine":"copilot"')]);
    // The model gets the pages, within their quotation.
    const reported = JSON.stringify(product.simulator.requests.at(-1)?.body);
    expect(reported).toMatch(/was written by others.*docs\.example/);
    const searched = product.exchanges.filter(({ reason }) => reason?.rule === 'own-prompt');
    expect(searched.map(({ client, initiator }) => [client, initiator])).toEqual([['codex', 'user']]);
    expect(product.simulator.script.violations).toEqual([]);
  });
});

describe('jumpseat mcp', () => {
  const connect = async (client: Client): Promise<void> => {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [builtCli(), 'mcp', '--client', 'over-stdio'],
        env: {
          PATH: process.env.PATH ?? '',
          HOME: product.home,
          JUMPSEAT_HOME: join(product.home, 'jumpseat'),
          JUMPSEAT_SECRETS: 'memory',
          JUMPSEAT_KEY: product.key,
        },
      }),
    );
  };

  it('serves the official client over stdio: through the running Jumpseat, and with a sentence where none runs', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await connect(client);
    try {
      const search = () => client.callTool({ name: 'web_search', arguments: { query: 'latest node', count: 1 } });
      const found = await search();
      expect(Object(found.structuredContent).sources).toHaveLength(1);
      const row = await product.ended(({ reason }) => reason?.rule === 'own-prompt');
      expect([row.client, row.initiator]).toEqual(['over-stdio', 'user']);
      await product.close();
      expect(await search()).toMatchObject({
        isError: true,
        content: [{ text: 'Jumpseat: Jumpseat isn’t running. Start it, then ask again.' }],
      });
    } finally {
      await client.close();
    }
    product = await startProduct();
  });
});

it('jumpseat search beside a running Jumpseat has its row there, by an engine with a key too', async () => {
  await product.close();
  product = await startProduct({}, null, ({ enginesUrl, searchKey }) => ({
    JUMPSEAT_KEY: 'key-of-this-test-alone',
    JUMPSEAT_EXA_URL: `${enginesUrl}/exa`,
    JUMPSEAT_EXA_KEY: searchKey,
  }));
  const found = await product.run(['search', 'node', 'lts']).ended();
  expect([found.code, found.out, found.err]).toEqual([0, expect.stringContaining('docs.example'), '']);
  const exa = await product.run(['search', 'node', 'lts', '--engine', 'exa', '--json']).ended();
  expect([exa.code, JSON.parse(exa.out)]).toMatchObject([0, { kind: 'found', engine: 'exa' }]);
  await product.settled();
  expect(product.exchanges.map(({ client, api, path, initiator }) => [client, api, path, initiator])).toEqual([
    ['jumpseat', 'responses', '/responses', 'user'],
    ['jumpseat', 'web', null, null],
    ['jumpseat', 'web', null, null],
  ]);
  expect(product.printed).not.toContain('lts');
});
