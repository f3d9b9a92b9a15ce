import { type AnswerReader, noFacts } from './answer.ts';
import type { ToolNames } from './tool-names.ts';

export interface FromChatOptions {
  /** The name the client asked for. */
  model: string;
  messageId: string;
  toolNames: ToolNames;
  /** Cut here, because the upstream was not told. */
  stopSequences?: string[];
}

export class MessagesFromChat implements AnswerReader {
  readonly facts = noFacts();
  constructor(_options: FromChatOptions) {}
  push(_chunk: Buffer): Buffer | null {
    return null;
  }
  end(): Buffer | null {
    return null;
  }
}
