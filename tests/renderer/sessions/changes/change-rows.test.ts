import { describe, expect, it } from 'vitest';
import type { ChangedFile, FileNow } from '../../../../app/api/sessions.ts';
import {
  cannotWords,
  canUndo,
  changeRows,
  leftAloneWords,
  nameAndFolder,
  noneLeftWords,
  type Refusal,
  stuckWords,
  sumOf,
  turnsSince,
  wholePatch,
} from '../../../../renderer/sessions/changes/change-rows.ts';

const none = { writing: new Set<string>(), refused: new Map<string, Refusal>(), now: new Map<string, FileNow>() };

function file(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  const patch = `--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-a\n+b\n`;
  const counts = { added: 1, removed: 1, isNew: false, isDeleted: false, undoneHunks: 0, byCommand: false };
  return { path, state: 'made', edits: ['1'], patch, ...counts, ...more };
}

function refusal(path: string, code: string, direction: Refusal['direction'] = 'undo'): [string, Refusal] {
  return [path, { direction, path, isDone: false, problem: { code, text: 'x', remedy: 'y' }, threeWay: null }];
}

function now(path: string, state: FileNow['now']): [string, FileNow] {
  return [path, { path, now: state, modifiedAt: 7, isOutside: false, problem: null }];
}

describe('the row of a changed file', () => {
  const stateOf = (one: ChangedFile, more: Partial<typeof none> = {}) =>
    changeRows([one], { ...none, ...more })[0]?.state;

  it('says what became of the file, the worst first', () => {
    expect(stateOf(file('a'))).toBe('new');
    expect(stateOf(file('a', { state: 'accepted' }))).toBe('accepted');
    expect(stateOf(file('a', { state: 'undone' }))).toBe('undone');
    expect(stateOf(file('a'), { writing: new Set(['a']) })).toBe('writing');
    expect(stateOf(file('a', { patch: null }))).toBe('not-kept');
    expect(stateOf(file('a'), { now: new Map([now('a', 'changed')]) })).toBe('changed-since');
    expect(stateOf(file('a'), { now: new Map([now('a', 'gone')]) })).toBe('gone');
    expect(stateOf(file('a'), { now: new Map([now('a', 'as-before')]) })).toBe('put-back');
    expect(stateOf(file('a'), { now: new Map([now('a', 'unreadable')]) })).toBe('not-kept');
    expect(stateOf(file('a'), { now: new Map([now('a', 'as-left')]) })).toBe('new');
  });

  it('keeps why it was not put back, by the kind of the problem', () => {
    expect(stateOf(file('a'), { refused: new Map([refusal('a', 'changed-since')]) })).toBe('changed-since');
    expect(stateOf(file('a'), { refused: new Map([refusal('a', 'not-written')]) })).toBe('failed');
    const asLeft = new Map([now('a', 'as-left')]);
    expect(stateOf(file('a'), { refused: new Map([refusal('a', 'changed-since')]), now: asLeft })).toBe('new');
    const between = new Map([refusal('a', 'changed-between')]);
    expect(stateOf(file('a'), { refused: between, now: asLeft })).toBe('changed-since');
  });

  it('stays undone where it could not be redone, and says why only of that', () => {
    const rowOf = (direction: Refusal['direction']) =>
      changeRows([file('a', { state: 'undone' })], {
        ...none,
        refused: new Map([refusal('a', 'changed-since', direction)]),
        now: new Map([now('a', 'changed')]),
      });
    const [row] = rowOf('redo');
    expect([row?.state, row?.refused?.direction]).toEqual(['undone', 'redo']);
    expect(cannotWords(rowOf('redo'))).toBeNull();
    expect(rowOf('undo')[0]?.refused).toBeNull();
  });

  it('offers no way back for what would be lost, or is being written', () => {
    const rows = changeRows([file('a'), file('b'), file('c'), file('d', { patch: null })], {
      writing: new Set(['b']),
      refused: none.refused,
      now: new Map([now('c', 'changed')]),
    });
    expect(rows.map(canUndo)).toEqual([true, false, false, false]);
    expect(cannotWords(rows)).toBe('1 file of 4 changed since. 1 file of 4 can’t be undone.');
    expect(cannotWords(rows.slice(0, 2))).toBeNull();
  });
});

it('a file that can’t be undone says why', () => {
  const problem = { code: 'too-large', text: 'a is over 5 MB.', remedy: 'Look at it.' };
  const big: FileNow = { path: 'a', now: 'unreadable', modifiedAt: 7, isOutside: false, problem };
  const rows = changeRows([file('a'), file('b'), file('c', { patch: null, state: 'untracked' }), file('d')], {
    ...none,
    now: new Map([['a', big], now('b', 'gone'), now('d', 'changed')]),
  });
  expect(rows.map((row) => stuckWords(row, row.file.path).join(''))).toEqual([
    'a can’t be undone. a is over 5 MB.',
    'b was deleted since and stays so.',
    'c can’t be undone. It was over 5 MB.',
    'd has changed since and stays as it is.',
  ]);
  expect(leftAloneWords([refusal('a', 'link')[1], { path: 'b', isDone: true, problem: null, threeWay: null }])).toBe(
    'x',
  );
});

describe('all changes', () => {
  it('are summed and copied as they are in the files now: without what was deleted since', () => {
    const rows = changeRows([file('a'), file('b')], { ...none, now: new Map([now('b', 'gone')]) });
    expect(sumOf(rows)).toEqual({ files: 1, added: 1, removed: 1 });
    expect(wholePatch(rows)).toBe(file('a').patch);
    expect(noneLeftWords(rows.slice(1))).toBe('1 file deleted since');
    expect(noneLeftWords(changeRows([file('a', { state: 'undone' })], none))).toBe('1 file undone');
  });

  it('are summed and copied without what was undone', () => {
    const rows = changeRows(
      [file('a'), file('b', { state: 'undone' }), file('c', { patch: null, added: 0, removed: 0 })],
      none,
    );
    expect(sumOf(rows)).toEqual({ files: 2, added: 1, removed: 1 });
    expect(wholePatch(rows)).toBe(file('a').patch);
  });

  it.each([
    ['src/webhooks/deliver.ts', 'deliver.ts', 'src/webhooks'],
    ['a.ts', 'a.ts', ''],
    ['C:\\x\\a.ts', 'a.ts', 'C:\\x'],
    ['/a.ts', 'a.ts', ''],
  ])('name %s', (path, name, folder) => {
    expect(nameAndFolder(path)).toEqual({ name, folder });
  });
});

it('going back takes a turn and those after it, and none where it was not read', () => {
  const turns = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  expect(turnsSince(turns, 'b')).toEqual(['b', 'c']);
  expect(turnsSince(turns, 'x')).toEqual([]);
  expect(turnsSince([], 'b')).toEqual([]);
});
