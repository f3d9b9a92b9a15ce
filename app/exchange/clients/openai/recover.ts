import { type OpenAiError, openaiError } from '../../../formats/openai/error.ts';
import { openaiWords } from '../../../formats/via-messages/openai-words.ts';
import type { ClientError } from '../../recover/client-error.ts';
import type { ErrorWords, ToldError } from '../../recover/error-words.ts';

export const openaiErrorWords: ErrorWords<OpenAiError> = { requestIdHeader: 'x-request-id', tell: tellOpenai };

/**
 * What `recover.ts` says, for OpenAI's clients: their types and codes, and the statuses that their official SDK knows.
 * Not being signed in is not a wrong key: it is 503 `copilot_unavailable`.
 */
export function tellOpenai(error: ClientError): ToldError<OpenAiError> {
  const { failure, message, param = null } = error;
  const quoting = (status: number, said: string, code: string, named: string | null): ToldError<OpenAiError> => ({
    status,
    body: openaiError('invalid_request_error', said, code, named),
    kept: null,
  });
  const theirs = error.theirs === null ? '' : ` ${sentence(error.theirs)}`;
  switch (error.kind) {
    case 'signed-out':
    case 'authorize':
    case 'tokens-refused':
      return {
        status: 503,
        body: openaiError('server_error', message, 'copilot_unavailable', param),
        kept: failure.told,
      };
    case 'too-long': {
      const said = `Jumpseat: the conversation is too long for this model.${theirs}`;
      return quoting(400, said, 'context_length_exceeded', 'messages');
    }
    case 'lost-reasoning': {
      const said = `Jumpseat: Copilot can’t read the reasoning in this conversation any more. Leave it out.${theirs}`;
      return quoting(400, said, 'invalid_encrypted_content', param);
    }
    case 'too-slow':
    case 'too-large': {
      const said = `Jumpseat: the request is too large for Copilot. Leave out images or older messages.${theirs}`;
      return quoting(413, said, 'request_too_large', param);
    }
    default: {
      const words = openaiWords(error.type);
      const body = openaiError(words.type, message, codeOf(error) ?? words.code, param);
      // 529 is Anthropic's.
      return { status: error.status === 529 ? 503 : error.status, body, kept: failure.told };
    }
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Our own codes are spelt as OpenAI spells its own; Copilot's stay. */
function codeOf({ kind, failure }: ClientError): string | null {
  const { code, source } = failure;
  if (kind === 'model') return 'model_not_found';
  if (kind === 'no-answer') return 'no_answer';
  if (source === 'jumpseat') return code.replaceAll('-', '_');
  if (code === 'cut') return code;
  return (source === 'copilot' || source === 'vscode') && !code.startsWith('http-') ? code : null;
}
