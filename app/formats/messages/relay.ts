import { type AnswerReader, type AnswerUsage, noFacts, noteBlock, readCopilotUsage } from '../answer/answer.ts';
import { cutFailure, readStreamError } from '../answer/stream-error.ts';
import { isFiniteNumber, isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { jsonValueSpan } from '../wire/json-bytes.ts';
import { eventEnd, readSseEvent, type SseEvent, SseSplitter, sseEvent } from '../wire/sse.ts';

interface RelayOptions {
  /** The name the client asked for; it takes the place of the upstream's in message_start. */
  model: string;
}

/**
 * The way of an answer that is in the client's format already: bytes go on as they came, but for the model's name in
 * message_start.
 *
 * An event is told by its bytes. The few that say something about the exchange (start, end, usage, bill, error) are
 * parsed; deltas and events unknown today are not. What Copilot adds beside Anthropic's events stays out of the
 * client's stream: `data: [DONE]`, whatever follows message_stop, and comments before the first event. Events with data
 * alone get their `event:` line, which Anthropic's clients need.
 */
export class MessagesRelay implements AnswerReader {
  readonly facts = noFacts();
  readonly #model: string;
  readonly #splitter = new SseSplitter();

  constructor(options: RelayOptions) {
    this.#model = options.model;
  }

  push(chunk: Buffer): Buffer | null {
    if (this.#over) return null;
    const whole = this.#splitter.whole(chunk);
    return whole === null ? null : this.#relay(whole);
  }

  end(): Buffer | null {
    if (this.#over) return null;
    const written = this.#relayRest();
    if (!this.#over) this.facts.failure = cutFailure();
    return written;
  }

  get #over(): boolean {
    return this.facts.ended || this.facts.failure !== null;
  }

  /** The last event may lack its blank line; it counts when its data is whole. */
  #relayRest(): Buffer | null {
    const rest = this.#splitter.rest();
    if (rest === null) return null;
    const event = readSseEvent(rest);
    if (event === null || parseObject(event.data) === null) return null;
    return this.#relay(Buffer.concat([rest, Buffer.from('\n\n')]));
  }

  /**
   * Bytes of whole events. Returns them as they are where nothing has to change, so that a burst costs one write and no
   * copy.
   */
  #relay(bytes: Buffer): Buffer | null {
    // One character a byte: searches in texts cost a third of those in a Buffer, most of all before they have run hot.
    const text = bytes.toString('latin1');
    const plain = !text.includes('\r');
    const parts: Buffer[] = [];
    let kept = 0;
    let from = 0;
    while (from < bytes.length && !this.#over) {
      const delta = plain ? deltaEnd(text, from) : -1;
      const end = delta === -1 ? eventEnd(bytes, from, plain) : delta;
      this.facts.events++;
      if (delta !== -1) {
        this.facts.started = true;
        this.facts.said += saidIn(text, from, end);
      } else {
        const event = bytes.subarray(from, end);
        const written = this.#event(event);
        if (written !== event) {
          if (from > kept) parts.push(bytes.subarray(kept, from));
          if (written !== null) parts.push(written);
          kept = end;
        }
      }
      from = end;
    }
    if (kept === 0 && from === bytes.length) return bytes;
    if (from > kept) parts.push(bytes.subarray(kept, from));
    if (parts.length === 0) return null;
    return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
  }

  /** What is written for one event: its own bytes, others, or nothing. */
  #event(bytes: Buffer): Buffer | null {
    const event = readSseEvent(bytes);
    if (event === null) return this.facts.started ? bytes : null;
    if (event.data.trim() === '[DONE]') return null;
    const data = parseObject(event.data);
    if (event.event !== null) {
      const type = typeof data?.type === 'string' ? data.type : event.event;
      if (type === event.event || !(known.has(type) || known.has(event.event)))
        return this.#named(event.event, event.data, bytes);
      // Clients go by the line or by the type in the data: with one name all see the same answer, and so does the row.
      const written = this.#named(type, event.data, bytes);
      return written === bytes ? Buffer.from(sseEvent(type, event.data)) : written;
    }
    if (data === null) return this.#leaveOut();
    if (typeof data.type === 'string') {
      const written = this.#named(data.type, event.data, bytes);
      return written === bytes ? withEventLine(data.type, bytes) : written;
    }
    this.facts.started = true;
    if (!('error' in data)) return bytes;
    this.facts.failure = readStreamError(event.data);
    return null;
  }

  #named(name: string, data: string, bytes: Buffer): Buffer | null {
    switch (name) {
      case 'message_start':
      case 'content_block_start':
      case 'content_block_delta':
      case 'content_block_stop':
      case 'message_delta':
      case 'message_stop':
        return this.#known({ event: name, data }, bytes);
      case 'error':
        this.facts.started = true;
        this.facts.failure = readStreamError(data);
        return null;
      default:
        this.facts.started = true;
        return bytes;
    }
  }

  #known(event: SseEvent, bytes: Buffer): Buffer | null {
    const { facts } = this;
    const data = parseObject(event.data);
    // As `deltaEnd`, which looks at the end alone: how the bytes are cut decides nothing.
    if (data === null) return event.event === deltaType && event.data.endsWith('}') ? bytes : this.#leaveOut();
    facts.started = true;
    facts.copilotUsage = readCopilotUsage(data.copilot_usage) ?? facts.copilotUsage;
    switch (event.event) {
      case 'message_start':
        return this.#start(data, event.data, bytes);
      case 'content_block_start':
        facts.contentBegan = true;
        if (isObject(data.content_block)) noteBlock(facts, data.content_block.type, data.content_block.name);
        break;
      case 'content_block_delta':
        if (isObject(data.delta)) facts.said += textIn(data.delta).length;
        break;
      case 'message_delta':
        if (isObject(data.delta) && typeof data.delta.stop_reason === 'string')
          facts.stopReason = data.delta.stop_reason;
        readUsage(data.usage, facts.usage);
        break;
      case 'message_stop':
        facts.ended = true;
        break;
    }
    return bytes;
  }

  #start(data: JsonObject, text: string, bytes: Buffer): Buffer {
    if (!isObject(data.message)) return bytes;
    const { facts } = this;
    readUsage(data.message.usage, facts.usage);
    facts.copilotUsage = readCopilotUsage(data.message.copilot_usage) ?? facts.copilotUsage;
    if (typeof data.message.model !== 'string') return bytes;
    facts.upstreamModel = data.message.model;
    if (data.message.model === this.#model) return bytes;
    const name = JSON.stringify(this.#model);
    const renamed = renameOnly(text, data.message.model, name) ?? renameAmong(text, name);
    if (renamed === null) return bytes;
    return Buffer.from(sseEvent('message_start', renamed));
  }

  #leaveOut(): null {
    this.facts.unreadable++;
    return null;
  }
}

function textIn({ text, thinking, partial_json: json }: JsonObject): string {
  const said = text ?? thinking ?? json;
  return typeof said === 'string' ? said : '';
}

/** Bytes of a text delta beside its text, as Copilot writes it. */
const deltaFrame = 115;
/** Signatures are long, and nothing that is said. */
const longDelta = 600;

function saidIn(text: string, from: number, end: number): number {
  const length = end - from;
  if (length > longDelta && text.slice(from, end).includes('signature_delta')) return 0;
  return Math.max(0, length - deltaFrame);
}

/** Events that say something about the exchange. */
const known: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);

const deltaType = 'content_block_delta';
const deltaLine = `event: ${deltaType}\n`;

/**
 * Where a delta ends that begins here; -1 where none does. Nearly every event is one: its line, one line of data that
 * ends like an object, and one blank line. What is written otherwise is looked at more closely.
 */
function deltaEnd(text: string, from: number): number {
  if (!text.startsWith(deltaLine, from)) return -1;
  const line = text.indexOf('\n', from + deltaLine.length);
  if (line === -1 || text.charCodeAt(line + 1) !== 0x0a || text.charCodeAt(line - 1) !== 0x7d) return -1;
  const type = text.indexOf(deltaType, from + deltaLine.length);
  if (type === -1 || type > line) return -1;
  return text.charCodeAt(line + 2) === 0x0a ? -1 : line + 2;
}

/** Blank lines and a byte order mark in front would part the line from its data. */
function withEventLine(name: string, bytes: Buffer): Buffer {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return Buffer.concat([Buffer.from(`event: ${name}\n`), bytes.subarray(at)]);
}

/**
 * The text with another name for the model, if its key is in one place alone: a search for a few letters instead of a
 * way through all of them. Without a backslash no text holds a quote, and no key is spelled otherwise.
 */
function renameOnly(text: string, model: string, name: string): string | null {
  const at = text.indexOf('"model"');
  const written = `"model":${JSON.stringify(model)}`;
  if (!text.startsWith(written, at) || text.indexOf('"model"', at + 1) !== -1 || text.includes('\\')) return null;
  return `${text.slice(0, at)}"model":${name}${text.slice(at + written.length)}`;
}

/** The same where other values may have that key, too. */
function renameAmong(text: string, name: string): string | null {
  const json = Buffer.from(text);
  const span = jsonValueSpan(json, ['message', 'model']);
  if (span === null) return null;
  return json.toString('utf8', 0, span.start) + name + json.toString('utf8', span.end);
}

/** message_start says it first, message_delta last; what one leaves out stays as it was. */
function readUsage(value: unknown, usage: AnswerUsage): void {
  if (!isObject(value)) return;
  if (isFiniteNumber(value.input_tokens)) usage.input = value.input_tokens;
  if (isFiniteNumber(value.output_tokens)) usage.output = value.output_tokens;
  if (isFiniteNumber(value.cache_read_input_tokens)) usage.cacheRead = value.cache_read_input_tokens;
  if (isFiniteNumber(value.cache_creation_input_tokens)) usage.cacheWrite = value.cache_creation_input_tokens;
}
