import { expect, it } from 'vitest';
import { type OutOfSeveral, signedOut } from '../../../app/account/account-error.ts';

const remedyOf = (several: OutOfSeveral | null): string => signedOut('vscode', {}, null, several).remedy;

it('an error about a sign-in names the way in the window and the one in a terminal', () => {
  expect(remedyOf(null)).toBe('Run "jumpseat login", or click “Sign in” in Jumpseat’s window.');
  // One that only a client’s label uses.
  expect(remedyOf({ name: 'My work', isInUse: false, other: null })).toBe(
    'Sign in under Settings → Account, or run "jumpseat login --account \'My work\'".',
  );
  expect(remedyOf({ name: 'Work', isInUse: true, other: { name: 'octo-demo' } })).toBe(
    'Run "jumpseat login", or click “Sign in” in Jumpseat’s window. ' +
      'Or use octo-demo, which is signed in: Settings → Account, or "jumpseat accounts use octo-demo".',
  );
});
