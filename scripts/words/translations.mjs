import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** What a reader of a translation would stumble over. */

const cjk = '[\\u3040-\\u30ff\\u4e00-\\u9fff]';

/** Words that no sentence of these languages has, outside of quotes, options and commands. */
const english = {
  de: /\b(?:the|of|and|is|are|with|your|from|have|which|not|it|be|by|or|to)\b/,
  ja: /\b(?:the|of|and|is|are|with|your|from|have|which|not|it|be|by|or|to|for|in|on|a|an|was|has)\b/,
};
english['zh-CN'] = english.ja;

/** Opening and closing quotes, and those of other languages. */
const quotes = {
  de: { open: '„', close: '“', others: /[”«»「」]/ },
  ja: { open: '「', close: '」', others: /[“”„«»]/ },
  'zh-CN': { open: '“', close: '”', others: /[„«»「」]/ },
};

const punctuation = {
  de: /\d ?%/,
  ja: /[（）：；，！？％]/,
  'zh-CN': new RegExp(`${cjk}[,;:?!] ?${cjk}`),
};

/** Columns that a translation may take: so many for each of the English, and some more. */
const room = { de: 1.7, ja: 1.5, 'zh-CN': 1.2 };
const roomBeside = 20;

/** @type {{ says: string, breaks: (one: { tag: string, before: string, after: string }) => boolean }[]} */
const rules = [
  { says: 'has two blanks in a row, or one at an end', breaks: ({ before, after }) => loose(after) && !loose(before) },
  {
    says: 'has a blank where the language has none',
    breaks: ({ tag, after }) => tag !== 'de' && new RegExp(`${cjk} ${cjk}|[。！？，、；：] `).test(after),
  },
  {
    says: 'has punctuation of another language',
    breaks: ({ tag, after }) => punctuation[tag].test(withoutNames(after)),
  },
  {
    says: 'has quotes of another language, or one too few',
    breaks({ tag, after }) {
      const { open, close, others } = quotes[tag];
      return others.test(after) || after.split(open).length !== after.split(close).length;
    },
  },
  {
    says: 'ends with another punctuation than the English',
    breaks: ({ before, after }) => endOf(before) !== endOf(after),
  },
  { says: 'has English words', breaks: ({ tag, after }) => english[tag].test(withoutNames(after)) },
  {
    says: 'is far longer than the English',
    breaks: ({ tag, before, after }) => columns(after) > columns(before) * room[tag] + roomBeside,
  },
];

/** @param {string} tag @param {string} message with its context @param {string} translation */
export function stumblesIn(tag, message, translation) {
  const one = { tag, before: asShown(message.replace(/ ⟨[^⟩]*⟩$/, ''), 'X'), after: asShown(translation, 'X') };
  return rules.filter(({ breaks }) => breaks(one)).map(({ says }) => says);
}

/**
 * A message as one of its readers sees it: the last form of a plural or choice, no tags, and `value` for what is put
 * in. Throws for what is no ICU message.
 */
export function asShown(message, value) {
  const shown = (parts) =>
    parts
      .map((part) => {
        if (part.type === TYPE.literal) return part.value;
        if (part.type === TYPE.plural || part.type === TYPE.select) return shown(part.options.other.value);
        return part.type === TYPE.tag && part.children.length > 0 ? shown(part.children) : value;
      })
      .join('');
  return shown(parse(message));
}

const loose = (text) => / {2}|^ | $/.test(text);

/** `.` also for `。`; empty where there is none. */
const endOf = (text) =>
  (/[.?!:…。？！：]["”“」’)]?$/.exec(text)?.[0] ?? '').charAt(0).normalize('NFKC').replace('。', '.');

const withoutNames = (text) =>
  text.replaceAll(/"[^"]*"|“[^”]*”|„[^“]*“|「[^」]*」|--[\w-]+(?: \S+)?|\bjumpseat [\w -]+/g, '');

/** Letters of East Asia take two columns. */
const columns = (text) =>
  [...text].reduce((all, letter) => all + (/[\u1100-\u115f\u2e80-\uffdc]/.test(letter) ? 2 : 1), 0);
