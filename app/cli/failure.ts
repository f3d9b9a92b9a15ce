import { storeHelp } from '../account/account-error.ts';
import type { AppState } from '../api/state.ts';
import { frontSentence } from '../language/front-language.ts';
import { sentences } from '../language/sentences.ts';
import { noFileLeft } from '../server/open-files.ts';

/** A command that did not work (1), was used wrongly (2), or was ended by Ctrl-C (130). */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly remedy: string;
  readonly exitCode: 1 | 2 | 130;
  constructor(message: string, remedy: string, exitCode: 1 | 2 | 130 = 1) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** Wrong usage: a value that an option or a variable may not have. */
export function wrongUsage(message: string, remedy = ''): CommandFailure {
  return new CommandFailure(message, remedy, 2);
}

/** Why what needs a sign-in fails where none can be read, and what works. Null if that isn’t why. */
export function unreadableSignIn({ account, reach, secrets }: AppState): CommandFailure | null {
  const { problem } = secrets;
  if (problem === null || account.kind === 'signed-in' || reach.kind !== 'directly') return null;
  return new CommandFailure(problem.text, storageRemedy(secrets));
}

/** The remedy for the store of secrets, with the sign-in without a keychain; empty if the store works. */
export function storageRemedy(secrets: AppState['secrets']): string {
  return secrets.problem === null ? '' : storeHelp(secrets.problem.remedy, secrets);
}

/** A problem that the app has, as the front says it: what happened, then the remedy. */
export function problemWords({ text, remedy }: { text: string; remedy: string }): string {
  return sentences(frontSentence(text), frontSentence(remedy));
}

/** The one line for stderr: what happened and why, then the remedy. Every error of ours brings both. */
export function failureLine(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // Wherever it is met; loading another module to say it would need a file as well.
  if (code === 'EMFILE' || code === 'ENFILE') {
    const { text, remedy } = noFileLeft(code);
    return `jumpseat: ${sentences(text, remedy)}`;
  }
  const message = frontSentence(error instanceof Error ? error.message : String(error));
  const hasRemedy = error instanceof Error && 'remedy' in error && typeof error.remedy === 'string';
  const remedy = hasRemedy ? frontSentence(String(error.remedy)) : '';
  const sentence = /[.!?…。！？]$/.test(message) ? message : `${message}.`;
  return `jumpseat: ${sentences(sentence, remedy)}`.replace(/\s*[\r\n]+\s*/g, ' ');
}
