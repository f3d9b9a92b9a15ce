import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { templateAnswers } from '../../../app/sessions/templates.ts';

function place() {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-templates-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'project');
  const claudeFolder = join(home, '.claude');
  mkdirSync(folder);
  const answers = templateAnswers({ claudeFolder, folderOf: async () => folder, isTrusted: async () => false });
  const list = async () => (await answers.templates('s')).files.map(({ scope, name, raw }) => [scope, name, raw]);
  return { home, folder, claudeFolder, ...answers, list };
}
const session = 's';

it('a file for the folder and one for all; changed, deleted, and put back', async () => {
  const { folder, claudeFolder, templates, writeTemplate, deleteTemplate, list } = place();
  expect(await templates(session)).toEqual({ files: [], isTrusted: false });
  const own = await writeTemplate({ session, scope: 'folder', name: 'review', raw: 'Look\n', replaces: null });
  await writeTemplate({ session, scope: 'all', name: 'review', raw: 'Look well\n', replaces: null });
  expect(readFileSync(join(folder, '.claude', 'commands', 'review.md'), 'utf8')).toBe('Look\n');
  expect(readFileSync(join(claudeFolder, 'commands', 'review.md'), 'utf8')).toBe('Look well\n');
  const next = await writeTemplate({ session, scope: 'folder', name: 'review', raw: 'Look!\n', replaces: own.version });
  expect(await list()).toEqual([
    ['folder', 'review', 'Look!\n'],
    ['all', 'review', 'Look well\n'],
  ]);
  await deleteTemplate({ session, scope: 'folder', name: 'review', version: next.version });
  expect(await list()).toEqual([['all', 'review', 'Look well\n']]);
  await writeTemplate({ session, scope: 'folder', name: 'review', raw: next.raw, replaces: null });
  expect(readdirSync(join(folder, '.claude', 'commands'))).toEqual(['review.md']);
});

it('a new file is whole from its first moment on', async () => {
  const { claudeFolder, writeTemplate } = place();
  const raw = 'Look\n';
  const seen = new Set<string>();
  for (let nth = 0; nth < 20; nth += 1) {
    const path = join(claudeFolder, 'commands', `new-${nth}.md`);
    let isWritten = false;
    const writing = writeTemplate({ session, scope: 'all', name: `new-${nth}`, raw, replaces: null }).finally(() => {
      isWritten = true;
    });
    while (!isWritten) {
      if (existsSync(path)) seen.add(readFileSync(path, 'utf8'));
      await nextTurn();
    }
    await writing;
  }
  expect([...seen].filter((text) => text !== raw)).toEqual([]);
});

it('what somebody else wrote is read anew, and never written over or deleted unseen', async () => {
  const { claudeFolder, writeTemplate, deleteTemplate, list } = place();
  const scope = 'all';
  mkdirSync(join(claudeFolder, 'commands', 'deep'), { recursive: true });
  const file = join(claudeFolder, 'commands', 'mine.md');
  writeFileSync(file, 'By hand\n');
  writeFileSync(join(claudeFolder, 'commands', 'deep', 'other.md'), 'x');
  writeFileSync(join(claudeFolder, 'commands', 'notes.txt'), 'x');
  expect(await list()).toEqual([['all', 'mine', 'By hand\n']]);
  const refused = { code: 'changed-since' };
  await expect(writeTemplate({ session, scope, name: 'mine', raw: 'x', replaces: null })).rejects.toMatchObject(
    refused,
  );
  const made = await writeTemplate({ session, scope, name: 'ours', raw: 'One\n', replaces: null });
  writeFileSync(made.path, 'Two\n');
  const { version } = made;
  await expect(
    writeTemplate({ session, scope, name: 'ours', raw: 'Three\n', replaces: version }),
  ).rejects.toMatchObject(refused);
  await expect(deleteTemplate({ session, scope, name: 'ours', version })).rejects.toMatchObject(refused);
  expect([readFileSync(file, 'utf8'), readFileSync(made.path, 'utf8')]).toEqual(['By hand\n', 'Two\n']);
});

it('a folder whose commands lead elsewhere is neither read nor written to', async () => {
  const { home, folder, writeTemplate, list } = place();
  mkdirSync(join(home, 'elsewhere', 'commands'), { recursive: true });
  writeFileSync(join(home, 'elsewhere', 'commands', 'secret.md'), 'x');
  symlinkSync(join(home, 'elsewhere'), join(folder, '.claude'));
  expect(await list()).toEqual([]);
  await expect(writeTemplate({ session, scope: 'folder', name: 'a', raw: 'x', replaces: null })).rejects.toMatchObject({
    code: 'not-possible',
  });
  expect(readdirSync(join(home, 'elsewhere', 'commands'))).toEqual(['secret.md']);
});
