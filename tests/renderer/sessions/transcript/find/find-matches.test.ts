import { afterEach, expect, it } from 'vitest';
import { english, showLanguage } from '../../../../../app/language/language.ts';
import { pseudo } from '../../../../../app/language/pseudo.ts';
import { patternOf } from '../../../../../renderer/sessions/text/long-text.tsx';
import { lookingFor, mostMatches, placesIn } from '../../../../../renderer/sessions/transcript/find/find-matches.ts';
import { type Item, itemsOf } from '../../../../../renderer/sessions/transcript/items.ts';
import { conversation, lane, read, shell, step, text, turn } from '../../transcript-page/example.ts';

afterEach(() => showLanguage(english));

function look(items: readonly Item[], words: string, cwd: string | null = null) {
  const looking = lookingFor(items, patternOf(words) ?? /$^/g, cwd);
  let steps = 0;
  for (let now = looking.next(); ; now = looking.next()) {
    if (now.done === true) return { matches: now.value, steps };
    steps += 1;
  }
}

it('a place is known by its item, what has to be open, and which one of those it is', () => {
  const items = itemsOf(conversation([turn('t', [text('x', 'so it is, so'), shell('1', 'ls', 'so')])]));
  expect(look(items, 'SO').matches).toEqual([
    { key: 't/x', turnId: 't', open: [], nth: 0 },
    { key: 't/x', turnId: 't', open: [], nth: 1 },
    { key: 't/1', turnId: 't', open: ['t/1'], nth: 0 },
  ]);
});

it('a path is looked for as it is shown in the folder that it is shown for', () => {
  const items = itemsOf(conversation([turn('t', [read('1', '/code/parcel/src/a.ts'), text('x', '–')])]));
  expect(look(items, '/code').matches).toHaveLength(1);
  expect(look(items, '/code', '/code/parcel').matches).toEqual([]);
  expect(look(items, '/code').matches).toHaveLength(1);
});

it('a step is looked for by what it is called in the shown language', () => {
  const items = itemsOf(conversation([turn('t', [shell('1', 'ls', '')])]));
  expect(look(items, 'run').matches).toHaveLength(1);
  showLanguage(pseudo);
  expect(look(items, 'run').matches).toEqual([]);
  expect(look(items, 'ŕûñ').matches).toHaveLength(1);
});

it('gives way after every text, also within one subagent, and again only for what changed', () => {
  const steps = Array.from({ length: 500 }, (_, at) => shell(`s${at}`, 'ls', 'here'));
  const blocks = [step('a', { stepKind: 'subagent', lane: lane({ blocks: steps }) })];
  const items = itemsOf(conversation([turn('t', blocks)]));
  const first = look(items, 'here');
  expect(first.matches).toHaveLength(500);
  expect(first.steps).toBeGreaterThan(500);
  expect(look(items, 'here')).toEqual({ matches: first.matches, steps: 0 });
});

it('of a text of megabytes no more places are made than are counted', () => {
  const items = itemsOf(conversation([turn('t', [text('x', 'e'.repeat(5_000_000)), text('y', 'e')])]));
  expect(look(items, 'e').matches).toHaveLength(mostMatches);
  expect(placesIn('e'.repeat(5_000_000), /e/gi).next().value).toEqual({ from: 0, to: 1 });
});
