import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import type { ProxyServer } from '../../../app/adapters/proxy.ts';
import type { Finding } from '../../../app/health/finding.ts';
import {
  askGithub,
  certificateFilesFinding,
  clockFinding,
  proxyFinding,
  scriptFinding,
  systemCertificatesFinding,
} from '../../../app/health/network-checks.ts';
import type { CertificateSource, Dialer, ScriptReport } from '../../../app/ports.ts';
import { createAuthority } from '../adapters/certificate.ts';
import { connectProxy, type TestProxy } from '../adapters/proxies.ts';

const authority = createAuthority();
const stranger = createAuthority('Nobody knows me');
const host = 'api.octo.ghe.test';
const github = { web: new URL('https://octo.ghe.test'), api: new URL(`https://${host}`) };
const cleanUps: (() => void)[] = [];

beforeAll(() => tls.setDefaultCACertificates([authority.certificate]));
afterEach(() => {
  for (const clean of cleanUps.splice(0)) clean();
});

/** GitHub, which only a proxy of the test finds. */
async function place(issuer = authority): Promise<Map<string, number>> {
  const server = https.createServer(issuer.issue(host), (_incoming, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Map([[`${host}:443`, (server.address() as AddressInfo).port]]);
}

async function proxy(options: Parameters<typeof connectProxy>[0]): Promise<TestProxy> {
  const made = await connectProxy(options);
  cleanUps.push(() => made.close());
  return made;
}

function kept(dialer: Dialer): Dialer {
  cleanUps.push(() => dialer.close());
  return dialer;
}
const byVariable = (address: string, more: Record<string, string> = {}): Dialer =>
  kept(nodeDialer({ env: { HTTPS_PROXY: address, ...more } }));
const bySystem = (port: number, auth: string | null = null): Dialer => {
  const only: ProxyServer = { protocol: 'http', host: '127.0.0.1', port, auth };
  return kept(
    nodeDialer({
      env: {},
      router: { from: 'system', routes: () => [only], unreachable: () => {}, outdated: () => false },
    }),
  );
};

async function look(dialer: Dialer): Promise<Finding> {
  const asked = await askGithub({ dialer }, github);
  return proxyFinding((await dialer.proxyFor?.(github.api)) ?? null, asked);
}

it('a proxy that lets requests through is named with where it comes from, and never with its password', async () => {
  const ports = await place();
  const { port } = await proxy({ ports });
  const guarded = await proxy({ ports, wants: 'me:secret' });
  const passed = (at: number, from: string) => ({
    verdict: 'passed',
    finding: `127.0.0.1:${at}, from ${from}`,
    remedy: null,
  });
  expect(await look(byVariable(`http://127.0.0.1:${port}`))).toEqual(passed(port, 'HTTPS_PROXY'));
  expect(await look(byVariable(`http://me:secret@127.0.0.1:${guarded.port}`))).toEqual(
    passed(guarded.port, 'HTTPS_PROXY'),
  );
  expect(await look(bySystem(port))).toEqual(passed(port, 'the system’s settings'));
});

it('one that accepts only NTLM or Kerberos gets told what can speak for Jumpseat', async () => {
  const { port } = await proxy({ wants: 'me:secret', offers: ['Negotiate', 'NTLM'] });
  const finding = `127.0.0.1:${port} accepts only Negotiate (Kerberos) and NTLM, which Jumpseat can’t do.`;
  expect(await look(byVariable(`http://me:secret2@127.0.0.1:${port}`))).toEqual({
    verdict: 'failed',
    finding,
    remedy: 'Run a helper that can, such as Px or Cntlm, set HTTPS_PROXY to its address, and start Jumpseat again.',
  });
  expect(await look(bySystem(port))).toEqual({
    verdict: 'failed',
    finding,
    remedy: 'Run a helper that can, such as Px or Cntlm, and set it as the system’s proxy.',
  });
});

it('one that wants a name and a password gets told how, and wrong ones are called wrong', async () => {
  const { port } = await proxy({ wants: 'me:secret' });
  const asks = {
    verdict: 'failed',
    finding: `127.0.0.1:${port} asks for a sign-in.`,
    remedy: `Set HTTPS_PROXY to http://NAME:PASSWORD@127.0.0.1:${port}, and start Jumpseat again.`,
  };
  expect(await look(byVariable(`http://127.0.0.1:${port}`))).toEqual(asks);
  expect(await look(bySystem(port))).toEqual(asks);
  expect(await look(byVariable(`http://me:wrong@127.0.0.1:${port}`))).toEqual({
    verdict: 'failed',
    finding: `127.0.0.1:${port} refuses the name and the password in HTTPS_PROXY.`,
    remedy: 'Correct them in HTTPS_PROXY, and start Jumpseat again.',
  });
});

it('one that refuses the host, and one that is not there', async () => {
  const { port } = await proxy({ refuses: 403 });
  expect(await look(byVariable(`http://127.0.0.1:${port}`))).toEqual({
    verdict: 'failed',
    finding: `127.0.0.1:${port} doesn’t let requests to ${host} through (403).`,
    remedy: `Ask those who run it to allow ${host}, github.com and githubcopilot.com.`,
  });
  expect(await look(byVariable('http://127.0.0.1:1'))).toMatchObject({
    verdict: 'failed',
    finding: expect.stringMatching(/^127\.0\.0\.1:1 leads to no answer: .*refused/),
    remedy: 'Check HTTPS_PROXY.',
  });
});

it('one that opens TLS with a certificate that is not trusted here', async () => {
  const { port } = await proxy({ ports: await place(stranger) });
  expect(await look(byVariable(`http://127.0.0.1:${port}`))).toEqual({
    verdict: 'failed',
    finding: `Nobody here knows the issuer “Nobody knows me”. 127.0.0.1:${port} may be reading the traffic.`,
    remedy:
      'Add your company’s certificate to the system’s, or name its file in Settings → Network or JUMPSEAT_CA_FILE.',
  });
});

it.each([
  ['none is set', {}],
  ['all are excepted', { HTTPS_PROXY: 'http://proxy.test:1', NO_PROXY: '*' }],
  ['the host is excepted', { HTTPS_PROXY: 'http://proxy.test:1', no_proxy: 'other.test, api.octo.ghe.test' }],
  ['its domain is excepted', { https_proxy: 'proxy.test:1', NO_PROXY: '.GHE.test' }],
  ['its domain is excepted by a star', { HTTPS_PROXY: 'http://proxy.test:1', NO_PROXY: '*.ghe.test:443' }],
])('where %s, there is none', async (_name, env) => {
  expect(await kept(nodeDialer({ env })).proxyFor?.(github.api)).toBeNull();
});

it('what is not excepted goes through it; nothing on this machine ever does', async () => {
  const dialer = byVariable('http://me:secret@proxy.test:3128', { NO_PROXY: 'ghe.test,api.octo.ghe.test:8443' });
  expect(await dialer.proxyFor?.(github.api)).toEqual({
    address: 'proxy.test:3128',
    from: 'environment',
    hasCredentials: true,
    problem: null,
  });
  expect(await dialer.proxyFor?.(new URL('http://127.0.0.1:4180'))).toBeNull();
});

it('the clock is told by seconds where it is right and by minutes where it is not', () => {
  const now = Date.UTC(2026, 10, 20, 10, 0, 0);
  const at = (off: number) => clockFinding({ kind: 'answer', date: new Date(now - off).toUTCString() }, now);
  expect([at(0).finding, at(9000).finding]).toEqual(['Within 2 s of GitHub', 'Within 9 s of GitHub']);
  expect(at(-6 * 60_000)).toEqual({
    verdict: 'warning',
    finding: 'Your clock is 6 min behind. Sign-in may fail.',
    remedy: 'Set the clock of this machine.',
  });
  expect(clockFinding({ kind: 'answer', date: undefined }, now).verdict).toBe('skipped');
});

const own: CertificateSource = {
  ...{ from: 'node', file: null, count: 146, expired: [], problem: null, isUsed: true },
};
const system: CertificateSource = { ...own, from: 'system', count: 130, isUsed: false };
const named: CertificateSource = { ...own, from: 'setting', file: '/etc/octo.pem', count: 2 };

it('the system’s certificates are counted, with when they count', () => {
  const found = (...sources: CertificateSource[]) => systemCertificatesFinding([own, ...sources]).finding;
  expect(found(system)).toBe('130 used when Node’s own 146 don’t trust a certificate');
  expect(found({ ...system, isUsed: true })).toBe('130 used, besides Node’s own 146');
  expect(found({ ...system, count: 0 })).toBe('The system has none. Node’s own 146 are used.');
});

it('files of certificates are named with what they hold, or why they hold nothing', () => {
  const found = (...sources: CertificateSource[]) => certificateFilesFinding([own, system, ...sources]);
  expect(found().finding).toBe('None named. Node’s own 146 are used.');
  const extra: CertificateSource = { ...named, from: 'NODE_EXTRA_CA_CERTS', file: '/etc/old.pem', count: 1 };
  expect(found(extra, named)).toEqual({
    ...{ verdict: 'passed', remedy: null },
    finding: '1 in /etc/old.pem (NODE_EXTRA_CA_CERTS); 2 in /etc/octo.pem (Settings → Network or JUMPSEAT_CA_FILE)',
  });
  expect(found({ ...extra, count: 0, problem: 'isn’t there' }, named)).toEqual({
    verdict: 'failed',
    finding: '/etc/old.pem isn’t there. It is named in NODE_EXTRA_CA_CERTS.',
    remedy: 'Correct the file or its name. After a change of a variable, start Jumpseat again.',
  });
  expect(found({ ...named, expired: ['Octo Root', 'Octo Root 2'] })).toMatchObject({
    verdict: 'warning',
    finding: 'All certificates in /etc/octo.pem are no longer valid: Octo Root, Octo Root 2.',
  });
  // A file for years has old and new ones.
  expect(found({ ...extra, count: 9, expired: ['Octo Root'] })).toMatchObject({
    verdict: 'passed',
    finding: '9 in /etc/old.pem (NODE_EXTRA_CA_CERTS, 1 no longer valid)',
  });
});

it('a PAC script is named with its answer, with why it can’t be used, or with the age of its copy', () => {
  const script: ScriptReport = { address: 'http://wpad.test/p', answer: 'PROXY a:1', problem: null, readAt: 0 };
  expect(scriptFinding(null, host).finding).toBe('None set');
  expect(scriptFinding(script, host).finding).toBe(`http://wpad.test/p says for ${host}: PROXY a:1`);
  expect(scriptFinding({ ...script, answer: null, problem: 'isn’t there' }, host)).toEqual({
    verdict: 'failed',
    finding: 'http://wpad.test/p isn’t there. No request is sent until it works.',
    remedy: 'Correct Settings → Network → PAC script, or JUMPSEAT_PROXY_SCRIPT.',
  });
  expect(scriptFinding({ ...script, problem: 'isn’t there' }, host)).toMatchObject({
    verdict: 'warning',
    finding: expect.stringMatching(/isn’t there\. The copy that was read at .+ is used\.$/),
  });
});

it('a proxy that a script didn’t name yet, or says not to use, is no fault of the proxy', () => {
  const answered = { kind: 'answer', date: undefined } as const;
  const script: ScriptReport = { address: '/p', answer: 'DIRECT', problem: null, readAt: 0 };
  expect(proxyFinding(null, answered, script).finding).toBe(
    'None: the PAC script says that GitHub is reached directly',
  );
  // As for a GitHub on this machine, which no proxy leads to.
  expect(proxyFinding(null, answered, { ...script, answer: null, problem: 'isn’t there' }).finding).toBe(
    'The PAC script has to work first.',
  );
  expect(proxyFinding(null, answered, { ...script, answer: 'PROXY a:1; DIRECT' }).finding).toBe(
    'None: requests to this machine never use a proxy',
  );
  const report = { address: '', from: 'script', hasCredentials: false, problem: 'isn’t there' } as const;
  expect(proxyFinding(report, answered, script).finding).toBe('The PAC script has to work first.');
  const works = { ...report, address: 'a:1', problem: null };
  expect(proxyFinding(works, answered, script).finding).toBe('a:1, from the PAC script');
});
