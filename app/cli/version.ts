import { readFileSync } from 'node:fs';

/** The package's version. `app/cli/` and `dist/cli/` have the same depth. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const value: unknown = JSON.parse(text);
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : null;
  return typeof version === 'string' ? version : '0.0.0';
}
