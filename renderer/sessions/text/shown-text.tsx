import classNames from 'classnames/bind';
import { Fragment, memo } from 'react';
import styles from './text.module.css';

const css = classNames.bind(styles);

/**
 * A text in which nothing hides: what can't be seen as what it is stands there as its code, in red.
 * @param goesOn more of its last line follows, so that a space at its end ends no line
 */
export const ShownText = memo(function ShownText({ text, goesOn = false }: { text: string; goesOn?: boolean }) {
  return shownParts(text, goesOn).map(({ kind, text: shown }, at) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces of a text have no other identity and do not move.
    if (kind === 'plain') return <Fragment key={at}>{shown}</Fragment>;
    return (
      <span key={at} className={css(kind)}>
        {shown}
      </span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
  });
});

/** A path in one line: where it is too long for that, its folders give way, and the name of its file is whole. */
export function CutPath({ path }: { path: string }) {
  const name = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return <CutStart start={path.slice(0, name)} end={path.slice(name)} />;
}

/** Two pieces in one line, of which the first gives way. */
export function CutStart({ start, end }: { start: string; end: string }) {
  return (
    <span className="cut-start">
      <bdi>
        <ShownText text={start} />
      </bdi>
      <bdi className="end">
        <ShownText text={end} />
      </bdi>
    </span>
  );
}

/** A part of a text that a person is to judge. `odd`: its characters can't be seen as what they are. */
interface ShownPart {
  kind: 'plain' | 'odd' | 'trailing';
  /** Text to show: `U+202E` for an odd character, `·` for a space that ends a line. */
  text: string;
}

/** Controls, formats (bidi among them), spaces that are none, fillers, what no font has to show. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/u;
/** Other forms of ASCII, and characters that look like those of a shell or an address. */
const otherForms =
  /[\u{ff01}-\u{ff5e}\u{1d400}-\u{1d7ff}\u{1c0}\u{1c3}\u{37e}\u{2024}\u{2010}\u{2011}\u{2043}\u{2044}\u{2212}\u{2215}\u{2223}\u{2236}\u{29f8}\u{a789}]/u;
/** Letters of Cyrillic, Greek, Armenian and Latin's own extensions that are drawn as ASCII letters are. */
const lookAlikes = /[аеорсухіјѕԁԛԝһӏАВЕЅІЈКМНОРСТУХԌԚԜοανιρτυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳօոսհցԱՕՍıɑɡℓ]/u;
const word = /[\p{L}\p{N}_]+/gu;
const emoji = /\p{RGI_Emoji}/v;
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as it is, with nothing in it that hides: controls, bidi marks and letters that are drawn like other ones come
 * out as their codes. A line break stays one.
 */
export function shownParts(text: string, goesOn = false): ShownPart[] {
  const parts: ShownPart[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (index > 0) add(parts, 'plain', '\n');
    const isEnded = index < lines.length - 1 || !goesOn;
    const end = isEnded ? line.replace(/[ \t]+$/, '') : line;
    readLine(parts, end);
    for (const space of line.slice(end.length)) {
      if (space === ' ') add(parts, 'trailing', '·');
      else add(parts, 'odd', codeOf(space));
    }
  }
  return parts;
}

function readLine(parts: ShownPart[], line: string): void {
  if (/^[\t -~]*$/.test(line)) {
    add(parts, 'plain', line);
    return;
  }
  const disguised = disguisedAt(line);
  for (const { segment, index } of segments.segment(line)) {
    if (emoji.test(segment)) {
      add(parts, 'plain', segment);
      continue;
    }
    let at = index;
    for (const character of segment) {
      const isOdd = (character !== '\t' && unseen.test(character)) || otherForms.test(character) || disguised.has(at);
      add(parts, isOdd ? 'odd' : 'plain', isOdd ? codeOf(character) : character);
      at += character.length;
    }
  }
}

/** Positions of other scripts' letters in a word that looks like ASCII. */
function disguisedAt(line: string): Set<number> {
  const found = new Set<number>();
  for (const { 0: letters, index } of line.matchAll(word)) {
    const all = [...letters].filter((one) => /\p{L}/u.test(one));
    const passes =
      all.some((one) => lookAlikes.test(one)) && all.every((one) => lookAlikes.test(one) || one < '\u{80}');
    const mixes = all.some((one) => one < '\u{80}');
    let at = index;
    for (const letter of letters) {
      if (lookAlikes.test(letter) && (passes || mixes)) found.add(at);
      at += letter.length;
    }
  }
  return found;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function add(parts: ShownPart[], kind: ShownPart['kind'], text: string): void {
  if (text === '') return;
  const last = parts.at(-1);
  if (last !== undefined && last.kind === kind && kind !== 'odd') last.text += text;
  else parts.push({ kind, text });
}
