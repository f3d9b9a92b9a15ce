import type { AnswerReader } from './answer.ts';
import { noFacts } from './answer.ts';

export interface RelayOptions {
  /** The name the client asked for; it takes the place of the upstream's in message_start. */
  model: string;
}

export class MessagesRelay implements AnswerReader {
  readonly facts = noFacts();
  constructor(_options: RelayOptions) {}
  push(_chunk: Buffer): Buffer | null {
    return null;
  }
  end(): Buffer | null {
    return null;
  }
}
