import type { SetupChoices, SetupPlan } from '../api/setup.ts';
import { shellCheck } from './checks.ts';
import { missingModels, type PromptLimits, smallModels, withStandIns } from './env.ts';
import type { FilePlan, SetupPlace } from './setup/plan.ts';
import { planSetup } from './setup/plan-setup.ts';
import { openModeNote } from './setup/read-setup.ts';
import { findShellVariables } from './shell-variables.ts';

/** What is written into settings.json would stop working. */
export class KeyNotKeptError extends Error {
  override readonly name = 'KeyNotKeptError';
  readonly mend = 'Copy the lines for the shell instead, or choose another token storage.';
  constructor() {
    super('The local key can’t be stored here, so a setup in settings.json would stop working when Jumpseat quits.');
  }
}

type Notes = SetupPlan['notes'];

/**
 * The plan of a setup and what a person should know before agreeing to it. Throws `KeyNotKeptError` and `SetupError`.
 */
export async function draftSetup(given: {
  /** The lines for Claude Code as they are now. */
  variables: Readonly<Record<string, string>>;
  choices?: SetupChoices;
  promptLimits: PromptLimits;
  haikuNote: string | null;
  place: SetupPlace;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder a person works in, whose own settings for Claude Code would win. */
  project: string | null;
  keyIsKept: boolean;
}): Promise<{ plan: FilePlan; notes: Notes }> {
  const { promptLimits, place, env, project } = given;
  const { variables, notes: standIns } = withStandIns(given.variables);
  if (!given.keyIsKept) throw new KeyNotKeptError();
  const plan = await planSetup(place, variables, given.choices);
  const open = openModeNote(plan);
  const notes: Notes = open === null ? [] : [{ kind: 'open', text: open }];
  if (!plan.changesFile) return { plan, notes };
  const add = (kind: Notes[number]['kind'], ...texts: string[]): void => {
    for (const text of texts) notes.push({ kind, text });
  };
  add('models', ...missingModels(variables, given.haikuNote), ...standIns);
  add('limits', ...smallModels(variables, promptLimits));
  const shell = shellCheck(await findShellVariables({ env, project }, variables), true);
  if (shell.mend !== null) add('shell', `${shell.finding} ${shell.mend}`);
  return { plan, notes };
}
