import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { t } from '../language/translate.ts';
import type { Dialer } from '../ports.ts';
import { type Package, PackageError, packageTitle } from './package.ts';

const headTimeoutMs = 30_000;
const idleTimeoutMs = 30_000;
const mostRedirects = 5;

/** Opens the packed file at the registry. */
export function openPacked(
  wanted: Package,
  { registry, ...options }: { registry: URL; dialer: Dialer; signal?: AbortSignal },
): Promise<IncomingMessage> {
  return askRegistry('GET', packedAddress(registry, wanted), { what: packageTitle(wanted), ...options });
}

/**
 * Asks for what lies at an address of a registry. Registries of companies often keep files elsewhere, so redirects are
 * followed: nothing secret goes along, and an integrity or a signature says whether it is the right thing.
 * @param what is asked for, for people
 */
export async function askRegistry(
  method: 'GET' | 'HEAD',
  address: URL,
  { what, dialer, signal }: { what: string; dialer: Dialer; signal?: AbortSignal },
): Promise<IncomingMessage> {
  let url = address;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const { response } = await dialer.dial({
      ...{ url, method },
      headers: { accept: 'application/octet-stream, application/json', 'user-agent': 'Jumpseat' },
      ...{ headTimeoutMs, idleTimeoutMs },
      ...(signal === undefined ? {} : { signal }),
    });
    const status = response.statusCode ?? 0;
    if (status === 200) return response;
    response.destroy();
    const next = status >= 300 && status < 400 ? redirected(response.headers.location, url) : null;
    if (next === null) throw refused(what, url, status);
    url = next;
  }
  throw refused(what, url, 310);
}

function redirected(location: string | undefined, from: URL): URL | null {
  if (location === undefined || !URL.canParse(location, from)) return null;
  const next = new URL(location, from);
  return isFetchable(next) ? next : null;
}

function refused(title: string, { host }: URL, status: number): PackageError {
  if (status === 401 || status === 403) {
    return new PackageError(
      'refused',
      t('{host} doesn’t send {title} without a sign-in (status {status}), and Jumpseat has none for it.', {
        host,
        title,
        status,
      }),
      t('Set npm_config_registry to a registry that needs no sign-in.'),
    );
  }
  if (status === 404) {
    return new PackageError(
      'refused',
      t('{host} doesn’t have {title}.', { host, title }),
      t('Ask the registry’s administrator, or set npm_config_registry to another.'),
    );
  }
  return new PackageError(
    'refused',
    status >= 300 && status < 400
      ? t('{title} couldn’t be fetched: {host} sent Jumpseat on to where it may not follow (status {status}).', {
          title,
          host,
          status,
        })
      : t('{title} couldn’t be fetched: {host} answered with an error (status {status}).', { title, host, status }),
    t('Try again later, or set npm_config_registry to another registry.'),
  );
}

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
function isFetchable(url: URL): boolean {
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
    t('The npm registry in {from} can’t be used. It has to be an https address without a name and password.', { from }),
    t('Correct it there, or set npm_config_registry={defaultRegistry} for Jumpseat.', { defaultRegistry }),
  );
}
