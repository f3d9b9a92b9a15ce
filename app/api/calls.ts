import type { z } from 'zod';
import type { Call, CallTable } from './call.ts';
import { accountCalls, keyCalls, signInCalls } from './calls/accounts.ts';
import { customizationCalls } from './calls/customizations.ts';
import { desktopCalls } from './calls/desktop.ts';
import { exchangeCalls, historyCalls, recordingCalls } from './calls/exchanges.ts';
import { healthCalls, modelCalls, proxyCalls } from './calls/health.ts';
import { searchCalls } from './calls/search.ts';
import {
  sessionCalls,
  sessionListCalls,
  sessionSurroundingCalls,
  sideQuestionCalls,
  templateCalls,
} from './calls/sessions.ts';
import { clientCalls, lineCalls, preferenceCalls, setupCalls } from './calls/setup.ts';
import { worktreeCalls } from './calls/worktrees.ts';

/**
 * What the window may ask: the one table of calls, a file of `calls/` for each subject. The dashboard's routes, the IPC
 * handlers, the preload's channels and both bridges are made from it, and `App` has a method of the same name for each
 * that it answers. Arguments come from a page and are checked; what a result holds beyond its schema does not leave.
 */
export const calls = {
  ...exchangeCalls,
  ...recordingCalls,
  ...historyCalls,
  ...modelCalls,
  ...healthCalls,
  ...preferenceCalls,
  ...searchCalls,
  ...sessionListCalls,
  ...sessionCalls,
  ...sessionSurroundingCalls,
  ...sideQuestionCalls,
  ...templateCalls,
  ...customizationCalls,
  ...worktreeCalls,
  ...setupCalls,
  ...clientCalls,
  ...lineCalls,
  ...proxyCalls,
  ...signInCalls,
  ...accountCalls,
  ...keyCalls,
  ...desktopCalls,
} satisfies CallTable;

export type CallName = keyof typeof calls;
export type CallArguments<Name extends CallName> = z.output<(typeof calls)[Name]['given']>;
export type CallResult<Name extends CallName> = z.output<(typeof calls)[Name]['result']>;
/** The calls that are answered by `App`, or by the tray front itself. */
export type CallsBy<Who extends Call['by']> = {
  [Name in CallName]: (typeof calls)[Name]['by'] extends Who ? Name : never;
}[CallName];
