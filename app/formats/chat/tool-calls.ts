import { BlankRun, blankRunMessage } from '../answer/stream-error.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';

/** Where the calls of an answer are written, one after the other. */
interface CallSink {
  open(id: string, name: string): void;
  /** More of the arguments of the call that is open. */
  add(json: string): void;
  close(): void;
}

interface Call {
  key: number;
  id: string | null;
  name: string | null;
  /** What has come and is not written. */
  unwritten: string;
  state: 'waiting' | 'open' | 'closed';
  /** Nothing more can come: another call took its place. */
  over: boolean;
  blanks: BlankRun;
  end: JsonEnd;
}

/**
 * Puts streamed `tool_calls` together. A new id begins a call, whatever its index says (Claude over chat gives every
 * call index 0); a fragment without id goes on with the newest call of its index. Since Anthropic's blocks never
 * overlap, a call that begins before the one before it is whole waits for it. Arguments are passed on as they are:
 * never completed, never repaired.
 */
export class ChatToolCalls {
  readonly #sink: CallSink;
  readonly #idOf: (count: number) => string;
  readonly #calls: Call[] = [];
  /** The newest call of an id, and of an index. */
  readonly #byId = new Map<string, Call>();
  readonly #byKey = new Map<number, Call>();
  /** Place of the first call that is not closed. */
  #head = 0;

  /** `idOf` makes the id of a call that came without one. */
  constructor(sink: CallSink, idOf: (count: number) => string) {
    this.#sink = sink;
    this.#idOf = idOf;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Fragments of one delta. Returns what is wrong with them, or null. */
  add(fragments: readonly unknown[], choice: number): string | null {
    for (const [position, fragment] of fragments.entries()) {
      const wrong = isObject(fragment) ? this.#fragment(fragment, choice, position) : null;
      if (wrong !== null) return wrong;
    }
    return null;
  }

  /** Ends these calls: writes what waits and closes the last. */
  flush(): string | null {
    for (const call of this.#calls.slice(this.#head)) call.over = true;
    return this.#advance(true);
  }

  #fragment(fragment: JsonObject, choice: number, position: number): string | null {
    const about = isObject(fragment.function) ? fragment.function : {};
    const id = typeof fragment.id === 'string' && fragment.id !== '' ? fragment.id : null;
    const name = typeof about.name === 'string' && about.name !== '' ? about.name : null;
    const key = choice * 1000 + (typeof fragment.index === 'number' ? fragment.index : position);
    const json = jsonOf(about.arguments);

    const call = this.#find(id, name, key) ?? this.#begin(id, key);
    call.name ??= name;
    if (json !== '') {
      if (call.state === 'closed')
        return json.trim() === '' ? null : 'Copilot sent the arguments of two tool calls mixed.';
      if (call.blanks.add(json)) return blankRunMessage;
      call.end.add(json);
      if (call.state === 'open') this.#sink.add(json);
      else call.unwritten += json;
    }
    return call.state === 'open' && this.#calls.at(-1) === call ? null : this.#advance(false);
  }

  #find(id: string | null, name: string | null, key: number): Call | undefined {
    if (id !== null) return this.#byId.get(id);
    return this.#byKey.get(key) ?? (name === null ? this.#calls.at(-1) : undefined);
  }

  #begin(id: string | null, key: number): Call {
    const before = this.#byKey.get(key);
    if (before !== undefined) before.over = true;
    const call: Call = {
      key,
      id,
      name: null,
      unwritten: '',
      state: 'waiting',
      over: false,
      blanks: new BlankRun(),
      end: new JsonEnd(),
    };
    this.#calls.push(call);
    this.#byKey.set(key, call);
    if (id !== null) this.#byId.set(id, call);
    return call;
  }

  /** Opens the first call that is not closed, and closes it for the next one when it is whole. */
  #advance(toTheEnd: boolean): string | null {
    for (let call = this.#calls[this.#head]; call !== undefined; call = this.#calls[++this.#head]) {
      if (call.state === 'waiting') {
        if (call.name === null) return call.over ? 'Copilot sent a tool call without a name.' : null;
        this.#sink.open(call.id ?? this.#idOf(this.#head), call.name);
        call.state = 'open';
      }
      if (call.unwritten !== '') this.#sink.add(call.unwritten);
      call.unwritten = '';
      const last = this.#head === this.#calls.length - 1;
      if (last && !toTheEnd) return null;
      if (!call.over && !call.end.isWhole()) return null;
      this.#sink.close();
      call.state = 'closed';
    }
    return null;
  }
}

function jsonOf(args: unknown): string {
  if (typeof args === 'string') return args;
  return isObject(args) ? JSON.stringify(args) : '';
}

const [blank, quote, backslash] = [0x20, 0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Says of a JSON object that comes in pieces whether all of it is there. Every character is looked at once, however
 * often it is asked: to parse what there is with each piece would take more and more.
 */
export class JsonEnd {
  #json = '';
  #unread = '';
  #began = false;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Found out once nothing more can belong to it. */
  #whole: boolean | null = null;

  add(json: string): void {
    if (this.#whole === null) {
      this.#json += json;
      this.#unread += json;
    }
    // What follows a value that was there in full makes it none.
    if (this.#whole !== null && json.trim() !== '') this.#whole = false;
  }

  isWhole(): boolean {
    if (this.#whole !== null) return this.#whole;
    const unread = this.#unread;
    this.#unread = '';
    for (let at = 0; at < unread.length; at++) this.#read(unread.charCodeAt(at));
    if (!this.#began || this.#depth > 0 || this.#inText) return false;
    this.#whole = parseObject(this.#json) !== null;
    return this.#whole;
  }

  #read(code: number): void {
    if (code > blank) this.#began = true;
    if (this.#escaped) this.#escaped = false;
    else if (this.#inText) {
      if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inText = false;
    } else if (code === quote) this.#inText = true;
    else if (code === openList || code === openObject) this.#depth++;
    else if (code === closeList || code === closeObject) this.#depth--;
  }
}
