/** The steps of an axis: whole numbers, at most five of them above zero. */
export function axisSteps(most: number): number[] {
  const steps = [1, 2, 5];
  let step = 1;
  for (let power = 1, index = 0; Math.ceil(Math.max(most, 1) / step) > 5; index += 1) {
    if (index > 0 && index % steps.length === 0) power *= 10;
    step = (steps[index % steps.length] ?? 1) * power;
  }
  const top = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: top + 1 }, (_, index) => index * step);
}

/** Every how many bars there is room for a label. */
export function labelEvery(count: number, barWidth: number, labelWidth: number): number {
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, barWidth)));
  // Fewer steps that are easier to read on.
  return every >= count ? count : ([1, 2, 3, 5, 6, 7, 10, 12].find((nice) => nice >= every) ?? every);
}
