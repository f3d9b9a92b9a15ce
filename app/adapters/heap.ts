import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the process small, for a little CPU. To be called first: both hold for what comes after the call, and V8 reads these flags whenever it
 * would grow or compile, unlike those that name a size.
 *
 * - V8's room for young objects stays at its first size (1 MB) instead of growing to 16 MB and its copies: a proxy makes much garbage and keeps little.
 *   Measured: 25 MiB less resident after 2 000 exchanges, 55 MiB less with 100 answers running, for a tenth more CPU.
 * - V8's middle compiler waits until a function was called 2 000 times instead of 400: what it uses for each of the many that run a few times for
 *   every request is not given back. Measured: 20 MiB less after 2 000 exchanges, for a tenth more CPU in the first thousands of requests.
 */
export function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--invocation-count-for-maglev=2000');
}
