import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { removeOtherVersions, versionsFolder } from './installed.ts';
import { npmKeys, type SigningKey } from './npm-keys.ts';
import type { Package } from './package.ts';
import { type PackageSignature, signatureProblem } from './signature.ts';

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

export interface SignedPackage extends Package {
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
 * A version whose record is here, where it was signed by a key that this Jumpseat knows; null: it was not. A key that
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
