import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileSecrets } from '../../../app/adapters/file-secrets.ts';
import { keychainSecrets } from '../../../app/adapters/keychain-secrets.ts';
import { fileLog } from '../../../app/adapters/log.ts';
import { memorySecrets } from '../../../app/adapters/memory-secrets.ts';

it.each(['memory', 'file', 'keychain'] as const)(
  'B1.17 what the %s store was given or gave is in no log line',
  async (kind) => {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-hidden-'));
    // Shapes that no pattern of the redaction knows.
    const written = `plain-words-${kind}-written`;
    const found = `plain-words-${kind}-found`;
    const keychain = {
      getPassword: async () => `octo.ghe.com ${found}`,
      setPassword: async () => {},
      deletePassword: async () => true,
    };
    const secrets = {
      memory: () => memorySecrets({ 'github-token': `octo.ghe.com ${found}` }),
      file: () => fileSecrets(join(home, 'secrets', 'secrets.json')),
      keychain: () => keychainSecrets({ load: async () => keychain }),
    }[kind]();
    await secrets.set('local-key', `octo.ghe.com ${written}`);
    await secrets.get('github-token');
    const log = fileLog(join(home, 'logs'));
    log.write('info', 'test', { written, found: kind === 'file' ? '' : found, inside: `a ${written} b` });
    await log.close();
    const text = readFileSync(join(home, 'logs', 'jumpseat.log'), 'utf8');
    expect(text).toContain('"test"');
    expect(text).not.toContain(written);
    expect(text).not.toContain(found);
    rmSync(home, { recursive: true, force: true });
  },
);
