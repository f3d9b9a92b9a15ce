import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { calls } from '../../../app/api/calls.ts';
import { settingFields } from '../../../app/api/setting-fields.ts';
import { pathsIn, type Stack, startStack } from '../stack.ts';
import { defaults } from './defaults.ts';
import { sessionDefaults } from './session-defaults.ts';

let stack: Stack | null = null;
let home: string | null = null;
afterEach(async () => {
  await stack?.close();
  if (home !== null) rmSync(home, { recursive: true, force: true });
  stack = null;
  home = null;
});

it('two changes of one group at the same moment both hold, and the rest of it stays', async () => {
  stack = await startStack();
  const { app } = stack;
  await app.changePreferences({
    limits: { requestsPerMinute: 60 },
    openai: { historyTurns: 9 },
    sessions: { atOnce: 8 },
  });
  await Promise.all([
    app.changePreferences({ limits: { creditsPerDay: 12.5 } }),
    app.changePreferences({ limits: { askBeforeBurst: true }, notifications: { updates: false } }),
    app.changePreferences({ openai: { streamByDefault: true }, bodies: { megabytes: 8 }, sessions: { search: false } }),
  ]);
  const { limits, openai, sessions, notifications, bodies } = app.preferences();
  expect({ limits, openai, sessions, notifications, bodies }).toEqual({
    limits: { ...defaults.limits, requestsPerMinute: 60, creditsPerDay: 12.5, askBeforeBurst: true },
    openai: { atOnce: 8, streamByDefault: true, historyTurns: 9 },
    sessions: { ...sessionDefaults, search: false, atOnce: 8 },
    notifications: {
      quota: true,
      trouble: true,
      updates: false,
      sessionWaits: true,
      sessionDone: true,
      sessionFailed: true,
      answers: false,
      soundWaits: null,
      soundDone: null,
      soundFailed: null,
    },
    bodies: { megabytes: 8, minutes: null },
  });
});

it.each([
  ['historyDays', { historyDays: 4000 }, { historyDays: 90 }],
  ['limits', { limits: { burstPerMinute: 2_000_000 } }, { limits: { burstPerMinute: 60 } }],
  ['limits', { limits: { creditsPerDay: 2_000_000 } }, { limits: { creditsPerDay: null } }],
  ['port', { port: 80 }, { port: 1234 }],
])(
  'what the window would not take in %s is not taken from the file either, and named: %j',
  async (name, file, used) => {
    home = mkdtempSync(join(tmpdir(), 'jumpseat-preferences-'));
    writeFileSync(pathsIn(home).settings, JSON.stringify(file));
    stack = await startStack({ home, idle: true, app: { defaultPort: 1234 } });
    const { app } = stack;
    const read = calls.preferences.result.safeParse(app.preferences());
    expect(read.error).toBeUndefined();
    expect(read.data).toMatchObject(used);
    expect(app.state().warnings).toMatchObject([{ text: expect.stringContaining(name) }]);
  },
);

it('the fields of the window have the words and bounds of their rows', () => {
  expect(settingFields['limits.creditsPerDay']).toEqual({
    section: 'limits',
    label: 'Most credits per day',
    help: 'Counted from what Copilot reported since midnight. Then error 429 until the day is over.',
    bounds: { least: 0, most: 1_000_000, whole: false },
    unit: 'credit',
    choices: [],
    offered: [],
    each: null,
    empty: 'No limit',
  });
  expect(settingFields.port.bounds).toEqual({ least: 1024, most: 65_535, whole: true });
  expect(settingFields.theme.choices.map(({ value }) => value)).toEqual(['system', 'light', 'dark']);
});
