import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Lessons, learnedFacts, markOf } from '../../../../../app/exchange/features/lessons/lessons.ts';
import { openHistory } from '../../../../../app/history/history.ts';
import { lessonLifeMs } from '../../../../../app/history/lesson-table.ts';
import { HandClock } from '../../../account/hand-clock.ts';
import { collectingLog, temporaryFolder } from '../../../history/surroundings.ts';
import { claude } from '../../fits/claude.ts';

const path = '/v1/messages';
const sonnet = claude();

it(
  'what was learned about a conversation outlives a restart, in words that say nothing of it, and ends after ' +
    'a day',
  () => {
    const file = join(temporaryFolder(), 'history.db');
    const clock = new HandClock();
    const open = () => openHistory(file, { clock, log: collectingLog() });
    const first = open();
    const learnedAt = clock.now();
    new Lessons(first.lessons).learn(sonnet, path, [
      { kind: 'thinking', marks: [markOf('signature one'), markOf('signature two')] },
      { kind: 'tool', name: 'mcp__jira__search' },
    ]);
    first.history.close();

    const second = open();
    const until = learnedAt + lessonLifeMs;
    const common = { id: expect.stringMatching(/^[0-9a-f]{8}$/), model: sonnet.id, path, learnedAt, until };
    expect(learnedFacts(second.lessons)).toEqual([
      { ...common, text: 'takes back no thinking of 2 earlier answers' },
      { ...common, text: 'finds mcp__jira__search only when it is loaded at once' },
    ]);
    const lessons = new Lessons(second.lessons);
    const known = lessons.about(sonnet, path);
    expect(known?.refusesThinking('signature two')).toBe(true);
    expect(known?.refusesThinking('signature three')).toBe(false);
    expect(known?.refusesDeferred('mcp__jira__search')).toBe(true);
    expect(known?.refusesDeferred('mcp__jira__create')).toBe(false);
    expect(lessons.about({ ...sonnet, id: 'another' }, path)).toBeNull();
    expect(JSON.stringify(second.lessons.all())).not.toContain('signature');

    clock.advance(lessonLifeMs);
    expect(lessons.about(sonnet, path)).toBeNull();
    second.history.close();
  },
);

it('says each lesson in words', () => {
  const { lessons: table, history } = openHistory(join(temporaryFolder(), 'history.db'), {
    clock: new HandClock(),
    log: collectingLog(),
  });
  new Lessons(table).learn(sonnet, path, [
    { kind: 'field', field: 'tools.strict' },
    { kind: 'efforts', listed: ['low', 'high'] },
    { kind: 'output-tokens', most: 8192 },
    { kind: 'system-messages' },
    { kind: 'stop' },
    { kind: 'thinking', marks: ['one'] },
  ]);
  table.learn({ model: sonnet.id, path, subject: 'of a later version', value: '' });
  expect(learnedFacts(table).map(({ text }) => text)).toEqual([
    'takes no tools.strict',
    'takes the efforts low, high',
    'writes at most 8192 tokens',
    'takes no system message inside a conversation',
    'takes no stop sequences',
    'takes back no thinking of one earlier answer',
  ]);
  new Lessons(table).learn(sonnet, path, [{ kind: 'efforts', listed: [] }]);
  expect(learnedFacts(table).at(-1)?.text).toBe('takes no effort');
  history.close();
});
