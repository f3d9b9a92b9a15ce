import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  migrateSettings,
  settingsSchema,
  settingsSteps,
  settingsVersion,
  versionOf,
} from '../../../app/settings/schema.ts';
import { defaults } from './defaults.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

describe('settings migrations', () => {
  it('lead to the version that is written', () => {
    expect(settingsSteps.length + 1).toBe(settingsVersion);
  });

  it('have a fixture for every version, and each becomes valid settings of the newest', () => {
    const names = readdirSync(fixtures).sort();
    expect(names).toEqual(Array.from({ length: settingsVersion }, (_, index) => `settings.v${index + 1}.json`));
    for (const name of names) {
      const file = JSON.parse(readFileSync(join(fixtures, name), 'utf8'));
      expect(settingsSchema.parse(migrateSettings(file))).toEqual({
        ...defaults,
        version: settingsVersion,
        port: 4190,
        secretsStorage: 'file',
        modelOverrides: { 'claude-opus-5-5': 'claude-opus-5.5' },
        account: { login: 'octocat', signedInAt: 1795000000000 },
        historyDays: null,
        proxyOnAtStart: false,
        identity: { editorVersion: 'vscode/1.140.0' },
        alwaysUser: true,
        notice: { riskShownAt: 1795000000001 },
      });
    }
  });

  it('run from the version of the file on, in order, and leave the file they are given alone', () => {
    const steps = [
      (file: Readonly<Record<string, unknown>>) => ({ ...file, trace: ['1→2'] }),
      (file: Readonly<Record<string, unknown>>) => ({
        ...file,
        trace: [...(Array.isArray(file.trace) ? file.trace : []), '2→3'],
      }),
    ];
    const file = Object.freeze({ version: 1, port: 5000 });
    expect(migrateSettings(file, steps)).toEqual({ version: 3, port: 5000, trace: ['1→2', '2→3'] });
    expect(migrateSettings({ version: 2 }, steps)).toEqual({ version: 3, trace: ['2→3'] });
    expect(migrateSettings({ version: 7, odd: true }, steps)).toEqual({ version: 7, odd: true });
  });

  it.each([[{}], [{ version: 0 }], [{ version: -1 }], [{ version: 1.5 }], [{ version: '2' }]])(
    'take %j as the first version',
    (file) => {
      expect(versionOf(file)).toBe(1);
    },
  );
});
