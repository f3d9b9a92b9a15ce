import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonSample } from '../app/account/surroundings.ts';
import { createAuthority } from '../app/adapters/certificate.ts';
import { connectProxy, socksProxy, type TestProxy } from '../app/adapters/proxies.ts';
import { patienceMs, soon } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

/**
 * A company's network: names that only its proxies know, a PAC script that chooses them, and a certificate of its own.
 */
describe.skipIf(electronPath === undefined)('B4.8 C18.1 C18.2 the tray app in a company’s network', () => {
  const authority = createAuthority();
  const servers: Server[] = [];
  const asked: string[] = [];
  const ports = new Map<string, number>();
  let folder: string;
  let desktop: Desktop;
  let program: TrayProgram;
  let proxy: TestProxy;
  let socks: TestProxy;
  let script = '';
  let scriptReads = 0;

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-company-'));
    writeFileSync(join(folder, 'company.pem'), authority.certificate);
    const answers: Record<string, unknown> = {
      '/login/device/code': { ...jsonSample('device-code.response.json'), interval: 0.01 },
      '/login/oauth/access_token': jsonSample('device-token.success.response.json'),
      '/copilot_internal/v2/token': {
        token: 'tid=1;exp=9999999999',
        refresh_in: 1500,
        expires_at: Math.floor(Date.now() / 1000) + 1800,
        endpoints: { api: 'https://api.copilot.test' },
      },
      '/copilot_internal/user': { login: 'me' },
      '/models': { data: [jsonSample('model-claude-sonnet-4.6.json')] },
    };
    for (const host of ['github.test', 'api.github.test', 'api.copilot.test']) {
      const port = await listen(
        https.createServer(authority.issue(host), (incoming, response) => {
          const path = (incoming.url ?? '').split('?')[0] ?? '';
          asked.push(`${host}${path}`);
          const answer = answers[path];
          response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(answer ?? { error: { message: 'reached' } }));
        }),
      );
      ports.set(`${host}:443`, port);
    }
    proxy = await connectProxy({ ports, wants: 'me:p@ss' });
    socks = await socksProxy({ ports });
    script = `function FindProxyForURL(url, host) {
      if (host === 'api.copilot.test') return 'PROXY 127.0.0.1:1; SOCKS5 127.0.0.1:${socks.port}';
      return 'PROXY 127.0.0.1:${proxy.port}';
    }`;
    const scriptPort = await listen(
      http.createServer((_incoming, response) => {
        scriptReads += 1;
        response.writeHead(200, { 'content-type': 'application/x-ns-proxy-autoconfig' }).end(script);
      }),
    );
    desktop = await Desktop.start();
    program = await TrayProgram.start({
      desktop,
      args: [`--proxy-pac-url=http://127.0.0.1:${scriptPort}/proxy.pac`],
      env: {
        JUMPSEAT_SECRETS: 'memory',
        JUMPSEAT_KEY: 'key-of-this-test-alone',
        JUMPSEAT_GITHUB_URL: 'https://github.test',
        JUMPSEAT_GITHUB_API_URL: 'https://api.github.test',
        SSL_CERT_FILE: join(folder, 'company.pem'),
        HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
      },
    });
  });
  afterAll(async () => {
    await program?.close();
    await desktop?.close();
    proxy?.close();
    socks?.close();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const targets = ({ asked: all }: TestProxy): string[] => [...new Set(all.map(({ target }) => target))].toSorted();

  it('signs in, gets its token, lists models and sends a message, each through the proxy of the script', async () => {
    const page = await program.window();
    expect(await page.evaluate('jumpseat.signIn()')).toEqual({
      ok: true,
      value: { kind: 'signed-in', login: 'me' },
    });
    expect(
      await page.evaluate('jumpseat.models({ refresh: true }).then(({ ok, value }) => ok && value.models.length)'),
    ).toBe(1);
    const answer = await fetch(`http://127.0.0.1:${program.port}/v1/messages`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { authorization: 'Bearer key-of-this-test-alone.test', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4-6',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'hello' }],
      }),
    });
    expect(await answer.text()).toContain('reached');
    // Health asks for the head of this address, whenever the window looks at it first.
    const besideHealth = asked.filter((target) => target !== 'api.github.test/');
    expect([...new Set(besideHealth)].toSorted()).toEqual([
      'api.copilot.test/models',
      'api.copilot.test/v1/messages',
      'api.github.test/copilot_internal/user',
      'api.github.test/copilot_internal/v2/token',
      'github.test/login/device/code',
      'github.test/login/oauth/access_token',
    ]);
    expect(targets(proxy)).toEqual(['api.github.test:443', 'github.test:443']);
    // The first proxy of the script for it is not there; the second speaks SOCKS.
    expect(targets(socks)).toEqual(['api.copilot.test:443']);
  });

  it('reads the script again when the machine wakes up', async () => {
    const before = proxy.asked.length;
    script = `function FindProxyForURL() { return 'SOCKS5 127.0.0.1:${socks.port}'; }`;
    const reads = scriptReads;
    await program.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    const page = await program.window();
    await soon(async () => {
      await page.evaluate('jumpseat.refresh()');
      expect(scriptReads).toBeGreaterThan(reads);
    });
    expect(proxy.asked.length).toBe(before);
  });

  describe('with what the person names in Settings → Network', () => {
    const reader = createAuthority('Octo Inspection');
    let own: TestProxy;

    beforeAll(async () => {
      writeFileSync(join(folder, 'inspection.pem'), reader.certificate);
      const readers = new Map<string, number>();
      for (const host of ['api.github.test', 'api.copilot.test']) {
        const port = await listen(
          https.createServer(reader.issue(host), (incoming, response) => {
            read.push(`${host}${(incoming.url ?? '').split('?')[0]}`);
            const data = host === 'api.copilot.test' ? { data: [] } : { login: 'me' };
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data));
          }),
        );
        readers.set(`${host}:443`, port);
      }
      own = await connectProxy({ ports: readers });
      writeFileSync(
        join(folder, 'own.pac'),
        `function FindProxyForURL(url, host) { return isPlainHostName(host) ? 'DIRECT' : 'PROXY 127.0.0.1:${own.port}'; }`,
      );
    });
    afterAll(() => own?.close());
    const read: string[] = [];

    const network = async (name: 'PAC script' | 'CA file', value: string) => {
      const page = await program.window();
      const field = page.getByLabel(name);
      await field.fill(value);
      await field.press('Enter');
      await soon(async () => {
        const { value: kept } = await page.evaluate<{ value: { network: object } }>('jumpseat.preferences()');
        expect(Object.values(kept.network)).toContain(value);
      });
    };
    const checked = async () => {
      const page = await program.window();
      const { value } = await page.evaluate<{ value: { id: string; verdict: string; finding: string }[] }>(
        'jumpseat.checks()',
      );
      const looked = value.map(({ id, verdict, finding }) => [id, `${verdict}: ${finding}`]);
      return looked.filter(([id = '']) =>
        ['machine.proxy-script', 'machine.proxy', 'machine.certificate-files'].includes(id),
      );
    };

    it('goes by its PAC script, says whose certificate its proxy shows, and trusts that once it is named', async () => {
      const page = await program.window();
      const [pac, pem] = [join(folder, 'own.pac'), join(folder, 'inspection.pem')];
      await page.keyboard.press('Control+,');
      await network('PAC script', pac);
      const others = proxy.asked.length + socks.asked.length;
      const script = ['machine.proxy-script', `passed: ${pac} says for api.github.test: PROXY 127.0.0.1:${own.port}`];
      const untrusted = `Nobody here knows the issuer “Octo Inspection”. 127.0.0.1:${own.port} may be reading the traffic.`;
      expect(await checked()).toEqual([
        script,
        ['machine.proxy', `failed: ${untrusted}`],
        ['machine.certificate-files', expect.stringMatching(/^skipped: None named\./)],
      ]);
      expect(read).toEqual([]);
      await network('CA file', pem);
      expect(await checked()).toEqual([
        script,
        ['machine.proxy', `passed: 127.0.0.1:${own.port}, from the PAC script`],
        ['machine.certificate-files', `passed: 1 in ${pem} (Settings → Network or JUMPSEAT_CA_FILE)`],
      ]);
      await page.evaluate('jumpseat.models({ refresh: true })');
      expect(read).toContain('api.copilot.test/models');
      expect(targets(own)).toEqual(['api.copilot.test:443', 'api.github.test:443']);
      expect(proxy.asked.length + socks.asked.length).toBe(others);
    });
  });

  it('has spoken to GitHub and Copilot alone, Chromium’s own requests included', () => {
    expect([...new Set([...targets(proxy), ...targets(socks)])].toSorted()).toEqual([...ports.keys()].toSorted());
  });
});
