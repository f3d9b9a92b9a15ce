import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type DatabaseForm, migrate, newestVersion, openDatabase } from '../../../app/database/open-database.ts';
import { writeTrouble } from '../../../app/database/sqlite-error.ts';
import { openHistory } from '../../../app/history/history.ts';
import { historyForm } from '../../../app/history/schema.ts';
import { msg } from '../../../app/language/messages.ts';
import { readOnlyFile } from '../../../app/ports.ts';
import { bareExchange, exampleExchange } from '../history/example.ts';
import { collectingLog, fakeClock, nextTurn, temporaryFolder } from '../history/surroundings.ts';

/** 18 Nov 2026 at noon, wherever this runs. */
const now = new Date(2026, 10, 18, 12).getTime();
const newest = newestVersion(historyForm);
const oldest = historyForm.firstVersion ?? 1;
/** The sums of versions before it counted otherwise. */
const sumsSince = 11;
const fixtures = join(import.meta.dirname, '../history/fixtures');
const fixtureOf = (version: number): string => `history.v${version}.sql`;
/** Every version that is still read, the newest first. */
const versions = Array.from({ length: newest - oldest + 1 }, (_, back) => newest - back);

function open(path: string) {
  const log = collectingLog();
  return { log, ...openHistory(path, { clock: fakeClock(now), log }) };
}

function filled(path: string, rows: number): void {
  const { history, ledger } = open(path);
  for (let count = 0; count < rows; count++) history.record(exampleExchange({ id: `ex-${count}` }));
  ledger.accept('key-a', 'ex-0');
  history.close();
}

function tablesOf(database: DatabaseSync): unknown[] {
  return database.prepare(`SELECT type, name, tbl_name FROM sqlite_schema ORDER BY type, name`).all();
}

/** A file as an earlier run left it. */
function laidDown(path: string, version = newest): void {
  const database = new DatabaseSync(path);
  database.exec(readFileSync(join(fixtures, fixtureOf(Math.max(version, oldest))), 'utf8'));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

describe('the schema', () => {
  it.each(versions)('opens a file of version %i, with the prompts that were accepted', (version) => {
    const path = join(temporaryFolder(), 'history.db');
    laidDown(path, version);
    const before = new DatabaseSync(path);
    if (version < sumsSince) before.exec('UPDATE quarter_sums SET user = 100');
    before.close();
    const { history, ledger, warnings } = open(path);
    expect(warnings).toEqual([]);
    // Sums that counted otherwise are added up again.
    expect(history.totals('model', 0).reduce((all, { user }) => all + user, 0)).toBeLessThan(3);
    const { failure, ...whole } = exampleExchange({ account: 'Work' });
    const said = failure && { ...failure, message: 'What was said is kept no longer.', clientMessage: null };
    expect(history.recent({ limit: 10 })).toEqual([{ ...whole, failure: said }, bareExchange()]);
    expect(ledger.salt.toString('hex')).toBe('5a'.repeat(32));
    expect(ledger.accepted('key-whole')).toEqual({ ending: 'whole' });
    ledger.takeOver();
    expect(ledger.accepted('key-running')).toEqual({ ending: 'cut' });
    expect(ledger.accepted('key-refused')).toBeNull();
    expect(ledger.refusals('key-refused')).toEqual({ count: 2, lastStatus: 503 });
    history.record(exampleExchange({ id: 'new' }));
    history.flush();
    expect(history.find('new')).toEqual(exampleExchange({ id: 'new' }));
    history.close();
    const opened = new DatabaseSync(path, { readOnly: true });
    const fresh = new DatabaseSync(':memory:');
    migrate(fresh, 0, historyForm);
    expect(opened.prepare('PRAGMA user_version').get()?.user_version).toBe(newest);
    expect(tablesOf(opened)).toEqual(tablesOf(fresh));
    opened.close();
  });

  it('has its fixtures', () => {
    expect(
      readdirSync(fixtures)
        .filter((name) => name.endsWith('.sql'))
        .sort(),
    ).toEqual(versions.map(fixtureOf).sort());
  });

  it('takes what a step deletes out of the file and its log of changes, not only out of sight', () => {
    const path = join(temporaryFolder(), 'words.db');
    const form: DatabaseForm = {
      steps: ['CREATE TABLE words (text)'],
      tables: ['words'],
      code: 'words',
      title: msg('The words'),
      inMemory: msg('They are kept in memory.'),
    };
    const { database: old } = openDatabase(form, path, { now });
    for (const text of ['canary '.repeat(1_000), 'stays']) old.prepare('INSERT INTO words VALUES (?)').run(text);
    // It ended without closing: the log of changes is still there.
    const left = readFileSync(`${path}-wal`);
    old.close();
    writeFileSync(`${path}-wal`, left);
    const next = { ...form, steps: [...form.steps, `DELETE FROM words WHERE text <> 'stays'`] };
    const { database, warnings } = openDatabase(next, path, { now });
    expect(warnings).toEqual([]);
    expect(database.prepare('SELECT text FROM words').all()).toEqual([{ text: 'stays' }]);
    for (const file of readdirSync(dirname(path))) {
      expect(readFileSync(join(dirname(path), file)).includes('canary'), file).toBe(false);
    }
    database.close();
  });

  it('runs the missing steps only, each whole or not at all', () => {
    const database = new DatabaseSync(':memory:');
    const steps = ['CREATE TABLE one (a)', 'ALTER TABLE one ADD COLUMN b', 'CREATE TABLE two (a); SELECT nonsense'];
    migrate(database, 0, { steps: steps.slice(0, 1) });
    expect(() => migrate(database, 1, { steps })).toThrow('nonsense');
    expect(database.prepare('PRAGMA user_version').get()?.user_version).toBe(2);
    expect(tablesOf(database)).toEqual([{ type: 'table', name: 'one', tbl_name: 'one' }]);
    expect(database.isTransaction).toBe(false);
  });
});

describe('a file that cannot be used', () => {
  const damages: [string, (path: string) => void][] = [
    [
      'that is no database',
      (path) => writeFileSync(path, 'some text that is long enough to be looked at. '.repeat(100)),
    ],
    ['whose header is broken', (path) => overwrite(path, 0, 64)],
    ['whose pages are broken', (path) => overwrite(path, 4096, 40_000)],
    ['that was cut off', (path) => truncateSync(path, 20_000)],
    [
      'that belongs to another program',
      (path) => {
        const foreign = new DatabaseSync(`${path}`);
        foreign.exec('PRAGMA user_version = 0; DROP TABLE ledger; DROP TABLE meta');
        foreign.close();
      },
    ],
    [
      'that has our version and not our tables',
      (path) => {
        const foreign = new DatabaseSync(path);
        foreign.exec('DROP TABLE ledger');
        foreign.close();
      },
    ],
  ];

  it.each(damages)('%s is kept aside and said, and a new one is started', (_name, damage) => {
    const path = join(temporaryFolder(), 'history.db');
    filled(path, 200);
    damage(path);
    const before = readFileSync(path);
    const { history, ledger, warnings, log } = open(path);
    expect(warnings).toEqual([
      {
        code: 'history-damaged',
        text: expect.stringMatching(
          /^The request history was damaged \(.+\)\. It was renamed to history\.damaged-2026-11-18\.db; a new one was started\.$/,
        ),
        remedy: 'Nothing has to be done. Delete history.damaged-2026-11-18.db when you don’t need it.',
      },
    ]);
    expect(log.lines.map(({ event }) => event)).toEqual(['history-damaged']);
    expect(readFileSync(join(dirname(path), 'history.damaged-2026-11-18.db')).equals(before)).toBe(true);
    expect(history.problem()).toBeNull();
    expect(history.count()).toBe(0);
    expect(ledger.accepted('key-a')).toBeNull();
    history.record(exampleExchange());
    history.close();
    const again = open(path);
    expect(again.warnings).toEqual([]);
    expect(again.history.recent({ limit: 10 })).toEqual([exampleExchange()]);
    again.history.close();
  });

  it('never overwrites one that was kept aside before, and takes -wal along', () => {
    const path = join(temporaryFolder(), 'history.db');
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(path, text.repeat(1_000));
      writeFileSync(`${path}-wal`, `${text} wal`);
      open(path).history.close();
    }
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('damaged'));
    expect(kept.sort()).toEqual([
      'history.damaged-2026-11-18-2.db',
      'history.damaged-2026-11-18-2.db-wal',
      'history.damaged-2026-11-18-3.db',
      'history.damaged-2026-11-18-3.db-wal',
      'history.damaged-2026-11-18.db',
      'history.damaged-2026-11-18.db-wal',
    ]);
    expect(readFileSync(join(dirname(path), 'history.damaged-2026-11-18-2.db-wal'), 'utf8')).toBe('second wal');
  });

  it('of a newer version is kept under its version and can be put back', () => {
    const path = join(temporaryFolder(), 'history.db');
    filled(path, 3);
    const newer = new DatabaseSync(path);
    newer.exec(`PRAGMA user_version = ${newest + 4}`);
    newer.close();
    const { history, warnings } = open(path);
    const kept = `history.newer-${newest + 4}.db`;
    expect(warnings).toEqual([
      {
        code: 'history-newer',
        text:
          `The request history was written by a newer Jumpseat (version ${newest + 4} of the schema). ` +
          `It was renamed to ${kept}; a new one was started.`,
        remedy: `Update Jumpseat, then give ${kept} its old name history.db again.`,
      },
    ]);
    expect(history.count()).toBe(0);
    history.close();
    const aside = new DatabaseSync(join(dirname(path), kept), { readOnly: true });
    expect(aside.prepare('SELECT count(*) AS n FROM exchanges').get()?.n).toBe(3);
    aside.close();
  });

  it('of an older version is kept, with what was in it', () => {
    const path = join(temporaryFolder(), 'history.db');
    laidDown(path, oldest - 1);
    const { history, warnings } = open(path);
    const kept = 'history.damaged-2026-11-18.db';
    expect(warnings).toEqual([
      {
        code: 'history-damaged',
        text:
          `The request history was damaged (its schema is of version ${oldest - 1}, which no Jumpseat reads any more). ` +
          `It was renamed to ${kept}; a new one was started.`,
        remedy: `Nothing has to be done. Delete ${kept} when you don’t need it.`,
      },
    ]);
    expect([history.problem(), history.count()]).toEqual([null, 0]);
    history.record(exampleExchange());
    history.close();
    const again = open(path);
    expect(again.warnings).toEqual([]);
    expect(again.history.recent({ limit: 10 })).toEqual([exampleExchange()]);
    again.history.close();
    const aside = new DatabaseSync(join(dirname(path), kept), { readOnly: true });
    expect(aside.prepare('SELECT count(*) AS n FROM exchanges').get()?.n).toBe(2);
    expect(aside.prepare('SELECT count(*) AS n FROM ledger').get()?.n).toBe(3);
    aside.close();
  });

  it('is not kept aside by a second process that only reads', () => {
    const path = join(temporaryFolder(), 'history.db');
    writeFileSync(path, 'no database '.repeat(1_000));
    const { history, warnings } = openHistory(path, { clock: fakeClock(now), log: collectingLog(), readOnly: true });
    expect(warnings.map(({ code }) => code)).toEqual(['history-unreadable']);
    expect(history.recent({ limit: 5 })).toEqual([]);
    history.close();
    expect(readdirSync(dirname(path))).toEqual(['history.db']);
  });

  it('that a full disk left empty is not called one of an older version', () => {
    const path = join(temporaryFolder(), 'history.db');
    writeFileSync(path, '');
    const { history, warnings } = openHistory(path, { clock: fakeClock(now), log: collectingLog(), readOnly: true });
    expect(warnings.map(({ text }) => text)).toEqual([
      'The request history can’t be read: the file is empty, perhaps because the disk is full.',
    ]);
    history.close();
  });

  it('that is only held by another program stays where it is', () => {
    const path = join(temporaryFolder(), 'history.db');
    filled(path, 1);
    const other = new DatabaseSync(path);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const { history, ledger, warnings } = open(path);
    expect(warnings.map(({ code }) => code)).toEqual(['history-in-memory']);
    expect(ledger.accepted('key-a')).toBeNull();
    history.close();
    other.exec('ROLLBACK');
    other.close();
    const again = open(path);
    expect(again.warnings).toEqual([]);
    expect(again.history.count()).toBe(1);
    again.history.close();
  });

  it('goes bad while it is open: kept aside, the ledger and the salt go on', async () => {
    const path = join(temporaryFolder(), 'history.db');
    filled(path, 4_000);
    const { history, ledger } = open(path);
    const { salt } = ledger;
    ledger.takeOver();
    expect(ledger.accepted('key-a')).toEqual({ ending: 'cut' });
    overwrite(path, 4096, statSync(path).size);
    expect(history.totals('day', 0)).toEqual([]);
    expect(history.problem()?.code).toBe('history-damaged');
    history.record(exampleExchange({ id: 'after' }));
    await nextTurn();
    expect(history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['after']);
    history.close();
    expect(readdirSync(dirname(path))).toContain('history.damaged-2026-11-18.db');
    const again = open(path);
    expect(again.warnings).toEqual([]);
    expect(again.history.recent({ limit: 10 }).map(({ id }) => id)).toEqual(['after']);
    expect(again.ledger.salt.equals(salt)).toBe(true);
    expect(again.ledger.accepted('key-a')).toEqual({ ending: 'cut' });
    again.history.close();
  });
});

describe('a folder that cannot be used', () => {
  it('leaves the history in memory, and says so', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const { history, ledger, warnings } = open(join(folder, 'file', 'history.db'));
    expect(warnings).toEqual([
      {
        code: 'history-in-memory',
        text: expect.stringMatching(
          /^The request history can’t be saved: .+\. Requests work; their history is in memory until Jumpseat quits\.$/,
        ),
        remedy: expect.stringContaining(join(folder, 'file')),
      },
    ]);
    expect(history.problem()).toEqual(warnings[0]);
    history.record(exampleExchange());
    ledger.accept('key-a', 'ex-1');
    expect(history.recent({ limit: 10 })).toEqual([exampleExchange()]);
    expect(ledger.accepted('key-a')).toEqual({ ending: 'running' });
    history.close();
  });

  it('names the file where it is read-only, and the folder where that is', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'history.db');
    const refused = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' });
    expect(readOnlyFile(refused, path)?.why).toBe(`the folder ${folder} is read-only (EACCES)`);
    writeFileSync(path, '');
    expect(readOnlyFile(refused, path)).toEqual({
      why: `the file ${path} is read-only (EACCES)`,
      remedy: `Make the file ${path} writable for your user`,
    });
    expect(readOnlyFile(new Error('EACCES'), path)).toBeNull();
  });

  it('says what to do by SQLite’s own reason', () => {
    const path = join(temporaryFolder(), 'history.db');
    new DatabaseSync(path).close();
    const thrown = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return error;
      }
    };
    const reading = new DatabaseSync(path, { readOnly: true });
    const readOnly = thrown(() => reading.exec('CREATE TABLE one (a)'));
    reading.close();
    expect(writeTrouble(readOnly, 'history.db')).toEqual({
      why: 'history.db is read-only',
      remedy: 'Make history.db and its folder writable for your user',
    });
    const missing = thrown(() => new DatabaseSync(join(path, 'history.db')));
    expect(writeTrouble(missing, 'history.db')).toEqual({
      why: 'unable to open database file',
      remedy: 'Check that history.db and its folder exist and are writable for your user',
    });
  });

  it.skipIf(process.getuid?.() === 0)('without rights leaves the history in memory', () => {
    const folder = join(temporaryFolder(), 'closed');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const { history, warnings } = open(join(folder, 'history.db'));
    expect(warnings.map(({ code }) => code)).toEqual(['history-in-memory']);
    history.close();
  });

  it('is made for this user alone when it is missing', () => {
    const path = join(temporaryFolder(), 'new', 'history.db');
    const { history } = open(path);
    history.record(exampleExchange());
    history.flush();
    const modes = [dirname(path), path, `${path}-wal`].map((name) => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    history.close();
  });

  it('in memory keeps a bounded number of exchanges', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const { history } = open(join(folder, 'file', 'history.db'));
    for (let batch = 0; batch < 6; batch++) {
      for (let count = 0; count < 1_000; count++) history.record(exampleExchange({ id: `ex-${batch}-${count}` }));
      history.flush();
    }
    expect(history.count()).toBe(5_000);
    history.close();
  });
});

function overwrite(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, from, Math.min(to, bytes.length));
  writeFileSync(path, bytes);
}

describe('a file of a folder that another process owns', () => {
  it.each([
    ['opened', newest, ['ex-1', 'new', 'ex-bare'], []],
    ['an older one kept aside', oldest - 1, ['new'], ['history-damaged']],
  ])('is not touched before the folder is taken over, and %s then', (_name, version, ids, codes) => {
    const path = join(temporaryFolder(), 'history.db');
    laidDown(path, version);
    const before = readFileSync(path);
    const log = collectingLog();
    const opened = openHistory(path, { clock: fakeClock(now), log, isOwnedElsewhere: () => true });
    opened.history.record(exampleExchange({ id: 'new' }));
    expect(opened.history.prune(Number.POSITIVE_INFINITY)).toBeNull();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(opened.warnings.map(({ code }) => code)).toEqual(codes.map(() => 'history-unreadable'));
    opened.history.takeOver();
    opened.history.flush();
    expect(opened.warnings.map(({ code }) => code)).toEqual(codes);
    expect(opened.history.problem()).toBeNull();
    expect(opened.history.recent({ limit: 5 }).map(({ id }) => id)).toEqual(ids);
    opened.history.close();
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('damaged'));
    expect(kept.map((name) => readFileSync(join(dirname(path), name)).equals(before))).toEqual(codes.map(() => true));
  });
});
