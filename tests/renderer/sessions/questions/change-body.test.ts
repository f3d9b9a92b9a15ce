import { describe, expect, it } from 'vitest';
import type { AskedFile } from '../../../../app/api/session-surroundings.ts';
import type { AskedDifference } from '../../../../renderer/sessions/questions/asked.ts';
import { hasChanged } from '../../../../renderer/sessions/questions/asked-files.ts';
import { fitDifferences } from '../../../../renderer/sessions/questions/change-body.tsx';
import { approvalOf, changedPlan } from '../../../../renderer/sessions/questions/plan.tsx';
import { differenceLines } from '../../../../renderer/sessions/text/difference-lines.ts';

const file = (text: string | null, more: Partial<AskedFile> = {}): AskedFile => ({
  ...{ named: 'a.ts', path: '/p/a.ts', leadsTo: null, isOutside: false, state: 'there', text, lines: 1 },
  ...{ modifiedAt: 1_000, isUnknownToGit: false },
  ...more,
});
const change = (before: string | null, after: string): AskedDifference => ({
  path: 'a.ts',
  source: { kind: 'texts', before, after, firstLine: before === null ? 1 : null },
});
const edit = { isWrite: false, isEverywhere: false };
/** As a person reads it. */
function read(differences: AskedDifference[], files: AskedFile[] | null, how = edit, isWhole = false): string[] {
  return fitDifferences(differences, files, how).flatMap(({ source, whole }) =>
    (differenceLines(isWhole && whole !== null ? whole : source) ?? []).map((line) =>
      line.look === 'gap'
        ? line.place
        : `${line.before ?? ''}:${line.after ?? ''} ${line.look} ${line.parts.map(({ text }) => text).join('')}`,
    ),
  );
}

describe('a difference on the file that it is about', () => {
  const lines = Array.from({ length: 40 }, (_, at) => (at === 20 ? 'function deliver() {' : `  line ${at + 1}`));
  const text = `${lines.join('\n')}\n`;

  it('has the numbers of its lines, what is around them, and what they are in', () => {
    expect(read([change('  line 30', '  thirty\n  30b')], [file(text)])).toEqual([
      ...['@@ 27 @@ function deliver() {', '27:27 same   line 27', '28:28 same   line 28', '29:29 same   line 29'],
      ...['30: removed   line 30', ':30 added   thirty', ':31 added   30b'],
      ...['31:32 same   line 31', '32:33 same   line 32', '33:34 same   line 33'],
    ]);
    const whole = read([change('  line 30', '  thirty')], [file(text)], edit, true);
    expect(whole).toHaveLength(41);
    expect(whole[0]).toBe('1:1 same   line 1');
  });

  it('is of one place, or of every one', () => {
    const both = file('a b\na b\n');
    expect(read([change('a', 'c')], [both]).filter((line) => line.includes('added'))).toHaveLength(1);
    const every = read([change('a', 'c')], [both], { ...edit, isEverywhere: true });
    expect(every.filter((line) => line.includes('added'))).toHaveLength(2);
  });

  it('takes the end of a line that goes along, and never reads a pattern into what is put in', () => {
    expect(read([change('b', '')], [file('a\nb\nc\n')])).toEqual(['1:1 same a', '2: removed b', '3:2 same c']);
    expect(read([change('b', '$&$1')], [file('b\n')])).toEqual(['1: removed b', ':1 added $&$1']);
  });

  it('is put together where one file is changed in several steps', () => {
    const found = fitDifferences([change('a', 'b'), change('b\n', 'c\n')], [file('a\n')], edit);
    expect(found).toMatchObject([{ source: { before: 'a\n', after: 'c\n' } }]);
  });

  it('that is written is what is there, or all new', () => {
    const write = { ...edit, isWrite: true };
    expect(read([change(null, 'one\n2\n')], [file('one\ntwo\n')], write)).toEqual([
      ...['1:1 same one', '2: removed two', ':2 added 2'],
    ]);
    expect(read([change(null, 'one')], [file(null, { state: 'missing' })], write)).toEqual([':1 added one']);
  });

  it('stays as it was asked where the file is not known, can’t be read, or doesn’t hold it', () => {
    const plain = [': removed a', ': added b'];
    expect(read([change('a', 'b')], null)).toEqual(plain);
    expect(read([change('a', 'b')], [file('other')])).toEqual(plain);
    for (const state of ['too-large', 'not-text', 'not-a-file', 'unreadable'] as const) {
      expect(read([change('a', 'b')], [file(null, { state })])).toEqual(plain);
    }
  });

  it('of a small change in a large file is found at once', () => {
    const large = Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join('\n');
    const begun = performance.now();
    const [difference] = fitDifferences([change('line 29000', 'other')], [file(large)], edit);
    expect(differenceLines(difference!.source, { isWhole: true })).toHaveLength(9);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('a file of a question', () => {
  it('has changed where it was written after it was asked, or is gone', () => {
    expect(hasChanged(file('', { modifiedAt: 999 }), 1_000, true)).toBe(false);
    expect(hasChanged(file('', { modifiedAt: 1_001 }), 1_000, true)).toBe(true);
    expect(hasChanged(file('', { modifiedAt: Date.now() + 100_000 }), 1_000, true)).toBe(false);
    expect(hasChanged(file(null, { state: 'missing', modifiedAt: null }), 1_000, true)).toBe(true);
    expect(hasChanged(file(null, { state: 'missing', modifiedAt: null }), 1_000, false)).toBe(false);
  });

  it('with a plan counts as the person’s where they wrote it after it was asked', () => {
    expect(changedPlan('# A', file('# A\n', { modifiedAt: 2_000 }), 1_000)).toBeNull();
    expect(changedPlan('# A', file('# B', { modifiedAt: 2_000 }), 1_000)).toBe('# B');
    expect(changedPlan('# A', file('# B', { modifiedAt: 500 }), 1_000)).toBeNull();
    expect(changedPlan('# A', file(' ', { modifiedAt: 2_000 }), 1_000)).toBeNull();
    expect(changedPlan('# A', null, 1_000)).toBeNull();
    expect(approvalOf([], true, { plan: '# B' })).toEqual({
      answer: 'allow',
      acceptEdits: true,
      input: { plan: '# B' },
    });
  });
});
