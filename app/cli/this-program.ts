import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installation, installation, isInPath } from '../adapters/installation.ts';
import { asShellCommand } from '../api/shell.ts';
import type { Environment } from '../environment.ts';
import { t } from '../language/translate.ts';

/** The package's version. `app/cli/` and `dist/cli/` have the same depth. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const value: unknown = JSON.parse(text);
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : null;
  return typeof version === 'string' ? version : '0.0.0';
}

/** A sentence that says how to remove the program. */
export function removal(installed: Installation): string {
  switch (installed.kind) {
    case 'package':
    case 'app':
      return t('To remove the program: {how}', { how: installed.removedBy });
    case 'folder':
    case 'source':
      return t('To remove the program, delete the folder {folder}.', { folder: installed.folder });
    case 'npm':
      return t('To remove the program: {how}', { how: `npm uninstall -g ${installed.name}` });
    case 'npx':
      return t('Nothing is installed: npx keeps the program in npm’s cache.');
  }
}

/** The command that a person types for this Jumpseat: `jumpseat`, `npx @jumpseat/cli`, or a path. */
export function ownCommand(env: Environment, installed: Installation = installation()): string {
  switch (installed.kind) {
    case 'package':
    case 'npm':
      return 'jumpseat';
    case 'npx':
      return `npx ${installed.name}`;
    case 'folder':
      return isInPath(env) ? 'jumpseat' : asShellCommand([join(installed.folder, 'bin', 'jumpseat')]);
    case 'app':
      return installed.command === null || isInPath(env) ? 'jumpseat' : asShellCommand([installed.command]);
    case 'source':
      // Without `-s` npm writes its own lines where a shell would read them.
      return env.npm_lifecycle_event ? 'npm run -s jumpseat --' : 'jumpseat';
  }
}
