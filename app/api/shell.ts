import type { Shell } from './setup.ts';

/** One word of a command that means itself; for `cmd` it may hold no quote. */
export function asShellWord(text: string, shell: Exclude<Shell, 'json'>): string {
  // These mean themselves, unquoted.
  if (shell !== 'powershell' && /^[A-Za-z0-9_./:@+,-]*$/.test(text)) return text;
  switch (shell) {
    case 'bash':
    case 'zsh':
      return `'${text.replaceAll("'", `'\\''`)}'`;
    case 'fish':
      return `'${text.replace(/[\\']/g, '\\$&')}'`;
    case 'powershell':
      // It ends a quoted text at any of the typographic single quotes too.
      return `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
    case 'cmd':
      return `"${text}"`;
  }
}

/** A command whose words mean themselves in sh. */
export function asShellCommand(words: readonly string[]): string {
  return words.map((word) => asShellWord(word, 'bash')).join(' ');
}

/**
 * A text whose commands are named as they are typed here: in quotes, in `$(…)`, and at the beginning of a line as in a
 * help.
 */
export function inOwnWords(text: string, command: string): string {
  return text.replaceAll(/(?<="|\$\(|^ *|^\p{L}+: )jumpseat(?=\s+\S)/gmu, () => command);
}
