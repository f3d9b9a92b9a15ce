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

/**
 * An answer or event of the app with its problems and findings in such words: whatever says what to do (`remedy`) is a
 * sentence of ours. Words of persons and models, which are no such objects, stay as they are.
 */
export function withTypedCommands<Value>(value: Value): Value {
  if (typedCommand() !== 'jumpseat') reword(value);
  return value;
}

function reword(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const isOurs = 'remedy' in value;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== 'string') reword(part);
    else if (isOurs) Reflect.set(value, name, inTypedWords(part));
  }
}
