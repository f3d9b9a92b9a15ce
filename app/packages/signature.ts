import { createPublicKey, verify } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { removeOtherVersions, versionsFolder } from './installed.ts';
import type { Package } from './package.ts';

/** A public key with which a registry signs what is published. */
export interface SigningKey {
  /** Name of the key in the signature: `SHA256:…`. */
  keyid: string;
  /** Base64 of SubjectPublicKeyInfo of a P-256 key. */
  key: string;
  /** ISO time from which on nothing is signed with it; null: not set. */
  expires: string | null;
}

/**
 * The keys of the public npm registry, as its address `/-/npm/v1/keys` gives them. Taken from corepack 0.34.7 of
 * Node.js (dist/lib/corepack.cjs), which carries them for the same end. What is fetched at a person's word in a version
 * that Jumpseat was not built for has to be signed with one of them.
 */
export const npmKeys: readonly SigningKey[] = [
  {
    keyid: 'SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U',
    key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY6Ya7W++7aUPzvMTrezH6Ycx3c+HOKYCcNGybJZSCJq/fd7Qa8uuAKtdIkUQtQiEKERhAmE5lMMJhP8OkDOa2g==',
    expires: null,
  },
  {
    keyid: 'SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA',
    key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i6UPp+IhuteBJbuHcA5UogKo0EWtlWwW6KSaKoTNEYL7JlCQiVnkhBktUgg==',
    expires: '2025-01-29T00:00:00.000Z',
  },
];

/** A registry's signature of a version: over `NAME@VERSION:INTEGRITY`, ECDSA with P-256 and SHA-256. */
interface PackageSignature {
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
 * Why a version does not count as signed; null if it does, by one of these keys.
 * @param now in ms; null if a key that has expired counts as well
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

/**
 * How a package was signed whose integrity is not in Jumpseat, and the hashes of its programs. Nobody signs these
 * hashes: they are not stored beside the programs, so that who changes a copy doesn't change them too.
 */
const recordSchema = z.object({
  name: z.string(),
  version: z.string(),
  integrity: z.string(),
  bytes: z.number().int().positive(),
  programs: z.record(z.string(), z.string()),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
});

interface SignedPackage extends Package {
  signatures: readonly PackageSignature[];
}

function recordFile(folder: string, of: Pick<Package, 'name' | 'version'>): string {
  return join(versionsFolder(folder, of), `${of.version}.json`);
}

/** @param folder of all records */
export async function writeSignedRecord(folder: string, signed: SignedPackage): Promise<void> {
  const file = recordFile(folder, signed);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(signed, null, 2)}\n`, { mode: 0o600 });
}

/** Deletes the records of other versions. */
export async function removeOtherRecords(folder: string, { name, version }: Pick<Package, 'name' | 'version'>) {
  await removeOtherVersions(folder, { name, version: `${version}.json` });
}

/**
 * A version whose record is here, where it was signed by a key that this Jumpseat knows; null if it was not. A key that
 * has expired since counts: it was valid when the package was fetched.
 */
export async function readSignedRecord(
  folder: string,
  { name, version }: Pick<Package, 'name' | 'version'>,
  keys: readonly SigningKey[] = npmKeys,
): Promise<Package | null> {
  const text = await readFile(recordFile(folder, { name, version }), 'utf8').catch(() => null);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = recordSchema.safeParse(value);
  if (!read.success || read.data.name !== name || read.data.version !== version) return null;
  const { signatures, ...found } = read.data;
  return signatureProblem({ ...found, signatures }, keys, null) === null ? found : null;
}
