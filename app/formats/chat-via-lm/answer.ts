import type { LmAnswerPart, LmTool } from '../lm/language-model.ts';
import { StopCutter } from '../translation/stop-cutter.ts';
import { isFiniteNumber, type JsonObject } from '../wire/json.ts';

export interface ChatFromLmOptions {
  id: string;
  /** Seconds since the epoch. */
  created: number;
  /** The model that answers. */
  model: string;
  /** Cut here, because VS Code takes none. */
  stops: readonly string[];
  maxTokens: number | null;
  tools: readonly LmTool[];
}

/**
 * The way back of `chatToLm`: parts of an answer in, a chat stream out, as Copilot would send it. What maps to what
 * stands in request.ts. An answer that failed has no end: nothing is written for it.
 */
export class ChatFromLm {
  readonly #options: ChatFromLmOptions;
  readonly #stops: StopCutter | null;
  readonly #calls: { name: string; input: JsonObject }[] = [];
  #usage: JsonObject | null = null;
  #said = '';
  #stopped = false;
  #begun = false;
  #written = '';

  constructor(options: ChatFromLmOptions) {
    this.#options = options;
    this.#stops = options.stops.length > 0 ? new StopCutter(options.stops) : null;
  }

  /** A stop sequence was met: the rest of the answer is not wanted. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  /** What has to be counted before the end, because VS Code doesn't say how the answer ended. Null if nothing. */
  get uncounted(): string | null {
    return this.#usage === null && this.#options.maxTokens !== null && !this.#stopped ? this.#said : null;
  }

  /** Null if nothing to write (yet). */
  part(part: LmAnswerPart): Buffer | null {
    if (this.#stopped) return null;
    switch (part.kind) {
      case 'text':
        this.#text(part.text);
        break;
      case 'thinking':
        this.#settle();
        this.#delta({ reasoning_text: part.text });
        break;
      case 'call':
        this.#settle();
        this.#call(part);
        break;
      case 'usage':
        this.#usage = part.usage;
        break;
    }
    return this.#take();
  }

  /** @param counted tokens of `uncounted` */
  end(counted: number | null): Buffer {
    if (!this.#stopped) this.#settle();
    const { tools, maxTokens } = this.#options;
    const [calls, usage] = [this.#calls, this.#usage];
    const reason = this.#stopped ? 'stop' : lmFinishReason({ calls, tools, usage, maxTokens, counted });
    if (!this.#begun) this.#delta({ content: '' });
    this.#chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    if (usage !== null) this.#usageChunk(usage);
    this.#written += 'data: [DONE]\n\n';
    return this.#take() ?? Buffer.alloc(0);
  }

  #text(added: string): void {
    this.#said += added;
    const { text, hit } = this.#stops?.push(added) ?? { text: added, hit: null };
    if (text !== '') this.#delta({ content: text });
    this.#stopped = hit !== null;
  }

  /** Sends what was held back before something of another kind. */
  #settle(): void {
    const held = this.#stops?.flush() ?? '';
    if (held !== '') this.#delta({ content: held });
  }

  #call({ id, name, input }: Extract<LmAnswerPart, { kind: 'call' }>): void {
    const json = JSON.stringify(input);
    this.#said += name + json;
    const index = this.#calls.push({ name, input }) - 1;
    this.#delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json } }] });
  }

  #usageChunk({ copilot_usage: bill, ...usage }: JsonObject): void {
    this.#chunk({ choices: [], usage, ...(bill === undefined ? {} : { copilot_usage: bill }) });
  }

  #delta(delta: JsonObject): void {
    const first = this.#begun ? {} : { role: 'assistant' };
    this.#begun = true;
    this.#chunk({ choices: [{ index: 0, delta: { ...first, ...delta }, finish_reason: null }] });
  }

  #chunk(rest: JsonObject): void {
    const { id, created, model } = this.#options;
    this.#written += `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`;
  }

  #take(): Buffer | null {
    if (this.#written === '') return null;
    const bytes = Buffer.from(this.#written);
    this.#written = '';
    return bytes;
  }
}

interface LmEnding {
  /** Calls of the answer, with what they were called with. */
  calls: readonly { name: string; input: JsonObject }[];
  tools: readonly LmTool[];
  /** The part `usage`, which a finished answer of Copilot's has. */
  usage: JsonObject | null;
  maxTokens: number | null;
  /** Tokens of the answer as VS Code counts them; null: not counted. */
  counted: number | null;
}

/** VS Code counts with OpenAI's tokenizer, and a Claude has up to a third more. */
const nearlyAll = 0.75;

/**
 * How an answer ended. The API has no stop reason: an answer that was cut at `max_tokens` ends like a finished one,
 * without its `usage`, and a call that was cut has lost its arguments. Where it is not sure, it counts as finished.
 */
function lmFinishReason(ending: LmEnding): 'stop' | 'tool_calls' | 'length' {
  if (isCut(ending)) return 'length';
  return ending.calls.length > 0 ? 'tool_calls' : 'stop';
}

function isCut({ calls, tools, usage, maxTokens, counted }: LmEnding): boolean {
  const completion = usage?.completion_tokens;
  if (isFiniteNumber(completion)) return maxTokens !== null && completion >= maxTokens;
  if (maxTokens !== null && counted !== null && counted >= maxTokens * nearlyAll) return true;
  const last = calls.at(-1);
  return last !== undefined && Object.keys(last.input).length === 0 && needsInput(tools, last.name);
}

function needsInput(tools: readonly LmTool[], name: string): boolean {
  const required = tools.find((tool) => tool.name === name)?.inputSchema?.required;
  return Array.isArray(required) && required.length > 0;
}
