import { type OpenAiError, openaiError, openaiWords } from '../formats/openai/error.ts';
import type { ClientError } from './recover.ts';

/** A failure as OpenAI's clients are told: status and envelope. */
export interface OpenaiTold {
  status: number;
  body: OpenAiError;
}

/** Sentences that only make Claude Code do something, and what they mean. */
const tooLong = /^(prompt is too long: |capability_rejected: prompt_too_long$)/;
const lostReasoning = 'capability_rejected: thinking_signature';

/**
 * What `recover.ts` says, for OpenAI's clients: their types and codes, and the statuses that their official SDK knows. Not being signed in is not a wrong
 * key: it is 503 `copilot_unavailable`.
 */
export function tellOpenai(error: ClientError): OpenaiTold {
  const { failure, message, param = null } = error;
  if (error.type === 'authentication_error')
    return { status: 503, body: openaiError('server_error', message, 'copilot_unavailable', param) };
  if (tooLong.test(message)) {
    const said = `Jumpseat: the conversation is too long for this model (${failure.message}).`;
    return { status: 400, body: openaiError('invalid_request_error', said, 'context_length_exceeded', 'messages') };
  }
  if (message === lostReasoning) {
    const said = `Jumpseat: Copilot can’t read the reasoning in this conversation any more (${failure.message}). Leave it out.`;
    return { status: 400, body: openaiError('invalid_request_error', said, 'invalid_encrypted_content', param) };
  }
  if (failure.source === 'copilot' && (error.status === 408 || error.status === 413)) {
    const what =
      error.status === 413 ? 'says that the request is too big' : 'waited for the request in vain; it may be too big';
    const said = `Jumpseat: Copilot ${what} (${failure.message}). Leave out images or older messages.`;
    return { status: 413, body: openaiError('invalid_request_error', said, 'request_too_large', param) };
  }
  const words = openaiWords(error.type);
  const code = codeOf(error) ?? words.code;
  // 529 is Anthropic's.
  return { status: error.status === 529 ? 503 : error.status, body: openaiError(words.type, message, code, param) };
}

/** Our own codes are spelt as OpenAI spells its own; Copilot's stay. */
function codeOf({ failure }: ClientError): string | null {
  const { code, source } = failure;
  if (code === 'model-missing' || code === 'model-disabled' || code === 'model_not_supported') return 'model_not_found';
  if (source === 'jumpseat') return code?.replaceAll('-', '_') ?? null;
  if (code === 'cut') return code;
  return source === 'copilot' && code !== null && !code.startsWith('http-') ? code : null;
}
