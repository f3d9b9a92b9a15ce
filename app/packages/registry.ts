import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Package } from './package.ts';
import { PackageError } from './package-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const defaultRegistry = 'https://registry.npmjs.org/';

/**
 * The registry that npm uses on this machine: the environment first, then the user's own `.npmrc`. A scope's registry
 * is not followed, as it asks for a sign-in as a rule. What answers there cannot change what is installed: its
 * integrity, or the key that signs it, stands in Jumpseat. Rejects with `PackageError`.
 */
export async function configuredRegistry(env: Environment, userHome: string): Promise<URL> {
  const variable = ['npm_config_registry', 'NPM_CONFIG_REGISTRY'].find((name) => env[name]?.trim());
  if (variable !== undefined) return checked(env[variable]?.trim() ?? '', variable);
  const file = env.npm_config_userconfig || env.NPM_CONFIG_USERCONFIG || join(userHome, '.npmrc');
  const text = await readFile(file, 'utf8').catch(() => '');
  const line = /^[ \t]*registry[ \t]*=[ \t]*(?<address>.*?)[ \t]*$/mu.exec(text)?.groups?.address;
  if (!line) return new URL(defaultRegistry);
  const filled = line.replace(/^"(.*)"$/u, '$1').replace(/\$\{(\w+)\}/gu, (whole, name: string) => env[name] ?? whole);
  return checked(filled, file);
}

/** Where a registry keeps the packed file of a version, as npm itself reckons it. */
export function packedAddress(registry: URL, { name, version }: Pick<Package, 'name' | 'version'>): URL {
  const base = registry.href.endsWith('/') ? registry.href : `${registry.href}/`;
  return new URL(`${base}${name}/-/${name.replace(/^@[^/]*\//u, '')}-${version}.tgz`);
}

/** Where a registry says what its newest version of a package is. */
export function newestAddress(registry: URL, name: string): URL {
  const base = registry.href.endsWith('/') ? registry.href : `${registry.href}/`;
  return new URL(`${base}${name.replace('/', '%2f')}/latest`);
}

/** https, or http to this machine; a bearer or password goes nowhere from here. */
export function isFetchable(url: URL): boolean {
  if (url.username || url.password || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/u.test(hostname);
}

/** The address is not repeated in the message: it may hold a password. */
function checked(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && isFetchable(url) && !url.search) return url;
  throw new PackageError(
    'registry',
    `The npm registry that ${from} names can’t be used: it has to be an https address without a name and password.`,
    `Correct it there, or set npm_config_registry=${defaultRegistry} for Jumpseat.`,
  );
}
