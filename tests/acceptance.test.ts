import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Keeps ACCEPTANCE.md and the titles of the tests in step. */

const folder = import.meta.dirname;
const number = /\b[A-G]\d{1,2}(?:\.\d{1,2})?\b/g;

interface Case {
  number: string;
  /** Test files that show it, below `tests/`. */
  shownBy: string[];
  /** What has to come first, for all of it or for a part. */
  later: string | null;
}

/** The cases of the list; items that should be one and are not come back as they are. */
function readList(text: string): { cases: Case[]; unreadable: string[]; sections: Set<string> } {
  const cases: Case[] = [];
  const unreadable: string[] = [];
  const items = text.replace(/\n {2,}(?=\S)/g, ' ').split('\n');
  for (const line of items.filter((each) => each.startsWith('- '))) {
    const [, name = '', state = ''] = /^- ([A-G]\d+(?:\.\d+)?) .+ → (.+)$/.exec(line) ?? [];
    const [, files = '', later = null] = /^((?:`[^`]+`(?:, )?)*)(?:(?:; )?\*later: (.+)\*)?$/.exec(state) ?? [];
    const shownBy = [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    if (name === '' || (shownBy.length === 0 && later === null)) unreadable.push(line);
    else cases.push({ number: name, shownBy, later });
  }
  const sections = new Set([...text.matchAll(/^### ([A-G]\d+) /gm)].map(([, name = '']) => name));
  return { cases, unreadable, sections };
}

/**
 * The numbers in the titles of a test file: all in a string that begins with one. That holds for `it`, `describe` and
 * the rows of `it.each` alike. A title `A12.${n} …` stands for every `n: …` of its file's table.
 */
function numbersIn(source: string): Set<string> {
  const found = new Set<string>();
  for (const [, , title = ''] of source.matchAll(/(['"`])([A-G]\d{1,2}(?:\.\d{1,2})?(?=[ '"`]).*?)\1/g))
    for (const [each] of title.matchAll(number)) found.add(each);
  for (const [, group = ''] of source.matchAll(/`([A-G]\d{1,2})\.\$\{n\} /g))
    for (const [, n = ''] of source.matchAll(/\bn: (\d+),/g)) found.add(`${group}.${n}`);
  return found;
}

const list = readList(readFileSync(join(folder, 'ACCEPTANCE.md'), 'utf8'));
const titles = new Map(
  globSync('**/*.test.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== 'acceptance.test.ts')
    .map((file) => [file, numbersIn(readFileSync(join(folder, file), 'utf8'))]),
);

describe('ACCEPTANCE.md', () => {
  it('is a list of cases, each with its tests or with what has to come first', () => {
    expect(list.unreadable).toEqual([]);
    expect(list.cases.length).toBeGreaterThan(300);
  });

  it('has no number twice', () => {
    const numbers = list.cases.map((each) => each.number);
    expect(numbers.filter((each, at) => numbers.indexOf(each) !== at)).toEqual([]);
  });

  it('names tests that have the number in a title', () => {
    const wrong = list.cases.flatMap((each) =>
      each.shownBy.filter((file) => !titles.get(file)?.has(each.number)).map((file) => `${each.number}: ${file}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has every number that stands in a title', () => {
    const known = new Set([...list.cases.map((each) => each.number), ...list.sections]);
    const unknown = [...titles].flatMap(([file, numbers]) =>
      [...numbers].filter((each) => !known.has(each)).map((each) => `${each}: ${file}`),
    );
    expect(unknown).toEqual([]);
  });

  it('leaves nothing to later alone that a test shows by now', () => {
    const waiting = new Set(list.cases.filter(({ shownBy }) => shownBy.length === 0).map((each) => each.number));
    const shown = [...titles].flatMap(([file, numbers]) =>
      [...numbers].filter((each) => waiting.has(each)).map((each) => `${each}: ${file}`),
    );
    expect(shown).toEqual([]);
  });
});

describe('the reading of titles', () => {
  it.each([
    ["it('Z1.1 one', () => {", []],
    ["it('A1.1 one', () => {", ['A1.1']],
    ["it('E4 E5 both', () => {", ['E4', 'E5']],
    ['it("B2.3 B2.4 two at once", () => {', ['B2.3', 'B2.4']],
    ["it('A1.5 one; A1.6 and another', () => {", ['A1.5', 'A1.6']],
    ["it.each([['A3.1', 1], ['A3.2 two', 2]])('%s', () => {", ['A3.1', 'A3.2']],
    ["describe('D6', () => {", ['D6']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a title
    ['{ n: 1, x: 2 }, { n: 2, x: 3 } it(`A12.${n} name`)', ['A12.1', 'A12.2']],
    ["it('says A1.1 further in')", []],
    ["const colour = 'A1B2C3';", []],
  ])('%j', (source, expected) => {
    expect([...numbersIn(source)]).toEqual(expected);
  });
});
