import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * Certificates for tests, made on the spot: no key lies in the repository. X.509 v3 in DER (RFC 5280), P-256 with
 * SHA-256.
 */
export interface Issued {
  cert: string;
  key: string;
}

export interface Authority {
  /** PEM. */
  certificate: string;
  /** The one that it had before, with the same key, which has expired. */
  former: string;
  issue(hostname: string, options?: { expired?: boolean }): Issued;
}

export function createAuthority(name = 'Company Root', expired = false): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = {
    ...{ subject: name, issuer: name, subjectKey: keys.publicKey, issuerKey: keys.privateKey },
    extensions: [extension('551d13', sequence(boolean(true)), true)],
  };
  return {
    certificate: build({ ...own, expired }),
    former: build({ ...own, expired: true }),
    issue(hostname, options = {}) {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: build({
          subject: hostname,
          issuer: name,
          subjectKey: leaf.publicKey,
          issuerKey: keys.privateKey,
          expired: options.expired ?? false,
          extensions: [extension('551d11', sequence(der(0x82, Buffer.from(hostname))))],
        }),
        key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

interface Facts {
  subject: string;
  issuer: string;
  subjectKey: KeyObject;
  issuerKey: KeyObject;
  expired?: boolean;
  extensions: Buffer[];
}

function build(facts: Facts): string {
  const day = 86_400_000;
  const [from, to] = facts.expired ? [-2 * day, -day] : [-day, 30 * day];
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(facts.issuer),
    sequence(time(Date.now() + from), time(Date.now() + to)),
    commonName(facts.subject),
    facts.subjectKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...facts.extensions)),
  );
  const certificate = sequence(
    body,
    algorithm,
    der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, facts.issuerKey)])),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${text}Z`));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), der(0x04, value));
}
