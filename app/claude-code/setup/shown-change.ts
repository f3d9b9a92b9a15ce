import { isBesideEnv } from '../settings-text.ts';
import type { SetupChange } from './plan.ts';

/** A value as it may be shown. Anything that may be a secret is dots; user and password in an address too. */
export function shownValue(name: string, value: unknown): string {
  if (value === '') return '""';
  if (/TOKEN|API_KEY|SECRET|PASSWORD|CUSTOM_HEADERS/.test(name)) return '••••••••';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\/\/[^/@\s]*@/, '//••••••••@');
}

export function placeOf(name: string): SetupChange['place'] {
  return isBesideEnv(name) ? 'beside' : 'env';
}
