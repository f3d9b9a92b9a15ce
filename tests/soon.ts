/** How long one wait may take, in ms: far more than a machine under load needs, and less than a test may take. */
export const patienceMs = 45_000;

/** How long a whole run of Claude Code or Codex may take. */
export const runPatienceMs = 120_000;

/** Until the next look, after so long a wait: what comes soon is seen at once, and looks at pages and files cost. */
const pauseMs = (waited: number): number => Math.min(Math.max(10, waited / 4), 100);

// A test may have put other timers in their place.
const { setTimeout: later } = globalThis;
const now = performance.now.bind(performance);

/**
 * Waits until a check passes: for what another process, a socket or a file brings about. At the end its last failure is
 * said.
 */
export async function soon<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  const began = now();
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (now() > began + patienceMs) throw failure;
    }
    await new Promise((resolve) => later(resolve, pauseMs(now() - began)));
  }
}

/** Waits until a look finds something. At the end it says what was there instead. */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  explain: () => unknown = () => '',
): Promise<NonNullable<Found>> {
  const deadline = now() + patienceMs;
  return soon(async () => {
    const found = await look();
    if (found) return found;
    const seen = now() > deadline ? await explain() : '';
    throw new Error(`It did not come to that. ${typeof seen === 'string' ? seen : JSON.stringify(seen, null, 1)}`);
  });
}
