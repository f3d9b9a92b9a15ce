/** What the editors of JSON, TOML and YAML share. */

/** The same in one document: an element by its index. */
export type Place = readonly (string | number)[];

/** The text can't be edited safely. `message` goes on from the file's name. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export interface Editor {
  /** Throws `DocumentError`, or the library's own error. */
  parse(text: string): unknown;
  put(text: string, at: Place, value: unknown): string;
  remove(text: string, at: Place): string;
}

/** Each with its end. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function inserted(lines: readonly string[], at: number, text: string, eol: string): string {
  const before = lines.slice(0, at).join('');
  return before + (before === '' || before.endsWith('\n') ? '' : eol) + text + lines.slice(at).join('');
}
