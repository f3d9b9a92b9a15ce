import { agentNameSchema } from '../../api/sessions.ts';
import { pluginsOffOf, type SessionRow } from '../store/session-rows.ts';
import type { Choices } from './control.ts';
import type { SessionBeginning } from './kept-session.ts';

/** Of a session that was not made from another one. */
export const noOrigin = { parent: null };
export const noChoices: Choices = { model: null, effort: null, mode: null, directories: [], pluginsOff: [] };

/** A session of this host that lies on disk. */
export function beginningOf(row: SessionRow): SessionBeginning {
  const { id, cwd, parent } = row;
  const agent = agentNameSchema.safeParse(row.agent).data ?? 'claude';
  return {
    id,
    agent,
    cwd: cwd ?? '/',
    choices: choicesOf(row),
    agentSessionId: null,
    title: null,
    parent,
    row,
  };
}

/** What was chosen for it. */
export function choicesOf(row: SessionRow): Choices {
  const { model, effort, mode, directories } = row;
  return { model, effort, mode, directories, pluginsOff: pluginsOffOf(row) };
}
