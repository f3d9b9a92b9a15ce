/**
 * Figures as they stand everywhere: comma groups and point decimals whatever the system's locale is, so that they can
 * be searched.
 */

const nanoPerCredit = 1e9;

/** `1,385.69`, `2,002` */
export function grouped(value: number, decimals = 0): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 && /[1-9]/.test(`${whole}${fraction ?? ''}`) ? '-' : '';
  return `${sign}${groups}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `0`, `702`, `150,000`, `1.24M` */
export function tokenCount(tokens: number): string {
  return tokens < 1_000_000 ? grouped(tokens) : `${grouped(tokens / 1_000_000, 2)}M`;
}

/** A model's limit: `168k`, `936k`. */
export function tokenLimit(tokens: number | null): string {
  return tokens === null ? '–' : `${grouped(Math.floor(tokens / 1000))}k`;
}

/** Credits of one request: `7.528`, `<0.001`. */
export function requestCredits(nanoAiu: number): string {
  const credits = nanoAiu / nanoPerCredit;
  return credits > 0 && credits < 0.001 ? '<0.001' : grouped(credits, 3);
}

/** Credits of many: `1,385.69`. */
export function sumOfCredits(nanoAiu: number): string {
  return grouped(nanoAiu / nanoPerCredit, 2);
}

/**
 * Parts of a sum, so that they add up to it as it is shown: what rounding down leaves over goes, hundredth by
 * hundredth, to those that lost most by it.
 */
export function roundedParts(values: readonly number[]): number[] {
  const add = (all: number, value: number): number => all + value;
  // 0.29 times 100 is 28.999999999999996.
  const down = values.map((value) => Math.floor(value * 100 + 1e-6));
  const left = Math.round(Number(values.reduce(add, 0).toFixed(2)) * 100) - down.reduce(add, 0);
  const byLoss = values
    .map((value, index) => ({ index, lost: value * 100 - (down[index] ?? 0) }))
    .sort((one, other) => other.lost - one.lost);
  const raised = new Set(byLoss.slice(0, Math.max(0, left)).map(({ index }) => index));
  return down.map((value, index) => (value + (raised.has(index) ? 1 : 0)) / 100);
}

/** Two decimals where needed: `27`, `0.33`, `603`. */
export function premiumRequests(count: number): string {
  return grouped(count, 2).replace(/\.00$/, '');
}

/**
 * What is used or left of a quota, the same wherever it is shown: credits with two decimals (`6,972.00`), requests as
 * they are counted (`27`, `0.33`), nothing as `0`.
 */
export function quotaAmount(value: number, world: 'credits' | 'premium' | 'unknown'): string {
  if (value === 0) return '0';
  return world === 'credits' ? grouped(value, 2) : premiumRequests(value);
}

/** A price in credits per million tokens: `500`, `12.5`, `0.25`. */
export function price(credits: number | null): string {
  return credits === null
    ? '–'
    : grouped(credits, 2)
        .replace(/\.00$/, '')
        .replace(/(\.\d)0$/, '$1');
}

/** A number with all its digits, up to millionths: `0.6`, `1,000`. */
export function exact(value: number): string {
  return grouped(value, 6).replace(/\.?0+$/, '');
}

/** `92.1%` */
export function share(fraction: number): string {
  return `${(fraction * 100).toFixed(1)}%`;
}

/** 1 MB is 1,000,000 bytes: `41.8 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${grouped(value, 1)} ${units[unit]}`;
}

/** `1 request`, `2 requests` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
