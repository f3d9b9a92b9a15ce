import { withoutHidden } from '../../app/words/text.ts';

/** A text in one line, with what was looked for in it. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  return (
    <>
      {marks.flatMap(([from, to], index) => [
        withoutHidden(text.slice(marks[index - 1]?.[1] ?? 0, from)),
        <mark key={from}>{withoutHidden(text.slice(from, to))}</mark>,
      ])}
      {withoutHidden(text.slice(marks.at(-1)?.[1] ?? 0))}
    </>
  );
}

/** Ranges of the first match of each word: from, to. */
export function marksIn(text: string, words: string): [number, number][] {
  const lower = text.toLowerCase();
  // Some letters are longer in lower case: their places would be other ones.
  if (lower.length !== text.length) return [];
  const marks = words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word): [number, number][] => {
      const at = lower.indexOf(word);
      return at === -1 ? [] : [[at, at + word.length]];
    })
    .toSorted(([one], [other]) => one - other);
  return marks.filter(([from], index) => index === 0 || from >= (marks[index - 1]?.[1] ?? 0));
}
