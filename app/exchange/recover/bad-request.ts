import type { ErrorKind } from '../../api/exchange.ts';
import { type CopilotFailure, whoSaidWhat } from '../../copilot/failures.ts';
import type { RecoverContext } from './recover-context.ts';
import { final, quoting, say, type Told } from './told.ts';
import { isTooLong, tooLongSentence, tooLongWithoutNumbers } from './too-long.ts';

/** Copilot’s 400, by what it says. */
export function tellBadRequest(failure: CopilotFailure, context: RecoverContext): Told {
  const bad = (kind: ErrorKind, message: string, more: Partial<Told> = {}): Told =>
    say(kind, 400, 'invalid_request_error', message, more);
  const sentence = tooLongSentence(failure.message);
  if (sentence !== null) return bad('too-long', sentence);
  if (/Editor-Version/i.test(failure.message))
    return say(
      'identity',
      502,
      'api_error',
      'Jumpseat: Copilot refuses the client identity that was sent. Update Jumpseat.',
      final,
    );
  if (failure.code === 'model_not_supported' || /requested model is not supported/i.test(failure.message))
    return say('model', 404, 'not_found_error', modelRefused(context), quoting);
  if (isTooLong(failure)) return bad('too-long', tooLongWithoutNumbers);
  if (refusedReasoning.test(failure.message)) return bad('lost-reasoning', lostReasoning);
  const alone = forClaudeCode(failure.message);
  return bad('refused', alone ?? whoSaidWhat(failure), quoting);
}

/** Again word for word and alone: Claude Code takes its thinking blocks out of the session and goes on. */
const lostReasoning = 'capability_rejected: thinking_signature';

/**
 * Sentences of Anthropic's by which Claude Code mends its request itself (measured with 2.1.328): it lowers max_tokens,
 * drops a field, system messages or thinking. They go on as they are, and alone.
 */
const understood = [
  /^input length and `max_tokens` exceed context limit: \d+ \+ \d+ > \d+(?:, decrease input length or `max_tokens` and try again)?/,
  /^[\w.]+: Extra inputs are not permitted\.?$/,
  /^messages: Unexpected role "system"\./,
  /^messages\.\d+\.role: Input should be/,
  /^messages\.[\w.]+: Invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`?/,
  /^output_config\.effort "\w+" is not supported by model/,
];

function forClaudeCode(message: string): string | null {
  return understood.some((words) => words.test(message)) ? message : null;
}

/**
 * `/responses` on reasoning that it can't read any more: it is bound to the account and the model, and to items that a
 * client may have lost.
 */
const refusedReasoning =
  /encrypted content.*could not be (?:verified|decrypted)|of type 'reasoning' was provided without its required/i;

function modelRefused(context: RecoverContext): string {
  const asked = context.askedModel ?? 'the model';
  const ran =
    context.servedModel !== null && context.servedModel !== asked ? ` (sent as "${context.servedModel}")` : '';
  const said = `Jumpseat: Copilot doesn’t serve "${asked}"${ran} to this account.`;
  const { absence, offered } = context;
  if (context.isAuto === true)
    return (
      `Jumpseat: Copilot no longer serves ${context.servedModel ?? 'the model'}, which GitHub chose for this conversation ` +
      '(Auto). Send the request again: GitHub chooses anew.'
    );
  if (absence?.kind === 'auto-only') return `${said} ${absence.text} ${absence.mend ?? ''}`.trimEnd();
  const why = absence === null || absence.kind === 'policy' ? '' : ` ${absence.text}`;
  return `${said}${why} Turn it on at github.com/settings/copilot, or use one of: ${offered.join(', ')}.`;
}
