import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientName, ClientUse } from '../../app/api/clients.ts';
import { processesOf } from '../e2e/processes.ts';
import { runPatienceMs } from '../soon.ts';
import { type Ended, Started } from '../started.ts';
import { codexBinary } from './codex.ts';
import { type Product, startProduct } from './product.ts';

/** Programs of others, set up by a command: a prompt with a tool works, and after undo their files are as before. */
let product: Product;
beforeAll(async () => {
  // A key that works tomorrow.
  product = await startProduct({}, null, { JUMPSEAT_KEY: 'k'.repeat(40) });
});
afterAll(() => product?.close());

const programs: Record<string, string> = JSON.parse(process.env.JUMPSEAT_TEST_PROGRAMS ?? '{}');

interface Driven {
  name: ClientName;
  file: string;
  /** What a person has there; null: nothing yet. */
  own: string | null;
  binary: string | undefined;
  args: string[];
  /** With its own tool that runs a command. */
  prompt: string;
  /** It takes the prompt as it stands only there. */
  isPromptOnStdin?: true;
  /** It writes its file anew when it runs, with the time. */
  isWrittenByItself?: true;
  api: 'messages' | 'chat' | 'responses';
  /** How it is told to use Jumpseat where it keeps the person's own choice. */
  env?: Record<string, string>;
}

const driven: Driven[] = [
  {
    name: 'codex',
    file: '.codex/config.toml',
    own: '# mine\r\nmodel = "o3"   # the best\r\ncheck_for_update_on_startup = false\r\n\r\n[analytics]\r\nenabled = false\r\n',
    binary: codexBinary,
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    prompt: 'use: exec_command {"cmd":"echo made-by-it | tee made.txt"}',
    api: 'responses',
  },
  {
    name: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    own: '{\n\t// mine\n\t"$schema": "https://opencode.ai/config.json",\n\t"permission": { "bash": "allow", }, /* end */\n}',
    binary: programs.opencode,
    args: ['run'],
    isPromptOnStdin: true,
    prompt: 'use: bash {"command":"echo made-by-it | tee made.txt","description":"make it"}',
    api: 'messages',
  },
  {
    name: 'continue',
    file: '.continue/config.yaml',
    own: null,
    binary: programs.continue,
    args: ['--auto', '-p'],
    prompt: 'use: Bash {"command":"echo made-by-it | tee made.txt"}',
    api: 'chat',
  },
  {
    name: 'cline',
    file: '.cline/data/settings/providers.json',
    own: '{ "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": { "openai-compatible": { "settings": { "provider": "openai-compatible", "apiKey": "sk-own", "model": "m", "baseUrl": "http://127.0.0.1:9/v1" }, "updatedAt": "2026-11-27T05:27:07.090Z" } } }',
    binary: programs.cline,
    isWrittenByItself: true,
    args: [],
    prompt: 'use: run_commands {"commands":["echo made-by-it | tee made.txt"]}',
    api: 'chat',
  },
  {
    name: 'goose',
    file: '.config/goose/custom_providers/jumpseat.json',
    own: null,
    binary: programs.goose,
    env: { GOOSE_PROVIDER: 'jumpseat', GOOSE_MODEL: 'claude-sonnet-4.6' },
    args: ['run', '--text'],
    prompt: 'use: shell {"command":"echo made-by-it | tee made.txt"}',
    api: 'messages',
  },
];

describe.each(driven.filter(({ binary }) => binary !== undefined && binary !== ''))(
  'the real $name',
  ({
    name,
    file,
    own,
    binary = '',
    args,
    prompt,
    isPromptOnStdin = false,
    isWrittenByItself = false,
    api,
    env = {},
  }) => {
    it('is set up by a command, runs a tool, and is as before after undo', async () => {
      const path = join(product.home, file);
      const project = mkdtempSync(join(product.home, `${name}-`));
      if (own !== null) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, own);
      }
      const setup = await product.run(['setup', name]).ended();
      expect([setup.code, setup.out], setup.err).toEqual([0, expect.stringContaining('is set up.')]);
      expect(setup.out + setup.err).not.toContain(product.key);
      expect(setup.out).not.toContain('sk-own');

      const { out, err } = await (isPromptOnStdin
        ? run(binary, args, project, env, prompt)
        : run(binary, [...args, prompt], project, env));
      expect(existsSync(join(project, 'made.txt')), out + err).toBe(true);
      expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('made-by-it\n');
      await product.settled();
      const rows = product.exchanges.filter(({ client }) => client === name);
      expect(rows.map((row) => row.api)).toContain(api);
      expect(rows.map(({ initiator }) => initiator)).toEqual(expect.arrayContaining(['user', 'agent']));

      const undo = await product.run(['setup', name, '--undo']).ended();
      expect([undo.code, undo.out], undo.err).toEqual([0, expect.stringContaining('entries are gone from')]);
      const after = existsSync(path) ? readFileSync(path, 'utf8') : null;
      if (isWrittenByItself) expect(withoutTime(after)).toEqual(withoutTime(own));
      else expect(after).toBe(own);
    });
  },
);

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

function withoutTime(text: string | null): unknown {
  return JSON.parse((text ?? 'null').replace(/,\s*"updatedAt":\s*"[^"]*"/, ''));
}

async function run(
  binary: string,
  args: string[],
  project: string,
  own: Record<string, string>,
  input?: string,
): Promise<Ended> {
  const isScript = binary.endsWith('.js');
  const { home } = product;
  const started = new Started(isScript ? process.execPath : binary, [...(isScript ? [binary] : []), ...args], {
    cwd: project,
    ...(input !== undefined && { input }),
    withinMs: runPatienceMs,
    env: {
      // By its folder its processes are found.
      JUMPSEAT_HOME: project,
      ...{ PATH: process.env.PATH, HOME: home, CONTINUE_TELEMETRY_ENABLED: '0' },
      // Nobody listens there.
      ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
      no_proxy: '127.0.0.1,localhost',
      ...own,
    },
  });
  try {
    return await started.ended();
  } finally {
    // Cline leaves one for its next runs.
    for (const pid of processesOf(project)) process.kill(pid, 'SIGKILL');
  }
}
