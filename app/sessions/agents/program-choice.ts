import { isAbsolute } from 'node:path';
import type { AgentSource } from '../../api/sessions.ts';

/** Where an agent's program comes from, as a person chose. Null: their own where it is new enough, else the copy. */
export type ProgramChoice = { from: Exclude<AgentSource, 'file'> } | { from: 'file'; path: string } | null;

/** As the setting has it: `own`, `fetched`, or the whole path of a file. What is none of these counts as not chosen. */
export function readChoice(setting: string | null): ProgramChoice {
  if (setting === 'own' || setting === 'fetched') return { from: setting };
  return setting !== null && isAbsolute(setting) ? { from: 'file', path: setting } : null;
}
