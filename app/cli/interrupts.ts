/**
 * Ctrl-C (or the end of the session): once to stop in good order, twice to stop at once. A terminal that is closed
 * counts once.
 */
export interface Interrupts {
  /** Aborted by the first. */
  readonly first: AbortSignal;
  /** Aborted by the second. */
  readonly second: AbortSignal;
  /** The signals have their usual effect again. */
  release(): void;
}

export function takeInterrupts(): Interrupts {
  const first = new AbortController();
  const second = new AbortController();
  const onSignal = (): void => (first.signal.aborted ? second.abort() : first.abort());
  // System and shell both send it for one terminal that is closed.
  const onClosedTerminal = (): void => first.abort();
  const listeners = [
    ['SIGINT', onSignal],
    ['SIGTERM', onSignal],
    ['SIGHUP', onClosedTerminal],
  ] as const;
  for (const [name, listener] of listeners) process.on(name, listener);
  return {
    first: first.signal,
    second: second.signal,
    release: () => {
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
