import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Setups } from '../../app/claude-code/setups.ts';
import type { Question } from '../../main/questions.ts';
import { ClaudeCodeSetup } from '../../main/setup.ts';
import { soon } from '../soon.ts';

const variables = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
  ANTHROPIC_AUTH_TOKEN: 'key.claude-code',
  ANTHROPIC_API_KEY: '',
  ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-opus-4.8',
  ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4.6',
  ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4.5',
};

let folder: string;
let settings: string;
let setups: ClaudeCodeSetup[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-setup-'));
  mkdirSync(join(folder, 'claude'));
  settings = join(folder, 'claude', 'settings.json');
  setups = [];
});
afterEach(() => {
  for (const setup of setups) setup.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: { agrees?: boolean; isKeyKept?: boolean; env?: Record<string, string> } = {}) {
  const asked: Question[] = [];
  const reported: string[] = [];
  const bodies: string[] = [];
  const agrees = options.agrees ?? true;
  const facts = { agrees, changes: 0, answer: (_question: Question): boolean => facts.agrees };
  const place = { settings, paths: { home: folder, backups: join(folder, 'backups') }, port: () => 4180 };
  const plans = new Setups({
    claudeCode: {
      place: () => place,
      env: { HOME: folder, ...options.env },
      project: null,
      variables: async () => ({ ...variables }),
      models: async () => ({ named: { opus: null, sonnet: null, haiku: null }, haikuNote: null, promptLimits: {} }),
      isKeyKept: options.isKeyKept ?? true,
    },
  });
  const setup = new ClaudeCodeSetup({
    app: { planSetup: (action) => plans.plan(action), applySetup: (id) => plans.apply(id) },
    place,
    log: { write: () => {} },
    ask: async (question) => {
      asked.push(question);
      return facts.answer(question);
    },
    notify: ({ title, body }) => {
      reported.push(title);
      bodies.push(body);
    },
    changed: () => {
      facts.changes += 1;
    },
  });
  setups.push(setup);
  return { setup, asked, reported, bodies, facts };
}
const env = () => JSON.parse(readFileSync(settings, 'utf8')).env;

describe('setup from the tray', () => {
  it('shows the difference, keeps a backup, and is undone again', async () => {
    const before =
      `{\n  "theme": "dark",\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://old.example",\n    "MINE": "1"\n ` +
      ` }\n}\n`;
    writeFileSync(settings, before);
    const { setup, asked, reported } = start();
    await setup.setup();
    expect({ env: env(), isSetup: setup.isSetup, reported }).toEqual({
      env: { MINE: '1', ...variables },
      isSetup: true,
      reported: ['Claude Code set up'],
    });
    await setup.undo();
    expect({ text: readFileSync(settings, 'utf8'), isSetup: setup.isSetup, reported }).toEqual({
      text: before,
      isSetup: false,
      reported: ['Claude Code set up', 'Claude Code setup undone'],
    });
    expect(asked.map(({ text, ...question }) => ({ ...question, text: text.split('\n') }))).toEqual([
      {
        title: `Change ${settings}?`,
        text: [
          '− ANTHROPIC_BASE_URL: https://old.example',
          '+ ANTHROPIC_BASE_URL: http://127.0.0.1:4180',
          '+ ANTHROPIC_AUTH_TOKEN: ••••••••',
          '+ ANTHROPIC_API_KEY: (empty)',
          '+ ANTHROPIC_DEFAULT_OPUS_MODEL: claude-opus-4.8',
          '+ ANTHROPIC_DEFAULT_SONNET_MODEL: claude-sonnet-4.6',
          '+ ANTHROPIC_DEFAULT_HAIKU_MODEL: claude-haiku-4.5',
          '',
          `Before that, a backup is saved in ${join(folder, 'backups', 'claude-code')}.`,
        ],
        safe: 'Cancel',
        action: 'Add to settings',
      },
      {
        title: `Remove Jumpseat’s keys from ${settings}?`,
        text: [
          '− ANTHROPIC_BASE_URL: http://127.0.0.1:4180',
          '+ ANTHROPIC_BASE_URL: https://old.example',
          '− ANTHROPIC_AUTH_TOKEN: ••••••••',
          '− ANTHROPIC_API_KEY: (empty)',
          '− ANTHROPIC_DEFAULT_OPUS_MODEL: claude-opus-4.8',
          '− ANTHROPIC_DEFAULT_SONNET_MODEL: claude-sonnet-4.6',
          '− ANTHROPIC_DEFAULT_HAIKU_MODEL: claude-haiku-4.5',
          '',
          'Keys that have other values now are left alone.',
        ],
        safe: 'Cancel',
        action: 'Undo setup',
      },
    ]);
  });

  it.skipIf(process.platform === 'win32').each([
    [true, '600'],
    [false, '644'],
  ])('of a file that other users can read asks whether to close it: %s', async (closes, mode) => {
    writeFileSync(settings, '{}');
    chmodSync(settings, 0o644);
    for (const path of [folder, join(folder, 'claude')]) chmodSync(path, 0o755);
    const { setup, asked, facts } = start();
    const title = `Make ${settings} private?`;
    facts.answer = (question) => question.title !== title || closes;
    await setup.setup();
    expect(asked.at(-1)).toEqual({
      title,
      text: `Other users of this machine can read ${settings} (mode 0644), and so the local key in it.`,
      safe: 'Leave it open',
      action: 'Make it private',
    });
    expect([(statSync(settings).mode & 0o777).toString(8), env()]).toEqual([mode, variables]);
  });

  it('not agreed to: nothing is written', async () => {
    writeFileSync(settings, '{}');
    const { setup, reported } = start({ agrees: false });
    await setup.setup();
    expect({ text: readFileSync(settings, 'utf8'), reported, isSetup: setup.isSetup }).toEqual({
      text: '{}',
      reported: [],
      isSetup: false,
    });
  });

  it('warns about a variable in the shell that would win', async () => {
    const { setup, asked } = start({ agrees: false, env: { CLAUDE_CODE_USE_BEDROCK: '1' } });
    await setup.setup();
    expect(asked[0]?.text).toContain('CLAUDE_CODE_USE_BEDROCK');
  });

  it('refuses where the key would be gone tomorrow', async () => {
    const { setup, asked } = start({ isKeyKept: false });
    await expect(setup.setup()).rejects.toMatchObject({ name: 'KeyNotKeptError', remedy: expect.any(String) });
    expect(asked).toEqual([]);
  });

  it('a broken file is reported and never written', async () => {
    writeFileSync(settings, '{ "env": ');
    const { setup, asked } = start();
    await expect(setup.setup()).rejects.toMatchObject({ name: 'SetupError', code: 'invalid' });
    expect([asked, readFileSync(settings, 'utf8')]).toEqual([[], '{ "env": ']);
  });

  it(
    'sees at the start what was set up before, and tells when another program leads Claude Code ' + 'elsewhere',
    async () => {
      await start().setup.setup();
      const { setup, reported, facts } = start();
      await setup.start();
      expect(setup.isSetup).toBe(true);
      writeFileSync(settings, JSON.stringify({ env: { ...env(), ANTHROPIC_BASE_URL: 'https://other.example' } }));
      await soon(() => expect(reported).toEqual(['Claude Code no longer uses Jumpseat']));
      expect({ isSetup: setup.isSetup, changed: facts.changes > 1 }).toEqual({ isSetup: true, changed: true });
    },
  );

  it('follows a setup and an undo of a terminal, also where Claude Code had no folder, and tells of neither', async () => {
    rmSync(join(folder, 'claude'), { recursive: true });
    const { setup, reported } = start();
    await setup.start();
    const terminal = start().setup;
    await terminal.setup();
    await soon(() => expect(setup.isSetup).toBe(true));
    await terminal.undo();
    await soon(() => expect(setup.isSetup).toBe(false));
    expect(reported).toEqual([]);
    await terminal.setup();
    await soon(() => expect(setup.isSetup).toBe(true));
  });

  it('tells of keys that another program took out that they were removed', async () => {
    const { setup, bodies } = start();
    await setup.setup();
    await setup.start();
    const { ANTHROPIC_BASE_URL: _gone, ...others } = env();
    writeFileSync(settings, JSON.stringify({ env: others }));
    await soon(() => expect(bodies.at(-1)).toBe('ANTHROPIC_BASE_URL in settings.json was removed.'));
  });

  it('asks also where the keys are in the file already', async () => {
    writeFileSync(settings, JSON.stringify({ env: variables }));
    const { setup, asked, reported, facts } = start({ agrees: false });
    await setup.setup();
    expect([asked.map(({ title }) => title), reported]).toEqual([
      [`Use the keys that are already in ${settings}?`],
      [],
    ]);
    facts.agrees = true;
    await setup.setup();
    expect(setup.isSetup).toBe(true);
  });

  it('a change of something else in the file is not told', async () => {
    const { setup, reported, facts } = start();
    await setup.setup();
    await setup.start();
    const seen = facts.changes;
    writeFileSync(settings, JSON.stringify({ env: env(), theme: 'light' }));
    await soon(() => expect(facts.changes).toBeGreaterThan(seen));
    expect(reported).toEqual(['Claude Code set up']);
  });
});
