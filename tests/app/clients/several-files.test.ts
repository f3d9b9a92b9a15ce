import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf } from '../../../app/clients/programs.ts';
import { key, model, stage } from './stage.ts';

const library = '.config/Claude-3p/configLibrary';
const id = '6a756d70-7365-4174-8000-000000004180';
const files = {
  own: `${library}/${id}.json`,
  meta: `${library}/_meta.json`,
  thirdParty: '.config/Claude-3p/claude_desktop_config.json',
  config: '.config/Claude/claude_desktop_config.json',
};
const others = '11111111-2222-4333-8444-555555555555';
const before = {
  [files.meta]: `{"appliedId":"${others}","entries":[{"id":"${others}","name":"Work"}]}`,
  [files.thirdParty]: '{\n\t"deploymentMode": "1p",\n\t"window": { "x": 3 }\n}\n',
  [files.config]: '{ "mcpServers": { "mine": { "command": "a" } } }\n',
};

it('Claude Desktop gets a configuration of its own, in use and beside the person’s, and all is as before after undo', async () => {
  const { run, read, json, uses, given } = stage(before);
  given.models.push({ ...model('claude-opus-4.8'), limits: { promptTokens: 936_000, outputTokens: 64_000 } });
  const plan = await run('claude-desktop', 'setup');
  expect(plan.files.map(({ change }) => change)).toEqual(['create', 'write', 'write', 'write']);
  expect(json(files.own)).toEqual({
    ...{ inferenceProvider: 'gateway', inferenceGatewayBaseUrl: 'http://127.0.0.1:4180' },
    ...{ inferenceGatewayApiKey: `${key}.claude-desktop`, inferenceGatewayAuthScheme: 'bearer' },
    inferenceModels: [
      { name: 'claude-sonnet-4-6', labelOverride: 'claude-sonnet-4.6' },
      { name: 'claude-opus-4-8', labelOverride: 'claude-opus-4.8', supports1m: true },
    ],
  });
  expect(json(files.meta)).toEqual({
    appliedId: id,
    entries: [
      { id: others, name: 'Work' },
      { id, name: 'Jumpseat' },
    ],
  });
  expect([json(files.thirdParty).deploymentMode, json(files.config).deploymentMode]).toEqual(['3p', '3p']);
  expect(await uses('claude-desktop')).toContainEqual({
    use: 'models',
    state: 'set-up',
    by: 'jumpseat',
    trouble: null,
  });
  await run('claude-desktop', 'setup', 'mcp');
  expect(Object.keys(json(files.config).mcpServers)).toEqual(['mine', 'jumpseat']);
  await run('claude-desktop', 'undo', 'models');
  expect(json(files.config)).toEqual({ mcpServers: { mine: { command: 'a' }, jumpseat: expect.anything() } });
  await run('claude-desktop', 'undo');
  expect(read(files.own)).toBe(null);
  for (const [file, text] of Object.entries(before)) expect(read(file)).toBe(text);
});

it('gives back the configuration and the mode from before only where ours is still in use', async () => {
  const { run, json, put, uses, read } = stage(before);
  await run('claude-desktop', 'setup');
  const third = '99999999-2222-4333-8444-555555555555';
  const meta = json(files.meta);
  put(
    files.meta,
    JSON.stringify({ ...meta, appliedId: third, entries: [...meta.entries, { id: third, name: 'New' }] }),
  );
  put(files.thirdParty, (read(files.thirdParty) ?? '').replace('"3p"', '"1p"'));
  // It doesn't lead to Jumpseat any more, and Health says which value that is.
  expect(await uses('claude-desktop')).toContainEqual({
    ...{ use: 'models', state: 'changed', by: 'jumpseat' },
    trouble: expect.stringMatching(/^appliedId in \S+_meta\.json was changed since it was set up\.$/),
  });
  const undo = await run('claude-desktop', 'undo');
  expect(undo.files.flatMap(({ left }) => left)).toEqual(expect.arrayContaining(['appliedId', 'deploymentMode']));
  expect(json(files.meta)).toEqual({
    appliedId: third,
    entries: [
      { id: others, name: 'Work' },
      { id: third, name: 'New' },
    ],
  });
  expect(json(files.thirdParty).deploymentMode).toBe('1p');
  expect(read(files.config)).toBe(before[files.config]);
});

it('without a record takes out what is certainly its own, and names the mode', async () => {
  const { run, json, forget } = stage(before);
  await run('claude-desktop', 'setup');
  forget();
  const undo = await run('claude-desktop', 'undo');
  expect(json(files.meta)).toEqual({ entries: [{ id: others, name: 'Work' }] });
  expect(undo.files.flatMap(({ left }) => left)).toEqual(['deploymentMode', 'deploymentMode']);
});

it('writes all files of a setup or none, and takes all out or none', async () => {
  const { setups, run, read, put, home, paths } = stage(before);
  const record = join(paths.home, 'clients.json');
  const copies = () => readdirSync(join(paths.backups, 'clients'));
  const planned = await setups.plan('claude-desktop', null, 'setup');
  put(files.config, '{ "changed": 1 }');
  await expect(setups.apply(planned.id)).rejects.toMatchObject({ code: 'changed' });
  const now = { ...before, [files.config]: '{ "changed": 1 }' };
  for (const [file, text] of Object.entries(now)) expect(read(file)).toBe(text);
  expect([read(files.own), copies()]).toEqual([null, []]);
  expect(read('jumpseat/clients.json')).not.toContain('claude');

  put(files.config, before[files.config] ?? '');
  chmodSync(join(home, files.meta), 0o640);
  await run('claude-desktop', 'setup');
  const written = Object.values(files).map(read);
  const known = statSync(record).size;
  const undo = await setups.plan('claude-desktop', null, 'undo');
  put(files.own, '{ "changed": 1 }');
  await expect(setups.apply(undo.id)).rejects.toMatchObject({ code: 'changed' });
  expect(Object.values(files).map(read)).toEqual(['{ "changed": 1 }', ...written.slice(1)]);
  expect([statSync(join(home, files.meta)).mode & 0o777, statSync(record).size]).toEqual([0o640, known]);
});

it('follows Claude Desktop to the folder that a variable names, and knows where an organization decides', async () => {
  const { setups, put, machine } = stage();
  const [own] = filesOf('claude-desktop', 'models');
  const env = { CLAUDE_USER_DATA_DIR: '/data' };
  expect(own?.path({ ...machine, env })).toBe(`/data/configLibrary/${id}.json`);
  const windows = { platform: 'win32' as const, env: { LOCALAPPDATA: 'C:\\L', APPDATA: 'C:\\R' }, home: 'C:\\me' };
  expect(filesOf('claude-desktop', 'models').map(({ path }) => path(windows))).toEqual([
    `C:\\L\\Claude-3p\\configLibrary\\${id}.json`,
    'C:\\L\\Claude-3p\\configLibrary\\_meta.json',
    'C:\\L\\Claude-3p\\claude_desktop_config.json',
    'C:\\R\\Claude\\claude_desktop_config.json',
  ]);
  machine.platform = 'darwin';
  const policy = 'Library/Managed Preferences/com.anthropic.claudefordesktop.plist';
  put(policy, '');
  expect(await setups.plan('claude-desktop', null, 'setup')).toMatchObject({
    managedBy: expect.stringContaining(policy),
  });
  expect(await setups.plan('claude-desktop', 'mcp', 'setup')).toMatchObject({ managedBy: null });
});

it('Roo Code is led to a file that it imports, and is told twice what undo can’t reach', async () => {
  const settings = '.config/Code/User/settings.json';
  const own = '{\n  // mine\n  "roo-cline.autoImportSettingsPath": "~/mine.json", // old\n}\n';
  const { run, read, json, home, setups } = stage({ [settings]: own });
  expect((await setups.list()).find(({ name }) => name === 'roo')).toMatchObject({ isInstalled: false });
  const setup = await run('roo', 'setup');
  expect(setup.next).toMatch(/delete the profile there yourself after an undo/);
  expect(JSON.stringify(setup.files)).not.toContain(key);
  expect(json('.roo/jumpseat.json')).toEqual({
    providerProfiles: {
      currentApiConfigName: 'Jumpseat',
      apiConfigs: {
        Jumpseat: {
          ...{ apiProvider: 'openai', openAiBaseUrl: 'http://127.0.0.1:4180/v1', openAiApiKey: `${key}.roo` },
          openAiModelId: 'claude-sonnet-4.6',
        },
      },
    },
    globalSettings: {},
  });
  expect(read(settings)).toBe(own.replace('~/mine.json', join(home, '.roo/jumpseat.json')));
  const undo = await run('roo', 'undo');
  expect(undo.next).toMatch(/keeps the profile Jumpseat, with your local key/);
  expect([read(settings), read('.roo/jumpseat.json')]).toEqual([own, null]);
});

it('Zed gets a provider with every model, and no key', async () => {
  const zed = '.config/zed/settings.json';
  const { run, json, read, given } = stage({ [zed]: '// mine\n{ "language_models": { "openai_compatible": {} } }\n' });
  given.models.push({
    ...model('gpt-6'),
    endpoints: ['/responses'],
    limits: { promptTokens: null, outputTokens: null },
  });
  const { next } = await run('zed', 'setup', 'models');
  expect(read(zed)).not.toContain(key);
  const provider = JSON.parse((read(zed) ?? '').replace('// mine', '')).language_models.openai_compatible.Jumpseat;
  expect(provider.api_url).toBe('http://127.0.0.1:4180/v1');
  const capabilities = { tools: true, images: true, parallel_tool_calls: true, prompt_cache_key: false };
  expect(provider.available_models.slice(1)).toEqual([
    {
      ...{ name: 'claude-sonnet-4.6', display_name: 'claude-sonnet-4.6 (Jumpseat)' },
      ...{ max_tokens: 100_000, max_output_tokens: 16_000 },
      capabilities: { ...capabilities, chat_completions: true },
    },
    {
      ...{ name: 'gpt-6', display_name: 'gpt-6 (Jumpseat)', max_tokens: 128_000 },
      capabilities: { ...capabilities, chat_completions: false },
    },
  ]);
  expect(next).toContain('jumpseat env --for zed-key');
  const undo = await run('zed', 'undo', 'models');
  expect(undo.next).toContain('keychain');
  expect(read(zed)).toBe('// mine\n{ "language_models": { "openai_compatible": {} } }\n');
  expect(json).toBeDefined();
});
