import { clientLabelForm } from '../api/names.ts';
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

/** One of the names that an option takes. */
export function readName<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw wrongUsage(t('{option} must be one of {names}, not "{given}".', { option, names: names.join(', '), given }));
}

/** Refuses what can't be a client's name in the log. */
export function requireClientLabel(label: string): void {
  if (clientLabelForm.test(label)) return;
  throw wrongUsage(
    t('--client must be up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.'),
  );
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
