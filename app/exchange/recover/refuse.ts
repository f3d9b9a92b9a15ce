import type { Absence } from '../../api/models.ts';
import type { AnthropicErrorType } from '../../formats/messages/error.ts';
import { failureWords } from '../../words/failures.ts';
import type { Refusal } from '../fits/fit.ts';
import type { ClientError } from './client-error.ts';
import { noAnswer } from './recover-failure.ts';
import { say } from './told.ts';

/** A refusal of ours: Copilot was not asked. The message may quote the request, so it is told and not kept. */
export function refuse(
  status: number,
  type: AnthropicErrorType,
  code: string,
  message: string,
  shouldRetry = true,
): ClientError {
  const { quotes: _quotes, ...told } = say('not-sent', status, type, message, { shouldRetry });
  const facts = { source: 'jumpseat', status, code } as const;
  return { ...told, theirs: null, failure: { ...facts, message: failureWords(facts), told: null } };
}

/** The same, of which every word is ours: it is kept as well. */
export function refuseInOwnWords(...refused: Parameters<typeof refuse>): ClientError {
  const error = refuse(...refused);
  return { ...error, failure: { ...error.failure, told: error.message } };
}

/** The same, for what a fit or a translation refused. */
export function refuseFit({ status, type, code, message, shouldRetry }: Refusal): ClientError {
  return refuse(status, type, code, message, shouldRetry);
}

/** The client repeats by itself what Copilot left unanswered. Copilot was not asked again. */
export function refuseRepeat(): ClientError {
  const { quotes: _quotes, ...told } = say(...noAnswer);
  const facts = { source: 'jumpseat', status: told.status, code: 'no-answer' } as const;
  return { ...told, theirs: null, failure: { ...facts, message: failureWords(facts), told: told.message } };
}

/** The name means no model that this account can use. Copilot was not asked. */
export function refuseModel(absence: Absence, offered: readonly string[]): ClientError {
  const { kind, text, mend } = absence;
  // Where nothing may be chosen the mend says what helps.
  const enabled = kind === 'auto-only' ? null : `Enabled: ${offered.length > 0 ? offered.join(', ') : 'none'}.`;
  const message = ['Jumpseat:', text, mend, enabled].filter((part) => part !== null).join(' ');
  const code = kind === 'not-in-catalog' ? 'model-missing' : kind === 'policy' ? 'model-disabled' : `model-${kind}`;
  return { ...refuse(404, 'not_found_error', code, message), kind: 'model' };
}
