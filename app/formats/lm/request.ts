import type { JsonObject } from '../wire/json.ts';

/**
 * A request of VS Code's language-model API (`vscode.lm`, 1.106), as plain data. It knows two roles and no system;
 * `lm/objects.ts` makes the API's own objects of it.
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
  /** Of the call. */
  id: string;
  content: (LmTextPart | LmImagePart)[];
}

export interface LmTool {
  name: string;
  description: string;
  inputSchema?: JsonObject;
}
