import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { readCertificateFile } from '../../../app/adapters/certificates.ts';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { type Dialer, NetworkError } from '../../../app/ports.ts';
import { createAuthority } from './certificate.ts';

const authority = createAuthority('Octo Web Gateway');
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

/** A company's proxy that opens TLS: it answers CONNECT itself, as the host that was asked for. */
async function opensTls(by = authority): Promise<number> {
  const inside = https.createServer(by.issue('api.github.test'), (_incoming, response) => response.end('seen'));
  const proxy = http.createServer();
  proxy.on('connect', (_incoming, socket) => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    inside.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanUps.push(() => {
    proxy.closeAllConnections();
    inside.closeAllConnections();
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
}

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'company.pem');
  writeFileSync(path, text);
  return path;
}

async function dial(dialer: Dialer, address = 'https://api.github.test/'): Promise<number | NetworkError> {
  try {
    const { response } = await dialer.dial({
      url: new URL(address),
      method: 'GET',
      headers: {},
      headTimeoutMs: 5_000,
    });
    response.resume();
    return response.statusCode ?? 0;
  } catch (error) {
    if (error instanceof NetworkError) return error;
    throw error;
  }
}

function dialerThrough(port: number): Dialer {
  const dialer = nodeDialer({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  cleanUps.push(() => dialer.close());
  return dialer;
}

describe('a proxy that opens TLS', () => {
  it('is not trusted, and whose certificate it shows is said', async () => {
    const failed = await dial(dialerThrough(await opensTls()));
    expect(failed).toMatchObject({ isDistrust: true, issuer: 'Octo Web Gateway', nothingSent: true });
    expect(String(failed)).toBe(
      'NetworkError: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): its issuer “Octo Web Gateway” ' +
        'is unknown here. Probably a company proxy decrypts TLS. Add that issuer’s certificate to the system’s, or ' +
        'name its file in Settings → Network or JUMPSEAT_CA_FILE',
    );
  });

  it('is trusted with the company’s file, from the next request on, and no longer without it', async () => {
    const dialer = dialerThrough(await opensTls());
    expect(await dial(dialer)).toMatchObject({ isDistrust: true });
    const caFile = file(authority.certificate);
    dialer.configure?.({ proxyScript: null, caFile });
    expect(await dial(dialer)).toBe(200);
    expect(dialer.certificates?.().at(-1)).toEqual({
      ...{ from: 'setting', file: caFile, count: 1, expired: [], problem: null, isUsed: true },
    });
    dialer.configure?.({ proxyScript: null, caFile: null });
    expect(await dial(dialer)).toMatchObject({ isDistrust: true });
  });

  it('isn’t trusted by a file that is out of date, which is said first', async () => {
    const gone = createAuthority('Octo Old Gateway', true);
    const dialer = dialerThrough(await opensTls(gone));
    const caFile = file(gone.certificate);
    dialer.configure?.({ proxyScript: null, caFile });
    const failed = await dial(dialer);
    expect(failed).toMatchObject({ code: 'CERT_HAS_EXPIRED', isDistrust: false, nothingSent: true });
    expect(String(failed)).toBe(
      `NetworkError: its certificate can’t be checked: all certificates in ${caFile} are no longer valid ` +
        '(Octo Old Gateway). Put new ones into that file',
    );
    // One that is still valid beside it is no reason to blame the file.
    writeFileSync(caFile, `${gone.certificate}${authority.certificate}`);
    dialer.configure?.({ proxyScript: null, caFile: null });
    dialer.configure?.({ proxyScript: null, caFile });
    expect(String(await dial(dialer))).toContain('its certificate has expired; check the clock');
  });

  it('that speaks TLS itself is checked the same way', async () => {
    const proxy = https.createServer(authority.issue('localhost'));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    cleanUps.push(() => proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const dialer = nodeDialer({ env: { HTTPS_PROXY: `https://localhost:${port}` } });
    cleanUps.push(() => dialer.close());
    expect(await dial(dialer)).toMatchObject({ isDistrust: true, issuer: 'Octo Web Gateway' });
  });

  it('and so is a host that is reached directly', async () => {
    const server = https.createServer(authority.issue('localhost'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    const dialer = nodeDialer({ env: {} });
    cleanUps.push(() => dialer.close());
    const { port } = server.address() as AddressInfo;
    expect(await dial(dialer, `https://localhost:${port}/`)).toMatchObject({ issuer: 'Octo Web Gateway' });
  });
});

describe('a file of certificates', () => {
  it('may hold several, with text between them, and says which are old', () => {
    const old = authority.issue('gone.example', { expired: true }).cert;
    const text = `Octo\n${authority.certificate}\n# the old one\n${old}`;
    const read = readCertificateFile(file(text));
    expect([read.certificates.length, read.expired, read.problem]).toEqual([2, ['gone.example'], null]);
  });

  it.each([
    ['DER or a key', authority.issue('a').key, 'has no certificate in PEM form (“-----BEGIN CERTIFICATE-----”)'],
    [
      'broken base64',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'has a certificate that can’t be read (number 1)',
    ],
  ])('with %s is unusable, with the reason', (_, text, problem) => {
    expect(readCertificateFile(file(text))).toEqual({ certificates: [], expired: [], problem });
  });

  it('that is not there, or is a folder', () => {
    expect(readCertificateFile('/nowhere/company.pem').problem).toBe('isn’t there');
    expect(readCertificateFile(tmpdir()).problem).toBe('can’t be read (EISDIR)');
  });
});
