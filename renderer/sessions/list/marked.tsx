import { withoutHidden } from '../../../app/words/one-line.ts';

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
