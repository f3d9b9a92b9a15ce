import type { TurnFacts } from '../api/sessions.ts';
import { capital } from './capital.ts';
import { networkReason } from './failures.ts';
import { counted, exact, grouped } from './numbers.ts';

/** Why a turn failed: what happened, and what more is known of it. */
export interface TurnFailureWords {
  what: string;
  why: string;
}

/**
 * What is said of a failure that has words of its own; null: its problem's text says all.
 * @param title the agent's: `Claude Code`
 */
export function turnFailureWords(code: string, facts: TurnFacts, title: string): TurnFailureWords | null {
  switch (code) {
    case 'no-connection':
      return { what: 'The connection to Copilot was lost.', why: connectionWords(facts, title) };
    case 'cut':
      return { what: cutWords(facts), why: 'It isn’t known what it cost.' };
    case 'context-full':
      return { what: 'The conversation no longer fits.', why: sizeWords(facts) };
    case 'limit':
      return { what: limitWords(facts), why: '' };
    case 'declined':
      return { what: 'The model declined to answer.', why: '' };
    case 'agent-ended':
      return { what: `${title} stopped in the middle of this turn.`, why: endWords(facts) };
    default:
      return null;
  }
}

/** As one text, for who shows no more than that. */
export function wholeFailure({ what, why }: TurnFailureWords): string {
  return why === '' ? what : `${what} ${why}`;
}

function connectionWords({ network, tries = 0 }: TurnFacts, title: string): string {
  const reason = network === undefined ? null : networkReason(network);
  const why = reason === null ? '' : `${capital(reason)}. `;
  return `${why}${title} tried ${tries < 2 ? 'once' : `${grouped(tries)} times`}.`;
}

function cutWords({ tokens }: TurnFacts): string {
  return tokens === undefined ? 'The answer was cut.' : `The answer was cut after ${counted(tokens, 'token')}.`;
}

function sizeWords({ tokens, most, model }: TurnFacts): string {
  if (tokens === undefined || most === undefined) return '';
  return `${grouped(tokens)} tokens; ${model ?? 'the model'} takes ${grouped(most)}.`;
}

function limitWords({ credits }: TurnFacts): string {
  return credits === undefined
    ? 'Stopped at your limit of credits for a turn.'
    : `Stopped at your limit of ${exact(credits)} ${credits === 1 ? 'credit' : 'credits'} for a turn.`;
}

/** SIGKILL, which programs don't send to themselves. */
const killed = 9;

function endWords({ signal, exitCode, ends = 0 }: TurnFacts): string {
  const memory = signal === killed ? ', most often because memory ran out' : '';
  const how =
    signal !== undefined
      ? `The system ended it (signal ${signal})${memory}. `
      : exitCode !== undefined
        ? `It ended with exit code ${exitCode}. `
        : '';
  const often = ends < 3 ? '' : `It ended ${grouped(ends)} times in 5 minutes. `;
  return `${how}${often}What came before is kept; the last command may be half done.`;
}
