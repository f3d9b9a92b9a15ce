import { percentSign, separators } from '../language/formats.ts';
import { written } from '../language/sentences.ts';

/**
 * Figures as they stand everywhere, with the groups and decimals of the shown language, whatever the system's locale
 * is, so that they can be searched.
 */

const nanoPerCredit = 1e9;

/** `1,385.69`, `2,002` */
export function grouped(value: number, decimals = 0): string {
  return written(() => figure(value, decimals));
}

function figure(value: number, decimals: number): string {
  const [whole = '', fraction] = rounded(Math.abs(value), decimals).toFixed(decimals).split('.');
  const { group, decimal } = separators();
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const sign = value < 0 && /[1-9]/.test(`${whole}${fraction ?? ''}`) ? '-' : '';
  return `${sign}${groups}${fraction === undefined ? '' : `${decimal}${fraction}`}`;
}

/**
 * A number as it is typed: with the groups of the shown language or without any, and with one or two decimals behind a
 * point or a comma. Null for what is none.
 */
export function typedNumber(text: string): number | null {
  const { group, decimal } = separators();
  const inGroups = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+(?:\\${decimal}\\d{1,2})?$`);
  const plain = inGroups.test(text) ? text.replaceAll(group, '') : text;
  return /^\d+(?:[.,]\d{1,2})?$/.test(plain) ? Number(plain.replace(',', '.')) : null;
}

/** The same without zeros at the end of its decimals. */
function trimmed(value: number, decimals: number): string {
  const fraction = rounded(Math.abs(value), decimals).toFixed(decimals).split('.')[1] ?? '';
  return grouped(value, fraction.replace(/0+$/, '').length);
}

/** Half is rounded up, as it is written: 1.005 is a little less for the machine, and 1.01 for a person. */
function rounded(value: number, decimals: number): number {
  const shifted = Number(`${value}e${decimals}`);
  return Number.isFinite(shifted) ? Number(`${Math.round(shifted)}e-${decimals}`) : value;
}

/** `0`, `702`, `150,000`, `1.24M` */
export function tokenCount(tokens: number): string {
  return tokens < 1_000_000 ? grouped(tokens) : `${grouped(tokens / 1_000_000, 2)}M`;
}

/** A model's limit: `168k`, `936k`. */
export function tokenLimit(tokens: number | null): string {
  return tokens === null ? '–' : `${grouped(Math.floor(tokens / 1000))}k`;
}

/** Credits, the same wherever they are shown: `0`, `<0.01`, `7.53`, `1,386`. */
export function creditAmount(credits: number): string {
  if (credits === 0) return '0';
  if (credits > 0 && credits < 0.005) return `<${grouped(0.01, 2)}`;
  return grouped(credits, isShownWhole(credits) ? 0 : 2);
}

/** `7.53`, of nano-AIU. */
export function creditsOf(nanoAiu: number): string {
  return creditAmount(nanoAiu / nanoPerCredit);
}

/** A part of the bill of one request: `7.528`, `<0.001`. */
export function billedCredits(nanoAiu: number): string {
  const credits = nanoAiu / nanoPerCredit;
  return credits > 0 && credits < 0.001 ? `<${grouped(0.001, 3)}` : grouped(credits, 3);
}

function isShownWhole(credits: number): boolean {
  return rounded(Math.abs(credits), 2) >= 100;
}

/**
 * Parts of a sum as they are shown, so that they add up to it as it is shown: what rounding down leaves over goes, one
 * by one, to those that lost most by it.
 */
export function roundedParts(values: readonly number[], all = sum(values)): number[] {
  if (all < 100) return shared(values, Math.round(rounded(all, 2) * 100), 100);
  const few = values.map((value) => (isShownWhole(value) ? 0 : value));
  // Rounded up, 171.498 would become 171.5, which is 172 as it is shown.
  const hundredths = Math.floor(sum(few) * 100 + 1e-6);
  const small = shared(few, hundredths, 100);
  const large = values.map((value) => (isShownWhole(value) ? value : 0));
  const wholes = shared(large, Math.round(all) - Math.round(hundredths / 100), 1);
  return values.map((_, index) => (wholes[index] ?? 0) + (small[index] ?? 0));
}

const sum = (parts: readonly number[]): number => parts.reduce((all, value) => all + value, 0);

/** Rounds to parts of one, `steps` of them each, which are `target` together. */
function shared(values: readonly number[], target: number, steps: number): number[] {
  // 0.29 times 100 is 28.999999999999996.
  const down = values.map((value) => Math.floor(value * steps + 1e-6));
  const left = target - down.reduce((all, value) => all + value, 0);
  const byLoss = values
    .map((value, index) => ({ index, lost: value * steps - (down[index] ?? 0) }))
    .filter(({ index }) => values[index] !== 0)
    .sort((one, other) => other.lost - one.lost);
  const raised = new Set(byLoss.slice(0, Math.max(0, left)).map(({ index }) => index));
  const lowered = new Set(
    byLoss
      .toReversed()
      .slice(0, Math.max(0, -left))
      .map(({ index }) => index),
  );
  const change = (index: number): number => (raised.has(index) ? 1 : lowered.has(index) ? -1 : 0);
  return down.map((value, index) => (value + change(index)) / steps);
}

/** Two decimals where needed: `27`, `0.33`, `603`. */
export function premiumRequests(count: number): string {
  return grouped(count, Number.isInteger(rounded(count, 2)) ? 0 : 2);
}

/** What GitHub says is used or left: credits with its one decimal (`6,972`, `29.4`), or requests (`27`, `0.33`). */
export function quotaAmount(value: number, world: 'credits' | 'premium' | 'unknown'): string {
  if (world !== 'credits') return premiumRequests(value);
  return trimmed(value, isShownWhole(value) ? 0 : 1);
}

/** A price in credits per million tokens: `500`, `12.5`, `0.25`. */
export function price(credits: number | null): string {
  return credits === null ? '–' : trimmed(credits, 2);
}

/** Without what sums of fractions leave behind the digits in which amounts are kept: 38.69999999999982 is 38.7. */
export function unfloated(amount: number): number {
  return Math.round(amount * nanoPerCredit) / nanoPerCredit;
}

/** A number with all its digits, up to millionths: `0.6`, `1,000`. */
export function exact(value: number): string {
  return trimmed(value, 6);
}

/** `42%`, `92.1%`; `42 %` where the shown language writes it so. */
export function percentage(percent: number, decimals = 0): string {
  return written(() => `${figure(percent, decimals)}${percentSign()}`);
}

/** `92.1%` */
export function share(fraction: number): string {
  return percentage(fraction * 100, 1);
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
  return written(() => `${figure(value, 1)} ${units[unit]}`);
}

/** `1 request`, `2 requests` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
