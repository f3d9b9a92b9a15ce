import { shellCheck } from './checks.ts';
import { environmentNotes, withStandIns } from './env.ts';
import { type FilePlan, openModeNote, planSetup, type SetupPlace } from './setup.ts';
import { findShellVariables } from './shell-variables.ts';

/** What is written into settings.json would stop working. */
export class KeyNotKeptError extends Error {
  override readonly name = 'KeyNotKeptError';
  readonly mend = 'Choose where secrets are kept, or paste the lines into your shell instead.';
  constructor() {
    super('The local key can’t be kept here, so what is written into settings.json would stop working.');
  }
}

/**
 * The plan of a setup and the sentences that a person should read before agreeing to it. Throws `KeyNotKeptError` and
 * `SetupError`.
 * @param variables the lines for Claude Code as they are now
 */
export async function draftSetup(parts: {
  variables: Readonly<Record<string, string>>;
  place: SetupPlace;
  env: Readonly<Record<string, string | undefined>>;
  keyIsKept: boolean;
}): Promise<{ plan: FilePlan; notes: string[] }> {
  const { place, env } = parts;
  const { variables, notes } = withStandIns(parts.variables);
  if (!parts.keyIsKept) throw new KeyNotKeptError();
  const plan = await planSetup(place, variables);
  const open = openModeNote(plan);
  if (!plan.changesFile) return { plan, notes: open === null ? [] : [open] };
  const shell = shellCheck(await findShellVariables({ env, project: null }, variables), true);
  return {
    plan,
    notes: [
      ...(open === null ? [] : [open]),
      ...environmentNotes(variables),
      ...notes,
      ...(shell.mend === null ? [] : [`${shell.finding} ${shell.mend}`]),
    ],
  };
}
