import { expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';

it('keeps secrets for as long as it lives, and writes them nowhere', async () => {
  const secrets = memorySecrets({ 'local-key': 'given' });
  expect(secrets.storage).toBe('memory');
  expect(await secrets.status()).toEqual({ kind: 'available' });
  expect([await secrets.get('local-key'), await secrets.get('github-token')]).toEqual(['given', null]);
  await secrets.set('github-token', 'a');
  await secrets.delete('local-key');
  await secrets.delete('local-key');
  expect([await secrets.get('local-key'), await secrets.get('github-token')]).toEqual([null, 'a']);
  expect(await memorySecrets().get('github-token')).toBeNull();
});
