/**
 * Whether an address is our own proxy on this machine. Requests sent there would come back to us: a circle. Takes
 * addresses with and without a scheme, as `HTTPS_PROXY` knows them; what is no address at all is not ours.
 */
export function pointsAtOurselves(address: string, port: number): boolean {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const loopback =
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '0.0.0.0' ||
    /^127\./.test(host);
  const theirs = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return loopback && theirs === port;
}

const proxyNames = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** The first variable that sends outgoing traffic through ourselves. */
export function proxyCircle(env: Readonly<Record<string, string | undefined>>, port: number): string | null {
  return proxyNames.find((name) => pointsAtOurselves(env[name] ?? '', port)) ?? null;
}
