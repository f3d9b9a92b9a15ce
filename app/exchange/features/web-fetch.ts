import type { FitNote } from '../../api/exchange.ts';
import { isObject } from '../../formats/wire/json.ts';
import { msg } from '../../language/messages.ts';
import type { Joining, Part } from '../feature.ts';
import type { PromptReading } from '../initiator/reading.ts';

/** What the result of a call of WebFetch says of its question to Anthropic, which passes the proxy by. */
export type WebFetchTrouble = 'webfetch-unverified' | 'webfetch-rate-limited';

/** Errors of Claude Code 2.1.328. The domain between the two is left out. */
const troubles: readonly { begins: string; goesOn: string; code: WebFetchTrouble; text: string }[] = [
  {
    begins: 'Unable to verify if domain ',
    goesOn: ' is safe to fetch',
    code: 'webfetch-unverified',
    text: msg('WebFetch couldn’t ask Anthropic whether a domain is safe; Health says what to do'),
  },
  {
    begins: 'The safety check for domain ',
    goesOn: ' is rate-limited',
    code: 'webfetch-rate-limited',
    text: msg('WebFetch asked Anthropic about too many domains; Health says what to do'),
  },
];

export function isWebFetchTrouble(code: string): code is WebFetchTrouble {
  return troubles.some((each) => each.code === code);
}

/** Says in the row of the request that brings the result what stopped WebFetch. */
export function notesWebFetch({ request, reading }: Joining): Part | null {
  const note = webFetchNote(request, reading);
  return note && { note };
}

/** For the row of the request that brings the result. Null if there is none, or it is another one. */
export function webFetchNote(
  body: unknown,
  { isClaudeCode, newContent }: Pick<PromptReading, 'isClaudeCode' | 'newContent'>,
): FitNote | null {
  if (!isClaudeCode || !newContent.tools.includes('WebFetch') || !isObject(body) || !Array.isArray(body.messages))
    return null;
  for (const message of body.messages.slice(newContent.boundary + 1)) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (const block of message.content) {
      if (!isObject(block) || block.type !== 'tool_result' || block.is_error !== true) continue;
      const found = troubles.find((trouble) => isOf(textOf(block.content), trouble));
      if (found !== undefined) return { code: found.code, count: 1, text: found.text };
    }
  }
  return null;
}

function isOf(text: string, { begins, goesOn }: (typeof troubles)[number]): boolean {
  return text.startsWith(begins) && text.includes(goesOn, begins.length);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const [part]: unknown[] = Array.isArray(content) ? content : [];
  return isObject(part) && typeof part.text === 'string' ? part.text : '';
}
