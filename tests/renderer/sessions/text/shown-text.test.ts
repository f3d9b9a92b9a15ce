import { describe, expect, it } from 'vitest';
import { shownParts } from '../../../../renderer/sessions/text/shown-text.tsx';

const shown = (text: string) =>
  shownParts(text).map(({ kind, text: words }) => (kind === 'odd' ? `[${words}]` : words));
const isOdd = (text: string) => shownParts(text).some(({ kind }) => kind === 'odd');

describe('a text that a person is to judge', () => {
  it.each([
    ['rm -rf \u{202e}gnp.exe', 'rm -rf [U+202E]gnp.exe'],
    ['a\u{2066}b\u{2069}', 'a[U+2066]b[U+2069]'],
    ['a\u{200b}b\u{feff}\u{ad}', 'a[U+200B]b[U+FEFF][U+00AD]'],
    ['bell\u{7} esc\u{1b}[2K nul\u{0}', 'bell[U+0007] esc[U+001B][2K nul[U+0000]'],
    ['ls\r\nrm', 'ls[U+000D]\nrm'],
    ['a\u{a0}b\u{3000}c', 'a[U+00A0]b[U+3000]c'],
    ['a\u{2028}b\u{85}', 'a[U+2028]b[U+0085]'],
    ['\u{e0041}\u{e0042}', '[U+E0041][U+E0042]'],
    ['\u{3164}=1', '[U+3164]=1'],
    ['\u{d800}', '[U+D800]'],
    ['curl https://gіthub.com', 'curl https://g[U+0456]thub.com'],
    ['сору', '[U+0441][U+043E][U+0440][U+0443]'],
    ['rm ／etc；', 'rm [U+FF0F]etc[U+FF1B]'],
    ['a\u{2215}b\u{37e}c', 'a[U+2215]b[U+037E]c'],
    ['𝐫𝐦', '[U+1D42B][U+1D426]'],
  ])('shows %j as %s', (text, expected) => {
    expect(shown(text).join('')).toBe(expected);
    expect(isOdd(text)).toBe(true);
  });

  it.each([
    'npm test -- --update',
    'echo "Grüße, 日本語, Привет, γνῶσις"',
    'git commit -m "✨ 👩‍👩‍👧 ❤️ 🏳️‍🌈"',
    'a\tb',
    'a; b | c > d & e < f (g) `h` ! # % ^ ~ : / \\ . -',
    'one\ntwo',
    '–—“”…',
  ])('leaves %j as it is', (text) => {
    expect(shown(text).join('')).toBe(text);
    expect(isOdd(text)).toBe(false);
  });

  it('shows the spaces that end a line', () => {
    expect(shownParts('a  \nb')).toEqual([
      { kind: 'plain', text: 'a' },
      { kind: 'trailing', text: '··' },
      { kind: 'plain', text: '\nb' },
    ]);
  });

  it('leaves a space as it is where more of its line follows', () => {
    const before = [{ kind: 'plain', text: 'the weather of ' }];
    expect(shownParts('the weather of ', true)).toEqual(before);
    expect(shownParts('a \nof ', true)).toEqual([
      ...[
        { kind: 'plain', text: 'a' },
        { kind: 'trailing', text: '·' },
      ],
      ...[{ kind: 'plain', text: '\nof ' }],
    ]);
  });
});
