import { createHash, hash } from 'node:crypto';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import type { Said } from './findings.ts';

interface KeyedPrompt {
  session: string | null;
  promptId: string | null;
  agentId: string | null;
  /** Its `position` is the number of the model's answers before the new content. */
  reading: { readonly position: number };
  /** What the person said. */
  said: readonly Said[];
  /** The same words may be said here twice in one prompt: then the place is a part of the key. */
  isPlaced: boolean;
  notified: readonly string[] | null;
  /** Salt of this installation; without it a key could be guessed from words. */
  salt: Buffer;
}

/**
 * Salted hashes under which the ledger knows what it saw: never an id or a word itself. Each is made when it is asked
 * for.
 */
export class PromptKeys {
  /** Private, so that no log line or test output can show words. */
  #prompt: KeyedPrompt;
  #words: string | null | undefined;

  constructor(prompt: KeyedPrompt) {
    this.#prompt = prompt;
  }

  /** Makes what is made of the words, and holds them no longer. */
  letGo(): void {
    this.#words = this.words;
    this.#prompt = { ...this.#prompt, said: [] };
  }

  /** Session, prompt id and the words, placed or not. Null if nothing was said. */
  get words(): string | null {
    if (this.#words !== undefined) return this.#words;
    const { session, promptId, said, isPlaced, reading } = this.#prompt;
    if (said.length === 0) return null;
    const words = said.flatMap((one) => [one.kind, one.kind === 'media' ? mediaHash(one.block) : one.text]);
    this.#words = this.#hash(session ?? '', promptId ?? '', isPlaced ? String(reading.position) : '', words);
    return this.#words;
  }

  /** The words at this place of the conversation. */
  get wordsHere(): string | null {
    const { words } = this;
    return words === null || this.#prompt.isPlaced
      ? words
      : this.#hash('here', words, String(this.#prompt.reading.position));
  }

  /** A prompt that Claude Code labelled as one of the main conversation. */
  get prompt(): string | null {
    const { session, promptId } = this.#prompt;
    return promptId === null ? null : this.#hash('prompt', session ?? '', promptId);
  }

  /**
   * This request of a prompt, however often it is sent: Claude Code repeats it under the same id, and gives what a
   * person sends again another one. Null without an id.
   */
  get attempt(): string | null {
    const { session, promptId, agentId } = this.#prompt;
    if (promptId === null) return null;
    return this.#hash(
      'attempt',
      session ?? '',
      promptId,
      agentId ?? '',
      String(this.#prompt.reading.position),
      this.words ?? '',
    );
  }

  /** A session that has sent a request of class main, so that its class is its own and not a header for everything. */
  get session(): string | null {
    const { session } = this.#prompt;
    return session === null ? null : this.#hash('session', session);
  }

  /** An answer that ends early here. */
  get cutHere(): string {
    return this.#cut(this.#prompt.reading.position);
  }

  /** Key of an answer that ended early right before this. */
  get cutBefore(): string {
    return this.#cut(this.#prompt.reading.position - 1);
  }

  /** The calls whose end is notified: each is believed once. */
  get notification(): string | null {
    const { session, notified } = this.#prompt;
    return notified === null || notified.length === 0 ? null : this.#hash('notified', session ?? '', notified);
  }

  #cut(position: number): string {
    const { session, agentId } = this.#prompt;
    return this.#hash('cut', session ?? '', agentId ?? '', String(position));
  }

  /** Every part goes in with its length, so that no two different sets of parts read the same. */
  #hash(...parts: (string | readonly string[])[]): string {
    // A list of its own: more than the stack holds would overflow it as arguments.
    let text = '';
    for (const part of parts.flat()) text += `${part.length}:${part}`;
    return saltedHash(this.#prompt.salt, text);
  }
}

/** Hashes the content alone, because cache marks change between two attempts. */
function mediaHash(block: JsonObject): string {
  const { type, source } = block;
  const hash = createHash('sha256').update(`${String(type)}:`);
  if (isObject(source)) {
    for (const part of ['type', 'media_type', 'data', 'url', 'file_id']) {
      const value = source[part];
      if (typeof value === 'string') hash.update(`${part}:${value.length}:`).update(value);
    }
    // A document may be made of blocks.
    if (source.content !== undefined) hash.update(JSON.stringify(source.content));
  }
  return hash.digest('hex');
}

const blockBytes = 64;

/** The two pads of a salt. Made once: the salt is the same for every request. */
const pads = new WeakMap<Buffer, readonly [inner: Buffer, outer: Buffer]>();

/**
 * HMAC-SHA256 (RFC 2104) in hex, by Node's plain hash: its own HMAC is a stream, and costs three times as much where it
 * is asked for once or twice a request. The salt is no longer than a block.
 */
export function saltedHash(salt: Buffer, text: string): string {
  let made = pads.get(salt);
  if (made === undefined) {
    made = [pad(salt, 0x36), pad(salt, 0x5c)];
    pads.set(salt, made);
  }
  const [inner, outer] = made;
  const within = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
  return hash('sha256', Buffer.concat([outer, within]), 'hex');
}

function pad(salt: Buffer, filling: number): Buffer {
  if (salt.length > blockBytes) throw new RangeError('The salt is longer than a block of the hash.');
  const padded = Buffer.alloc(blockBytes, filling);
  for (const [index, byte] of salt.entries()) padded[index] = byte ^ filling;
  return padded;
}
