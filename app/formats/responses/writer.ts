import { failureEvents, type OpenAiError } from '../openai/error.ts';
import type { JsonObject } from '../wire/json.ts';
import { sseEvent } from '../wire/sse.ts';

/** What every event about the response as a whole repeats: its id, model and settings. */
export type ResponseHead = JsonObject & { id: string };

export type ItemStatus = 'completed' | 'incomplete';

type Open =
  | { kind: 'text'; id: string; text: string; annotations: JsonObject[] }
  | { kind: 'search'; id: string; text: string }
  | { kind: 'thinking'; id: string; text: string; summary: boolean }
  | { kind: 'call'; id: string; text: string; callId: string; name: string };

interface ResponseEnd {
  status: ItemStatus;
  /** Why it is incomplete, if it is. */
  reason: string | null;
  usage: JsonObject | null;
  /** `copilot_usage` as it came. */
  copilotUsage: unknown;
}

/**
 * Writes the events of one Responses stream:
 *
 *     created in_progress (output_item.added … output_item.done)* (completed | incomplete)
 *
 * Items never overlap, and each has one id and one place in the output; between `added` and `done` stand the part that
 * holds its words (message, summary) or its arguments, in pieces and once more in full. Numbers go up by one. A call
 * out of turn throws.
 *
 * The deltas are put together by hand: they are nearly all there is, and only their text needs escaping.
 */
export class ResponsesWriter {
  readonly #head: ResponseHead;
  readonly #output: JsonObject[] = [];
  #open: Open | null = null;
  #written = '';
  #next = 0;
  /** Text before the number of a delta of the open item. */
  #delta = '';

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  get begun(): boolean {
    return this.#next > 0;
  }
  get open(): Open['kind'] | null {
    return this.#open?.kind ?? null;
  }

  start(): void {
    this.#response('response.created', 'in_progress');
    this.#response('response.in_progress', 'in_progress');
  }

  openText(): void {
    const id = this.#id('msg');
    this.#opened({ kind: 'text', id, text: '', annotations: [] }, { ...messageItem(id, 'in_progress'), content: [] });
    this.#event('response.content_part.added', { ...this.#at(id), content_index: 0, part: textPart('') });
    this.#prefix('response.output_text.delta', { content_index: 0, logprobs: [] });
  }

  openThinking(): void {
    const id = this.#id('rs');
    this.#opened({ kind: 'thinking', id, text: '', summary: false }, { id, type: 'reasoning', summary: [] });
  }

  openCall(callId: string, name: string): void {
    const open: Open = { kind: 'call', id: this.#id('fc'), text: '', callId, name };
    this.#opened(open, callItem(open, '', 'in_progress'));
    this.#prefix('response.function_call_arguments.delta', {});
  }

  /** A search of the web that is under way. */
  openSearch(): void {
    const id = this.#id('ws');
    this.#opened({ kind: 'search', id, text: '' }, { id, type: 'web_search_call', status: 'in_progress' });
    this.#event('response.web_search_call.in_progress', this.#at(id));
    this.#event('response.web_search_call.searching', this.#at(id));
  }

  closeSearch(status: 'completed' | 'failed', action: JsonObject): void {
    const open = this.#open;
    if (open?.kind !== 'search') throw new Error('There is no search to close.');
    this.#open = null;
    this.#event('response.web_search_call.completed', this.#at(open.id));
    this.#done({ id: open.id, type: 'web_search_call', status, action });
  }

  /** What a part of the open text rests on. */
  annotate(annotation: JsonObject): void {
    const open = this.#open;
    if (open?.kind !== 'text') throw new Error('There is no text to annotate.');
    const annotation_index = open.annotations.push(annotation) - 1;
    const at = { ...this.#at(open.id), content_index: 0, annotation_index };
    this.#event('response.output_text.annotation.added', { ...at, annotation });
  }

  /** More of the open item: text, summary, or JSON of arguments. */
  add(text: string): void {
    const open = this.#open;
    if (open === null) throw new Error('A delta without its item.');
    if (open.kind === 'thinking' && !open.summary) {
      open.summary = true;
      this.#event('response.reasoning_summary_part.added', {
        ...this.#at(open.id),
        summary_index: 0,
        part: summaryPart(''),
      });
      this.#prefix('response.reasoning_summary_text.delta', { summary_index: 0 });
    }
    open.text += text;
    this.#written += `${this.#delta}${this.#next++},"delta":${JSON.stringify(text)}}\n\n`;
  }

  /** @param encrypted what carries the reasoning on; null if nothing does. */
  close(status: ItemStatus, encrypted: string | null = null): void {
    const open = this.#open;
    if (open === null) throw new Error('There is no item to close.');
    this.#open = null;
    switch (open.kind) {
      case 'text': {
        const part = textPart(open.text, open.annotations);
        const at = { ...this.#at(open.id), content_index: 0 };
        this.#event('response.output_text.done', { ...at, text: open.text, logprobs: [] });
        this.#event('response.content_part.done', { ...at, part });
        this.#done({ ...messageItem(open.id, status), content: [part] });
        break;
      }
      case 'thinking': {
        const summary = open.summary ? [summaryPart(open.text)] : [];
        if (open.summary) {
          const at = { ...this.#at(open.id), summary_index: 0 };
          this.#event('response.reasoning_summary_text.done', { ...at, text: open.text });
          this.#event('response.reasoning_summary_part.done', { ...at, part: summaryPart(open.text) });
        }
        const carried = encrypted === null ? {} : { encrypted_content: encrypted };
        this.#done({ id: open.id, type: 'reasoning', summary, ...carried });
        break;
      }
      case 'search':
        throw new Error('A search ends with what it looked for.');
      case 'call': {
        const { id, name, text } = open;
        this.#event('response.function_call_arguments.done', { ...this.#at(id), name, arguments: text });
        this.#done(callItem(open, text, status));
        break;
      }
    }
  }

  /** A message of its own that says why there is no answer. */
  refuse(refusal: string): void {
    const id = this.#id('msg');
    const at = { ...this.#at(id), content_index: 0 };
    const part = { type: 'refusal', refusal };
    this.#event('response.output_item.added', {
      output_index: this.#output.length,
      item: { ...messageItem(id, 'in_progress'), content: [] },
    });
    this.#event('response.content_part.added', { ...at, part: { type: 'refusal', refusal: '' } });
    this.#event('response.refusal.delta', { ...at, delta: refusal });
    this.#event('response.refusal.done', { ...at, refusal });
    this.#event('response.content_part.done', { ...at, part });
    this.#done({ ...messageItem(id, 'completed'), content: [part] });
  }

  end({ status, reason, usage, copilotUsage }: ResponseEnd): void {
    if (this.#open !== null) throw new Error('An end while an item is open.');
    this.#response(
      `response.${status}`,
      status,
      { usage, incomplete_details: status === 'incomplete' ? { reason } : null },
      copilotUsage === null || copilotUsage === undefined ? {} : { copilot_usage: copilotUsage },
    );
  }

  /** The last events instead of an end; what was finished before it stays. */
  failure(error: OpenAiError): string {
    return failureEvents({ ...this.#head, output: this.#output }, this.#next, error);
  }

  /** What was written since the last call; null when nothing was. */
  takeBytes(): Buffer | null {
    if (this.#written === '') return null;
    const bytes = Buffer.from(this.#written);
    this.#written = '';
    return bytes;
  }

  #id(kind: string): string {
    return `${kind}_${this.#head.id.replace(/^resp_/, '')}_${this.#output.length}`;
  }

  #at(id: string): { item_id: string; output_index: number } {
    return { item_id: id, output_index: this.#output.length };
  }

  #opened(open: Open, item: JsonObject): void {
    if (this.#open !== null) throw new Error(`A ${open.kind} while a ${this.#open.kind} is open.`);
    this.#open = open;
    this.#event('response.output_item.added', { output_index: this.#output.length, item });
  }

  #done(item: JsonObject): void {
    this.#event('response.output_item.done', { output_index: this.#output.length, item });
    this.#output.push(item);
  }

  #prefix(type: string, fields: JsonObject): void {
    const start = JSON.stringify({ type, ...this.#at(this.#open?.id ?? ''), ...fields }).slice(0, -1);
    this.#delta = `event: ${type}\ndata: ${start},"sequence_number":`;
  }

  #response(type: string, status: string, fields: JsonObject = {}, beside: JsonObject = {}): void {
    const open = { usage: null, incomplete_details: null };
    this.#event(type, { ...beside, response: { ...this.#head, status, ...open, ...fields, output: this.#output } });
  }

  #event(type: string, fields: JsonObject): void {
    this.#written += sseEvent(type, JSON.stringify({ type, sequence_number: this.#next++, ...fields }));
  }
}

function messageItem(id: string, status: string): JsonObject {
  return { id, type: 'message', status, role: 'assistant' };
}

function callItem({ id, callId, name }: Open & { kind: 'call' }, json: string, status: string): JsonObject {
  return { id, type: 'function_call', status, call_id: callId, name, arguments: json };
}

function textPart(text: string, annotations: JsonObject[] = []): JsonObject {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text };
}
