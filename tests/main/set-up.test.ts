import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SetUps } from '../../app/claude-code/set-ups.ts';
import type { Question } from '../../main/questions.ts';
import { ClaudeCodeSetUp } from '../../main/set-up.ts';
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
let setUps: ClaudeCodeSetUp[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-set-up-'));
  mkdirSync(join(folder, 'claude'));
  settings = join(folder, 'claude', 'settings.json');
  setUps = [];
});
afterEach(() => {
  for (const setUp of setUps) setUp.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: { agrees?: boolean; keyIsKept?: boolean; env?: Record<string, string> } = {}) {
  const asked: Question[] = [];
  const told: string[] = [];
  const agrees = options.agrees ?? true;
  const facts = { agrees, changes: 0, answer: (_question: Question): boolean => facts.agrees };
  const place = { settings, paths: { home: folder, backups: join(folder, 'backups') } };
  const plans = new SetUps({
    place: () => place,
    env: { HOME: folder, ...options.env },
    variables: async () => ({ ...variables }),
    keyIsKept: () => options.keyIsKept ?? true,
  });
  const setUp = new ClaudeCodeSetUp({
    app: { planSetUp: (action) => plans.plan(action), applySetUp: (id) => plans.apply(id) },
    place,
    log: { write: () => {} },
    ask: async (question) => {
      asked.push(question);
      return facts.answer(question);
    },
    notify: ({ title }) => told.push(title),
    changed: () => {
      facts.changes += 1;
    },
  });
  setUps.push(setUp);
  return { setUp, asked, told, facts };
}
const env = () => JSON.parse(readFileSync(settings, 'utf8')).env;

describe('set-up from the tray', () => {
  it('shows the difference, keeps a backup, and is undone again', async () => {
    const before = `{\n  "theme": "dark",\n  "env": {\n    "ANTHROPIC_BASE_URL": "https://old.example",\n    "MINE": "1"\n  }\n}\n`;
    writeFileSync(settings, before);
    const { setUp, asked, told } = start();
    await setUp.setUp();
    expect({ env: env(), isSetUp: setUp.isSetUp, told }).toEqual({
      env: { MINE: '1', ...variables },
      isSetUp: true,
      told: ['Claude Code set up'],
    });
    await setUp.undo();
    expect({ text: readFileSync(settings, 'utf8'), isSetUp: setUp.isSetUp, told }).toEqual({
      text: before,
      isSetUp: false,
      told: ['Claude Code set up', 'Claude Code setup undone'],
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
          'A backup is kept.',
        ],
        safe: 'Cancel',
        action: 'Add to settings',
      },
      {
        title: 'Take Jumpseat’s keys out again?',
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
    const { setUp, asked, facts } = start();
    const title = `Make ${settings} private?`;
    facts.answer = (question) => question.title !== title || closes;
    await setUp.setUp();
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
    const { setUp, told } = start({ agrees: false });
    await setUp.setUp();
    expect({ text: readFileSync(settings, 'utf8'), told, isSetUp: setUp.isSetUp }).toEqual({
      text: '{}',
      told: [],
      isSetUp: false,
    });
  });

  it('warns about a variable in the shell that would win', async () => {
    const { setUp, asked } = start({ agrees: false, env: { CLAUDE_CODE_USE_BEDROCK: '1' } });
    await setUp.setUp();
    expect(asked[0]?.text).toContain('CLAUDE_CODE_USE_BEDROCK');
  });

  it('refuses where the key would be gone tomorrow', async () => {
    const { setUp, asked } = start({ keyIsKept: false });
    await expect(setUp.setUp()).rejects.toMatchObject({ name: 'KeyNotKeptError', mend: expect.any(String) });
    expect(asked).toEqual([]);
  });

  it('a broken file is reported and never written', async () => {
    writeFileSync(settings, '{ "env": ');
    const { setUp, asked } = start();
    await expect(setUp.setUp()).rejects.toMatchObject({ name: 'SetupError', code: 'invalid' });
    expect([asked, readFileSync(settings, 'utf8')]).toEqual([[], '{ "env": ']);
  });

  it('sees at the start what was set up before, and tells when another program leads Claude Code elsewhere', async () => {
    await start().setUp.setUp();
    const { setUp, told, facts } = start();
    await setUp.start();
    expect(setUp.isSetUp).toBe(true);
    writeFileSync(settings, JSON.stringify({ env: { ...env(), ANTHROPIC_BASE_URL: 'https://other.example' } }));
    await soon(() => expect(told).toEqual(['Claude Code no longer uses Jumpseat']));
    expect({ isSetUp: setUp.isSetUp, changed: facts.changes > 1 }).toEqual({ isSetUp: true, changed: true });
  });

  it('a change of something else in the file is not told', async () => {
    const { setUp, told, facts } = start();
    await setUp.setUp();
    await setUp.start();
    const seen = facts.changes;
    writeFileSync(settings, JSON.stringify({ env: env(), theme: 'light' }));
    await soon(() => expect(facts.changes).toBeGreaterThan(seen));
    expect(told).toEqual(['Claude Code set up']);
  });
});
