import { generateKeyPairSync, sign } from 'node:crypto';
import type { SigningKey } from '../../../app/packages/newest-version.ts';

/** A key of a test's own registry, and how it signs. */
export function signer(keyid = 'SHA256:of-a-test', expires: string | null = null) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: SigningKey = {
    keyid,
    expires,
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
  const signatures = (name: string, version: string, integrity: string) => [
    { keyid, sig: sign('sha256', Buffer.from(`${name}@${version}:${integrity}`), privateKey).toString('base64') },
  ];
  return { key, signatures };
}
