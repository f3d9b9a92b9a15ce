/** Ctrl-C (or the end of the session): once to stop in good order, twice to stop at once. */
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
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (): void => (first.signal.aborted ? second.abort() : first.abort());
  for (const name of names) process.on(name, onSignal);
  return {
    first: first.signal,
    second: second.signal,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
