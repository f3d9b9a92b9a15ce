import type { FitNote } from '../../api/exchange.ts';

/** One note per change, in the order of their first; where there were several of a kind, the number follows the text. */
export function mergeNotes(notes: readonly FitNote[]): FitNote[] {
  const merged = new Map<string, FitNote>();
  for (const { code, count, text } of notes) {
    const key = `${code}\n${text}`;
    merged.set(key, { code, count: count + (merged.get(key)?.count ?? 0), text });
  }
  return Array.from(merged.values(), ({ code, count, text }) => ({
    code,
    count,
    text: count > 1 ? `${text} ×${count}` : text,
  }));
}
