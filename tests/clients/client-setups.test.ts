import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientName, ClientUse } from '../../app/api/setup.ts';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import { clientPrograms, expectOwn, expectWork, putOwn } from './client-programs.ts';
import { type Product, startProduct } from './product.ts';

/** Programs of others, set up by a command: a prompt with a tool works, and after undo their files are as before. */
let product: Product;
beforeAll(async () => {
  // A key that works tomorrow.
  product = await startProduct({}, null, { JUMPSEAT_KEY: 'k'.repeat(40) });
});
afterAll(() => product?.close());

describe.each(clientPrograms)('the real $name', (program) => {
  const { name, files } = program;
  it('is set up by commands for models and tools, runs both tools, and is as before after undo', async () => {
    putOwn(program, product.home);
    const ran = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await product.run(['setup', name, ...args]).ended();
      expect(code, err).toBe(0);
      expect(out + err).not.toContain(product.key);
      expect(out).not.toContain('sk-own');
      return out;
    };
    const read = (file: string): string => readFileSync(join(product.home, file), 'utf8');
    expect(await ran()).toContain('is set up.');
    const withModels = read(files.models);
    const printed = await ran('--as', 'mcp');
    expect(printed).toContain('is set up.');
    expect(printed).toContain(`--as mcp --undo".`);
    await expectWork(program, product, ['runs', 'searches']);

    expect(await ran('--undo', '--as', 'mcp')).toContain('entries are gone from');
    if (files.models === files.mcp) expect(read(files.models)).toBe(withModels);
    expect(await ran('--undo')).toContain('entries are gone from');
    expectOwn(program, product.home);
  });
});

/** How a program that can't be had here asks, by what its set-up wrote into its files. */
interface Written {
  name: ClientName;
  use: ClientUse;
  label: string;
  files: string[];
  /** Its files as JSON, or as text where they are YAML. */
  asks(texts: string[]): { url: string; key: string; model: string };
  api: 'messages' | 'chat';
}

const written: Written[] = [
  {
    ...{ name: 'claude-desktop', use: 'models', label: 'claude-desktop', api: 'messages' },
    files: [
      '.config/Claude-3p/configLibrary/6a756d70-7365-4174-8000-000000004180.json',
      '.config/Claude-3p/configLibrary/_meta.json',
      '.config/Claude-3p/claude_desktop_config.json',
      '.config/Claude/claude_desktop_config.json',
    ],
    asks: ([text = '']) => {
      const found = JSON.parse(text);
      const [{ name: model }] = found.inferenceModels;
      return { url: found.inferenceGatewayBaseUrl, key: found.inferenceGatewayApiKey, model };
    },
  },
  {
    ...{ name: 'roo', use: 'models', label: 'roo', api: 'chat' },
    files: ['.roo/jumpseat.json', '.config/Code/User/settings.json'],
    asks: ([text = '', settings = '']) => {
      const path: string = JSON.parse(settings)['roo-cline.autoImportSettingsPath'];
      expect(readFileSync(path, 'utf8')).toBe(text);
      const profile = JSON.parse(text).providerProfiles.apiConfigs.Jumpseat;
      return { url: profile.openAiBaseUrl, key: profile.openAiApiKey, model: profile.openAiModelId };
    },
  },
  {
    ...{ name: 'zed', use: 'models', label: 'zed', api: 'chat' },
    files: ['.config/zed/settings.json'],
    asks: ([text = '']) => {
      const provider = JSON.parse(text).language_models.openai_compatible.Jumpseat;
      // The person pastes it.
      return { url: provider.api_url, key: `${product.key}.zed`, model: provider.available_models[0].name };
    },
  },
  {
    ...{ name: 'crush', use: 'models', label: 'crush', api: 'chat' },
    files: ['.config/crush/crush.json'],
    asks: ([text = '']) => {
      const { base_url: url, api_key: key, models } = JSON.parse(text).providers.jumpseat;
      return { url, key, model: models[0].id };
    },
  },
  {
    ...{ name: 'aider', use: 'models', label: 'aider', api: 'chat' },
    files: ['.aider.conf.yml'],
    asks: ([text = '']) => {
      const setting = (name: string): string => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
      const model = setting('model').replace('openai/', '');
      return { url: setting('openai-api-base'), key: setting('openai-api-key'), model };
    },
  },
  {
    ...{ name: 'vscode', use: 'models', label: 'vscode', api: 'chat' },
    files: ['.config/Code/User/chatLanguageModels.json'],
    asks: ([text = '']) => {
      const [{ apiKey: key, models }] = JSON.parse(text);
      const model = models.find(({ url }: { url: string }) => url.endsWith('/chat/completions'));
      return { url: model.url.replace('/chat/completions', ''), key, model: model.id };
    },
  },
];

describe.each(written)('what is set up for $name as $use', ({ name, use, label, files, asks, api }) => {
  it('leads a request with a tool to the model under its name, and is gone after undo', async () => {
    const paths = files.map((file) => join(product.home, file));
    const setup = await product.run(['setup', name, '--as', use]).ended();
    expect([setup.code, setup.out], setup.err).toEqual([0, expect.stringContaining('is set up.')]);
    expect(setup.out + setup.err).not.toContain(product.key);
    const { url, key, model } = asks(paths.map((path) => readFileSync(path, 'utf8')));
    const parameters = { type: 'object', properties: { cmd: { type: 'string' } } };
    const tools =
      api === 'chat'
        ? [{ type: 'function', function: { name: 'run', parameters } }]
        : [{ name: 'run', input_schema: parameters }];
    const answer = await fetch(api === 'chat' ? `${url}/chat/completions` : `${url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({
        ...{ model, max_tokens: 100, stream: false, tools },
        messages: [{ role: 'user', content: 'use: run {"cmd":"x"}' }],
      }),
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringMatching(/"name":\s*"run"/)]);
    await product.settled();
    const row = product.exchanges.findLast((one) => one.client === label);
    expect(row).toMatchObject({ api, initiator: 'user' });
    const undo = await product.run(['setup', name, '--undo', '--as', use]).ended();
    expect(undo.code, undo.err).toBe(0);
    expect(paths.filter(existsSync)).toEqual([]);
  });
});

/** Programs that start Jumpseat themselves, and what they say to it first. */
const starting: { name: ClientName; use: ClientUse; file: string; at: string[]; hello: object; answers: RegExp }[] = [
  ...(
    [
      ['zed', '.config/zed/settings.json'],
      ['jetbrains', '.jetbrains/acp.json'],
    ] as const
  ).map(([name, file]) => ({
    ...{ name, file, use: 'agent' as const, at: ['agent_servers', 'Jumpseat'] },
    hello: { protocolVersion: 1, clientCapabilities: {} },
    answers: /"agentInfo".*[Jj]umpseat/,
  })),
  {
    ...{ name: 'claude-desktop', use: 'mcp', file: '.config/Claude/claude_desktop_config.json' },
    at: ['mcpServers', 'jumpseat'],
    hello: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    answers: /"serverInfo".*[Jj]umpseat/,
  },
];

it.each(starting)('$name starts Jumpseat by the command that its set-up wrote ($use)', async (row) => {
  const { name, use, file, at, hello, answers } = row;
  const path = join(product.home, file);
  const setup = await product.run(['setup', name, '--as', use]).ended();
  expect(setup.code, setup.err).toBe(0);
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(product.key);
  const server = at.reduce((value, step) => value[step], JSON.parse(text));
  const [first = '', ...more]: string[] = [server.command, ...server.args];
  const env = { PATH: process.env.PATH, HOME: product.home, JUMPSEAT_HOME: join(product.home, 'jumpseat') };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`;
  const { out, err } = await new Started(first, more, { env, input, withinMs: runPatienceMs }).ended();
  expect(out, err).toMatch(answers);
  const undo = await product.run(['setup', name, '--undo']).ended();
  expect([undo.code, existsSync(path)], undo.err).toEqual([0, false]);
});
