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

  it('has spoken to GitHub and Copilot alone, Chromium’s own requests included', () => {
    expect([...new Set([...targets(proxy), ...targets(socks)])].toSorted()).toEqual([...ports.keys()].toSorted());
  });
});
