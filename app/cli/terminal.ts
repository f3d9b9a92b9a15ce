import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { t } from '../language/translate.ts';
import { CommandFailure } from './failure.ts';
import { Output } from './output.ts';

type Format = Parameters<typeof styleText>[0];

/** What a command may do with the terminal it was started from. Colour and progress only where a person looks. */
export interface Terminal {
  /** One or more lines on stdout, ended here. Never throws: what cannot be written is lost. */
  out(text: string): void;
  /** The same on stderr. */
  err(text: string): void;
  /** Stdout is a terminal. */
  readonly isTty: boolean;
  /** Characters of a line. Undefined: stdout is no terminal, and lines may be of any length. */
  readonly columns?: number | undefined;
  /** True if both ends are terminals, so that a question can be asked. */
  readonly canAsk: boolean;
  /** Aborted when stdout has no reader any more: its pipe or its terminal was closed. */
  readonly left: AbortSignal;
  style(format: Format, text: string): string;
  /**
   * Overwrites the line that the last call wrote; null ends it and leaves nothing. Does nothing where stdout is no
   * terminal.
   */
  progress(text: string | null): void;
  /** One line; null when the person ended the input instead (Ctrl-D). Ctrl-C ends the command. */
  ask(question: string): Promise<string | null>;
  /** For a server process: a reader that stops reading blocks nothing from now on, and may miss lines. */
  dontWait(): void;
  /** Resolves when everything is written that has a reader. */
  written(): Promise<void>;
}

/** Asks a question with a yes or no, in any language. What is neither is no, as is an input that ended. */
export async function saysYes(
  terminal: Pick<Terminal, 'ask'>,
  question: string,
  unanswered: 'yes' | 'no' = 'no',
): Promise<boolean> {
  const answer = await terminal.ask(`${question} ${unanswered === 'yes' ? t('[Y/n]') : t('[y/N]')} `);
  // Input methods of Chinese and Japanese write wide letters.
  const word = answer?.normalize('NFKC').trim().toLowerCase();
  return word === '' ? unanswered === 'yes' : word !== undefined && yes.has(word);
}

const yes: ReadonlySet<string> = new Set(['y', 'yes', 'j', 'ja', 'はい', '是']);

/**
 * @param failed called once if stdout can't be written although it is open; the person has been informed
 * @param inLines breaks lines of stderr that are longer than the terminal is wide
 * @param worded changes each text before it is written; absent if it names our commands as they are typed here
 */
export function nodeTerminal(
  failed: () => void,
  inLines?: (text: string, most: number) => string,
  worded?: (text: string) => string,
): Terminal {
  const { stdout, stderr } = process;
  const isTty = stdout.isTTY === true;
  const errors = new Output(stderr, () => undefined);
  const output = new Output(stdout, (error) => {
    const words = t('Standard output can’t be written ({why}). Further output is lost.', { why: error.message });
    errors.write(`jumpseat: ${words}\n`);
    failed();
  });
  let line = false;
  const clear = (): void => {
    if (line) output.write('\r\u001b[2K');
    line = false;
  };
  return {
    isTty,
    get columns() {
      // Some terminals say 0: they don't know.
      return isTty && stdout.columns > 0 ? stdout.columns : undefined;
    },
    canAsk: isTty && process.stdin.isTTY === true,
    left: output.left,
    out: (text) => {
      clear();
      output.write(`${worded?.(text) ?? text}\n`);
    },
    err: (text) => {
      clear();
      output.writeGathered();
      const most = stderr.isTTY === true && stderr.columns > 0 ? stderr.columns : undefined;
      const broken = most === undefined ? text : (inLines?.(text, most) ?? text);
      errors.write(`${worded?.(broken) ?? broken}\n`);
    },
    style: (format, text) => (isTty ? styleText(format, text, { stream: stdout }) : text),
    progress: (text) => {
      if (!isTty) return;
      clear();
      if (text === null) return;
      output.write(text);
      line = true;
    },
    ask: async (question) => {
      const reader = createInterface({ input: process.stdin, output: stdout });
      const closed = new Promise<null>((resolve, reject) => {
        reader.once('close', () => resolve(null));
        reader.once('SIGINT', () => reject(new CommandFailure(t('Cancelled.'), '', 130)));
      });
      try {
        const answer = await Promise.race([reader.question(question), closed]);
        if (answer === null) output.write('\n');
        return answer;
      } catch (error) {
        // What follows begins on a line of its own.
        output.write('\n');
        throw error;
      } finally {
        reader.close();
      }
    },
    dontWait: () => {
      for (const each of [output, errors]) each.dontWait();
    },
    written: async () => {
      await Promise.all([output.written(), errors.written()]);
    },
  };
}
