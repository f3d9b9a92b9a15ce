import { keep, recall } from '../../state/preferences.ts';

/** What a person chose for the last new worktree of a repository. */
interface Remembered {
  copy: readonly string[];
  command: string;
}

const key = (repository: string): string => `jumpseat.worktree.${repository}`;

export function remember(repository: string, chosen: Remembered): void {
  keep(key(repository), JSON.stringify(chosen));
}

/** Null if nothing was. */
export function remembered(repository: string): Remembered | null {
  const kept = recall(key(repository));
  if (kept === null) return null;
  try {
    const { copy, command } = Object(JSON.parse(kept));
    if (!Array.isArray(copy) || typeof command !== 'string') return null;
    return { copy: copy.filter((name) => typeof name === 'string'), command };
  } catch {
    return null;
  }
}
