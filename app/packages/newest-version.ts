import { createPublicKey, verify } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { askRegistry, defaultRegistry, newestAddress, packedAddress } from './download.ts';
import {
  asRegistryError,
  type Package,
  PackageError,
  packageTitle,
  removeOtherVersions,
  versionsFolder,
} from './package.ts';

interface NewestOptions {
  registry: URL;
  dialer: Dialer;
  signal?: AbortSignal;
  /** Instead of npm's own. */
  keys?: readonly SigningKey[];
}

/** What a registry says of its newest version of a package: nothing of it was looked at yet. */
const reportedVersionSchema = z.object({
  name: z.string(),
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  dist: z.object({
    integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
    signatures: z
      .array(z.object({ keyid: z.string().max(200), sig: z.string().max(500) }))
      .max(20)
      .default([]),
  }),
});

/** A manifest is a few kB. */
const mostBytes = 1024 * 1024;

/** Asks a registry for the newest version of a package, because a person asked. Rejects with `PackageError`. */
export async function newestVersion(name: string, options: NewestOptions): Promise<SignedVersion> {
  const { registry } = options;
  const what = `the newest version of ${name}`;
  try {
    const response = await askRegistry('GET', newestAddress(registry, name), { what, ...options });
    const reported = reportedVersionSchema.safeParse(readJson(await textOf(response)));
    if (!reported.success || reported.data.name !== name) {
      const message = t('The answer of {host} about {what} can’t be read.', { host: registry.host, what });
      throw new PackageError('refused', message, t('Try again later, or set npm_config_registry to another registry.'));
    }
    const { version, dist } = reported.data;
    return { name, version, integrity: dist.integrity, signatures: dist.signatures };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw asRegistryError(error, what, registry);
  }
}

/** The size of its packed file in bytes. Rejects with `PackageError`. */
export async function packedBytes(of: SignedVersion, options: NewestOptions): Promise<number> {
  const { registry } = options;
  const what = packageTitle(of);
  try {
    const response = await askRegistry('HEAD', packedAddress(registry, of), { what, ...options });
    response.destroy();
    const bytes = Number(response.headers['content-length']);
    if (Number.isInteger(bytes) && bytes > 0) return bytes;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw asRegistryError(error, what, registry);
  }
  const message = t('{host} doesn’t say how large {what} is, so it wasn’t fetched.', { host: registry.host, what });
  throw new PackageError('refused', message, t('Set npm_config_registry to another registry.'));
}

/** Throws `PackageError` where it isn't signed with a key that Jumpseat knows. Nothing of it was fetched then. */
export function requireSigned(version: SignedVersion, { registry, keys = npmKeys }: NewestOptions): void {
  const problem = signatureProblem(version, keys, Date.now());
  if (problem === null) return;
  const { text, remedy } = refusals[problem](registry.host, packageTitle(version));
  throw new PackageError('unsigned', text, remedy);
}

/** Where npm's own registry gives none, a proxy on the way keeps a copy of it. */
function elsewhere(host: string): string {
  const { origin, host: npm } = new URL(defaultRegistry);
  return host === npm
    ? t('A mirror on the way to it may leave them out. Wait for a Jumpseat that brings this version.')
    : t('Set npm_config_registry={origin} for Jumpseat, or wait for a Jumpseat that brings this version.', { origin });
}

const refusals: Record<SignatureProblem, (host: string, title: string) => { text: string; remedy: string }> = {
  unsigned: (host, title) => ({
    text: t(
      '{title} is available, but {host} sends no signatures, so Jumpseat can’t verify that npm published it. ' +
        'Nothing was fetched.',
      { title, host },
    ),
    remedy: elsewhere(host),
  }),
  'unknown-key': (host, title) => ({
    text: t('{host} signs {title} with a key that this Jumpseat doesn’t know. Nothing was fetched.', { host, title }),
    remedy: t('Update Jumpseat.'),
  }),
  'expired-key': (host, title) => ({
    text: t('{host} signs {title} with a key of npm’s that has expired. Nothing was fetched.', { host, title }),
    remedy: elsewhere(host),
  }),
  wrong: (host, title) => ({
    text: t('The signature that {host} gives with {title} is not of this file. Nothing was fetched.', { host, title }),
    remedy: t('Look at which registry npm is configured with, or at a proxy that changes its answers.'),
  }),
};

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

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
type SignatureProblem = 'unsigned' | 'unknown-key' | 'expired-key' | 'wrong';

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
