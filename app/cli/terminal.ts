import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

export type Format = Parameters<typeof styleText>[0];

/** What a command may do with the terminal it was started from. Colour and progress only where a person looks. */
export interface Terminal {
  /** One or more lines on stdout, ended here. */
  out(text: string): void;
  /** The same on stderr. */
  err(text: string): void;
  /** Stdout is a terminal. */
  readonly isTty: boolean;
  /** Both ends are, so that a question can be asked. */
  readonly canAsk: boolean;
  style(format: Format, text: string): string;
  /** Overwrites the line that the last call wrote; null ends it and leaves nothing. Does nothing where nobody looks. */
  progress(text: string | null): void;
  /** One line; null when the person ended the input instead (Ctrl-C, Ctrl-D). */
  ask(question: string): Promise<string | null>;
}

export function nodeTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const isTty = stdout.isTTY === true;
  let line = false;
  const clear = (): void => {
    if (line) stdout.write('\r\u001b[2K');
    line = false;
  };
  return {
    isTty,
    canAsk: isTty && stdin.isTTY === true,
    out: (text) => {
      clear();
      stdout.write(`${text}\n`);
    },
    err: (text) => {
      clear();
      stderr.write(`${text}\n`);
    },
    style: (format, text) => (isTty ? styleText(format, text, { stream: stdout }) : text),
    progress: (text) => {
      if (!isTty) return;
      clear();
      if (text === null) return;
      stdout.write(text);
      line = true;
    },
    ask: async (question) => {
      const reader = createInterface({ input: stdin, output: stdout });
      const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)));
      try {
        return await Promise.race([reader.question(question), closed]);
      } finally {
        reader.close();
      }
    },
  };
}
