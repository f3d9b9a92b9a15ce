import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FileWatch } from '../../../app/settings/files.ts';
import { soon } from '../../soon.ts';
import { temporaryFolder } from '../adapters/folder.ts';

const log = { write: () => undefined };

/** A watch of `name`, with how often it has called. */
function watched(name: string, also: readonly string[] = [], folder = temporaryFolder()) {
  const calls = { count: 0 };
  const watch = new FileWatch(join(folder, name), () => calls.count++, { settleMs: 5, also, log });
  onTestFinished(() => watch.close());
  return { folder, calls, watch };
}

it('tells of a file that is made, put in place by another, written beside, and deleted', async () => {
  const { folder, calls } = watched('a.db', ['-wal']);
  const changes = [
    () => writeFileSync(join(folder, 'a.db'), '1'),
    () => {
      writeFileSync(join(folder, 'other'), '2');
      renameSync(join(folder, 'other'), join(folder, 'a.db'));
    },
    () => appendFileSync(join(folder, 'a.db-wal'), '3'),
    () => rmSync(join(folder, 'a.db')),
  ];
  for (const change of changes) {
    const before = calls.count;
    change();
    await soon(() => expect(calls.count).toBeGreaterThan(before));
  }
});

it('says nothing of the other files of the folder', async () => {
  const { folder, calls } = watched('a.db');
  const other = watched('b', [], folder);
  writeFileSync(join(folder, 'a.db-wal'), '1');
  writeFileSync(join(folder, 'b'), '1');
  await soon(() => expect(other.calls.count).toBeGreaterThan(0));
  expect(calls.count).toBe(0);
});

it('begins once its folder is there, and says nothing after its end', async () => {
  const { folder, calls, watch } = watched(join('later', 'a.db'));
  const path = join(folder, 'later', 'a.db');
  mkdirSync(join(folder, 'later'));
  watch.begin();
  writeFileSync(path, '1');
  await soon(() => expect(calls.count).toBeGreaterThan(0));
  watch.close();
  watch.begin();
  const before = calls.count;
  const other = watched('a.db', [], join(folder, 'later'));
  writeFileSync(path, '2');
  await soon(() => expect(other.calls.count).toBeGreaterThan(0));
  expect(calls.count).toBe(before);
});
