import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftSetup } from '../../../../app/claude-code/setup/plan-setup.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-draft-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const haikuNote = 'No Haiku is enabled.';
const draft = (project: string | null = null) =>
  draftSetup({
    variables: {
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4.6',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-sonnet-4.6',
    },
    haikuNote,
    promptLimits: { 'claude-haiku-4.5': 136_000, 'gpt-5.4': 272_000, 'claude-new': null },
    place: {
      settings: join(folder, 'settings.json'),
      paths: { home: folder, backups: join(folder, 'backups') },
      port: () => 4180,
    },
    env: { HOME: folder },
    project,
    isKeyKept: true,
  });

it('C3.3 says what stands in for a model that the account lacks, and nothing that needs no one’s hand', async () => {
  const { notes } = await draft();
  expect(notes).toEqual([
    { kind: 'models', text: 'This account has no enabled opus model, so that line is left out.' },
    { kind: 'models', text: haikuNote },
  ]);
});

it('looks at the settings of the folder that a person works in, which win', async () => {
  mkdirSync(join(folder, 'project', '.claude'), { recursive: true });
  const env = { ANTHROPIC_BASE_URL: 'https://elsewhere.example' };
  writeFileSync(join(folder, 'project', '.claude', 'settings.json'), JSON.stringify({ env }));
  const shell = (notes: { kind: string; text: string }[]) => notes.filter(({ kind }) => kind === 'shell');
  expect(shell((await draft()).notes)).toEqual([]);
  expect(shell((await draft(join(folder, 'project'))).notes)).toEqual([
    { kind: 'shell', text: expect.stringContaining('wins over your settings.json') },
  ]);
});

it('writes how far a conversation with each model may grow, by the names that Claude Code keeps', async () => {
  const { plan } = await draft();
  expect(plan.changes.filter(({ place }) => place === 'beside')).toEqual(
    [
      ['modelSettings.claude-haiku-4-5.autoCompactWindow', '156000'],
      ['modelSettings.gpt-5.4.autoCompactWindow', '292000'],
    ].map(([name, after]) => ({ name, place: 'beside', kind: 'add', before: null, after })),
  );
});
