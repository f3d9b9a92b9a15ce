import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientNameSchema } from '../../../app/api/setup.ts';
import type { Machine } from '../../../app/clients/machine.ts';
import { filesOf, usesOf } from '../../../app/clients/programs.ts';
import { key, model, stage } from './stage.ts';

const all = clientNameSchema.options.flatMap((name) => usesOf(name).map((use) => [name, use] as const));

describe.each(all)('%s as %s', (name, use) => {
  const rows = filesOf(name, use);
  const given = { door: { baseUrl: 'http://127.0.0.1:4180', key, label: 'x' }, models: [model('claude-sonnet-4.6')] };
  const written = (machine: Machine): string =>
    JSON.stringify(rows.flatMap((row) => row.entries({ ...given, command: ['jumpseat'], machine })));
  const machine: Machine = { platform: 'linux', env: {}, home: '/home/me' };
  // Jumpseat's own command finds both, and Zed asks the person for the key.
  const hasAddress = written(machine).includes(':4180');
  const hasKey = written(machine).includes(key);

  it('is written into new files of their owner’s alone, and they go with it and the folders made for them', async () => {
    const { run, machine, state, home } = stage();
    const paths = rows.map((row) => row.path(machine));
    const plan = await run(name, 'setup', use);
    expect(plan.files.map(({ change }) => change)).toEqual(rows.map(() => 'create'));
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await state(name)).toContainEqual([use, 'set-up']);
    expect((await run(name, 'setup', use)).files.map(({ change }) => change)).toEqual(rows.map(() => 'none'));
    expect((await run(name, 'undo')).files.map(({ change }) => change)).toEqual(rows.map(() => 'remove'));
    expect(readdirSync(home)).toEqual(['jumpseat']);
    expect(await state(name)).toContainEqual([use, 'not-set-up']);
    // A folder that holds something else stays.
    await run(name, 'setup', use);
    for (const path of paths) writeFileSync(`${path}.own`, '');
    await run(name, 'undo');
    for (const path of paths) expect([existsSync(path), existsSync(`${path}.own`)]).toEqual([false, true]);
  });

  it('is known by its name and address where the record is lost, and taken out', async () => {
    const { run, machine, uses, paths, given } = stage();
    const files = rows.map((row) => ({ ...row, at: row.path(machine) }));
    await run(name, 'setup', use);
    expect(await uses(name)).toContainEqual({ use, state: 'set-up', by: 'jumpseat', trouble: null });
    rmSync(join(paths.home, 'clients.json'));
    expect(await uses(name)).toContainEqual({ use, state: 'set-up', by: 'hand', trouble: null });
    // Where it stands there already, a setup makes no record of what was there before.
    expect((await run(name, 'setup', use)).files.map(({ change }) => change)).toEqual(rows.map(() => 'none'));
    expect(await uses(name)).toContainEqual({ use, state: 'set-up', by: 'hand', trouble: null });
    const undo = await run(name, 'undo');
    const own = rows.filter(({ isOwnFile }) => isOwnFile).length;
    expect(undo.files.filter(({ change }) => change === 'remove')).toHaveLength(own);
    for (const file of undo.files) expect(file).toMatchObject({ isUnrecorded: true, isBackupGone: false });
    for (const { at, isOwnFile = false } of files) {
      const left = existsSync(at) ? readFileSync(at, 'utf8') : '';
      expect(left).not.toMatch(new RegExp(`${key}|jumpseat|${given.baseUrl}`, 'i'));
      expect(existsSync(at)).toBe(!isOwnFile);
    }
    expect(await uses(name)).toContainEqual({ use, state: 'not-set-up', by: null, trouble: null });
  });

  it('is not called set up for another port or key', async () => {
    const { run, given, uses } = stage();
    await run(name, 'setup', use);
    const whole = { use, state: 'set-up', by: 'jumpseat', trouble: null };
    given.baseUrl = 'http://127.0.0.1:4181';
    const moved = {
      ...whole,
      state: 'elsewhere',
      trouble: expect.stringMatching(/leads to http:\S+:4180, and Jumpseat/),
    };
    expect(await uses(name)).toContainEqual(hasAddress ? moved : whole);
    Object.assign(given, { baseUrl: 'http://127.0.0.1:4180', key: 'another-key' });
    const refused = {
      ...whole,
      state: 'elsewhere',
      trouble: expect.stringMatching(/doesn’t have the key that Jumpseat/),
    };
    expect(await uses(name)).toContainEqual(hasKey ? refused : whole);
    Object.assign(given, { baseUrl: 'http://127.0.0.1:4181' });
    await run(name, 'setup', use);
    expect(await uses(name)).toContainEqual(whole);
  });

  it('stands beside what a person has, which is there to the byte after undo', async () => {
    const { run, machine, home } = stage();
    const own = {
      json: '{\n  // mine\n  "theme": "dark",\n}',
      toml: '# mine\ntheme="dark"',
      yaml: '# mine\ntheme:   dark\n',
    };
    const shared = rows.filter(({ isOwnFile }) => !isOwnFile);
    const files = shared.map((row) => ({
      path: row.path(machine),
      text:
        name === 'vscode' && use === 'models' ? '[\n  // mine\n  { "name": "Own", "vendor": "x" }\n]' : own[row.format],
      isSecret: JSON.stringify(row.entries({ ...given, command: ['jumpseat'], machine })).includes(key),
    }));
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, 0o644);
    }
    chmodSync(home, 0o755);
    const plan = await run(name, 'setup', use);
    const isSecret = files.some((file) => file.isSecret);
    for (const { path, text, isSecret } of files) {
      // Others could read the key in it.
      expect(statSync(path).mode & 0o777).toBe(isSecret ? 0o600 : 0o644);
      const now = readFileSync(path, 'utf8');
      expect(now).toContain('mine');
      expect(now).not.toBe(text);
    }
    expect(plan.modeNote).toEqual(
      isSecret ? expect.stringMatching(/readable only for you \(mode 0600 instead of 0644\)/) : null,
    );
    expect(JSON.stringify(plan.files)).not.toContain(key);
    expect((await run(name, 'undo')).modeNote).toEqual(
      isSecret ? expect.stringMatching(/its mode back \(0644\)/) : null,
    );
    for (const { path, text } of files) {
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(statSync(path).mode & 0o777).toBe(0o644);
    }
  });
});

const codex = '.codex/config.toml';

it('closes a file that gets the key also where its folder keeps others out, and says so', async () => {
  const { run, home } = stage();
  const path = join(home, codex);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'model = "gpt-5"\n');
  for (const [mode, shown] of [
    [0o644, '0644'],
    [0o640, '0640'],
    [0o664, '0664'],
  ] as const) {
    chmodSync(path, mode);
    chmodSync(home, 0o700);
    const { modeNote } = await run('codex', 'setup');
    expect(modeNote).toBe(
      `~/.codex/config.toml becomes readable only for you (mode 0600 instead of ${shown}), because the local key is in it.`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await run('codex', 'undo')).modeNote).toBe(`~/.codex/config.toml gets its mode back (${shown}).`);
    expect(statSync(path).mode & 0o777).toBe(mode);
  }
});

it('Crush may attach images to the models that see them', async () => {
  const { run, read, given } = stage();
  const seeing = (id: string, vision: boolean) => ({
    ...model(id),
    supports: { vision, efforts: [], maxThinkingBudget: null },
  });
  given.models.splice(0, given.models.length, seeing('gpt-5.4', true), seeing('grok-code', false));
  await run('crush', 'setup');
  const { models } = JSON.parse(read('.config/crush/crush.json') ?? '').providers.jumpseat;
  expect(models.map(({ id, supports_attachments }: Record<string, unknown>) => [id, supports_attachments])).toEqual([
    ['gpt-5.4', true],
    ['grok-code', false],
  ]);
  await run('crush', 'undo');
  expect(read('.config/crush/crush.json')).toBe(null);
});

describe('a file that is Jumpseat’s alone', () => {
  const goose = '.config/goose/custom_providers/jumpseat.json';

  it('has what Goose reads: the key in a header, and every model with a limit', async () => {
    const { run, read, given, setups } = stage({ '.config/goose/config.yaml': 'GOOSE_PROVIDER: mine\n' });
    // Before it has a provider of the person's.
    expect((await setups.list()).find(({ name }) => name === 'goose')).toMatchObject({ isInstalled: true });
    given.models.push({ ...model('grok-code'), limits: { promptTokens: null, outputTokens: null } });
    const { next, files } = await run('goose', 'setup');
    expect(JSON.parse(read(goose) ?? '')).toEqual({
      ...{ name: 'jumpseat', display_name: 'Jumpseat', engine: 'anthropic', base_url: 'http://127.0.0.1:4180' },
      ...{ api_key_env: '', requires_auth: false, headers: { Authorization: `Bearer ${key}.goose` } },
      ...{ dynamic_models: false, skip_canonical_filtering: true },
      models: [
        { name: 'claude-sonnet-4.6', context_limit: 100_000 },
        { name: 'gpt-5.4', context_limit: 100_000 },
        { name: 'grok-code', context_limit: 128_000 },
      ],
    });
    expect(next).toContain('GOOSE_PROVIDER=jumpseat');
    expect(JSON.stringify(files)).not.toContain(key);
    await run('goose', 'undo');
    // The person’s own choice was never touched.
    expect([read('.config/goose/config.yaml'), read(goose)]).toEqual(['GOOSE_PROVIDER: mine\n', null]);
  });

  it('is removed whole where its program wrote more into it, and a copy of that stays', async () => {
    const { run, read, put, paths, uses } = stage();
    await run('goose', 'setup');
    const edited = { ...JSON.parse(read(goose) ?? ''), display_name: 'Copilot', timeout_seconds: 600 };
    put(goose, JSON.stringify(edited));
    expect((await uses('goose'))[0]).toMatchObject({ state: 'changed', trouble: null });
    expect((await run('goose', 'undo')).files).toMatchObject([{ change: 'remove', left: [] }]);
    expect(read(goose)).toBe(null);
    const copies = readdirSync(join(paths.backups, 'clients'));
    const texts = copies.map((name) => readFileSync(join(paths.backups, 'clients', name), 'utf8'));
    expect(texts).toContain(JSON.stringify(edited));
  });

  it('is never one that somebody else wrote, before the setup or after it', async () => {
    const own = '{ "name": "mine", "base_url": "https://models.example" }';
    const { run, read, put, setups, state } = stage({ [goose]: own });
    const refused = { message: expect.stringMatching(/jumpseat\.json is there already, and isn’t Jumpseat’s/) };
    await expect(setups.plan('goose', null, 'setup')).rejects.toMatchObject(refused);
    expect((await run('goose', 'undo')).files).toEqual([]);
    put(goose, '');
    await run('goose', 'setup');
    put(goose, own);
    await expect(setups.plan('goose', null, 'setup')).rejects.toMatchObject(refused);
    expect((await run('goose', 'undo')).files).toMatchObject([{ change: 'none' }]);
    expect(read(goose)).toBe(own);
    expect((await state('goose'))[0]).toEqual(['models', 'not-set-up']);
  });

  it('gives way to one of the same name that a person wrote for Jumpseat by hand', async () => {
    const own = '{ "name": "jumpseat", "engine": "openai", "base_url": "http://127.0.0.1:9/v1", "models": [] }\n';
    const { run, read, put } = stage({ [goose]: own });
    await run('goose', 'setup');
    expect(read(goose)).toContain(`${key}.goose`);
    await run('goose', 'undo');
    expect(read(goose)).toBe(own);
    await run('goose', 'setup');
    put(goose, (read(goose) ?? '').replace('"Jumpseat"', '"Copilot"'));
    await run('goose', 'undo');
    expect(JSON.parse(read(goose) ?? '')).toMatchObject(JSON.parse(own));
    expect(read(goose)).not.toContain(key);
  });
});

it('takes out what is ours where a person changed the file since, and names what is theirs now', async () => {
  const { run, read, put, state } = stage({ [codex]: 'model = "o3" # best\n' });
  await run('codex', 'setup');
  put(codex, `${read(codex)}\n[mine]\nx = 1\n`.replace('"gpt-5.4"', '"o4"'));
  expect(await state('codex')).toContainEqual(['models', 'changed']);
  const { files } = await run('codex', 'undo');
  expect(files.map(({ left }) => left)).toEqual([['model']]);
  expect(read(codex)).toContain('model = "o4" # best');
  expect(read(codex)).toContain('[mine]\nx = 1');
  expect(read(codex)).not.toMatch(/jumpseat|model_provider|context_window/i);
});

it('puts back what it replaced, also where the file changed since', async () => {
  const { run, read, put } = stage({ '.aider.conf.yml': 'model: own\nopenai-api-key: sk-own\n' });
  const { files } = await run('aider', 'setup');
  expect(JSON.stringify(files)).not.toContain('sk-own');
  put('.aider.conf.yml', `${read('.aider.conf.yml')}dark-mode: true\n`);
  await run('aider', 'undo');
  expect(read('.aider.conf.yml')).toBe('model: own\nopenai-api-key: sk-own\ndark-mode: true\n');
});

it('follows a new key and a model that is gone, and undo still leads back to the person’s file', async () => {
  const own = 'name: Mine\nversion: 2.0.0\nschema: v1\nmodels:\n  - name: own\n    provider: openai\n    model: x\n';
  const { run, read, given, state } = stage({ '.continue/config.yaml': own });
  await run('continue', 'setup');
  given.key = 'another-key';
  given.models = [model('claude-sonnet-5')];
  await run('continue', 'setup');
  expect(read('.continue/config.yaml')).toContain('apiKey: another-key.continue');
  expect(read('.continue/config.yaml')).not.toMatch(/gpt-5\.4|sonnet-4\.6/);
  expect((await state('continue'))[0]).toEqual(['models', 'set-up']);
  await run('continue', 'undo');
  expect(read('.continue/config.yaml')).toBe(own);
});

it('keeps what a person wrote into the file since, comments and all, and leaves a copy of it', async () => {
  const own = '# c1\nmodel = "x"   # best\nargs = [\n  "a",\n]\n\n  # of mine\n[mcp_servers.mine]\ncommand = "a"   \n';
  const { run, read, put, paths } = stage({ [codex]: own });
  await run('codex', 'setup', 'mcp');
  await run('codex', 'setup');
  expect(read(codex)).toContain('args = [\n  "a",\n]\nmodel_context_window');
  put(codex, `# first\n${read(codex)}# later\n`);
  await run('codex', 'undo');
  expect(read(codex)).toBe(`# first\n${own}# later\n`);
  const copies = readdirSync(join(paths.backups, 'clients'));
  const texts = copies.map((name) => readFileSync(join(paths.backups, 'clients', name), 'utf8'));
  expect(texts.some((text) => text.startsWith('# first') && text.includes('jumpseat'))).toBe(true);
  expect(copies.filter((name) => name.includes('-written-'))).toEqual([]);
});

it.each([
  [
    'model_provider = "jumpseat"',
    'model_provider = "openai"',
    'model_provider in FILE was changed since it was set up.',
  ],
  ['model_provider = "jumpseat"\n', '', 'model_provider is gone from FILE.'],
  [
    'http://127.0.0.1:4180/v1',
    'https://u:p@other.example/v1',
    /^model_providers.jumpseat in FILE leads to https:\S+, and/,
  ],
  [`${key}.codex`, 'sk-mine', 'model_providers.jumpseat in FILE doesn’t have the key that Jumpseat asks for.'],
  [`${key}.codex`, 'further.codex', null],
  ['model = "gpt-5.4"', 'model = "o4"', null],
  ['model = "gpt-5.4"', 'model = ', /^FILE isn’t valid TOML \(.+\)\.$/],
])('says which entry no longer leads to it, and sets it up again: %s', async (ours, other, said) => {
  const { run, read, put, uses } = stage({ [codex]: '# mine\n' });
  await run('codex', 'setup');
  const written = read(codex) ?? '';
  put(codex, written.replace(ours, other));
  const [{ trouble = null, by } = {}] = await uses('codex');
  expect(by).toBe('jumpseat');
  const shown = trouble?.replace(/\S*config\.toml/, 'FILE') ?? null;
  if (said instanceof RegExp) expect(shown).toMatch(said);
  else expect(shown).toBe(said);
  expect(trouble ?? '').not.toMatch(/sk-mine|u:p@/);
  if (other.endsWith('= ')) return;
  await run('codex', 'setup');
  expect(read(codex)).toContain(ours);
  expect(await uses('codex')).toContainEqual({ use: 'models', state: 'set-up', by: 'jumpseat', trouble: null });
});

it('puts back what an entry had replaced that is not written any more', async () => {
  const own = 'model_context_window = 5 # mine\n';
  const { run, read, given } = stage({ [codex]: own });
  await run('codex', 'setup');
  expect(read(codex)).toContain('model_context_window = 100000 # mine');
  given.models = [{ ...model('gpt-5.4'), limits: { promptTokens: null, outputTokens: null } }];
  await run('codex', 'setup');
  expect(read(codex)).toContain(own);
  await run('codex', 'undo');
  expect(read(codex)).toBe(own);
});

it('without a record leaves what may be a person’s, and says so', async () => {
  const { run, read, paths } = stage();
  await run('codex', 'setup');
  await run('codex', 'setup', 'mcp');
  rmSync(join(paths.home, 'clients.json'));
  const { files } = await run('codex', 'undo', 'models');
  expect(files).toMatchObject([{ left: ['model', 'model_context_window'], isUnrecorded: true }]);
  expect(read(codex)).toMatch(/model = "gpt-5\.4"\nmodel_context_window = 100000\n\s*\[mcp_servers\.jumpseat\]/);
  expect(read(codex)).not.toMatch(/provider/);
});

it('sets a record aside that can’t be read', async () => {
  const { run, paths } = stage();
  mkdirSync(paths.home);
  writeFileSync(join(paths.home, 'clients.json'), '{');
  await run('codex', 'setup');
  const [aside = ''] = readdirSync(paths.home).filter((name) => name.startsWith('clients.json.damaged-'));
  expect(readFileSync(join(paths.home, aside), 'utf8')).toBe('{');
});

it('gives back the form that a list and a comment had, where another line changed since', async () => {
  const own = 'models:\n    - name: own   # mine\n      roles: [chat]\n\n\n# end\n';
  const { run, read, put } = stage({ '.continue/config.yaml': own });
  await run('continue', 'setup');
  expect(read('.continue/config.yaml')).toContain('    - name: own   # mine\n      roles: [chat]\n    - name: gpt');
  put('.continue/config.yaml', read('.continue/config.yaml')?.replace('# end', '# the end') ?? '');
  await run('continue', 'undo');
  expect(read('.continue/config.yaml')).toBe(own.replace('# end', '# the end'));
});

it('takes an entry that bears its name out also where a person changed it', async () => {
  const { run, read, put, state } = stage({ '.config/opencode/opencode.json': '{\n  "theme": "x"\n}\n' });
  await run('opencode', 'setup');
  put('.config/opencode/opencode.json', read('.config/opencode/opencode.json')?.replace('"gpt-5.4"', '"mine"') ?? '');
  expect(await state('opencode')).toContainEqual(['models', 'changed']);
  await run('opencode', 'undo');
  expect(read('.config/opencode/opencode.json')).not.toMatch(/provider|jumpseat|local-key/);
  expect(JSON.parse(read('.config/opencode/opencode.json') ?? '')).toEqual({ theme: 'x' });

  const list = '.continue/config.yaml';
  await run('continue', 'setup');
  put(list, read(list)?.replace('gpt-5.4 (Jumpseat)', 'renamed') ?? '');
  await run('continue', 'undo');
  expect(read(list) ?? '').not.toContain('local-key');
});

it('undoes one use alone where it is named', async () => {
  const { run, read, state } = stage({ '.config/zed/settings.json': '{}\n' });
  await run('zed', 'setup');
  await run('zed', 'setup', 'mcp');
  await run('zed', 'undo', 'mcp');
  expect(await state('zed')).toEqual([
    ['agent', 'set-up'],
    ['models', 'not-set-up'],
    ['mcp', 'not-set-up'],
  ]);
  expect(read('.config/zed/settings.json')).toMatch(/agent_servers/);
  expect(read('.config/zed/settings.json')).not.toMatch(/context_servers/);
  await run('zed', 'undo');
  expect(read('.config/zed/settings.json')).toBe('{}\n');
});

it('shows no line of the person’s but those that it replaces, without their secrets', async () => {
  const own = '{\n  "context_servers": {\n    "mine": { "args": ["--pat", "ghp_1"], "env": { "X": "y" } }\n  }\n}\n';
  const { setups } = stage({ '.config/zed/settings.json': own });
  const { files } = await setups.plan('zed', 'mcp', 'setup');
  expect(JSON.stringify(files)).not.toMatch(/ghp_1|mine/);
});

it('says that what it replaced is gone with its copy', async () => {
  const { run, paths, read } = stage({ [codex]: 'model = "x"\n' });
  await run('codex', 'setup');
  rmSync(join(paths.backups, 'clients'), { recursive: true });
  expect((await run('codex', 'undo')).files).toMatchObject([{ isBackupGone: true }]);
  expect(read(codex)).not.toContain('jumpseat');
});

it('undoes every use of a program at once', async () => {
  const { run, read } = stage({ [codex]: '# mine\n' });
  await run('codex', 'setup', 'mcp');
  await run('codex', 'setup');
  expect(read(codex)).toMatch(/mcp_servers[\s\S]+model_providers/);
  await run('codex', 'undo');
  expect(read(codex)).toBe('# mine\n');
});

it('keeps no value and no key in its own record', async () => {
  const { run, paths } = stage({ '.aider.conf.yml': 'openai-api-key: sk-own\n' });
  await run('aider', 'setup');
  const record = join(paths.home, 'clients.json');
  expect(readFileSync(record, 'utf8')).not.toMatch(/sk-own|the-local-key/);
  expect(statSync(record).mode & 0o777).toBe(0o600);
  const [backup = ''] = readdirSync(join(paths.backups, 'clients'));
  expect(statSync(join(paths.backups, 'clients', backup)).mode & 0o777).toBe(0o600);
});

describe('nothing is written', () => {
  it('into a file that changed while the person looked', async () => {
    const { setups, put, read, paths } = stage({ [codex]: 'model = "o3"\n' });
    const { id } = await setups.plan('codex', null, 'setup');
    put(codex, 'model = "o4"\n');
    await expect(setups.apply(id)).rejects.toMatchObject({ code: 'changed' });
    expect(read(codex)).toBe('model = "o4"\n');
    // Nor is it known as set up.
    expect(JSON.parse(readFileSync(join(paths.home, 'clients.json'), 'utf8')).files).toEqual({});
    expect(readdirSync(join(paths.backups, 'clients'))).toEqual([]);
  });

  it.each([
    ['broken', 'model = \n', /config\.toml isn’t valid TOML/],
    ['not UTF-8', Buffer.from([0xff, 0xfe]), /isn’t UTF-8/],
  ])('into a file that is %s', async (_what, text, message) => {
    const { setups, home } = stage({ [codex]: '' });
    writeFileSync(join(home, codex), text);
    await expect(setups.plan('codex', null, 'setup')).rejects.toThrow(message);
  });

  it('into a file that is read-only', async () => {
    const { setups, home } = stage({ [codex]: '' });
    chmodSync(join(home, codex), 0o444);
    await expect(setups.plan('codex', null, 'setup')).rejects.toMatchObject({ code: 'read-only' });
  });

  it('where the key ends with this process, but for a command of Jumpseat’s, which needs none', async () => {
    const { setups, given, run } = stage();
    given.isKeyKept = false;
    await expect(setups.plan('codex', null, 'setup')).rejects.toMatchObject({ code: 'key-not-kept' });
    await run('zed', 'setup');
    await run('claude-desktop', 'setup', 'mcp');
  });

  it('where no model is known', async () => {
    const { setups, given } = stage();
    given.models = [];
    await expect(setups.plan('opencode', null, 'setup')).rejects.toThrow('not known now');
  });
});

it('writes behind a link, and the link stays', async () => {
  const { run, home, read } = stage({ 'dotfiles/codex.toml': '# mine\n' });
  mkdirSync(join(home, '.codex'));
  symlinkSync(join(home, 'dotfiles/codex.toml'), join(home, codex));
  await run('codex', 'setup');
  expect(read('dotfiles/codex.toml')).toContain('jumpseat');
  await run('codex', 'undo');
  expect(read('dotfiles/codex.toml')).toBe('# mine\n');
  expect(readlinkSync(join(home, codex))).toBe(join(home, 'dotfiles/codex.toml'));
});

it('knows where the files are on each system', () => {
  const places = (platform: NodeJS.Platform, home: string, env = {}) =>
    all.flatMap(([name, use]) => filesOf(name, use).map(({ path }) => path({ platform, env, home })));
  const windows = places('win32', 'C:\\Users\\me', { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' });
  expect(windows).toContain('C:\\Users\\me\\AppData\\Roaming\\Code\\User\\chatLanguageModels.json');
  expect(windows).toContain('C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json');
  const goose = 'goose/custom_providers/jumpseat.json';
  expect(windows).toContain('C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\custom_providers\\jumpseat.json');
  expect(windows.join()).not.toContain('/');
  const mac = places('darwin', '/Users/me');
  expect(mac).toContain('/Users/me/Library/Application Support/Code/User/chatLanguageModels.json');
  expect(mac).toContain('/Users/me/.config/zed/settings.json');
  expect(mac).toContain(`/Users/me/.config/${goose}`);
  expect(mac).toContain('/Users/me/Library/Application Support/Claude/claude_desktop_config.json');
  expect(places('linux', '/home/me', { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/y' })).toEqual(
    expect.arrayContaining(['/x/opencode/opencode.json', '/x/zed/settings.json', '/y/config.toml', `/x/${goose}`]),
  );
  expect(places('linux', '/home/me', { GOOSE_PATH_ROOT: '/z' })).toContain('/z/config/custom_providers/jumpseat.json');
});

it('names what else decides which settings a program uses', async () => {
  const { run, setups, put, uses } = stage({
    '.codex/work.config.toml': 'model_provider = "azure"\n',
    '.codex/fast.config.toml': 'model = "gpt-5.4-mini"\n',
    '.config/Code/User/globalStorage/storage.json': '{"userDataProfiles":[{"location":"-1a","name":"Work"}]}',
  });
  expect(await setups.plan('codex', null, 'setup')).toMatchObject({ profiles: ['work'], managedBy: null });
  expect(await setups.plan('codex', 'mcp', 'setup')).toMatchObject({ profiles: [], managedBy: null });
  expect(await setups.plan('vscode', null, 'setup')).toMatchObject({ profiles: ['Work'] });
  await run('codex', 'setup');
  put('etc/codex/managed_config.toml', 'model_provider = "openai"\n');
  expect(await setups.plan('codex', null, 'setup')).toMatchObject({
    managedBy: expect.stringMatching(/managed_config\.toml$/),
  });
  expect(await uses('codex')).toContainEqual({
    ...{ use: 'models', state: 'elsewhere', by: 'jumpseat' },
    trouble: expect.stringMatching(/^Your organization’s \S+managed_config\.toml wins over what is set up\.$/),
  });
  put('etc/codex/managed_config.toml', 'model_provider = "jumpseat"\n');
  expect(await uses('codex')).toContainEqual({ use: 'models', state: 'set-up', by: 'jumpseat', trouble: null });
});

it('what two uses write alike stays until the last of them is undone', async () => {
  const { run, read, uses } = stage();
  const file = '.continue/config.yaml';
  await run('continue', 'setup');
  const models = read(file);
  await run('continue', 'setup', 'mcp');
  await run('continue', 'undo', 'mcp');
  expect(read(file)).toBe(models);
  await run('continue', 'setup', 'mcp');
  await run('continue', 'undo', 'models');
  expect(read(file)).toMatch(/^name: Local config\nversion: 1\.0\.0\nschema: v1\nmcpServers:\n {2}- name: Jumpseat\n/);
  expect(await uses('continue')).toMatchObject([{ state: 'not-set-up' }, { state: 'set-up' }]);
  await run('continue', 'undo');
  expect(read(file)).toBe(null);
});

it('Goose gets tools among a person’s extensions, and keeps what they change meanwhile', async () => {
  const file = '.config/goose/config.yaml';
  const own = '# mine\nextensions:\n    # own\n    todo:\n        enabled: true # end\n\nGOOSE_MODE: auto\n';
  const { run, read, put, state } = stage({ [file]: own });
  await run('goose', 'setup', 'mcp');
  expect(read(file)).toContain(
    `true # end\n    jumpseat:\n      enabled: true\n      type: streamable_http\n      name: jumpseat\n`,
  );
  expect(read(file)).toContain(`      headers:\n        Authorization: Bearer ${key}.goose\n`);
  put(file, (read(file) ?? '').replace('GOOSE_MODE: auto', 'GOOSE_MODE: chat'));
  expect(await state('goose')).toEqual([
    ['models', 'not-set-up'],
    ['mcp', 'set-up'],
  ]);
  await run('goose', 'undo', 'mcp');
  expect(read(file)).toBe(own.replace('auto', 'chat'));
});
