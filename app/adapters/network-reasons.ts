import { NetworkError } from '../ports.ts';

/** Half a sentence each, to follow the host. */
const reasons: Record<string, string> = {
  ENOTFOUND: 'its name could not be found',
  EAI_AGAIN: 'its name could not be looked up; the network may be down',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'there is no way to it from this network',
  ENETUNREACH: 'there is no network',
  ENETDOWN: 'there is no network',
  CERT_HAS_EXPIRED: 'its certificate has expired; check the clock of this machine',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host; a company proxy or the sign-in page of a network is the likely cause',
  ERR_PROXY_INVALID_CONFIG: 'the address in HTTPS_PROXY cannot be read',
  ERR_PROXY_NOT_HTTP: 'HTTPS_PROXY is set to a proxy that is neither http nor https, and only those are supported',
};

/** OpenSSL's ways to say that the issuer is unknown. */
const distrust = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** The certificate is whole, but no authority that is trusted here has signed it. */
export function isDistrust(code: string): boolean {
  return distrust.has(code);
}

/** The address of the proxy is none that can be used: thrown before anything is sent. */
export function isBadProxy(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ERR_PROXY_INVALID_CONFIG' || code === 'ERR_PROXY_NOT_HTTP';
}

/** Where the proxy comes from that a request went through, and what a person calls it. */
export type ProxyOnTheWay = { from: 'environment' } | { from: 'system'; name: string };

/** Node's error in words. A reset is `ECONNRESET` however the socket called it. */
export function explainNetworkError(
  host: string,
  error: unknown,
  proxy: ProxyOnTheWay | null,
  nothingSent: boolean,
): NetworkError {
  const code = codeOf(error);
  return new NetworkError(host, code === 'EPIPE' ? 'ECONNRESET' : code, reasonFor(code, error, proxy), {
    cause: error,
    proxyStatus: code === 'ERR_PROXY_TUNNEL' ? numberOf(error, 'statusCode') : null,
    isDistrust: isDistrust(code),
    nothingSent,
  });
}

/** Whether no connection came about at all, so that nothing of the request was sent and the next way may be tried. */
export function neverArrived({ code, cause }: NetworkError): boolean {
  if (code === 'ERR_PROXY_TUNNEL') return numberOf(cause, 'statusCode') === null;
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (typeof error !== 'object' || error === null) return false;
  const call: unknown = Reflect.get(error, 'syscall');
  return call === 'connect' || call === 'getaddrinfo' || code === 'ABORT_ERR';
}

function reasonFor(code: string, error: unknown, proxy: ProxyOnTheWay | null): string {
  if (isDistrust(code)) {
    return (
      `its certificate is not trusted (${code}); probably a company proxy decrypts TLS. Add its ` +
      'certificate to the system’s, or set NODE_EXTRA_CA_CERTS to its file'
    );
  }
  if (code === 'ERR_PROXY_TUNNEL' || code === 'ERR_SOCKS') return proxyReason(error, proxy);
  const reason = reasons[code] ?? (code === 'UNKNOWN' ? 'the connection failed' : `the connection failed (${code})`);
  if (proxy === null || !code.startsWith('E') || code.startsWith('ERR_')) return reason;
  return proxy.from === 'environment'
    ? `${reason}; HTTPS_PROXY is set to a proxy`
    : `${reason}; the system’s settings put the proxy ${proxy.name} in between`;
}

/** The proxy was there and did not let the request through. */
function proxyReason(error: unknown, proxy: ProxyOnTheWay | null): string {
  const which = proxy?.from === 'system' ? `the system’s proxy ${proxy.name}` : 'the proxy in HTTPS_PROXY';
  const status = numberOf(error, 'statusCode');
  if (status !== 407) return `${which} refused the connection${status === null ? '' : ` (${status})`}`;
  const wants = `${which} requires a name and a password (407)`;
  return proxy?.from === 'system'
    ? `${wants}: set HTTPS_PROXY to http://NAME:PASSWORD@${proxy.name} and start Jumpseat again`
    : wants;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0 && !hasCode(error)) return codeOf(error.errors[0]);
  return hasCode(error) ? error.code : 'UNKNOWN';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}

function numberOf(error: unknown, name: string): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'number' ? value : null;
}
