import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's room for young objects at its first size (1 MB) instead of letting it grow to 16 MB and its copies: a proxy makes much garbage
 * and keeps little. Measured: 25 MiB less resident after 2 000 exchanges, 55 MiB less with 100 answers running, for a tenth more CPU.
 * Holds for growth after the call, so it is made first; V8 reads this flag whenever it would grow, unlike those that name a size.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
