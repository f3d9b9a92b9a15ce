import type { StatementSync } from 'node:sqlite';
import type { Attempt, Exchange, Shape, TokenDetail } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';

/*
 * How a row says in few bytes what its exchange holds: 575 bytes a row with its indexes (measured with 1,000,000 rows
 * as real requests leave them, ids and shapes included) instead of 1,182 with JSON and whole ids. Lists and the reason
 * are 140 bytes, not 1,258, for 11 to 14 µs of CPU a row. What can't be read is undefined.
 */

/** Storage for texts that many rows share. */
export interface WordNumbers {
  number(text: string, startedAt: number): number;
}
export interface WordTexts {
  text(number: number): string | undefined;
}

/** Changes are the same in most requests of a client: the number of their JSON. */
export function packFits(exchange: Exchange, words: WordNumbers): string {
  return exchange.fits.length === 0 ? '[]' : String(words.number(JSON.stringify(exchange.fits), exchange.startedAt));
}

export function unpackFits(packed: unknown, words: WordTexts): unknown {
  return typeof packed === 'string' && /^\d+$/.test(packed) ? parse(words.text(Number(packed))) : parse(packed);
}

/** The parts of a charge that count the same tokens as the row does. */
const tokensOfParts: Readonly<Record<string, keyof Exchange['tokens']>> = {
  input: 'input',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  output: 'output',
};

/**
 * Prices change seldom: the number of `[[type, costPerBatch, batchSize], …]`, then the counts, unless the row has
 * them.
 */
export function packDetails({ charge, tokens, startedAt }: Exchange, words: WordNumbers): string {
  const { details } = charge;
  if (details.length === 0) return '[]';
  const prices: unknown[] = [];
  const counts: number[] = [];
  let isOfRow = true;
  for (const { type, count, costPerBatch, batchSize } of details) {
    prices.push([type, costPerBatch, batchSize]);
    counts.push(count);
    if (!Number.isSafeInteger(count) || count !== tokensOf(type, tokens)) isOfRow = false;
  }
  const number = words.number(JSON.stringify(prices), startedAt);
  return JSON.stringify(isOfRow ? [number] : [number, ...counts]);
}

/** `prices` is the text of the number that the list begins with. */
export function unpackDetails(
  packed: unknown,
  textOf: (number: number) => unknown,
  tokens: Partial<Record<keyof Exchange['tokens'], unknown>> = {},
): unknown {
  const list = parse(packed);
  if (!Array.isArray(list) || typeof list[0] !== 'number') return list;
  const [number, ...counts] = list;
  const prices = parse(textOf(number));
  if (!Array.isArray(prices) || (counts.length > 0 && prices.length !== counts.length)) return undefined;
  return prices.map((part: unknown, index): Partial<Record<keyof TokenDetail, unknown>> => {
    const [type, costPerBatch, batchSize] = Array.isArray(part) ? part : [];
    const count = counts.length > 0 ? counts[index] : tokensOf(type, tokens);
    return { type, count, costPerBatch, batchSize };
  });
}

function tokensOf<Count>(type: unknown, tokens: Partial<Record<keyof Exchange['tokens'], Count>>): Count | undefined {
  const name = typeof type === 'string' && Object.hasOwn(tokensOfParts, type) ? tokensOfParts[type] : undefined;
  return name === undefined ? undefined : tokens[name];
}

/** Where a sentence names its prompt by the first characters of its id. Texts of ours have no such character. */
const promptMark = '\u0001';

/** Rules and sentences are few: the number of `[rule, sentence]`. */
export function packReason({ reason, prompt, startedAt }: Exchange, words: WordNumbers): string | null {
  if (reason === null) return null;
  const sentence = replaced(reason.sentence, promptBegins(prompt), promptMark);
  return String(words.number(JSON.stringify([reason.rule, sentence]), startedAt));
}

/** The rule and its sentence. `prompt` is the whole id. */
export function unpackReason(packed: unknown, prompt: unknown, words: WordTexts): unknown[] {
  const read = parse(words.text(Number(packed)));
  if (!Array.isArray(read)) return [];
  const [name, kept] = read;
  return [name, typeof kept === 'string' ? replaced(kept, promptMark, promptBegins(prompt)) : kept];
}

const promptBegins = (prompt: unknown): string => (typeof prompt === 'string' ? prompt.slice(0, 4) : '');

function replaced(text: string, what: string, by: string): string {
  return what === '' ? text : text.replace(what, () => by);
}

/**
 * Lists without names, and without what was not measured at the end; the only one is not in a list of its own. 0: there
 * was no other attempt. The program is the same in most requests: its number.
 */
export function packAttempts({ attempts, startedAt }: Exchange, words: WordNumbers): string {
  const packed = attempts.map(({ at, status, retriedBecause, upstreamRequestId, token, connect, sentAs }) => {
    const always = [at, status, retriedBecause ?? 0, upstreamRequestId === null ? null : compactId(upstreamRequestId)];
    if (sentAs !== undefined) return [...always, token ?? null, connect ?? null, words.number(sentAs, startedAt)];
    if (connect !== undefined) return [...always, token ?? null, connect];
    return token === undefined ? always : [...always, token];
  });
  return JSON.stringify(packed.length === 1 ? packed[0] : packed);
}

export function unpackAttempts(packed: unknown, words: WordTexts): unknown {
  const list = parse(packed);
  if (!Array.isArray(list)) return undefined;
  return (typeof list[0] === 'number' ? [list] : list).map((attempt: unknown): unknown => {
    if (!Array.isArray(attempt)) return attempt;
    const [at, status, retried, requestId, token, connect, program] = attempt;
    const sentAs = typeof program === 'number' ? words.text(program) : undefined;
    return {
      at,
      ...(typeof token === 'number' && { token }),
      ...(typeof connect === 'number' && { connect }),
      ...(sentAs !== undefined && { sentAs }),
      status,
      retriedBecause: retried === 0 ? null : retried,
      upstreamRequestId: typeof requestId === 'string' ? plainId(requestId) : requestId,
    };
  });
}

/** Mostly those of the attempts, which have them as well, and then one of GitHub's. */
const asInAttempts = '=';

export function packRequestIds({ upstreamRequestIds, attempts }: Exchange): string {
  const known = idsOf(attempts);
  const others = upstreamRequestIds.slice(known.length);
  const isUsual = known.every((id, index) => id === upstreamRequestIds[index]) && !others.some((id) => /^$| /.test(id));
  return isUsual ? `${asInAttempts}${others.join(' ')}` : JSON.stringify(upstreamRequestIds);
}

export function unpackRequestIds(packed: unknown, attempts: unknown): unknown {
  if (typeof packed !== 'string' || !packed.startsWith(asInAttempts)) return parse(packed);
  const others = packed.slice(asInAttempts.length);
  return [...(Array.isArray(attempts) ? idsOf(attempts) : []), ...(others === '' ? [] : others.split(' '))];
}

function idsOf(attempts: readonly Pick<Attempt, 'upstreamRequestId'>[]): string[] {
  return attempts.flatMap(({ upstreamRequestId }) => upstreamRequestId ?? []);
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is known of contents, in a fifth of the bytes of its JSON: `[request, answer, toolsBefore]`.
 *
 * - request: `[number of [thinking, roles, parts of the context, room], bytes, tools, images, ...messages of each role,
 *   tokens of the parts]`, or 0; what comes of a context is absent without one
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

/** What can't be read is undefined. */
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

/** The request's shape alone, for a list. */
export function unpackShapeRequest(packed: unknown, words: WordTexts): unknown {
  const list = parse(packed);
  return !Array.isArray(list) || list[0] === 0 ? null : unpackRequest(list[0], words);
}

function packRequest(request: NonNullable<Shape['request']>, words: WordNumbers, startedAt: number): unknown[] {
  const { bytes, messages, tools, images, thinking, context } = request;
  const names: unknown[] = [thinking, Object.keys(messages)];
  if (context !== undefined) names.push(Object.keys(context.parts), context.room);
  const packed = [words.number(JSON.stringify(names), startedAt), bytes, tools, images, ...Object.values(messages)];
  return context === undefined ? packed : [...packed, Object.values(context.parts).map(packTokens).join('')];
}

function unpackRequest(packed: unknown, words: WordTexts): unknown {
  if (!Array.isArray(packed)) return undefined;
  const [number, bytes, tools, images, ...counts] = packed;
  const names = typeof number === 'number' ? parse(words.text(number)) : undefined;
  const [thinking, roles, parts, room] = Array.isArray(names) ? names : [];
  const tokens = Array.isArray(parts) ? unpackTokens(counts.pop()) : [];
  if (!Array.isArray(roles) || roles.length !== counts.length || (parts?.length ?? 0) !== tokens.length)
    return undefined;
  const named = (keys: unknown[], values: unknown[]) => Object.fromEntries(keys.map((key, at) => [key, values[at]]));
  const request = { bytes, messages: named(roles, counts), tools, images, thinking };
  return Array.isArray(parts) ? { ...request, context: { parts: named(parts, tokens), room } } : request;
}

/** Tokens of three digits and zeros: two characters for the digits, and one for how many zeros follow. */
function packTokens(tokens: number): string {
  const zeros = Math.max(0, String(tokens).length - 3);
  return `${Math.round(tokens / 10 ** zeros)
    .toString(36)
    .padStart(2, '0')}${zeros.toString(36)}`;
}

function unpackTokens(packed: unknown): number[] {
  const each = typeof packed === 'string' ? (packed.match(/[\da-z]{3}/g) ?? []) : [];
  return each.map((one) => Number.parseInt(one.slice(0, 2), 36) * 10 ** Number.parseInt(one.slice(2), 36));
}

/** Usual types of blocks; the name is behind the mark. They never change. */
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

/**
 * Ids as rows keep them, where they stand in an index as well: a UUID is 22 characters of its bytes behind a mark that
 * says how it was written. Every other text stays as it is, behind a mark of its own where it begins like one. Those of
 * a row are 69 bytes, not 112, and again in two indexes; each costs 1 µs.
 */
const marks = { '~': '', '=': 'req_' } as const;
const plainMark = '!';

const uuid = /^(req_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
const compact = /^([~=])([\w-]{22})$/;

export function compactId(id: string): string {
  const [, prefix, digits] = uuid.exec(id) ?? [];
  if (digits === undefined) return /^[~=!]/.test(id) ? `${plainMark}${id}` : id;
  const bytes = Buffer.from(digits.replaceAll('-', ''), 'hex').toString('base64url');
  return `${prefix === undefined ? '~' : '='}${bytes}`;
}

/** Reverses `compactId`. */
export function plainId(kept: string): string {
  if (kept.startsWith(plainMark)) return kept.slice(plainMark.length);
  const [, mark, bytes] = compact.exec(kept) ?? [];
  if (bytes === undefined || (mark !== '~' && mark !== '=')) return kept;
  const hex = Buffer.from(bytes, 'base64url').toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `${marks[mark]}${parts.join('-')}`;
}

const dayMs = 24 * 60 * 60 * 1000;
/** A few dozen are usual. */
const mostKnown = 2_000;

/** The database that they are in. */
interface Database {
  prepare(sql: string): StatementSync;
}

/**
 * Texts that stand in many rows, each kept once: the rows hold its number (measured with 20,000 rows: 614 bytes a row
 * instead of 1,512, and 0.16 ms to write one instead of 0.23 to 0.30). All SQL of them is here.
 */
export class Words {
  readonly #database: Database;
  /** A number is never given twice, so what is known stays right. */
  readonly #known = new Map<number, string>();
  /** Filled only between `begin` and `committed`: deleting a row may delete its words too. */
  readonly #numbers = new Map<string, { id: number; usedAt: number }>();
  /** Changes when another process has written to the file. */
  #version: unknown = null;
  #isWriting = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * A transaction has begun: what is known of numbers holds if the last one was committed and no other process has
   * written.
   */
  begin(): void {
    const version = this.#database.prepare('PRAGMA data_version').get()?.data_version;
    if (this.#isWriting || version !== this.#version) this.#numbers.clear();
    this.#version = version;
    this.#isWriting = true;
  }

  committed(): void {
    this.#isWriting = false;
  }

  /**
   * The number of a text, inside a transaction. No row that holds it may begin more than a day after `used_at`: see
   * `forgetWordsSql`.
   */
  number(text: string, startedAt: number): number {
    const usedAt = Number.isSafeInteger(Math.ceil(startedAt)) ? Math.ceil(startedAt) : 0;
    const known = this.#numbers.get(text);
    if (known !== undefined && usedAt <= known.usedAt + dayMs) return known.id;
    const number = this.#look(text, usedAt);
    if (this.#isWriting) {
      if (this.#numbers.size >= mostKnown) this.#numbers.clear();
      this.#numbers.set(text, number);
    }
    return number.id;
  }

  #look(text: string, usedAt: number): { id: number; usedAt: number } {
    const found = this.#database.prepare('SELECT id, used_at FROM words WHERE text = ?').get(text);
    if (found === undefined) {
      const { lastInsertRowid } = this.#database
        .prepare('INSERT INTO words (text, used_at) VALUES (?, ?)')
        .run(text, usedAt);
      return { id: Number(lastInsertRowid), usedAt };
    }
    const [id, before] = [Number(found.id), Number(found.used_at)];
    if (usedAt <= before + dayMs) return { id, usedAt: before };
    this.#database.prepare('UPDATE words SET used_at = ? WHERE id = ?').run(usedAt, id);
    return { id, usedAt };
  }

  /** Undefined: it is not there (it was edited by hand). */
  text(number: number): string | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const text = this.#database.prepare('SELECT text FROM words WHERE id = ?').get(number)?.text;
    if (typeof text !== 'string') return undefined;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(number, text);
    return text;
  }

  /** The file is another one. */
  renewed(): void {
    this.#known.clear();
    this.forget();
  }

  /** Rows were deleted here. */
  forget(): void {
    this.#numbers.clear();
  }
}

/**
 * Takes out what no row holds any more. The parameter, twice: a time (ms) before which there are no rows; where there
 * are, nothing goes.
 */
export const forgetWordsSql = `DELETE FROM words WHERE NOT EXISTS (SELECT 1 FROM exchanges)
  OR (used_at < ? - ${dayMs} AND NOT EXISTS (SELECT 1 FROM exchanges WHERE started_at < ?))`;
