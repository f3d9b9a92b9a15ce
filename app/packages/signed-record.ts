import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { npmKeys, type SigningKey } from './npm-keys.ts';
import type { Package } from './package.ts';
import { type PackageSignature, signatureProblem } from './signature.ts';

/** What lies beside the files of a package whose integrity is not in Jumpseat: how it was signed, and its programs. */
const recordName = '.jumpseat-signed.json';

const recordSchema = z.object({
  name: z.string(),
  version: z.string(),
  integrity: z.string(),
  bytes: z.number().int().positive(),
  programs: z.record(z.string(), z.string()),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
});

export interface SignedPackage extends Package {
  signatures: readonly PackageSignature[];
}

export async function writeSignedRecord(place: string, signed: SignedPackage): Promise<void> {
  await writeFile(join(place, recordName), `${JSON.stringify(signed, null, 2)}\n`, { mode: 0o600 });
}

/**
 * The package that lies in a folder, where it was signed by a key that this Jumpseat knows; null: it was not, or this
 * is another one. A key that has expired since counts: it was valid when the package was fetched.
 */
export async function readSignedRecord(
  place: string,
  { name, version }: Pick<Package, 'name' | 'version'>,
  keys: readonly SigningKey[] = npmKeys,
): Promise<Package | null> {
  const text = await readFile(join(place, recordName), 'utf8').catch(() => null);
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
