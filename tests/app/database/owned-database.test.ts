import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { DatabaseForm } from '../../../app/database/open-database.ts';
import { OwnedDatabase } from '../../../app/database/owned-database.ts';
import { msg } from '../../../app/language/messages.ts';
import { collectingLog, fakeClock, nextTurn, temporaryFolder } from '../history/surroundings.ts';

const form: DatabaseForm = {
  steps: ['CREATE TABLE words (word TEXT PRIMARY KEY) STRICT'],
  tables: ['words'],
  code: 'words',
  title: msg('The list of words'),
  inMemory: msg('Words live in memory.'),
};

function open(path = join(temporaryFolder(), 'words.db'), isOwnedElsewhere = false) {
  const clock = fakeClock();
  const log = collectingLog();
  const failures: unknown[] = [];
  const dependencies = { clock, log, isOwnedElsewhere: () => isOwnedElsewhere };
  const database = new OwnedDatabase(form, path, dependencies, (error) => failures.push(error));
  onTestFinished(() => database.close());
  const add = (word: string): void => void database.prepare('INSERT INTO words VALUES (?)').run(word);
  const words = (): unknown[] =>
    database
      .prepare('SELECT word FROM words ORDER BY word')
      .all()
      .map(({ word }) => word);
  return { path, clock, log, failures, database, add, words };
}

it('a change is made whole, or nothing of it', () => {
  const { database, add, words } = open();
  expect(database.transact(() => add('one'))).toBeUndefined();
  const work = (): void => {
    add('two');
    expect(database.isInTransaction).toBe(true);
    throw new Error('no third');
  };
  expect(() => database.transact(work)).toThrow('no third');
  expect([words(), database.isInTransaction]).toEqual([['one'], false]);
});

it('beside an owner nothing is made, and the next owner reads what the one before wrote', () => {
  const path = join(temporaryFolder(), 'words.db');
  const beside = open(path, true);
  expect([readdirSync(dirname(path)), beside.database.mayWrite, beside.database.onDisk]).toEqual([[], false, false]);
  const owner = open(path);
  owner.add('one');
  owner.database.close();
  expect([beside.database.own(), beside.database.own()]).toEqual([true, false]);
  expect([beside.words(), beside.database.mayWrite, beside.database.openingProblem]).toEqual([['one'], true, null]);
});

it('who only reads never owns', () => {
  const { path, clock, log, database, add } = open();
  add('one');
  const reader = new OwnedDatabase(form, path, { clock, log, readOnly: true }, () => {});
  onTestFinished(() => reader.close());
  expect([reader.own(), reader.mayWrite, database.mayWrite]).toEqual([false, false, true]);
});

it('a file that went bad is kept aside, and statements are of the new one', () => {
  const { path, log, database, add, words } = open();
  add('one');
  database.renew(Object.assign(new Error('database disk image is malformed'), { errcode: 11 }));
  expect(words()).toEqual([]);
  add('two');
  expect([words(), database.onDisk, database.openingProblem]).toEqual([['two'], true, null]);
  expect(readdirSync(dirname(path)).filter((name) => /^words\.damaged-.*\.db$/.test(name))).toHaveLength(1);
  expect(log.lines).toEqual([]);
  database.logWarnings();
  expect(log.lines.map(({ event }) => event)).toEqual(['words-damaged']);
});

it('a file that was deleted is found gone, and a new one gets all of it, or nothing', () => {
  for (const copies of [true, false]) {
    const { path, database, add, words } = open();
    add('one');
    expect(database.isGone).toBe(false);
    rmSync(path);
    expect(database.isGone).toBe(true);
    database.replaceGone((isWhole) => (isWhole ? 'All.' : 'None.'), copies);
    expect([database.isGone, words(), existsSync(path)]).toEqual([false, copies ? ['one'] : [], true]);
    expect(database.warnings).toMatchObject([
      { code: 'words-gone', text: expect.stringContaining(copies ? 'All.' : 'None.') },
    ]);
    add('two');
    expect(words()).toContain('two');
  }
});

it('a disk that doesn’t answer takes no file away', () => {
  const folder = join(temporaryFolder(), 'disk');
  const { database, add, words } = open(join(folder, 'words.db'));
  add('one');
  renameSync(folder, `${folder}-away`);
  // Leads to itself: what lies behind it can't be told.
  symlinkSync(folder, folder);
  expect(() => statSync(join(folder, 'words.db'), { throwIfNoEntry: false })).toThrow('ELOOP');
  expect([database.isGone, words()]).toEqual([false, ['one']]);
});

it('what can’t be opened at all lives in memory, and says why', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  const { log, database, add, words } = open(join(folder, 'file', 'words.db'));
  add('one');
  expect([words(), database.onDisk, database.openingProblem?.code]).toEqual([['one'], false, 'words-in-memory']);
  expect(log.lines.map(({ event }) => event)).toEqual(['words-in-memory']);
});

it('the log of changes goes into the file once nothing was written for a while', async () => {
  const { path, clock, database, add } = open();
  const before = readFileSync(path);
  add('one');
  database.wrote();
  await clock.advance(2_000);
  add('two');
  database.wrote();
  await clock.advance(1_500);
  expect(readFileSync(path).equals(before)).toBe(true);
  await clock.advance(3_000);
  expect(readFileSync(path).equals(before)).toBe(false);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
});

it('nothing is asked of it after its end', async () => {
  const { clock, failures, database, add } = open();
  add('one');
  database.wrote();
  database.close();
  database.close();
  await clock.advance(10_000);
  await nextTurn();
  expect([failures, database.isClosed, database.mayWrite, database.own()]).toEqual([[], true, false, false]);
});
