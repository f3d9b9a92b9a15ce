/**
 * The suites that attack the product run in two lengths: short with `npm test`, long with `npm run attack`, which sets
 * JUMPSEAT_ATTACK. `JUMPSEAT_ATTACK_SEED` repeats a run; a failing test names its seed.
 */
export const isLong = process.env.JUMPSEAT_ATTACK === 'long';

/** How many times a suite tries. */
export function rounds(short: number, long: number): number {
  return isLong ? long : short;
}

export const seed = Number(process.env.JUMPSEAT_ATTACK_SEED ?? 20_261_122);
