import type { IncomingMessage } from 'node:http';
import type { Dialer } from '../ports.ts';
import { type Package, packageTitle } from './package.ts';
import { PackageError } from './package-error.ts';
import { isFetchable, packedAddress } from './registry.ts';

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
      `${host} doesn’t give out ${title} without a sign-in (status ${status}), and Jumpseat has none for it.`,
      'Set npm_config_registry to a registry that needs none.',
    );
  }
  if (status === 404) {
    return new PackageError(
      'refused',
      `${host} doesn’t have ${title}.`,
      'Ask whoever keeps that registry for it, or set npm_config_registry to another.',
    );
  }
  const why = status >= 300 && status < 400 ? 'sent Jumpseat on to where it may not follow' : 'answered with an error';
  return new PackageError(
    'refused',
    `${title} couldn’t be fetched: ${host} ${why} (status ${status}).`,
    'Try again later, or set npm_config_registry to another registry.',
  );
}
