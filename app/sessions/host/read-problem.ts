import { type TurnProblem, turnProblemSchema } from '../../api/sessions.ts';

/** As it was kept; null: none was, or it can't be read. */
export function readProblem(kept: unknown): TurnProblem | null {
  return turnProblemSchema.safeParse(kept).data ?? null;
}
