import { expect, it } from 'vitest';
import { Notes } from '../../../../app/formats/translation/note.ts';

it('counts what is the same and keeps the order', () => {
  const notes = new Notes();
  notes.add('b', 'image removed');
  notes.add('a', 'field removed');
  notes.add('b', 'image removed');
  notes.add('b', 'audio removed');
  expect(notes.list()).toEqual([
    { code: 'b', count: 2, text: 'image removed ×2' },
    { code: 'a', count: 1, text: 'field removed' },
    { code: 'b', count: 1, text: 'audio removed' },
  ]);
});
