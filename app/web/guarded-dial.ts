import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { unlessAborted } from '../account/unless-aborted.ts';
import { t } from '../language/translate.ts';
import type { Dialed, Dialer } from '../ports.ts';
import { RemedyError } from '../ports.ts';

/** A page could not be read. `message` says what happened and why, `remedy` what to do next. */
export class PageError extends RemedyError {
  override readonly name = 'PageError';
  /** The address is none that may be read from here. */
  readonly isRefused: boolean;
  constructor(message: string, remedy: string, isRefused = false) {
    super(message, remedy);
    this.isRefused = isRefused;
  }
}

const headTimeoutMs = 15_000;
const idleTimeoutMs = 15_000;
const longestAddress = 2_000;

/** Address of a page: http or https, without a name and a password. Throws `PageError`. */
export function pageAddress(text: string, base?: URL): URL {
  const url = text.length > longestAddress ? null : URL.parse(text, base);
  if (url === null)
    throw new PageError(t('This is no address of a page.'), t('Enter an address that begins with https://.'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new PageError(t('Only http and https addresses are read.'), t('Enter an address that begins with https://.'));
  if (url.username !== '' || url.password !== '')
    throw new PageError(t('The address holds a name or a password.'), t('Leave them out.'));
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
    throw new PageError(t('No server has the name {host}.', { host }), t('Look at the spelling of the address.'));
  // Plain connections do not go through a proxy.
  const secure = new URL(url);
  if (isProxied) secure.protocol = 'https:';
  return dialer.dial({ url: secure, method: 'GET', headers, signal, headTimeoutMs, idleTimeoutMs, address });
}

/** Empty if the name can't be resolved on this machine. */
async function resolved(dialer: Dialer, host: string): Promise<readonly string[]> {
  return (await dialer.addressesOf?.(host)) ?? [];
}

function refused(): PageError {
  return new PageError(
    t('The address leads into a private network or to this machine.'),
    t('Only pages of the open internet are read.'),
    true,
  );
}

/**
 * Networks that no page of the web lies in: this machine, private, link-local, shared, documentation, multicast and
 * reserved (IANA's registries of special-purpose addresses), and Azure's metadata service, which has a public address.
 */
const notPublic = new BlockList();
const ipv4Networks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
for (const network of ipv4Networks) notPublic.addSubnet(...parts(network), 'ipv4');
/** IPv6 ranges that are public but not allowed: tunnels that lead to an IPv4 address, and documentation. */
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  notPublic.addSubnet(...parts(network), 'ipv6');

/** All that is given out to networks of the world. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');

function parts(network: string): [string, number] {
  const [address = '', bits] = network.split('/');
  return [address, Number(bits)];
}

/** Whether a page may be read at this address: on the open internet, and not on one of this machine's own. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4') && !isOwn(address);
  if (!isIPv6(address) || address.includes('%')) return false;
  const inside = ipv4Inside(address);
  if (inside !== null) return isPublicAddress(inside);
  return publicIpv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6') && !isOwn(address);
}

/** IPv4 address inside a mapped one (`::ffff:`) or one of NAT64 (`64:ff9b::`). */
function ipv4Inside(address: string): string | null {
  // In the one spelling that an address in a URL has.
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return null;
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.');
}

/** A server that listens on all of them is meant for this machine's own network at most. */
function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}

/** Names that mean something in one's own network alone. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || /\.(?:localhost|local|internal|intranet|private|corp|lan|home|home\.arpa)$/i.test(name);
}
