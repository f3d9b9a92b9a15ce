import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenedHistory, openHistory } from '../../../app/history/history.ts';
import { historyAnswers } from '../../../app/history/history-answers.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { exampleExchange } from './example.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const lesson = { model: 'one', path: '/v1/messages', subject: 'field:service_tier', value: '' };

function open(path: string, isOwnedElsewhere: boolean): OpenedHistory {
  const opened = openHistory(path, {
    clock: fakeClock(),
    log: collectingLog(),
    isOwnedElsewhere: () => isOwnedElsewhere,
  });
  onTestFinished(async () => {
    await opened.sums.close();
    opened.history.close();
  });
  return opened;
}

/** A process beside the owner, opened before the owner has made its file. */
function besideAnEmptyFolder(): { beside: OpenedHistory; owner: OpenedHistory } {
  const path = join(temporaryFolder(), 'history.db');
  const beside = open(path, true);
  return { beside, owner: open(path, false) };
}

it('the next owner knows the prompts that the one before had accepted', () => {
  const { beside, owner } = besideAnEmptyFolder();
  owner.ledger.accept('key', 'ex-1');
  owner.ledger.settle('key', 'whole');
  owner.history.close();
  expect(beside.ledger.accepted('key')).toBeNull();
  beside.history.takeOver();
  beside.ledger.takeOver();
  expect(beside.ledger.salt.equals(owner.ledger.salt)).toBe(true);
  expect(beside.ledger.accepted('key')).toEqual({ ending: 'whole' });
});

it('the next owner drops what it noted of prompts under a salt of its own', () => {
  const { beside, owner } = besideAnEmptyFolder();
  owner.history.close();
  beside.ledger.accept('of another salt', 'ex-1');
  beside.history.takeOver();
  expect(beside.ledger.accepted('of another salt')).toBeNull();
});

it('the next owner knows the lessons of the one before, and keeps its own', () => {
  const { beside, owner } = besideAnEmptyFolder();
  owner.lessons.learn(lesson);
  owner.lessons.learn({ ...lesson, model: 'two' });
  owner.history.close();
  beside.lessons.learn({ ...lesson, model: 'three' });
  beside.history.takeOver();
  expect(beside.lessons.all().map(({ model }) => model)).toEqual(['one', 'two', 'three']);
});

it('the next owner adds up the rows of the one before', async () => {
  const path = join(temporaryFolder(), 'history.db');
  const owner = open(path, false);
  owner.history.record(exampleExchange({ id: 'ex-1', startedAt: 1 }));
  owner.history.flush();
  const beside = open(path, true);
  expect(await beside.sums.totals('client', 0)).toMatchObject([{ requests: 1 }]);
  owner.history.record(exampleExchange({ id: 'ex-2', startedAt: 2 }));
  owner.history.close();
  beside.history.takeOver();
  expect(await beside.sums.totals('client', 0)).toMatchObject([{ requests: 2 }]);
});

it('the next owner reads rows by the words of the file that is there now', () => {
  const path = join(temporaryFolder(), 'history.db');
  const fits = (text: string) => [{ code: 'max-tokens-clamped', count: 1, text }];
  const before = open(path, false);
  before.history.record(exampleExchange({ id: 'ex-1', fits: fits('before') }));
  before.history.close();
  const beside = open(path, true);
  expect(beside.history.find('ex-1')).toMatchObject({ fits: fits('before') });
  // The texts of rows are numbered in the order in which they come.
  renameSync(path, `${path}.kept`);
  const owner = open(path, false);
  owner.history.record(exampleExchange({ id: 'ex-2', fits: fits('now') }));
  owner.history.close();
  beside.history.takeOver();
  expect(beside.history.find('ex-2')).toMatchObject({ fits: fits('now') });
});

function answersOf({ history, sums }: OpenedHistory) {
  const reported: string[] = [];
  const { store } = SettingsStore.open(join(temporaryFolder(), 'settings.json'), collectingLog());
  onTestFinished(() => store.close());
  const answers = historyAnswers({
    ...{ history, sums, settings: store, clock: fakeClock() },
    forgetBodies: () => reported.push('bodies'),
    deleted: () => reported.push('deleted'),
    sessions: { learnAll: async () => undefined, of: () => ({ title: null, folder: null }), all: () => ({}) },
  });
  return { answers, reported };
}

it('"Delete history" beside the owner deletes nothing, and says whose it is', async () => {
  const path = join(temporaryFolder(), 'history.db');
  const owner = open(path, false);
  owner.history.record(exampleExchange());
  owner.history.flush();
  const beside = open(path, true);
  const { answers, reported } = answersOf(beside);
  await expect(answers.deleteHistory()).rejects.toMatchObject({
    code: 'history-owned-elsewhere',
    message: 'Another Jumpseat owns the request history, so nothing was deleted.',
    remedy: expect.stringContaining('Delete the history in that Jumpseat'),
  });
  expect([reported, owner.history.count()]).toEqual([[], 1]);
  expect(() => beside.lessons.forgetOne('some')).toThrow('Another Jumpseat owns');
});

it('"Delete history" where the file can’t be written says why', async () => {
  const opened = open(join(temporaryFolder(), 'history.db'), false);
  opened.history.record(exampleExchange());
  opened.history.flush();
  const { answers, reported } = answersOf(opened);
  opened.history.close();
  await expect(answers.deleteHistory()).rejects.toThrow('The request history is closed.');
  expect(reported).toEqual([]);
  const again = answersOf(open(join(temporaryFolder(), 'history.db'), false));
  expect([await again.answers.deleteHistory(), again.reported]).toEqual([0, ['bodies', 'deleted']]);
});
