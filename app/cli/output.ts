/** What of a stream is written to. */
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
