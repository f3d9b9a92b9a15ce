import { inOwnWords } from '../../app/api/shell.ts';

/**
 * The command that a person types for `jumpseat` where this page comes from: the dashboard's server writes it into the
 * page. `jumpseat` in the tray app.
 */
export function typedCommand(): string {
  return globalThis.document?.documentElement.dataset.command ?? 'jumpseat';
}

/** A sentence of the window whose commands are named as they are typed here. */
export function inTypedWords(sentence: string): string {
  const command = typedCommand();
  return command === 'jumpseat' ? sentence : inOwnWords(sentence, command);
}
