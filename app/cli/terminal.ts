import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { t } from '../language/translate.ts';
import { CommandFailure } from './failure.ts';

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

/** Prints a command's result: with `--json` as JSON, otherwise as lines. */
export function printReport(
  terminal: Pick<Terminal, 'out'>,
  report: unknown,
  json: boolean | undefined,
  lines: () => readonly string[],
): void {
  for (const line of json ? [JSON.stringify(report, null, 2)] : lines()) terminal.out(line);
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

/** The part of a stream that is used to write. */
interface OutputStream {
  write(text: string, written?: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly writableLength: number;
}

/** The first text is written at once, what follows at most once in this time. */
const gatherMs = 50;

/** Characters stored for a reader that stopped reading; beyond it lines are dropped. */
const waitingLimit = 1_000_000;

/**
 * A standard stream of a process that must not end because of it: its reader may leave (EPIPE), its terminal be closed
 * (EIO), its disk be full (ENOSPC). Writing never throws.
 */
export class Output {
  readonly #stream: OutputStream;
  readonly #left = new AbortController();
  readonly #failed: (error: Error) => void;
  #hasFailed = false;
  #waits = true;
  /** Text since the last write; null if the next text is written at once. */
  #gathered: string | null = null;

  /** `failed` is called once, for a fault that is no reader who left. */
  constructor(stream: OutputStream, failed: (error: Error) => void) {
    this.#stream = stream;
    this.#failed = failed;
    stream.on('error', (error) => this.#wrong(error));
  }

  /** Aborted when the reader is gone. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /**
   * From now on a reader who stands still (a full pipe, Ctrl-S in a terminal) holds nothing up, and what comes in quick
   * succession is written together. For a process that serves others: a terminal blocks the whole process otherwise.
   */
  dontWait(): void {
    this.#waits = false;
    const handle = '_handle' in this.#stream ? this.#stream._handle : null;
    if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
    if (typeof handle.setBlocking === 'function') handle.setBlocking(false);
  }

  /** Resolves when everything is written, or its reader has gone. */
  async written(): Promise<void> {
    this.writeGathered();
    if (!this.#waits || this.#left.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#left.signal.addEventListener('abort', () => resolve(), { once: true });
      this.#stream.write('', () => resolve());
    });
  }

  write(text: string): void {
    if (this.#gathered !== null) {
      if (this.#gathered.length <= waitingLimit) this.#gathered += text;
    } else if (this.#write(text) && !this.#waits) this.#gather();
  }

  /** Before something is written elsewhere that came later. */
  writeGathered(): void {
    if (!this.#gathered) return;
    this.#write(this.#gathered);
    this.#gathered = '';
  }

  #gather(): void {
    this.#gathered = '';
    setTimeout(() => {
      const more = this.#gathered !== '';
      this.writeGathered();
      this.#gathered = null;
      if (more) this.#gather();
    }, gatherMs).unref();
  }

  /** False: its reader is gone. */
  #write(text: string): boolean {
    if (this.#left.signal.aborted) return false;
    if (!this.#waits && this.#stream.writableLength > waitingLimit) return false;
    try {
      this.#stream.write(text);
      return true;
    } catch (error) {
      this.#wrong(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  #wrong(error: Error): void {
    if (saysReaderLeft(error)) this.#left.abort();
    else if (!this.#hasFailed) {
      this.#hasFailed = true;
      this.#failed(error);
    }
  }
}

function saysReaderLeft(error: Error): boolean {
  return 'code' in error && ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(String(error.code));
}
