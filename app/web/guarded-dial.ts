import { isIP } from 'node:net';
import { unlessAborted } from '../account/unless-aborted.ts';
import type { Dialed, Dialer } from '../ports.ts';
import { PageError } from './page-error.ts';
import { isLocalName, isPublicAddress } from './public-address.ts';

const headTimeoutMs = 15_000;
const idleTimeoutMs = 15_000;
const longestAddress = 2_000;

/** Only http and https, without a name and a password. Throws `PageError`. */
export function pageAddress(text: string, base?: URL): URL {
  const url = text.length > longestAddress ? null : URL.parse(text, base);
  if (url === null) throw new PageError('This is no address of a page.', 'Give one that begins with https://.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new PageError('Only http and https addresses are read.', 'Give one that begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw new PageError('The address holds a name or a password.', 'Leave them out.');
  url.hash = '';
  return url;
}

/**
 * One request for a page, whose answer may be a redirect. No address in a private network is ever connected to: the
 * name is resolved here, every address that it has is looked at, and the connection goes to one of these and asks
 * no server for the name again. Behind a proxy the proxy resolves it: what is refused there is a name that resolves to
 * such an address here too, or that means something in one's own network alone.
 */
export async function dialPage(
  dialer: Dialer,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Dialed> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isProxied = ((await dialer.proxyFor?.(url)) ?? null) !== null;
  const addresses = isIP(host) > 0 ? [host] : await unlessAborted(resolved(dialer, host), signal);
  if (addresses.some((address) => !isPublicAddress(address)) || (isIP(host) === 0 && isLocalName(host)))
    throw refused();
  const [address = null] = addresses;
  if (address === null && !isProxied)
    throw new PageError(`No server has the name ${host}.`, 'Look at the spelling of the address.');
  // Plain connections do not go through a proxy.
  const secure = new URL(url);
  if (isProxied) secure.protocol = 'https:';
  return dialer.dial({ url: secure, method: 'GET', headers, signal, headTimeoutMs, idleTimeoutMs, address });
}

/** None: the name leads nowhere, as far as this machine knows. */
async function resolved(dialer: Dialer, host: string): Promise<readonly string[]> {
  return (await dialer.addressesOf?.(host)) ?? [];
}

function refused(): PageError {
  return new PageError(
    'The address leads into a private network or to this machine.',
    'Only pages of the open internet are read.',
  );
}
