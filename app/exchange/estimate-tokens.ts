import type { MessagesRequest } from '../formats/messages.ts';

/** Tokens of a request, counted on this machine. Only for when Copilot does not count. */
export async function estimateTokens(request: MessagesRequest): Promise<number> {
  return request.messages.length;
}
