import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls, { type DetailedPeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import type { CertificateSource } from '../ports.ts';

/** The contents of a certificate file. */
interface CertificateFile {
  /** Each as PEM. */
  certificates: string[];
  /** Names of those that are no longer valid. */
  expired: string[];
  /** Why none of it can be used; the rest of a sentence that begins with the file. */
  problem: string | null;
}

/** A certificate file in which every certificate has expired. */
export interface ExpiredFile {
  path: string;
  /** The subjects of its certificates. */
  names: readonly string[];
}

const mostBytes = 8 * 2 ** 20;
const block = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]+-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** Reads it anew. Never throws. */
export function readCertificateFile(path: string, now = Date.now()): CertificateFile {
  const unusable = (problem: string): CertificateFile => ({ certificates: [], expired: [], problem });
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    return unusable(code === 'ENOENT' ? 'isn’t there' : `can’t be read (${code})`);
  }
  if (text.length > mostBytes) return unusable('is larger than 8 MB');
  const found = text.match(block) ?? [];
  if (found.length === 0) return unusable('has no certificate in PEM form (“-----BEGIN CERTIFICATE-----”)');
  const expired: string[] = [];
  for (const [at, pem] of found.entries()) {
    try {
      const certificate = new X509Certificate(pem);
      if (Date.parse(certificate.validTo) < now) expired.push(nameIn(certificate.subject));
    } catch {
      return unusable(`has a certificate that can’t be read (number ${at + 1})`);
    }
  }
  return { certificates: found, expired, problem: null };
}

/** The certificates that connections are checked with: Node's own, those of a person's file, and the system's. */
export class TrustedCertificates {
  /** The system's are read when a certificate wasn't trusted: that takes a twentieth of a second. */
  #usesSystem = false;
  #file: { path: string; read: CertificateFile } | null = null;
  #context: SecureContext | null = null;

  /** Undefined while Node's own are all: Node has a context for these. */
  context(): SecureContext | undefined {
    if (!this.#usesSystem && (this.#file?.read.certificates.length ?? 0) === 0) return undefined;
    this.#context ??= tls.createSecureContext({ ca: this.#all() });
    return this.#context;
  }

  /** @param path null: no file */
  trustFile(path: string | null): void {
    this.#file = path === null ? null : { path, read: readCertificateFile(path) };
    this.#context = null;
  }

  /** The first certificate file of the person in which every certificate has expired; null if there is none. */
  expiredFile(): ExpiredFile | null {
    for (const path of [process.env.NODE_EXTRA_CA_CERTS, this.#file?.path]) {
      if (!path) continue;
      const { certificates, expired } = readCertificateFile(path);
      if (expired.length > 0 && expired.length === certificates.length) return { path, names: expired };
    }
    return null;
  }

  /** False if they are in use already. */
  trustSystem(): boolean {
    if (this.#usesSystem) return false;
    this.#usesSystem = true;
    this.#context = null;
    return true;
  }

  /** Reads the files anew, so that a report says what is there now. */
  sources(): CertificateSource[] {
    const extra = process.env.NODE_EXTRA_CA_CERTS || null;
    const file = this.#file?.path ?? null;
    const none = { file: null, problem: null, expired: [] };
    return [
      { ...none, from: 'node', count: tls.getCACertificates('bundled').length, isUsed: true },
      { ...none, from: 'system', count: tls.getCACertificates('system').length, isUsed: this.#usesSystem },
      ...(extra === null ? [] : [ofFile('NODE_EXTRA_CA_CERTS', extra)]),
      ...(file === null ? [] : [ofFile('setting', file)]),
    ];
  }

  #all(): string[] {
    const system = this.#usesSystem ? tls.getCACertificates('system') : [];
    return [...new Set([...tls.getCACertificates('default'), ...(this.#file?.read.certificates ?? []), ...system])];
  }
}

function ofFile(from: CertificateSource['from'], path: string): CertificateSource {
  const { certificates, expired, problem } = readCertificateFile(path);
  return { from, file: path, count: certificates.length, expired, problem, isUsed: problem === null };
}

const issuers = new WeakMap<object, string>();

/**
 * Remembers who issued the certificate that a connection fails over: Node's error doesn't say, and by then the
 * connection is gone.
 */
export function rememberIssuer(socket: TLSSocket): void {
  socket.prependOnceListener('secure', () => {
    // `getPeerX509Certificate` would leave Node's own look at the names with an empty certificate.
    const certificate: Partial<DetailedPeerCertificate> = socket.getPeerCertificate(true);
    socket.prependOnceListener('error', (error) => {
      const issuer = outermostIssuer(certificate);
      if (issuer !== null) issuers.set(error, issuer);
    });
  });
}

/** Who issued the certificate that an error of a connection is about; null if that isn't known. */
export function issuerOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null ? (issuers.get(error) ?? null) : null;
}

/** The issuer of the last certificate that was sent along: the one that would have to be known here. */
function outermostIssuer(leaf: Partial<DetailedPeerCertificate>): string | null {
  let last = leaf;
  for (let step = 0; step < 10; step += 1) {
    const { issuerCertificate } = last;
    if (issuerCertificate === undefined || issuerCertificate.fingerprint256 === last.fingerprint256) break;
    last = issuerCertificate;
  }
  const { CN = '', O: company = '' } = last.issuer ?? {};
  return last.issuer === undefined ? null : fullName([CN].flat()[0] ?? '', [company].flat()[0] ?? '');
}

/** Reads a name that is written in lines: `CN=Company Root\nO=Octo Ltd`. */
function nameIn(lines: string): string {
  const part = (key: string): string => {
    const found = lines.split('\n').find((line) => line.startsWith(`${key}=`)) ?? '';
    return found.slice(key.length + 1);
  };
  return fullName(part('CN'), part('O'));
}

/** `Company Root (Octo Ltd)` */
function fullName(...given: [name: string, company: string]): string {
  const [name = '', company = ''] = given.map((part) =>
    part
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim()
      .slice(0, 80),
  );
  if (name === '') return company || 'without a name';
  return company === '' || company === name ? name : `${name} (${company})`;
}
