import { isObject } from './json.ts';

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/** Something that may be a number which JavaScript cannot hold: sixteen digits, or an exponent of three. Texts may look so, too. */
const longNumber = /[:,[]\s*-?(?:\d{16}|[\d.]+[eE]\+?\d{3})/;

/**
 * `JSON.parse`, but an integer beyond 2^53 (an id in a tool's input) and a number beyond the range of a double keep their digits, as an object that
 * `JSON.stringify` writes as it came. Costs a look at the text where there is no such number.
 */
export function parseExactJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, ...more: unknown[]) => {
    if (typeof value !== 'number' || !isBent(value)) return value;
    const [context] = more;
    return isObject(context) && typeof context.source === 'string' ? JSON.rawJSON(context.source) : value;
  });
}

function isBent(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}
