import { BlankRun, blankRunMessage } from '../answer/stream-error.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

/** Where the items of an answer are written, one after the other. `over` ends the writing at once. */
export interface ItemSink {
  readonly over: boolean;
  text(added: string): void;
  thinking(added: string): void;
  openCall(id: string, name: string): void;
  /** More of the arguments of the open call. */
  json(added: string): void;
  endText(refusal: string): void;
  endThinking(encrypted: string): void;
  endCall(): void;
  fail(message: string): void;
}

type Kind = 'message' | 'reasoning' | 'function_call' | 'other';

/** One item of `output`: all its words in one text, whatever parts they come in. */
interface Item {
  index: number;
  kind: Kind;
  text: string;
  /**
   * The end of the text that is not written yet. Kept apart: to cut it off a text that grows would copy the text every
   * time.
   */
  unwritten: string;
  refusal: string;
  /** The part of the summary that the last words belonged to. */
  part: number;
  encrypted: string;
  callId: string;
  name: string;
  opened: boolean;
  blanks: BlankRun;
  done: boolean;
  /** The upstream said that nothing of it is missing. */
  whole: boolean;
}

/**
 * Puts the items of a Responses stream together. They are told apart by `output_index` alone: Copilot encrypts their
 * ids anew in every event. Since Anthropic's blocks never overlap, an item that begins before the one before it is done
 * waits for it.
 *
 * Arguments are passed on as they are: never completed, never repaired. Deltas that do not begin as a JSON object does
 * are no arguments (Copilot has been seen to send them encrypted): then the call waits for the plain ones of its `done`
 * event.
 */
export class ResponseItems {
  readonly #sink: ItemSink;
  readonly #items: Item[] = [];
  readonly #byIndex = new Map<number, Item>();
  /** Place of the first item that is not done. */
  #head = 0;
  #calls = 0;

  constructor(sink: ItemSink) {
    this.#sink = sink;
  }

  /** Calls that were written. */
  get calls(): number {
    return this.#calls;
  }

  get count(): number {
    return this.#items.length;
  }

  added(index: unknown, value: JsonObject): void {
    const item = this.#item(index, kindOf(value.type));
    takeIdentity(item, value);
    this.#advance();
  }

  addText(index: unknown, delta: string): void {
    const item = this.#item(index, 'message');
    if (this.#isOf(item, 'message')) this.#add(item, delta);
  }

  addRefusal(index: unknown, delta: string): void {
    const item = this.#item(index, 'message');
    if (!this.#isOf(item, 'message')) return;
    item.refusal += delta;
    this.#add(item, delta);
  }

  /** `part` numbers the parts of a summary: between two stands a blank line. */
  addThinking(index: unknown, part: unknown, delta: string): void {
    const item = this.#item(index, 'reasoning');
    if (!this.#isOf(item, 'reasoning')) return;
    const at = typeof part === 'number' ? part : 0;
    const next = at !== item.part && item.text !== '';
    item.part = at;
    this.#add(item, next ? `\n\n${delta}` : delta);
  }

  addArguments(index: unknown, delta: string): void {
    const item = this.#item(index, 'function_call');
    if (!this.#isOf(item, 'function_call')) return;
    if (item.blanks.add(delta)) this.#sink.fail(blankRunMessage);
    else this.#add(item, delta);
  }

  /** The arguments in full, before the item itself is done. */
  allArguments(index: unknown, json: string): void {
    const item = this.#item(index, 'function_call');
    if (!this.#isOf(item, 'function_call')) return;
    completeText(item, json);
    this.#advance();
  }

  done(index: unknown, value: JsonObject): void {
    const item = this.#item(index, kindOf(value.type));
    if (item.done || item.kind !== kindOf(value.type)) return;
    takeIdentity(item, value);
    const { text, refusal } = wordsOf(item.kind, value);
    completeText(item, text);
    if (refusal !== '') item.refusal = refusal;
    if (typeof value.encrypted_content === 'string') item.encrypted = value.encrypted_content;
    item.whole = value.status !== 'incomplete';
    item.done = true;
    this.#advance();
  }

  /** `output` of the last event, for what the stream did not say. */
  complete(output: readonly unknown[]): void {
    const unreported = this.#items.length === 0;
    for (const [index, value] of output.entries()) {
      const known = unreported || this.#byIndex.has(index);
      if (known && isObject(value)) this.done(index, value);
    }
  }

  /** Nothing more will come: every item is as done as it gets. */
  flush(): void {
    for (const item of this.#items) item.done = true;
    this.#advance();
  }

  #item(index: unknown, kind: Kind): Item {
    const newest = this.#items.at(-1);
    const at = typeof index === 'number' ? index : (newest?.index ?? 0);
    const known = newest?.index === at ? newest : this.#byIndex.get(at);
    if (known !== undefined) return known;
    const item: Item = {
      index: at,
      kind,
      text: '',
      unwritten: '',
      refusal: '',
      part: 0,
      encrypted: '',
      callId: '',
      name: '',
      opened: false,
      blanks: new BlankRun(),
      // What is not translated holds nothing up.
      done: kind === 'other',
      whole: false,
    };
    this.#items.push(item);
    this.#byIndex.set(at, item);
    return item;
  }

  /** False: not to be written. Words for an item of another kind make an answer that means nothing. */
  #isOf(item: Item, kind: Kind): boolean {
    if (item.kind === kind) return true;
    if (item.kind !== 'other') this.#sink.fail(`Copilot sent words of a ${kind} for a ${item.kind}.`);
    return false;
  }

  #add(item: Item, delta: string): void {
    if (item.done || delta === '') return;
    item.text += delta;
    item.unwritten += delta;
    if (this.#items[this.#head] === item) this.#write(item);
  }

  #advance(): void {
    for (;;) {
      const item = this.#items[this.#head];
      if (item === undefined || this.#sink.over) return;
      this.#write(item);
      if (!item.done || this.#sink.over) return;
      this.#end(item);
      this.#head++;
    }
  }

  #write(item: Item): void {
    if (item.unwritten === '' || !isReady(item)) return;
    const added = item.unwritten;
    item.unwritten = '';
    if (item.kind === 'message') this.#sink.text(added);
    else if (item.kind === 'reasoning') this.#sink.thinking(added);
    else if (this.#open(item)) this.#sink.json(added);
  }

  #open(item: Item): boolean {
    if (item.opened) return true;
    if (item.name === '') {
      this.#sink.fail('Copilot sent a tool call without a name.');
      return false;
    }
    item.opened = true;
    this.#calls++;
    this.#sink.openCall(item.callId, item.name);
    return true;
  }

  #end(item: Item): void {
    if (item.kind === 'message') this.#sink.endText(item.refusal);
    else if (item.kind === 'reasoning') this.#sink.endThinking(item.encrypted);
    else if (item.kind === 'function_call') {
      // A call without arguments is one only if it was to have none: an empty input would be run.
      if (!item.opened && !item.whole) return;
      if (this.#open(item)) this.#sink.endCall();
    }
  }
}

function kindOf(type: unknown): Kind {
  return type === 'message' || type === 'reasoning' || type === 'function_call' ? type : 'other';
}

function takeIdentity(item: Item, value: JsonObject): void {
  if (typeof value.call_id === 'string' && value.call_id !== '') item.callId = value.call_id;
  if (typeof value.name === 'string' && value.name !== '') item.name = value.name;
}

/** May what has come be written? Of a call only what is known to be its arguments. */
function isReady(item: Item): boolean {
  if (item.kind !== 'function_call' || item.opened || item.done) return true;
  return item.name !== '' && item.text.trimStart().startsWith('{');
}

/** What was written stays; whatever came else gives way to the full text. */
function completeText(item: Item, full: string): void {
  // Nearly always all of it is written: then it need not be read again.
  if (full === '' || (item.unwritten === '' && full.length === item.text.length)) return;
  const written = item.text.slice(0, item.text.length - item.unwritten.length);
  if (!full.startsWith(written)) return;
  item.text = full;
  item.unwritten = full.slice(written.length);
}

function wordsOf(kind: Kind, value: JsonObject): { text: string; refusal: string } {
  switch (kind) {
    case 'message': {
      const refusal = texts(value.content, 'refusal').join('');
      return { text: parts(value.content).map(wordsOfPart).join(''), refusal };
    }
    case 'reasoning': {
      const summary = texts(value.summary, 'text');
      return { text: (summary.length > 0 ? summary : texts(value.content, 'text')).join('\n\n'), refusal: '' };
    }
    case 'function_call':
      return { text: argumentsOf(value.arguments), refusal: '' };
    case 'other':
      return { text: '', refusal: '' };
  }
}

function parts(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function texts(list: unknown, key: 'text' | 'refusal'): string[] {
  return parts(list).flatMap((part) => (typeof part[key] === 'string' && part[key] !== '' ? [part[key]] : []));
}

function wordsOfPart(part: JsonObject): string {
  return typeof part.text === 'string' ? part.text : typeof part.refusal === 'string' ? part.refusal : '';
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? JSON.stringify(value) : '';
}
