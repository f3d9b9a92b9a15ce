import type { Shape } from '../api/exchange.ts';
import { moment } from '../api/moment.ts';
import { parse, type WordNumbers, type WordTexts } from './packed.ts';

/**
 * What is known of contents, in a fifth of the bytes of its JSON: `[request, answer, toolsBefore]`.
 *
 * - request: `[number of [thinking, roles], bytes, tools, images, ...messages of each role]`, or 0
 * - answer: `[bytes, events, blocks, longestGap, pings]`, or 0; pings only where there are some
 * - toolsBefore: `[name, took, name, took, …]`
 */
export function packShape(shape: Shape, words: WordNumbers, startedAt: number): string {
  return JSON.stringify([
    shape.request === null ? 0 : packRequest(shape.request, words, startedAt),
    shape.answer === null ? 0 : packAnswer(shape.answer),
    shape.toolsBefore.flatMap(({ name, took }) => [name, took]),
  ]);
}

/** What can't be read is undefined. Takes the JSON of earlier versions as well. */
export function unpackShape(packed: unknown, words: WordTexts): unknown {
  const list = parse(packed);
  if (!Array.isArray(list)) return list;
  const [request, answer, tools] = list;
  return {
    request: request === 0 ? null : unpackRequest(request, words),
    answer: answer === 0 ? null : unpackAnswer(answer),
    toolsBefore: Array.isArray(tools) ? pairs(tools).map(([name, took]) => ({ name, took })) : undefined,
  };
}

/** Of the request alone, for a list. */
export function unpackShapeRequest(packed: unknown, words: WordTexts): unknown {
  const list = parse(packed);
  if (Array.isArray(list)) return list[0] === 0 ? null : unpackRequest(list[0], words);
  return typeof list === 'object' && list !== null && 'request' in list ? list.request : null;
}

function packRequest(request: NonNullable<Shape['request']>, words: WordNumbers, startedAt: number): number[] {
  const { bytes, messages, tools, images, thinking } = request;
  const names = words.number(JSON.stringify([thinking, Object.keys(messages)]), startedAt);
  return [names, bytes, tools, images, ...Object.values(messages)];
}

function unpackRequest(packed: unknown, words: WordTexts): unknown {
  if (!Array.isArray(packed)) return undefined;
  const [number, bytes, tools, images, ...counts] = packed;
  const names = typeof number === 'number' ? parse(words.text(number)) : undefined;
  const [thinking, roles] = Array.isArray(names) ? names : [];
  if (!Array.isArray(roles) || roles.length !== counts.length) return undefined;
  const messages = Object.fromEntries(roles.map((role, index) => [role, counts[index]]));
  return { bytes, messages, tools, images, thinking };
}

/** The usual types of blocks; the name stands behind the mark. They never change. */
const blockMarks: Readonly<Record<string, string>> = { t: 'text', h: 'thinking', u: 'tool_use' };
const marksOfTypes = new Map(Object.entries(blockMarks).map(([mark, type]) => [type, mark]));

type Block = NonNullable<Shape['answer']>['blocks'][number];

/** `h t uRead`; where one has no such form all are `[type, name]`. */
function packBlocks(blocks: readonly Block[]): unknown {
  const packed = blocks.map(({ type, name }) => {
    const mark = marksOfTypes.get(type);
    return mark === undefined || name === '' || name?.includes(' ') ? null : `${mark}${name ?? ''}`;
  });
  return packed.includes(null) ? blocks.map(({ type, name }) => [type, name]) : packed.join(' ');
}

function unpackBlocks(packed: unknown): unknown {
  if (typeof packed === 'string') {
    const blocks = packed === '' ? [] : packed.split(' ');
    return blocks.map((block) => ({ type: blockMarks[block.slice(0, 1)], name: block.slice(1) || null }));
  }
  if (!Array.isArray(packed)) return undefined;
  return packed.map((block: unknown) => {
    const [type, name] = Array.isArray(block) ? block : [];
    return { type, name };
  });
}

function packAnswer({ bytes, events, blocks, longestGap, pings }: NonNullable<Shape['answer']>): unknown[] {
  return [bytes, events, packBlocks(blocks), moment(longestGap), ...(pings === 0 ? [] : [pings])];
}

function unpackAnswer(packed: unknown): unknown {
  if (!Array.isArray(packed)) return undefined;
  const [bytes, events, blocks, longestGap, pings = 0] = packed;
  return { bytes, events, blocks: unpackBlocks(blocks), longestGap, pings };
}

function pairs(list: readonly unknown[]): [unknown, unknown][] {
  const found: [unknown, unknown][] = [];
  for (let index = 0; index < list.length; index += 2) found.push([list[index], list[index + 1]]);
  return found;
}
