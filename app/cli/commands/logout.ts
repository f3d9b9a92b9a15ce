import { nodePaths } from '../../adapters/paths.ts';
import { secretsFile } from '../../compose.ts';
import { SecretsError } from '../../ports.ts';
import { CommandFailure } from '../failure.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

/** `jumpseat logout`: out of every store on this machine, also one that is not in use now. */
export async function logout(surroundings: Surroundings): Promise<number> {
  const { terminal, env } = surroundings;
  await withApp(surroundings, {}, async ({ app, ports, settings, variables }) => {
    const wasFile = ports.secrets.storage === 'file';
    await app.signOut();
    await forgetElsewhere(ports.secrets.storage, secretsFile(nodePaths(env)));
    if (wasFile) await settings.update({ secretsStorage: 'keychain' });
    terminal.out('Signed out. The token is deleted on this machine; your history stays.');
    if (variables.githubToken !== null) {
      throw new CommandFailure('JUMPSEAT_GITHUB_TOKEN is still set and signs Jumpseat in.', 'Unset it as well.');
    }
  });
  return 0;
}

/** The stores that this start does not use. A keychain that is not there holds no token. */
async function forgetElsewhere(used: 'keychain' | 'file' | 'memory', file: string): Promise<void> {
  if (used !== 'file') {
    const { fileSecrets } = await import('../../adapters/file-secrets.ts');
    const { existsSync } = await import('node:fs');
    if (existsSync(file)) await fileSecrets(file).delete('github-token');
  }
  if (used === 'file') {
    const { keychainSecrets } = await import('../../adapters/keychain-secrets.ts');
    const keychain = keychainSecrets();
    const status = await keychain.status();
    if (status.kind === 'unavailable') return;
    if (status.kind === 'locked')
      throw new SecretsError(
        `The keychain may still hold a token. ${status.reason}`,
        `${status.mend} Then run "jumpseat logout" again.`,
      );
    await keychain.delete('github-token');
  }
}
