import tls, { type SecureContext } from 'node:tls';

let context: SecureContext | null = null;
let trustedEverywhere = false;

/** For one connection. Made once: it takes a twentieth of a second. */
export function machineContext(): SecureContext {
  context ??= tls.createSecureContext({ ca: machineCertificates() });
  return context;
}

/** For every TLS connection of this process. Takes a tenth of a second. */
export function trustEverywhere(): void {
  if (trustedEverywhere) return;
  trustedEverywhere = true;
  tls.setDefaultCACertificates(machineCertificates());
}

/** Those that this machine trusts, a company's among them, and those that Node brings (with `NODE_EXTRA_CA_CERTS`). */
function machineCertificates(): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
}
