import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EditedFiles } from '../../../../app/sessions/edits/edited-files.ts';
import { SessionEdits } from '../../../../app/sessions/edits/session-edits.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { collectingLog, fakeClock, temporaryFolder } from '../../history/surroundings.ts';

/** Files that an agent edited in a folder, each from `before` to `after`. */
function edited(...names: string[]) {
  const folder = temporaryFolder();
  const store = new SessionStore(join(temporaryFolder(), 'sessions.db'), { clock: fakeClock(), log: collectingLog() });
  onTestFinished(() => store.close());
  const given = { sessionId: 's', store, roots: () => [folder] };
  const edits = new SessionEdits({ ...given, changed: () => undefined });
  const files = new EditedFiles(given);
  const path = (name: string): string => join(folder, name);
  for (const name of names) {
    writeFileSync(path(name), 'after\n');
    edits.made({ toolCallId: name, path: path(name), before: 'before\n', after: 'after\n' }, 't');
  }
  return { folder, edits, files, path };
}

it('how each file is now is told beside how its edits left it', async () => {
  const { files, edits, path, folder } = edited('same', 'other', 'gone', 'link', 'undone', 'back');
  writeFileSync(path('other'), 'mine\n');
  writeFileSync(path('back'), 'before\n');
  rmSync(path('gone'));
  rmSync(path('link'));
  symlinkSync(path('same'), path('link'));
  await edits.putBack('undo', 't', [path('undone')]);
  edits.made({ toolCallId: 'big', path: path('big'), before: null, after: 'x'.repeat(6 * 1024 * 1024) }, 't');
  const found = await files.now('t');
  expect(found.map(({ path, now }) => [path.slice(folder.length + 1), now])).toEqual([
    ['same', 'as-left'],
    ['other', 'changed'],
    ['gone', 'gone'],
    ['link', 'unreadable'],
    ['undone', 'as-left'],
    ['back', 'as-before'],
  ]);
  expect(found.some(({ isOutside }) => isOutside)).toBe(false);
  expect(found.map(({ problem }) => problem?.text ?? null)).toEqual([
    ...[null, null, null, 'link is a link now.', null, null],
  ]);
  expect(found[1]?.modifiedAt).toBeGreaterThan(1_700_000_000_000);
});

it('a file that was made and removed again is as before, with nothing to undo', async () => {
  const { files, edits, path } = edited();
  edits.made({ toolCallId: 'made', path: path('out'), before: null, after: 'hello\n' }, 't');
  edits.made({ toolCallId: 'gone', path: path('out'), before: 'hello\n', after: null }, 'later');
  expect(await files.now(null)).toMatchObject([{ now: 'as-before' }]);
  expect(await edits.putBack('undo', null, null)).toMatchObject([{ isDone: false, problem: { code: 'put-back' } }]);
  expect(await edits.putBack('undo', 'later', null)).toMatchObject([{ isDone: true }]);
  expect(readFileSync(path('out'), 'utf8')).toBe('hello\n');
  expect(await files.now(null)).toMatchObject([{ now: 'as-left' }]);
});

it('what else was written between edits is told, and no time of an undo for what was written before it', async () => {
  const { files, edits, path } = edited('a');
  const again = (before: string, after: string): void => {
    writeFileSync(path('a'), after);
    edits.made({ toolCallId: after, path: path('a'), before, after }, 'later');
  };
  again('mine\n', 'last\n');
  expect(await files.now(null)).toMatchObject([{ now: 'changed-between' }]);
  expect((await edits.since(null, path('a')))?.since).toMatch(/^-after\n\+mine$/m);
  await edits.putBack('undo', 'later', null);
  expect(readFileSync(path('a'), 'utf8')).toBe('mine\n');
  expect(await files.now(null)).toMatchObject([{ now: 'changed', modifiedAt: null }]);
});

it('a file in none of the folders is told as such, and is brought back only where a person agreed to it', async () => {
  const { files, edits } = edited();
  const path = join(temporaryFolder(), 'theirs');
  edits.made({ toolCallId: 'o', path, before: null, after: 'after\n' }, 't');
  expect(await files.now('t')).toMatchObject([{ path, now: 'gone', isOutside: true, problem: null }]);
  expect(await files.bringBack('t', path)).toMatchObject({ isDone: false, problem: { code: 'outside' } });
  expect(existsSync(path)).toBe(false);
  expect(await files.bringBack('t', path, [path])).toMatchObject({ isDone: true });
  expect(readFileSync(path, 'utf8')).toBe('after\n');
});

it('the versions of a file are whole, also after one of its edits was taken back; none where none is kept', async () => {
  const { files, edits, path } = edited('a');
  edits.made({ toolCallId: 'more', path: path('a'), before: 'after\n', after: 'more\n' }, 'later');
  expect(files.versions('t', path('a'))).toEqual({ before: 'before\n', after: 'after\n' });
  expect(files.versions(null, path('a'))).toEqual({ before: 'before\n', after: 'more\n' });
  edits.made({ toolCallId: 'big', path: path('big'), before: null, after: 'x'.repeat(6 * 1024 * 1024) }, 't');
  expect([files.versions('t', path('big')), files.versions('t', path('none'))]).toEqual([null, null]);
});

it('a file that is gone is brought back as its edits left it, never over a file, nor outside of the folders', async () => {
  const { files, path } = edited('a');
  expect(await files.bringBack('t', path('a'))).toMatchObject({ isDone: false, problem: { code: 'is-there' } });
  rmSync(path('a'));
  expect(await files.bringBack('t', path('a'))).toMatchObject({ isDone: true, problem: null });
  expect(readFileSync(path('a'), 'utf8')).toBe('after\n');
  rmSync(path('a'));
  const elsewhere = join(temporaryFolder(), 'theirs');
  symlinkSync(elsewhere, path('a'));
  expect(await files.bringBack('t', path('a'))).toMatchObject({ isDone: false, problem: { code: 'link' } });
  expect(existsSync(elsewhere)).toBe(false);
  expect(await files.bringBack('t', path('none'))).toMatchObject({ isDone: false, problem: { code: 'not-kept' } });
});
