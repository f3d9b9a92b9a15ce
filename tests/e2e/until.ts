/** Waits for something that only another process can bring about, and says at the end what it saw instead. */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  explain: () => unknown = () => '',
  withinMs = 20_000,
): Promise<NonNullable<Found>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) {
      const seen = await explain();
      throw new Error(`It did not come to that. ${typeof seen === 'string' ? seen : JSON.stringify(seen, null, 1)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
