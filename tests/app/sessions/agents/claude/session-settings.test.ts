import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import {
  sessionSettings,
  settingsFolder,
  sweepSettings,
  writeSettings,
} from '../../../../../app/sessions/agents/claude/session-settings.ts';
import { temporaryFolder } from '../../../history/surroundings.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock(import('node:fs/promises'), async (original) => {
  const real: typeof files = await original();
  const writeFile: typeof real.writeFile = async (path, data, options) => {
    if (!disk.isFull) return real.writeFile(path, data, options);
    await real.writeFile(path, String(data).slice(0, 10), options);
    throw new Error('ENOSPC');
  };
  return { ...real, writeFile };
});

it('leaves no part of the settings of a session where they can’t be written whole', async () => {
  const folder = settingsFolder(temporaryFolder());
  const written = await writeSettings(folder, { env: { ANTHROPIC_AUTH_TOKEN: 'none' } });
  expect(existsSync(written.path)).toBe(true);
  await written.release();
  disk.isFull = true;
  await expect(writeSettings(folder, { env: { ANTHROPIC_AUTH_TOKEN: 'none' } })).rejects.toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});

it('sweeps settings that a killed process left, and nothing else', async () => {
  const folder = settingsFolder(temporaryFolder());
  await sweepSettings(folder);
  mkdirSync(folder);
  for (const name of ['old.session.json', 'new.session.json', 'other.json']) {
    writeFileSync(join(folder, name), '{}');
    if (!name.startsWith('new')) utimesSync(join(folder, name), 1, 1);
  }
  await sweepSettings(folder);
  expect(readdirSync(folder).sort()).toEqual(['new.session.json', 'other.json']);
});

it('has Anthropic asked about a page, and a plugin off, only where a person wants it', () => {
  const given = { baseUrl: 'http://127.0.0.1:4180', key: 'none', models: { opus: null, sonnet: null, haiku: null } };
  const usual = {
    promptLimits: { 'claude-haiku-4.5': 136_000 },
    ...{ ...given, proxies: {}, pluginsOn: [], pluginsOff: [], fileDirectories: [] },
    ...{ asksForGit: false, webFetchPreflight: false },
  };
  expect(sessionSettings(usual)).toMatchObject({ skipWebFetchPreflight: true });
  expect(sessionSettings(usual)).toHaveProperty('modelSettings', {
    'claude-haiku-4-5': { autoCompactWindow: 156_000 },
  });
  expect(sessionSettings(usual)).not.toHaveProperty('enabledPlugins');
  expect(sessionSettings(usual)).toMatchObject({ permissions: {} });
  const wanted = sessionSettings({ ...usual, pluginsOff: ['demo@market'], webFetchPreflight: true });
  expect(wanted).toMatchObject({ enabledPlugins: { 'demo@market': false } });
  expect(wanted).not.toHaveProperty('skipWebFetchPreflight');
});
