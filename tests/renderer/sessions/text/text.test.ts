import { marked, type Token } from 'marked';
import { describe, expect, it, vi } from 'vitest';
import {
  countOf,
  differenceLines,
  differenceOf,
  isSmall,
} from '../../../../renderer/sessions/text/difference-lines.ts';
import { highlight } from '../../../../renderer/sessions/text/highlight.ts';
import { languageFor } from '../../../../renderer/sessions/text/highlight-languages.ts';
import { fencedParts, firstLines, lastLines, lineCount } from '../../../../renderer/sessions/text/lines.ts';
import {
  type ParsedMarkdown,
  parseMarkdown,
  withCharacters,
} from '../../../../renderer/sessions/text/markdown-blocks.ts';
import { pathIn, safeAddress, withPaths } from '../../../../renderer/sessions/text/safe-address.tsx';
import { plainLook, terminalRuns, terminalText } from '../../../../renderer/sessions/text/terminal.tsx';

const article = [
  '# Head',
  'Some **bold** words and `code`.',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '- one\n- two\n\n  more of two\n- three',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '> said\n> so',
  'End [there](https://example.com).',
].join('\n\n');

const types = ({ blocks }: ParsedMarkdown): string[] => blocks.map(({ token }) => token.type);
const open = (text: string): ParsedMarkdown => parseMarkdown(text, true, null);

describe('Markdown that comes in pieces', () => {
  it('is the same in the end as read at once, and no finished block is read again', () => {
    let parsed: ParsedMarkdown | null = null;
    const seen = new Map<number, Token>();
    for (let end = 1; end <= article.length; end += 1) {
      parsed = parseMarkdown(article.slice(0, end), true, parsed);
      for (const { at, token } of parsed.blocks.slice(0, -1)) {
        expect(seen.get(at) ?? token).toBe(token);
        seen.set(at, token);
      }
    }
    const closed = parseMarkdown(article, false, parsed);
    const whole = parseMarkdown(article, false, null);
    expect(closed.blocks).toEqual(whole.blocks);
    expect(types(whole)).toEqual(['heading', 'paragraph', 'table', 'list', 'code', 'blockquote', 'paragraph']);
    expect(seen.size).toBe(6);
  });

  it.each([
    { title: 'an open fence is code from its first line', text: '```ts\ncon', expected: ['code'] },
    { title: 'a table is one from its head', text: '| a | b', expected: ['table'] },
    { title: 'and while its second line comes', text: '| a | b |\n|-', expected: ['table'] },
    { title: 'a lone list mark is not drawn', text: 'Text\n-', expected: ['paragraph'] },
    { title: 'nor one that would make a heading of what is above', text: 'Text\n\n##', expected: ['paragraph'] },
    { title: 'marks within code stay', text: '```\na\n-', expected: ['code'] },
  ])('$title', ({ text, expected }) => expect(types(open(text))).toEqual(expected));

  it('shows a mark within open code', () => {
    expect(open('```\na\n-').blocks[0]?.token).toMatchObject({ text: 'a\n-' });
  });

  it('finds a reference that is defined below its use', () => {
    const text = 'See [docs].\n\n[docs]: https://example.com/docs';
    const streamed = parseMarkdown(text, false, parseMarkdown(text.slice(0, 20), true, null));
    expect(JSON.stringify(streamed.blocks[0])).toContain('"href":"https://example.com/docs"');
  });
});

describe('words that take a parser long', () => {
  it.each([
    { title: 'emphasis', text: '_a_'.repeat(60_000) },
    { title: 'closing marks', text: 'a**'.repeat(60_000) },
    { title: 'brackets', text: '['.repeat(190_000) },
    { title: 'quotes in quotes', text: `${'>'.repeat(50_000)}a` },
    {
      title: 'lists in lists',
      text: Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    },
    { title: 'cells', text: `${'|a'.repeat(45_000)}\n${'|-'.repeat(45_000)}` },
  ])('are bounded: $title', ({ text }) => {
    const begun = performance.now();
    const { blocks } = parseMarkdown(text, false, null);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(blocks.length).toBeGreaterThan(0);
  });

  it('would not be by the parser alone', () => {
    expect(() => marked.lexer(`${'>'.repeat(50_000)}a`)).toThrow(RangeError);
  });
});

describe('entities', () => {
  it('are characters, and unknown ones stay', () => {
    expect(withCharacters('a &lt;b&gt; &amp;amp; &#65;&#x1F600; &unknown; &valueOf; &#0;')).toBe(
      'a <b> &amp; A😀 &unknown; &valueOf; �',
    );
  });
});

describe('addresses', () => {
  it.each([
    ['https://example.com/a?b', 'example.com'],
    ['http://127.0.0.1:4180/', '127.0.0.1:4180'],
    ['mailto:a@example.com', 'example.com'],
    ['https://аpple.com/', 'xn--pple-43d.com'],
    ['https://github.com@evil.example/', 'evil.example'],
    ['https://evil.example.org@evil.example/evil.example', 'evil.example'],
    ['http://t/t', 't'],
    ['mailto:m@m?to=m', 'm'],
  ])('%s asks, with its host where it stands', (text, host) => {
    const found = safeAddress(text);
    expect(found?.host).toBe(host);
    const { whole = '', at = 0 } = found ?? {};
    const before = whole.slice(0, at);
    expect([whole.slice(at).startsWith(host), /(\/\/|@)$/.test(before), /[/?#]/.test(before.slice(8))]).toEqual([
      ...[true, true, false],
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vscode://x',
    'src/a.ts',
    '#top',
    'JaVaScRiPt:x',
  ])('%s is text', (text) => expect(safeAddress(text)).toBeNull());

  it.each([
    ['src/a.ts', { path: 'src/a.ts', line: null }],
    ['src/a.ts:12-40', { path: 'src/a.ts', line: 12 }],
    ['./a.ts#L7', { path: './a.ts', line: 7 }],
    ['javascript:alert(1)', null],
    ['//evil.example/x', null],
    ['#head', null],
    ['main.go:7', { path: 'main.go', line: 7 }],
    ['tel:1234567', null],
    ['a.ts:b', null],
  ])('%s as a path', (text, expected) => expect(pathIn(text)).toEqual(expected));
});

describe('a terminal’s text', () => {
  it('keeps colours and drops every other escape', () => {
    const text =
      '\u001b[31;1mred\u001b[0m \u001b[2J\u001b[H\u001b]0;title\u0007\u001b]8;;https://evil\u001b\\link\u001b]8;;\u001b\\\u001b(B plain\u0007';
    expect(terminalRuns(text)).toEqual([
      { text: 'red', look: { ...plainLook, colour: 1, bold: true } },
      { text: ' link plain', look: plainLook },
    ]);
    expect(terminalText(text)).toBe('red link plain');
  });

  it('knows 256 and all colours', () => {
    const looks = terminalRuns('\u001b[38;5;196ma\u001b[38;2;1;2;300mb\u001b[48;5;9mc\u001b[97;39;49md').map(
      ({ look }) => [look.colour, look.ground],
    );
    expect(looks).toEqual([
      ['#ff0000', null],
      ['#0102ff', null],
      ['#0102ff', 9],
      [null, null],
    ]);
  });

  it('shows what a line that was drawn again came to', () => {
    expect(terminalText('10%\r50%\r100%\r\ndone\r')).toBe('100%\ndone');
  });

  it.each(['\u001b', '\u001b[', '\u001b[31', '\u001b]0;title', '\u009b31'])('drops what was cut: %j', (end) => {
    expect(terminalText(`a${end}`)).toBe('a');
  });

  it('takes 5 MB in one line', () => {
    const begun = performance.now();
    expect(terminalText(`${'x'.repeat(2_500_000)}\u001b]${'y'.repeat(2_500_000)}`)).toHaveLength(2_500_000);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('a difference', () => {
  const texts = (before: string | null, after: string, firstLine: number | null = null) =>
    differenceLines({ kind: 'texts', before, after, firstLine });

  it('has numbers where they are known, and marks the words that changed', () => {
    expect(texts('a\nconst tries = 1;\nb\n', 'a\nconst tries = 5;\nb\n', 40)).toEqual([
      { look: 'same', before: 40, after: 40, parts: [{ text: 'a', isChanged: false }] },
      {
        ...{ look: 'removed', before: 41, after: null },
        parts: [
          { text: 'const tries = ', isChanged: false },
          { text: '1', isChanged: true },
          { text: ';', isChanged: false },
        ],
      },
      {
        ...{ look: 'added', before: null, after: 41 },
        parts: [
          { text: 'const tries = ', isChanged: false },
          { text: '5', isChanged: true },
          { text: ';', isChanged: false },
        ],
      },
      { look: 'same', before: 42, after: 42, parts: [{ text: 'b', isChanged: false }] },
    ]);
  });

  it('of a new file is all added', () => {
    const lines = texts(null, 'a\nb\n', 1) ?? [];
    expect(lines.map((line) => (line.look === 'gap' ? line : [line.look, line.after]))).toEqual([
      ['added', 1],
      ['added', 2],
    ]);
  });

  it('is read from a patch, with a line above each place', () => {
    const patch = '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,2 @@\n c\n+d\n';
    const lines = differenceLines({ kind: 'patch', patch }) ?? [];
    expect(lines.map(({ look }) => look)).toEqual(['gap', 'removed', 'added', 'gap', 'same', 'added']);
    expect(countOf(lines)).toEqual({ added: 2, removed: 1 });
  });

  it('of ten thousand lines that all differ ends', () => {
    const many = (word: string): string => Array.from({ length: 10_000 }, (_, at) => `${word} ${at * 7}`).join('\n');
    const begun = performance.now();
    expect(countOf(texts(many('a'), many('b')) ?? [])).toEqual({ added: 10_000, removed: 10_000 });
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('is worked out in the window where that takes no time', () => {
    const lines = (count: number, word: string): string => `${word} ${'x'.repeat(40)}\n`.repeat(count);
    const small = (before: string | null, after: string, more: object = {}): boolean =>
      isSmall({ source: { kind: 'texts', before, after, firstLine: 1, ...more }, most: 400 });
    expect(small(lines(100, 'a'), lines(100, 'b'))).toBe(true);
    expect(small(lines(101, 'a'), lines(101, 'b'))).toBe(false);
    expect(small('a'.repeat(6_001), 'b'.repeat(6_001))).toBe(false);
    const large = lines(9_000, 'same');
    expect(small(`${large}a\n${large}`, `${large}b\n${large}`)).toBe(true);
    expect(small(`${large}a\n`, `${large}b\n`, { isWholeFile: true })).toBe(false);
    expect(small(null, large)).toBe(true);
    // It is refused at once.
    expect(small(large.repeat(2), 'b'.repeat(500_000))).toBe(true);
    expect(isSmall({ source: { kind: 'patch', patch: lines(300, '+') }, most: 400 })).toBe(false);
  });

  it('is given up to as many lines as are shown, and counted whole', () => {
    const source = { kind: 'texts', before: 'a\nb\nc\n', after: 'a\nB\nc\nd\n', firstLine: 1 } as const;
    const whole = differenceLines(source) ?? [];
    expect(differenceOf({ source, most: 2 })).toEqual({ lines: whole.slice(0, 2), count: 5, added: 2, removed: 1 });
    expect(differenceOf({ source, most: Number.POSITIVE_INFINITY })).toEqual({
      ...{ lines: whole, count: 5, added: 2, removed: 1 },
    });
    const patch = '@@ -1,9 +1,1 @@\n-a\n';
    expect(() => differenceLines({ kind: 'patch', patch })).toThrow();
    expect(differenceOf({ source: { kind: 'patch', patch }, most: 2 })).toBeNull();
  });

  it('over 1 MB is not compared', () => expect(texts('a', 'b'.repeat(1_000_001))).toBeNull());
});

describe('lines', () => {
  it('are words and fenced code', () => {
    const parts = (text: string) => fencedParts(text).map((part) => [part.kind, part.text]);
    expect(parts('a\n```ts\nb\n\nc\n```\nd')).toEqual([
      ['words', 'a'],
      ['code', 'b\n\nc'],
      ['words', 'd'],
    ]);
    expect(fencedParts('```diff\n-a\n```')).toEqual([{ kind: 'code', text: '-a', language: 'diff' }]);
    // A longer fence holds a shorter one; what isn't closed is code to its end.
    expect(parts('````\n```\na\n```\n````')).toEqual([['code', '```\na\n```']]);
    expect(parts('a\n```\nb')).toEqual([
      ['words', 'a'],
      ['code', 'b'],
    ]);
    for (const words of ['', 'a\n\nb', 'use ```x``` here', '``` two words', '    ```']) {
      expect(parts(words)).toEqual([['words', words]]);
    }
  });

  it('are counted, and taken from both ends', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n'].map(lineCount)).toEqual([0, 1, 1, 2, 1]);
    expect(firstLines('a\nb\nc', 2)).toBe('a\nb');
    expect(lastLines('a\nb\nc\n', 2)).toBe('b\nc');
    expect(lastLines('a\nb', 5)).toBe('a\nb');
  });
});

describe('colours of code', () => {
  it('has its colours in the first line also where a busy machine takes a second for it', async () => {
    const began = Date.now();
    let looks = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => began + (looks++ === 0 ? 0 : 1_000));
    try {
      const [line] = (await highlight('const a = "x";', 'typescript', new AbortController().signal)) ?? [];
      expect(new Set(line?.map(({ light }) => light)).size).toBeGreaterThan(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('are known in both themes, and keep the text', async () => {
    const text = Array.from({ length: 50 }, (_, at) => `const a${at} = "b"; /* c`).join('\n');
    const lines = await highlight(text, 'typescript', new AbortController().signal);
    expect(lines?.map((line) => line.map(({ content }) => content).join('')).join('\n')).toBe(text);
    const comment = lines?.at(-1);
    expect(comment).toHaveLength(1);
    expect(comment?.[0]?.light).not.toBe(comment?.[0]?.dark);
  });

  it('are for languages by any of their names', () => {
    expect([languageFor('TS'), languageFor('c++'), languageFor('klingon'), languageFor(null)]).toEqual([
      'typescript',
      'cpp',
      null,
      null,
    ]);
  });
});

describe('paths in words', () => {
  const paths = (words: string, isCode = false): string[] => {
    const parts = withPaths(words, isCode);
    expect(parts.map(({ text }) => text).join('')).toBe(words);
    return parts.filter(({ isPath }) => isPath).map(({ text }) => text);
  };
  it.each([
    ['See src/a.ts:12 and ./b/c.py.', ['src/a.ts:12', './b/c.py']],
    ['(src/a.ts), /etc/hosts.conf; ~/x/y.toml', ['src/a.ts', '/etc/hosts.conf', '~/x/y.toml']],
    ['main.go:7 fails', ['main.go:7']],
    ['Node.js, e.g. v1.2.x, README.md and/or main.go', []],
    ['example.com/a.html and https://example.com/a.ts', []],
    ['me@example.com', []],
  ])('%s', (words, expected) => expect(paths(words)).toEqual(expected));
  it('in code count by their ending alone', () => {
    expect(['README.md', 'a.ts:3', 'console.log', 'deliver()', 'npm run x'].map((words) => paths(words, true))).toEqual(
      [...[['README.md'], ['a.ts:3'], [], [], []]],
    );
  });
  it('are found in a moment, whatever stands there', () => {
    const start = performance.now();
    for (const piece of ['a', 'a.', 'a/', '+', '@', './', 'a.b/', '~/', 'a:1']) withPaths(piece.repeat(60_000), false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
