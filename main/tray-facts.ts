import type { Shell } from '../app/api/setup.ts';
import type { UpdateState } from '../app/api/update.ts';
import { shellOf } from '../app/claude-code/render-env.ts';
import type { CopyShell } from './copy-actions.ts';
import type { TrayFacts } from './tray-entry.ts';

/** What the menu shows besides the state of the app, from those who know it. */
export function trayFacts(known: Omit<TrayFacts, 'update'> & { update: UpdateState }): TrayFacts {
  const { update } = known;
  return { ...known, update: update.kind === 'ready' ? update.version : null };
}

/** The shell that a person chose, else their own, as the menu names it: zsh reads what bash reads. */
export function ownCopyShell(
  chosen: Shell | null,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): CopyShell {
  const shell = chosen ?? shellOf(env, platform);
  return shell === 'zsh' ? 'bash' : shell;
}
