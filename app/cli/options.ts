import { wrongUsage } from './failure.ts';

/** A whole number from 0 to 65535; 0 takes a free port. */
export function readPort(text: string, name: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw wrongUsage(`${name} must be a whole number from 0 to 65535, not "${text}".`, '0 takes a free port.');
}

/** A whole number from 1. */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit;
  throw wrongUsage(`--limit must be a whole number from 1, not "${text}".`);
}
