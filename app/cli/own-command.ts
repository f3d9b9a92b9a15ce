import { join } from 'node:path';
import { type Installation, installation, isInPath } from '../adapters/installation.ts';
import { asShellCommand } from '../api/shell.ts';
import type { Environment } from '../environment.ts';

/** What removes the program itself, as a sentence. */
export function removal(installed: Installation): string {
  switch (installed.kind) {
    case 'package':
    case 'app':
      return `To remove the program: ${installed.removedBy}`;
    case 'folder':
      return `To remove the program, delete the folder ${installed.folder}.`;
    case 'npm':
      return `To remove the program: npm uninstall -g ${installed.name}`;
    case 'npx':
      return 'Nothing is installed: npx keeps the program in npm’s cache.';
    case 'source':
      return `To remove the program, delete the folder ${installed.folder}.`;
  }
}

/** What a person types for `jumpseat` where this Jumpseat was started. */
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
