import type { Reach } from '../../api/reach.ts';
import { countedByVscode } from '../../words/reach.ts';
import type { Verdict } from './verdict.ts';

/** A person may count everything as theirs, and VS Code does; nothing makes a `user` an `agent`. */
export function asYours(verdict: Verdict, { reach, alwaysUser }: { reach: Reach; alwaysUser: boolean }): Verdict {
  if (verdict.initiator === 'user') return verdict;
  const why = reach === 'through-vscode' ? countedByVscode : alwaysUser ? 'counted as yours, as you set it' : null;
  return why === null ? verdict : { ...verdict, initiator: 'user', sentence: `${verdict.sentence}; ${why}` };
}
