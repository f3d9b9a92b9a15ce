import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSecrets } from '../../../app/adapters/file-secrets.ts';
import { temporaryFolder } from './folder.ts';

const path = () => join(temporaryFolder(), 'home', 'secrets.json');

describe('file secrets', () => {
  it('keep, give and forget, in a 0600 file in a 0700 folder', async () => {
    const file = path();
    const secrets = fileSecrets(file);
    expect(await secrets.get('github-token')).toBeNull();
    expect(await secrets.status()).toEqual({ kind: 'available' });
    await secrets.set('github-token', 'a "token"\n☕');
    await secrets.set('local-key', 'a key');
    expect([statSync(dirname(file)).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(dirname(file))).toEqual(['secrets.json']);
    const again = fileSecrets(file);
    expect(await again.get('github-token')).toBe('a "token"\n☕');
    await again.delete('github-token');
    await again.delete('github-token');
    expect(await secrets.get('github-token')).toBeNull();
    expect(await secrets.get('local-key')).toBe('a key');
    expect(await secrets.status()).toEqual({ kind: 'available' });
  });

  it('lose nothing when set at once', async () => {
    const secrets = fileSecrets(path());
    await Promise.all([secrets.set('github-token', 'a'), secrets.set('local-key', 'b')]);
    expect([await secrets.get('github-token'), await secrets.get('local-key')]).toEqual(['a', 'b']);
  });

  it('sweep what a process that was killed while it wrote left beside them, and nothing else', async () => {
    const file = path();
    await fileSecrets(file).set('local-key', 'a key');
    const leave = (name: string, ageMs: number) => {
      const left = join(dirname(file), name);
      writeFileSync(left, 'a key', { mode: 0o600 });
      const then = new Date(Date.now() - ageMs);
      utimesSync(left, then, then);
    };
    leave('secrets.json.tmp-1234567890abcdef', 61_000);
    leave('secrets.json.probe-4711', 61_000);
    leave('secrets.json.tmp-1234567890fedcba', 1_000);
    leave('secrets.json.tmp-mine', 61_000);
    leave('my-secrets.json.tmp-1234567890abcdef', 61_000);
    fileSecrets(file);
    expect(readdirSync(dirname(file)).sort()).toEqual([
      'my-secrets.json.tmp-1234567890abcdef',
      'secrets.json',
      'secrets.json.tmp-1234567890fedcba',
      'secrets.json.tmp-mine',
    ]);
  });

  it('make no file when there is nothing to delete', async () => {
    const file = path();
    await fileSecrets(file).delete('local-key');
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o660, 0o602])(
    'refuse a file that others may use (%o), and do not fix it in silence',
    async (mode) => {
      const file = path();
      const secrets = fileSecrets(file);
      await secrets.set('github-token', 'sesame-sesame');
      chmodSync(file, mode);
      const before = readFileSync(file, 'utf8');
      const failure = {
        name: 'SecretsError',
        message: `Other users may read the secrets file ${file}, so it isn’t used.`,
        remedy: expect.stringContaining(`chmod 600 ${file}`),
      };
      await expect(secrets.get('github-token')).rejects.toMatchObject(failure);
      await expect(secrets.set('github-token', 'new')).rejects.toMatchObject(failure);
      await expect(secrets.delete('github-token')).rejects.toMatchObject(failure);
      expect(await secrets.status()).toEqual({ kind: 'unavailable', reason: failure.message, remedy: failure.remedy });
      expect(readFileSync(file, 'utf8')).toBe(before);
      expect(statSync(file).mode & 0o777).toBe(mode);
    },
  );

  it.skipIf(process.platform === 'win32')('refuse a folder that others may write to', async () => {
    const file = path();
    const secrets = fileSecrets(file);
    await secrets.set('github-token', 'a');
    chmodSync(dirname(file), 0o777);
    await expect(secrets.get('github-token')).rejects.toMatchObject({
      remedy: `Close it for others: chmod 700 ${dirname(file)}`,
    });
  });

  it.skipIf(process.platform === 'win32')('look at modes but on Windows, where they mean nothing', async () => {
    const file = path();
    await fileSecrets(file).set('github-token', 'sesame-sesame');
    chmodSync(file, 0o644);
    for (const platform of ['linux', 'darwin'] as const) {
      await expect(fileSecrets(file, platform).get('github-token')).rejects.toThrow('Other users may read');
    }
    expect(await fileSecrets(file, 'win32').get('github-token')).toBe('sesame-sesame');
  });

  it('say that the file is broken, and quote nothing of it', async () => {
    const file = path();
    mkdirSync(dirname(file), { mode: 0o700 });
    writeFileSync(file, '{"github-token": "ghu_secretsecret', { mode: 0o600 });
    const error = await fileSecrets(file)
      .get('github-token')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: `The secrets file ${file} is broken.`,
      remedy: 'Delete it, then sign in again.',
    });
    expect(JSON.stringify(error)).not.toContain('secretsecret');
    await expect(fileSecrets(file).set('local-key', 'a')).rejects.toMatchObject({ name: 'SecretsError' });
  });

  it('say that the folder cannot be made', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const secrets = fileSecrets(join(folder, 'file', 'home', 'secrets.json'));
    expect(await secrets.status()).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('ENOTDIR') });
    await expect(secrets.set('local-key', 'a')).rejects.toMatchObject({ name: 'SecretsError' });
  });
});
