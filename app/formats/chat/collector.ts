import { grown } from '../answer/answer.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';
import { SseFeed } from '../wire/sse.ts';

/**
 * Turns the chunks of a client's chat stream into the one completion of `stream: false`. Arguments of calls stay the
 * text that they were.
 */
export class ChatCollector {
  readonly #feed = new SseFeed((_event, data) => this.#data(data));
  readonly #choices = new Map<number, Choice>();
  #head: JsonObject = {};
  #done = false;

  push(bytes: Buffer): void {
    this.#feed.push(bytes);
  }

  /** Null until the stream came to its end. */
  answer(): JsonObject | null {
    if (!this.#done) return null;
    const choices = [...this.#choices.entries()].sort(([one], [other]) => one - other);
    return { ...this.#head, object: 'chat.completion', choices: choices.map(([index, choice]) => choice.whole(index)) };
  }

  #data(data: string): boolean {
    if (data.startsWith('[DONE]')) {
      this.#done = true;
      return false;
    }
    const { choices, ...head } = parseObject(data) ?? {};
    // The last word counts, and null is none.
    for (const [key, value] of Object.entries(head))
      if (value !== null || !(key in this.#head)) this.#head[key] = value;
    for (const choice of Array.isArray(choices) ? choices : []) if (isObject(choice)) this.#choice(choice);
    return true;
  }

  #choice(choice: JsonObject): void {
    const index = typeof choice.index === 'number' ? choice.index : 0;
    const known = this.#choices.get(index) ?? new Choice();
    this.#choices.set(index, known);
    known.add(choice);
  }
}

class Choice {
  readonly #message: JsonObject = { role: 'assistant', content: null, refusal: null };
  /** Calls by the index on the wire. */
  readonly #calls = new Map<number, JsonObject>();
  #rest: JsonObject = { finish_reason: null, logprobs: null };

  add({ index: _index, delta, logprobs, ...rest }: JsonObject): void {
    for (const [key, value] of Object.entries(rest)) if (value !== null) this.#rest[key] = value;
    if (isObject(logprobs)) this.#rest.logprobs = joined(this.#rest.logprobs, logprobs);
    if (!isObject(delta)) return;
    const { role: _role, tool_calls: calls, ...said } = delta;
    for (const [key, value] of Object.entries(said))
      if (value !== null) this.#message[key] = grown(this.#message[key], value);
    for (const call of Array.isArray(calls) ? calls : []) if (isObject(call)) this.#call(call);
  }

  whole(index: number): JsonObject {
    const calls = [...this.#calls.entries()].sort(([one], [other]) => one - other).map(([, call]) => call);
    return {
      index,
      message: { ...this.#message, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
      ...this.#rest,
    };
  }

  #call({ index, function: added, ...rest }: JsonObject): void {
    const at = typeof index === 'number' ? index : 0;
    const call = this.#calls.get(at) ?? { id: '', type: 'function', function: { name: '', arguments: '' } };
    this.#calls.set(at, call);
    for (const [key, value] of Object.entries(rest)) if (value !== null && value !== '') call[key] = value;
    if (isObject(added)) call.function = joined(call.function, added);
  }
}

function joined(before: unknown, added: JsonObject): JsonObject {
  const whole = isObject(before) ? before : {};
  for (const [key, value] of Object.entries(added)) if (value !== null) whole[key] = grown(whole[key], value);
  return whole;
}
