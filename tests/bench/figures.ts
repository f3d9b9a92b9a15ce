/** One row of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 'µs' | 'MiB' | 'kB' | '×' | '';
  /** Null: said for comparison. */
  limit: number | null;
  /** What stands beside it: the measured limits of the same run, spreads. */
  beside: string;
  /**
   * How repeats are joined. `least`: other programs only ever add to it; `middle`: they may push it either way.
   */
  repeats: 'least' | 'middle';
}

export function missed(figure: Figure): boolean {
  return figure.limit !== null && !(figure.value <= figure.limit);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** Joins the measurements of the same figures. */
export function joined(repeats: readonly Figure[][]): Figure[] {
  const [first = []] = repeats;
  return first.map((figure, index) => {
    const same = repeats.flatMap((figures) => figures[index] ?? []);
    const wanted =
      figure.repeats === 'least' ? Math.min(...same.map(({ value }) => value)) : median(same.map(({ value }) => value));
    const nearest = same.reduce((best, each) =>
      Math.abs(each.value - wanted) < Math.abs(best.value - wanted) ? each : best,
    );
    return { ...nearest, value: wanted };
  });
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    shown(figure.value, figure.unit),
    figure.limit === null ? '' : `≤ ${shown(figure.limit, figure.unit)}`,
    figure.limit === null ? '' : missed(figure) ? 'MISSED' : 'ok',
    figure.beside,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function shown(value: number, unit: Figure['unit']): string {
  const digits = unit === 'MiB' || unit === 'kB' || (unit === 'ms' && value >= 100) ? 0 : unit === '' ? 0 : 2;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}
