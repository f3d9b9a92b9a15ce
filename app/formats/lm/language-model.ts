import { isObject, type JsonObject, parseObject } from '../wire/json.ts';

/**
 * A request of VS Code's language-model API (`vscode.lm`, 1.106), as plain data. It knows two roles and no system;
 * `lmMessages` makes the API's own objects of it.
 */
export interface LmRequest {
  messages: LmMessage[];
  tools: LmTool[];
  /** The one tool of the list has to be called. */
  required: boolean;
  /** `modelOptions`: `max_tokens`, which holds with every model, and what holds with some. */
  options: JsonObject;
}

export type LmMessage =
  | { role: 'user'; parts: (LmTextPart | LmImagePart | LmResultPart)[] }
  | { role: 'assistant'; parts: (LmTextPart | LmCallPart)[] };

export interface LmTextPart {
  kind: 'text';
  text: string;
}

export interface LmImagePart {
  kind: 'image';
  /** MIME type. */
  type: string;
  data: Uint8Array;
}

export interface LmCallPart {
  kind: 'call';
  id: string;
  name: string;
  input: JsonObject;
}

export interface LmResultPart {
  kind: 'result';
  /** Id of the call. */
  id: string;
  content: (LmTextPart | LmImagePart)[];
}

export interface LmTool {
  name: string;
  description: string;
  inputSchema?: JsonObject;
}

/**
 * The classes of VS Code's language-model API that a request is made of, by what each makes. The module `vscode` has
 * all of them, which the types of its version 1.106 are checked against (`vscode/language-model-api.ts`).
 */
export interface LmClasses<Message, Text, Image, Call, Result> {
  readonly LanguageModelTextPart: new (value: string) => Text;
  readonly LanguageModelToolCallPart: new (callId: string, name: string, input: object) => Call;
  readonly LanguageModelToolResultPart: new (callId: string, content: (Text | Image)[]) => Result;
  readonly LanguageModelDataPart: { image(data: Uint8Array, mime: string): Image };
  readonly LanguageModelChatMessage: {
    User(content: (Text | Image | Result)[]): Message;
    Assistant(content: (Text | Call)[]): Message;
  };
}

/** The class that distinguishes texts from other parts. */
export interface LmTextClass {
  readonly LanguageModelTextPart: new (value: string) => object;
}

/** The messages of a request as objects of the API. */
export function lmMessages<Message, Text, Image, Call, Result>(
  classes: LmClasses<Message, Text, Image, Call, Result>,
  { messages }: LmRequest,
): Message[] {
  const {
    LanguageModelTextPart: TextPart,
    LanguageModelToolCallPart: CallPart,
    LanguageModelToolResultPart: ResultPart,
    LanguageModelDataPart: data,
    LanguageModelChatMessage: message,
  } = classes;
  const content = (part: LmTextPart | LmImagePart): Text | Image =>
    part.kind === 'text' ? new TextPart(part.text) : data.image(part.data, part.type);
  const userPart = (part: LmTextPart | LmImagePart | LmResultPart): Text | Image | Result =>
    part.kind === 'result' ? new ResultPart(part.id, part.content.map(content)) : content(part);
  return messages.map(
    (each: LmMessage): Message =>
      each.role === 'user'
        ? message.User(each.parts.map(userPart))
        : message.Assistant(
            each.parts.map((part) =>
              part.kind === 'call' ? new CallPart(part.id, part.name, part.input) : new TextPart(part.text),
            ),
          ),
  );
}

/** One part of an answer of VS Code's language-model API. */
export type LmAnswerPart =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'call'; id: string; name: string; input: JsonObject }
  /** What Copilot counted, in the words of Chat Completions, with `copilot_usage`. */
  | { kind: 'usage'; usage: JsonObject };

/**
 * Reads a part by its shape, but for texts: parts of thinking, whose class is no stable API, hold a `value` as well.
 * Null if nothing for a client (`stateful_marker` and other data), or a part that is not known here. Never throws.
 */
export function readLmPart(part: unknown, { LanguageModelTextPart }: LmTextClass): LmAnswerPart | null {
  if (!isObject(part)) return null;
  const { callId, name, input, mimeType, data, value } = part;
  if (typeof callId === 'string' && typeof name === 'string')
    return { kind: 'call', id: callId, name, input: isObject(input) ? input : {} };
  if (typeof mimeType === 'string') return mimeType === 'usage' ? readUsage(data) : null;
  const text = typeof value === 'string' ? value : joined(value);
  if (text === null || text === '') return null;
  return { kind: part instanceof LanguageModelTextPart ? 'text' : 'thinking', text };
}

function joined(value: unknown): string | null {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join('') : null;
}

/** `vscode-lm-usage-with-copilot_usage`: undocumented, so anything else is no usage. */
function readUsage(data: unknown): LmAnswerPart | null {
  if (!(data instanceof Uint8Array)) return null;
  const usage = parseObject(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'));
  return usage === null ? null : { kind: 'usage', usage };
}
