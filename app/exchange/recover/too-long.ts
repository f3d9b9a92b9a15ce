import type { ErrorKind } from '../../api/exchange.ts';
import type { ClientError } from './client-error.ts';

/** Alone, word for word: makes Claude Code compact by itself. Null where the sentence is about something else. */
export function tooLongSentence(message: string): string | null {
  const numbers = tooLongNumbers(message);
  return numbers === null ? null : `prompt is too long: ${numbers.tokens} tokens > ${numbers.maximum} maximum`;
}

/** OpenAI's own words have no numbers; this, alone, makes Claude Code compact as well. */
export const tooLongWithoutNumbers = 'capability_rejected: prompt_too_long';

export function isTooLong({ code, message }: { code: string | null; message: string }): boolean {
  return code === 'context_length_exceeded' || /exceeds the context window/i.test(message);
}

/** Both numbers, where the refusal names them. */
export function tooLong(kind: ErrorKind, message: string): Pick<ClientError, 'tooLong'> {
  const numbers = kind === 'too-long' ? tooLongNumbers(message) : null;
  return numbers === null ? {} : { tooLong: { tokens: Number(numbers.tokens), most: Number(numbers.maximum) } };
}

/** Two numbers in any of the known wordings; null where the sentence is about something else. */
function tooLongNumbers(message: string): { tokens: string; maximum: string } | null {
  const match =
    /prompt token count of (\d+) exceeds the limit of (\d+)/.exec(message) ??
    /prompt is too long: (\d+) tokens > (\d+)/.exec(message);
  const [, tokens, maximum] = match ?? [];
  return tokens !== undefined && maximum !== undefined ? { tokens, maximum } : null;
}
