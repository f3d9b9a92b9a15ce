import { imageTokens } from '../app/exchange/tokens/media.ts';
import type { LmMessage, LmRequest } from '../app/formats/lm/language-model.ts';
import type { LmModel } from './models.ts';

/** What stands around each message, as Copilot's extension reckons. */
const perMessage = 5;
/** The extension puts a text of its own before every request. */
const ofCopilot = 210;
/** The count is an estimate for a Claude. */
const margin = 0.97;
/** Bytes of an image in which its size is looked for. */
const looked = 384 * 1024;

interface Measured {
  text: string;
  /** Tokens of images and of what surrounds messages. */
  tokens: number;
}

/** Whether a request is longer than the model takes; then with what it comes to. */
export async function promptTooLong(
  request: LmRequest,
  model: LmModel,
  signal: AbortSignal,
): Promise<{ tokens: number; most: number } | null> {
  const most = Math.floor(model.maxInputTokens * margin);
  const measured = measure(request);
  // No token is shorter than a byte: nearly every request is settled by that.
  if (Buffer.byteLength(measured.text) + measured.tokens + ofCopilot <= most) return null;
  const tokens = await promptTokens(measured, model, signal);
  return tokens > most ? { tokens, most } : null;
}

export async function promptTokens(measured: Measured, model: LmModel, signal: AbortSignal): Promise<number> {
  return (await model.count(measured.text, signal)) + measured.tokens + ofCopilot;
}

/** Everything of a request that becomes tokens. */
export function measure({ messages, tools }: LmRequest): Measured {
  const texts: string[] = tools.map((tool) => JSON.stringify(tool));
  let tokens = 0;
  const add = (part: LmMessage['parts'][number]): void => {
    switch (part.kind) {
      case 'text':
        texts.push(part.text);
        break;
      case 'image':
        tokens += imageTokens(Buffer.from(part.data.subarray(0, looked)).toString('base64'));
        break;
      case 'call':
        texts.push(part.name, JSON.stringify(part.input));
        break;
      case 'result':
        for (const inner of part.content) add(inner);
        break;
    }
  };
  for (const { parts } of messages) {
    tokens += perMessage;
    for (const part of parts) add(part);
  }
  return { text: texts.join('\n'), tokens };
}
