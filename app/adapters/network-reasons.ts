import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { NetworkError, type ProxyReport } from '../ports.ts';
import { type ExpiredFile, issuerOf } from './certificates.ts';
import { type ProxyServer, proxyName } from './proxy.ts';
import { TunnelError } from './tunnels.ts';

/** Half a sentence each, to follow the host. */
const reasons: Record<string, Message> = {
  ENOTFOUND: msg('its name could not be found'),
  EAI_AGAIN: msg('its name could not be looked up; the network may be down'),
  ECONNREFUSED: msg('the connection was refused'),
  ECONNRESET: msg('the connection was closed before an answer came'),
  EPIPE: msg('the connection was closed before an answer came'),
  ETIMEDOUT: msg('the connection could not be made in time'),
  EHOSTUNREACH: msg('there is no way to it from this network'),
  ENETUNREACH: msg('there is no network'),
  ENETDOWN: msg('there is no network'),
  CERT_HAS_EXPIRED: msg('its certificate has expired; check the clock of this machine'),
  CERT_NOT_YET_VALID: msg('its certificate is not valid yet; check the clock of this machine'),
  ERR_TLS_CERT_ALTNAME_INVALID: msg(
    'its certificate is for another host; a company proxy or the sign-in page of a network is the likely cause',
  ),
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

/** The proxy that a request went through, and who put it there. */
export interface ProxyOnTheWay {
  proxy: ProxyServer;
  from: ProxyReport['from'];
}

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
    proxyStatus: error instanceof TunnelError ? error.statusCode : null,
    unsupportedSignIn: error instanceof TunnelError ? onlyUnsupported(error.schemes) : null,
    isDistrust: isDistrust(code),
    issuer: isDistrust(code) ? issuerOf(error) : null,
    nothingSent,
  });
}

/** A certificate isn't trusted, and the file that should make it so is out of date: that is the cause. */
export function ofExpiredFile({ host, cause, nothingSent }: NetworkError, file: ExpiredFile): NetworkError {
  const names = file.names.slice(0, 3).join(', ');
  const reason = t(
    'its certificate can’t be checked: all certificates in {path} are no longer valid ({names}). ' +
      'Put new ones into that file',
    { path: file.path, names },
  );
  return new NetworkError(host, 'CERT_HAS_EXPIRED', reason, { cause, nothingSent });
}

/** Whether no connection came about at all, so that nothing of the request was sent and the next way may be tried. */
export function neverArrived({ code, cause }: NetworkError): boolean {
  if (code === 'ERR_PROXY_TUNNEL') return !(cause instanceof TunnelError) || cause.statusCode === null;
  const error = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (typeof error !== 'object' || error === null) return false;
  const call: unknown = Reflect.get(error, 'syscall');
  return call === 'connect' || call === 'getaddrinfo' || code === 'ABORT_ERR';
}

function reasonFor(code: string, error: unknown, proxy: ProxyOnTheWay | null): string {
  if (isDistrust(code)) return distrustReason(code, issuerOf(error));
  if (error instanceof TunnelError) return proxyReason(error, proxy);
  const known = reasons[code];
  const unknown = () =>
    code === 'UNKNOWN' ? t('the connection failed') : t('the connection failed ({code})', { code });
  const reason = known === undefined ? unknown() : translated(known);
  if (proxy === null || !code.startsWith('E') || code.startsWith('ERR_')) return reason;
  return {
    environment: t('{reason}; HTTPS_PROXY is set to a proxy', { reason }),
    system: t('{reason}; the system’s settings put the proxy {proxy} in between', {
      reason,
      proxy: proxyName(proxy.proxy),
    }),
    script: t('{reason}; the PAC script puts the proxy {proxy} in between', {
      reason,
      proxy: proxyName(proxy.proxy),
    }),
  }[proxy.from];
}

function distrustReason(code: string, issuer: string | null): string {
  const what =
    issuer === null
      ? t('its certificate is not trusted ({code}).', { code })
      : t('its certificate is not trusted ({code}): its issuer “{issuer}” is unknown here.', { code, issuer });
  return sentences(
    what,
    t(
      'Probably a company proxy decrypts TLS. Add that issuer’s certificate to the system’s, or name its file in ' +
        'Settings → Network or JUMPSEAT_CA_FILE',
    ),
  );
}

/** The proxy was there and did not let the request through. */
function proxyReason({ statusCode, schemes }: TunnelError, on: ProxyOnTheWay | null): string {
  const name = on === null ? '' : proxyName(on.proxy);
  const from = on?.from ?? 'environment';
  const which = {
    environment: t('the proxy in HTTPS_PROXY'),
    system: t('the system’s proxy {name}', { name }),
    script: t('the PAC script’s proxy {name}', { name }),
  }[from];
  if (statusCode === null) return t('{which} refused the connection', { which });
  if (statusCode !== 407) return t('{which} refused the connection ({status})', { which, status: statusCode });
  const unsupported = onlyUnsupported(schemes);
  if (unsupported !== null) {
    return sentences(
      t('{which} accepts only {unsupported} (407), which Jumpseat can’t do.', { which, unsupported }),
      putHelperInItsPlace(from),
    );
  }
  const wants = t('{which} requires a name and a password (407)', { which });
  if (from === 'environment') return wants;
  return t('{wants}: set HTTPS_PROXY to http://NAME:PASSWORD@{name} and start Jumpseat again', { wants, name });
}

/** `NTLM and Negotiate`; null if the proxy takes a name and a password, or doesn't say what it takes. */
function onlyUnsupported(schemes: readonly string[]): string | null {
  if (schemes.length === 0 || schemes.includes('basic')) return null;
  const names = schemes.map((scheme) => schemeNames[scheme] ?? scheme);
  return names.length === 1
    ? (names[0] ?? null)
    : t('{names} and {name}', { names: names.slice(0, -1).join(', '), name: names.at(-1) ?? '' });
}

const schemeNames: Readonly<Record<string, string>> = {
  ntlm: 'NTLM',
  negotiate: 'Negotiate (Kerberos)',
  kerberos: 'Kerberos',
  digest: 'Digest',
  bearer: 'Bearer',
};

function putHelperInItsPlace(from: ProxyReport['from']): string {
  return {
    environment: t('Run a helper that can, such as Px or Cntlm, and set HTTPS_PROXY to its address'),
    system: t('Run a helper that can, such as Px or Cntlm, and set it as the system’s proxy'),
    script: t('Run a helper that can, such as Px or Cntlm, and name it in a PAC script of yours'),
  }[from];
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0 && !hasCode(error)) return codeOf(error.errors[0]);
  return hasCode(error) ? error.code : 'UNKNOWN';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
