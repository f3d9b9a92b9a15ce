import { leftOut } from '../../formats/wire/long-strings.ts';
import { sessionKeyPrefix } from '../../ports.ts';
import { cutAt } from '../../words/text.ts';

/** A text that was too long to keep whole. */
export interface Cut {
  /** Its place in the event: a JSON pointer (RFC 6901). */
  at: string;
  /**
   * Its length in characters, of which `kept` stand there from its beginning. What was too long to be read at all
   * counts in bytes.
   */
  length: number;
  kept: number;
}

/** Characters of one text that are kept. A window shows fewer at once. */
export const longestText = 64 * 1024;
/** Bound for all long texts of one event together, and for each later one. */
const mostLongText = 1024 * 1024;
const afterThese = 1024;
/** Deeper than any message of an agent; deeper parts are passed on unchanged. */
const deepest = 40;

const sessionKey = new RegExp(`${sessionKeyPrefix}[\\w-]{43}`, 'g');

/** Programs of a session can print its key (`env`). Nobody needs to read it. */
export function withoutKeys(text: string): string {
  return text.includes(sessionKeyPrefix) ? text.replace(sessionKey, '[redacted]') : text;
}

/**
 * The event with each text longer than `longest` cut, and what was cut; keys of sessions are redacted. The same object
 * if nothing changes; the event itself is never changed. An image (a content block of ACP) is kept whole or left out,
 * since the beginning of one is a broken picture. Its block then has its size in `_meta.jumpseat.bytes`.
 */
export function cutTexts(event: unknown, longest = longestText): { event: unknown; cuts: Cut[] } {
  const cuts: Cut[] = [];
  let left = mostLongText;
  let changes = 0;
  const cut = (value: string, at: string): string => {
    const unread = value.length > afterThese ? leftOut(value) : null;
    const text = withoutKeys(unread?.kept ?? value);
    const most = Math.min(longest, Math.max(left, afterThese));
    if (unread === null && text.length <= most) {
      if (text.length > afterThese) left -= text.length;
      if (text !== value) changes += 1;
      return text;
    }
    const kept = text.length <= most ? text.length : cutAt(text, most);
    if (kept > afterThese) left -= kept;
    changes += 1;
    cuts.push({ at, length: text.length + (unread?.bytes ?? 0), kept });
    return text.slice(0, kept);
  };
  const walk = (value: unknown, at: string, depth: number): unknown => {
    if (typeof value === 'string') return cut(value, at);
    if (typeof value !== 'object' || value === null || depth > deepest) return value;
    if (isImage(value) && (leftOut(value.data) !== null || value.data.length > Math.min(longest, left))) {
      const unread = leftOut(value.data);
      const length = (unread?.kept ?? value.data).length + (unread?.bytes ?? 0);
      changes += 1;
      cuts.push({ at: `${at}/data`, length, kept: 0 });
      return withoutData(value, length);
    }
    const before = changes;
    if (Array.isArray(value)) {
      const walked = value.map((one, index) => walk(one, `${at}/${index}`, depth + 1));
      return changes === before ? value : walked;
    }
    const walked = Object.entries(value).map(([name, one]) => [name, walk(one, `${at}/${escaped(name)}`, depth + 1)]);
    return changes === before ? value : Object.fromEntries(walked);
  };
  return { event: walk(event, '', 0), cuts };
}

interface Image {
  type: 'image';
  data: string;
  _meta?: unknown;
}

function isImage(value: object): value is Image {
  return 'type' in value && value.type === 'image' && 'data' in value && typeof value.data === 'string';
}

/** Four characters of its data are three bytes. */
function withoutData(image: Image, length: number): Image {
  const meta: { jumpseat?: unknown } = { ...Object(image._meta) };
  const jumpseat = { ...Object(meta.jumpseat), bytes: Math.floor((length * 3) / 4) };
  return { ...image, data: '', _meta: { ...meta, jumpseat } };
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
