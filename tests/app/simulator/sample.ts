import { readFileSync } from 'node:fs';

const folder = new URL('../../samples/', import.meta.url);

/** A recorded answer, as text. */
export function sampleText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

/** A recorded answer, parsed. */
export function sample(name: string): unknown {
  return JSON.parse(sampleText(name));
}
