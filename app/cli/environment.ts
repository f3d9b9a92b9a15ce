import { type Environment, type OwnVariables, RefusedVariableError, readEnvironment } from '../environment.ts';
import { wrongUsage } from './failure.ts';

/** The variables of Jumpseat's own. Throws a `CommandFailure` with exit code 2 where one cannot be used. */
export function readVariables(env: Environment): OwnVariables {
  try {
    return readEnvironment(env);
  } catch (error) {
    if (error instanceof RefusedVariableError) throw wrongUsage(error.message, error.mend);
    throw error;
  }
}
