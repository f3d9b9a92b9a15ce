import type { AnswerTarget } from '../app/exchange/client-stream.ts';
import type { AnswerReader } from '../app/formats/answer/answer.ts';
import type { ChatFromLm } from '../app/formats/chat-via-lm/answer.ts';
import { type LmTextClass, readLmPart } from '../app/formats/lm/language-model.ts';

export interface AnswerFrom {
  parts: AsyncIterable<unknown>;
  classes: LmTextClass;
  writer: ChatFromLm;
  /** Writes the client's events. */
  reader: AnswerReader;
  target: AnswerTarget;
  /** Tokens of what was said, where VS Code doesn't say how the answer ended; null if they can't be counted. */
  count(text: string): Promise<number | null>;
}

/**
 * Leads the parts of an answer to the client, one by one; the next is taken when the one before was. Leaves the rest of
 * an answer that is over before its end (a stop sequence): the caller has to end its request then. Rejects with what
 * VS Code throws.
 */
export async function answerFrom({ parts, classes, writer, reader, target, count }: AnswerFrom): Promise<void> {
  const { facts } = reader;
  for await (const part of parts) {
    const read = readLmPart(part, classes);
    const bytes = read === null ? null : writer.part(read);
    if (bytes !== null) await pass(reader.push(bytes), target);
    if (writer.isStopped || facts.ended || facts.failure !== null) break;
  }
  if (facts.ended || facts.failure !== null) return;
  const { uncounted } = writer;
  await pass(reader.push(writer.end(uncounted === null ? null : await count(uncounted))), target);
  await pass(reader.end(), target);
}

async function pass(bytes: Buffer | null, target: AnswerTarget): Promise<void> {
  if (bytes === null || target.write(bytes)) return;
  await new Promise<void>((resolve) => target.drained(resolve));
}
