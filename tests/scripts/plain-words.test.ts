import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { stumblesIn } = await script<{
  stumblesIn: (tag: string, message: string, translation: string) => string[];
}>('../words/translations');
const { textsInPage } = await script<{ textsInPage: (source: string) => { line: number; text: string }[] }>(
  '../words/pages',
);

describe('a translation', () => {
  it.each([
    ['de', 'The key “{key}” is gone.', 'Der Schlüssel „{key}“ ist weg.'],
    ['de', '{count, plural, one {# request} other {# requests}} left', '{count, plural, other {# Anfragen}} übrig'],
    ['ja', 'The key “{key}” is gone.', 'キー「{key}」がありません。'],
    ['zh-CN', 'Open ⟨a file⟩', '打开'],
    ['zh-CN', '--by must be one of {names}.', '--by 必须是 {names} 之一。'],
  ])('%s: %s', (tag, message, translation) => {
    expect(stumblesIn(tag, message, translation)).toEqual([]);
  });

  it.each([
    ['de', 'Open it.', 'Öffnen Sie  es.', 'has two blanks in a row, or one at an end'],
    ['de', 'About 50% are left.', 'Etwa 50 % sind übrig.', 'has punctuation of another language'],
    ['de', 'The key “{key}”', 'Der Schlüssel “{key}”', 'has quotes of another language, or one too few'],
    ['de', 'Open the file.', 'Öffnen Sie the Datei.', 'has English words'],
    ['de', 'Open…', 'Öffnen', 'ends with another punctuation than the English'],
    ['ja', 'It is off. Turn it on.', 'オフです。 オンにしてください。', 'has a blank where the language has none'],
    ['ja', 'Off ({why})', 'オフ（{why}）', 'has punctuation of another language'],
    ['zh-CN', 'Off, on', '关,开', 'has punctuation of another language'],
    ['zh-CN', 'Off', '已经完全关闭并且不再为任何客户端提供服务', 'is far longer than the English'],
  ])('%s: %s, as %s, %s', (tag, message, translation, says) => {
    expect(stumblesIn(tag, message, translation)).toEqual([says]);
  });
});

it('a page has its paragraphs, items and cells, without code', () => {
  const page =
    '# Title\n\nOne\n**line** of `code`.\n\n- [An item](a.md)\n  of two lines\n- another\n\n' +
    '| a | b |\n| --- | --- |\n| one | `two` |\n\n```sh\nnothing\n```\n<p>nothing</p>\n> quoted\n';
  expect(textsInPage(page)).toEqual([
    { line: 3, text: 'One line of ….' },
    { line: 6, text: 'An item of two lines' },
    { line: 8, text: 'another' },
    { line: 10, text: 'a' },
    { line: 10, text: 'b' },
    { line: 12, text: 'one' },
    { line: 12, text: '…' },
    { line: 18, text: 'quoted' },
  ]);
});
