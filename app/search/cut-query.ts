import { cutAt } from '../words/shortened.ts';
import type { QueryLimit } from './engine.ts';

/** The query as an engine takes it: blanks are one each, and what is too long ends behind a word. */
export function cutQuery(query: string, { characters, words }: QueryLimit): { query: string; cut: boolean } {
  const all = query.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  const kept: string[] = [];
  let length = -1;
  for (const word of all.slice(0, words ?? all.length)) {
    if (length + 1 + word.length > characters) break;
    length += 1 + word.length;
    kept.push(word);
  }
  // One word that is longer than all: there is no end of a word to cut it at.
  const [first] = all;
  if (kept.length === 0 && first !== undefined) return { query: first.slice(0, cutAt(first, characters)), cut: true };
  return { query: kept.join(' '), cut: kept.length < all.length };
}
