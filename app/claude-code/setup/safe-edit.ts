import { SetupError } from '../settings-file.ts';
import { SettingsTextError } from '../settings-nodes.ts';
import { settingsValue } from '../settings-text.ts';

/** By what the file was read for. */
const ends = {
  look: ['', 'Fix the file, then check again.'],
  setup: [' Nothing was changed.', 'Fix the file, or paste the lines of "jumpseat env" into your shell.'],
  undo: [' Nothing was changed.', 'Fix the file, then undo the setup again.'],
} as const;

export function guarded<T>(action: keyof typeof ends, shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsTextError)) throw error;
    const [end, mend] = ends[action];
    throw new SetupError('invalid', `${shown} ${error.message}.${end}`, mend, error.line);
  }
}

/** The last line of defence: an edit that reached beyond `env` and what was chosen is never written. */
export function assertOthersKept(before: string, after: string, besideEnv: readonly string[]): void {
  const ours = new Set<unknown>(['env', ...besideEnv]);
  const rest = (text: string) => {
    const value = settingsValue(text);
    return JSON.stringify(
      Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && !ours.has(pair[0])) : [],
    );
  };
  if (rest(before) !== rest(after)) {
    throw new Error('An edit of Claude Code’s settings reached beyond our own keys and was not written.');
  }
}
