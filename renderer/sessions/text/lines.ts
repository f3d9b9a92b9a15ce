import { mostFormatted } from './markdown-blocks.ts';

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

export type Fenced = { kind: 'words'; text: string } | { kind: 'code'; text: string; language: string | null };

/** Words and fenced code of a text, without the fences. An open fence ends with the text. A very long text is words. */
export function fencedParts(text: string): Fenced[] {
  if (text.length > mostFormatted) return [{ kind: 'words', text }];
  const parts: Fenced[] = [];
  let lines: string[] = [];
  let open: { fence: string; language: string | null } | null = null;
  const end = (): void => {
    if (open !== null) parts.push({ kind: 'code', text: lines.join('\n'), language: open.language });
    else if (lines.length > 0) parts.push({ kind: 'words', text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [whole, fence = '', language = ''] = /^(`{3,})[ \t]*([\w+#.-]*)[ \t]*$/.exec(line) ?? [];
    const isEdge = whole !== undefined && (open === null || (language === '' && fence.length >= open.fence.length));
    if (isEdge) {
      end();
      open = open === null ? { fence, language: language === '' ? null : language } : null;
    } else {
      lines.push(line);
    }
  }
  end();
  return parts;
}
