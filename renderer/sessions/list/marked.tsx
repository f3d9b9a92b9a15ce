/** A text with what was looked for in it. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  return (
    <>
      {marks.flatMap(([from, to], index) => [
        text.slice(marks[index - 1]?.[1] ?? 0, from),
        <mark key={from}>{text.slice(from, to)}</mark>,
      ])}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
