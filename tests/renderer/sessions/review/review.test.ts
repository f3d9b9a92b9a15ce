import { formatPatch, structuredPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { english, showLanguage } from '../../../../app/language/language.ts';
import { pseudo } from '../../../../app/language/pseudo.ts';
import { type Comment, isBlank, readDraft } from '../../../../renderer/sessions/composer/draft.ts';
import { promptOf } from '../../../../renderer/sessions/composer/prompt-blocks.ts';
import { commentText } from '../../../../renderer/sessions/review/comment-text.ts';
import { placesNow } from '../../../../renderer/sessions/review/places-now.ts';
import {
  aroundOf,
  lineKey,
  linesBetween,
  linesOfPatch,
  linesWords,
  placeOf,
  type ReviewLines,
  shownLines,
} from '../../../../renderer/sessions/review/review-lines.ts';
import { differenceLines } from '../../../../renderer/sessions/text/difference-lines.ts';

const patchOf = (before: readonly string[], after: readonly string[]): string =>
  formatPatch(
    structuredPatch('a', 'a', before.map((line) => `${line}\n`).join(''), after.map((line) => `${line}\n`).join('')),
  );
const linesOf = (before: readonly string[], after: readonly string[]): ReviewLines =>
  linesOfPatch(patchOf(before, after));

/** A comment on the added lines with these words. */
function commentOn(lines: ReviewLines, ...words: string[]): Comment {
  const chosen = lines.filter((line) => line !== null && line.look === 'added' && words.includes(line.text));
  const known = chosen.filter((line) => line !== null);
  return {
    ...{ kind: 'comment', id: 'c', path: '/p/a.ts', scope: { of: 'session' }, text: 'Why?' },
    ...{ lines: known, around: aroundOf(lines, known) },
  };
}

const base = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('the lines of a difference', () => {
  it('are those that the window shows, with the same numbers', () => {
    const patch = patchOf(base, ['a', 'x', 'y', 'c', 'd', 'e', 'g']);
    const shown = differenceLines({ kind: 'patch', patch }, { hasHeaders: true });
    expect(linesOfPatch(patch).map((line) => (line === null ? null : lineKey(line)))).toEqual(
      shown?.map((line) => (line.look === 'gap' ? null : `${line.before ?? ''}:${line.after ?? ''}`)),
    );
    expect(linesOfPatch('no patch')).toEqual([]);
  });

  it('are chosen from one to another, whichever is first, in one place of it', () => {
    const lines = linesOf(base, ['a', 'x', 'y', 'c', 'd', 'e', 'f']);
    expect(linesBetween(lines, ':3', ':2').map(({ text }) => text)).toEqual(['x', 'y']);
    const far = linesOf(
      Array.from({ length: 40 }, (_, index) => `${index}`),
      ['new', ...Array.from({ length: 39 }, (_, index) => `${index}`), 'last'],
    );
    expect(linesBetween(far, ':1', ':41')).toEqual([]);
    expect(linesBetween(far, ':1', '99:')).toEqual([]);
  });

  it('are named by their numbers now, or those before the change', () => {
    const lines = linesOf(base, ['a', 'x', 'c', 'd', 'e', 'f']).filter((line) => line !== null);
    expect(linesWords(lines.slice(0, 3))).toBe('lines 1–2');
    expect(linesWords(lines.filter(({ look }) => look === 'removed'))).toBe('line 2 before the change');
  });

  it('are named in English to Claude, and to a person in the shown language', () => {
    const lines = linesOf(base, ['a', 'x', 'c', 'd', 'e', 'f']).filter((line) => line !== null);
    const removed = lines.filter(({ look }) => look === 'removed');
    const some = [
      lines,
      lines.slice(0, 1),
      removed,
      [...removed, ...removed.map(() => ({ before: 3, after: null }))],
      [],
    ];
    expect(some.map(shownLines)).toEqual(some.map(linesWords));
    const before = some.map(linesWords);
    try {
      showLanguage(pseudo);
      expect(some.map(linesWords)).toEqual(before);
      expect(shownLines(removed)).toBe('⟦ļîñé 2 ƀéƒöŕé ţĥé çĥåñĝé~~~~~~~~⟧');
    } finally {
      showLanguage(english);
    }
  });
});

describe('the place of a comment', () => {
  const first = linesOf(base, ['a', 'x', 'c', 'd', 'e', 'f']);
  const state = (lines: ReviewLines, comment: Comment) => {
    const place = placeOf(comment, lines);
    return place.state === 'gone' ? 'gone' : `${place.state} ${linesWords(place.lines)}`;
  };

  it('is where it was, or where its lines moved to', () => {
    const comment = commentOn(first, 'x');
    expect(state(first, comment)).toBe('same line 2');
    expect(state(linesOf(base, ['new', 'a', 'x', 'c', 'd', 'e', 'f']), comment)).toBe('moved line 3');
    expect(state(linesOf(base, ['a', 'x', 'c', 'd', 'e', 'z']), comment)).toBe('same line 2');
  });

  it('is none once its lines read otherwise', () => {
    const comment = commentOn(first, 'x');
    for (const after of [['a', 'X', 'c'], ['a', 'b', 'c', 'd', 'e', 'f'], []]) {
      expect(state(linesOf(base, [...after]), comment)).toBe('gone');
    }
    expect(state([], comment)).toBe('gone');
  });

  it('is never another line that reads the same', () => {
    const closing = commentOn(linesOf(base, ['a', '{', 'one', '}', 'b', 'c', 'd', 'e', 'f']), '}');
    // Line 4 is a `}` again, of another block; its own moved down.
    const moved = linesOf(base, ['a', '{', 'zero', '}', '{', 'one', '}', 'b', 'c', 'd', 'e', 'f']);
    expect(state(moved, closing)).toBe('moved line 7');
    // Two blocks like its own, neither where it was.
    const twice = linesOf(base, ['new', '{', 'one', '}', 'b', '{', 'one', '}', 'b', 'c', 'd', 'e', 'f']);
    expect(state(twice, { ...closing, around: ['one', 'b'] })).toMatch(/^(?:gone|same line 4)$/);
    // Many, with nothing around them that it had.
    const alien = linesOf(base, ['p', '}', 'q', '}', 'r', '}', ...base]);
    expect(state(alien, { ...closing, around: ['one', 'two'] })).toBe('gone');
  });
});

describe('a message with comments', () => {
  const lines = linesOf(base, ['a', '```', 'c', 'd', 'e', 'f']);
  const comment = commentOn(lines, '```');

  it('has each one’s file, lines and words, also lines that look like a fence', () => {
    expect(commentText(comment, '/p', { state: 'same', lines: comment.lines })).toBe(
      'a.ts, line 2:\n````diff\n+```\n````\nWhy?',
    );
    expect(commentText(comment, '/elsewhere', { state: 'gone' })).toMatch(
      /^\/p\/a\.ts, line 2 \(changed since this comment was written\):/,
    );
    const [block] = promptOf(
      { text: '', attachments: [comment, { ...comment, id: 'd', text: ' ' }] },
      '/p',
      () => false,
    );
    expect(block).toEqual({
      type: 'text',
      text: expect.stringMatching(/^A comment on the changes:\n\na\.ts, line 2:/),
    });
  });

  it('is nothing as long as none has words', () => {
    expect(isBlank({ text: ' ', attachments: [{ ...comment, text: '\n' }] })).toBe(true);
    expect(isBlank({ text: '', attachments: [comment] })).toBe(false);
  });

  it('is read from disk as it was written, and what can’t be read is left out', () => {
    for (const scope of [{ of: 'turn', turn: 't' }, { of: 'session' }, { of: 'branch' }] as const) {
      const attachments = [{ ...comment, scope }];
      expect(readDraft(JSON.parse(JSON.stringify({ text: 'x', attachments }))).attachments).toEqual(attachments);
    }
    const broken = [
      { kind: 'comment', id: 'a' },
      { ...comment, lines: [{ look: 'odd' }, null] },
    ];
    expect(readDraft({ attachments: broken }).attachments).toMatchObject([{ id: 'c', lines: [] }]);
  });

  it('says where lines are in the changes that they were written on, as far as that is known', async () => {
    const patch = patchOf(base, ['new', 'a', '```', 'c', 'd', 'e', 'f']);
    const asked: unknown[] = [];
    // Its answers have the fields that places are found by, of the many that these calls answer.
    const bridge = {
      sessionChanges: async (given: { session: string; turn: string | null }) => {
        asked.push(given.turn);
        if (given.turn === 'broken') throw new Error('No.');
        return { files: [{ path: '/p/a.ts', patch }], commands: 0, untracked: 0 };
      },
      branchChanges: async () => null,
      filesNow: async () => [{ path: '/p/b.ts', now: 'changed' }],
      // The other calls of the bridge are not used here.
    } as unknown as Parameters<typeof placesNow>[0];
    const all = [
      comment,
      { ...comment, id: 'turn', scope: { of: 'turn', turn: 't' } },
      { ...comment, id: 'again', scope: { of: 'turn', turn: 't' } },
      { ...comment, id: 'gone', path: '/p/other.ts' },
      { ...comment, id: 'written', path: '/p/b.ts' },
      { ...comment, id: 'broken', scope: { of: 'turn', turn: 'broken' } },
      { ...comment, id: 'branch', scope: { of: 'branch' } },
    ] as const;
    const places = await placesNow(bridge, 's', all);
    expect([...places].map(([id, { state }]) => `${id} ${state}`)).toEqual([
      ...['c moved', 'turn moved', 'again moved', 'gone gone', 'written gone'],
    ]);
    expect(asked).toEqual([null, 't', 'broken']);
  });
});
