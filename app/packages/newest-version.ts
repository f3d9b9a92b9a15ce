import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { askRegistry, defaultRegistry, newestAddress, packedAddress } from './download.ts';
import { asRegistryError, PackageError, packageTitle } from './package.ts';
import { npmKeys, type SignatureProblem, type SignedVersion, type SigningKey, signatureProblem } from './signature.ts';

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
