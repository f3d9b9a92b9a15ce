/** How many lines a text has; a last line break begins none. */
export function lineCount(text: string): number {
  if (text === '') return 0;
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

export function firstLines(text: string, most: number): string {
  let end = -1;
  for (let lines = 0; lines < most; lines += 1) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0) return text;
    end = next;
  }
  return text.slice(0, end);
}

export function lastLines(text: string, most: number): string {
  let begin = text.endsWith('\n') ? text.length - 1 : text.length;
  const end = begin;
  for (let lines = 0; lines < most; lines += 1) {
    const next = begin === 0 ? -1 : text.lastIndexOf('\n', begin - 1);
    if (next < 0) return text.slice(0, end);
    begin = next;
  }
  return text.slice(begin + 1, end);
}
