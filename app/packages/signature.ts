import { createPublicKey, verify } from 'node:crypto';
import type { SigningKey } from './npm-keys.ts';

/** As a registry gives it with a version: over `NAME@VERSION:INTEGRITY`, ECDSA with P-256 and SHA-256. */
export interface PackageSignature {
  keyid: string;
  /** DER in base64. */
  sig: string;
}

/** One version of a package, as its registry signed it. */
export interface SignedVersion {
  name: string;
  version: string;
  integrity: string;
  signatures: readonly PackageSignature[];
}

/** - `wrong`: it is of something else, or was made with another key than it names. */
export type SignatureProblem = 'unsigned' | 'unknown-key' | 'expired-key' | 'wrong';

/**
 * Why a version does not count as signed; null: it does, by one of these keys.
 * @param now in ms; null: a key that has expired counts as well
 */
export function signatureProblem(
  { name, version, integrity, signatures }: SignedVersion,
  keys: readonly SigningKey[],
  now: number | null,
): SignatureProblem | null {
  if (signatures.length === 0) return 'unsigned';
  const ofKnown = signatures.flatMap((signature) => {
    const key = keys.find(({ keyid }) => keyid === signature.keyid);
    return key === undefined ? [] : [{ key, sig: signature.sig }];
  });
  if (ofKnown.length === 0) return 'unknown-key';
  const valid = ofKnown.filter(({ key: { expires } }) => expires === null || now === null || now < Date.parse(expires));
  if (valid.length === 0) return 'expired-key';
  const said = Buffer.from(`${name}@${version}:${integrity}`);
  return valid.some(({ key, sig }) => isSignedBy(said, key, sig)) ? null : 'wrong';
}

function isSignedBy(said: Buffer, { key }: SigningKey, sig: string): boolean {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', said, publicKey, Buffer.from(sig, 'base64'));
}
