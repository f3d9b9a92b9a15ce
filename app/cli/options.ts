import {
  type Environment,
  type OwnVariables,
  portIn,
  portWords,
  RefusedVariableError,
  readEnvironment,
} from '../environment.ts';
import { t } from '../language/translate.ts';
import { wrongUsage } from './failure.ts';

export function readPort(text: string, name: string): number {
  const port = portIn(text);
  if (port !== null) return port;
  throw wrongUsage(portWords(name, text));
}

/** A whole number from 1. */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit;
  throw wrongUsage(t('--limit must be a whole number from 1, not "{text}".', { text }));
}

/** The variables of Jumpseat's own. Throws a `CommandFailure` with exit code 2 where one cannot be used. */
export function readVariables(env: Environment): OwnVariables {
  try {
    return readEnvironment(env);
  } catch (error) {
    if (error instanceof RefusedVariableError) throw wrongUsage(error.message, error.remedy);
    throw error;
  }
}
