import { describe, expect, it } from 'vitest';
import type { RuntimeCredential } from '../../../../app/account/sdk/endpoint.ts';
import { type RuntimeSurroundings, runtimeEnvironment } from '../../../../app/account/sdk/runtime-environment.ts';

const token: RuntimeCredential = { kind: 'token', token: 'gho_canary', host: null };
const stored: RuntimeCredential = { kind: 'stored-sign-in', copilotHome: '/home/me/.copilot' };

const around = (more: Partial<RuntimeSurroundings> = {}): RuntimeSurroundings => ({
  environment: {},
  dialer: {},
  platform: 'linux',
  work: '/sandbox',
  cache: '/cache',
  githubApi: new URL('https://api.github.com'),
  ...more,
});
const proxy = (address: string) => ({
  proxyFor: async () => ({ address, from: 'system', hasCredentials: false, problem: null }) as const,
});

describe('the environment of the runtime', () => {
  it('holds nothing that could send the token elsewhere, ask for another account or start a program', async () => {
    const environment = {
      PATH: '/usr/bin',
      HOME: '/home/me',
      COPILOT_API_URL: 'https://evil.example',
      COPILOT_DEBUG_GITHUB_API_URL: 'https://evil.example',
      GH_TOKEN: 'x',
      GITHUB_TOKEN: 'x',
      COPILOT_GITHUB_TOKEN: 'x',
      GH_HOST: 'evil.example',
      NODE_OPTIONS: '--require /evil.js',
      LD_PRELOAD: '/evil.so',
      ALL_PROXY: 'socks5://evil.example',
    };
    expect(await runtimeEnvironment(token, around({ environment }))).toEqual({
      HOME: '/sandbox',
      USERPROFILE: '/sandbox',
      APPDATA: '/sandbox',
      LOCALAPPDATA: '/sandbox',
      TMPDIR: '/sandbox',
      TEMP: '/sandbox',
      TMP: '/sandbox',
      XDG_CACHE_HOME: '/cache',
      COPILOT_HOME: '/sandbox/copilot',
      COPILOT_DISABLE_KEYTAR: '1',
      COPILOT_ALLOW_GET_PROVIDER_ENDPOINT: 'true',
    });
  });

  it('holds the certificates and the proxy of the environment, never for this machine itself', async () => {
    const environment = {
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      SSL_CERT_FILE: '/certs.pem',
      https_proxy: 'http://name:password@proxy.example:3128',
      NO_PROXY: '.octo.example',
    };
    expect(await runtimeEnvironment(token, around({ environment }))).toMatchObject({
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      SSL_CERT_FILE: '/certs.pem',
      HTTPS_PROXY: 'http://name:password@proxy.example:3128',
      NO_PROXY: '.octo.example,localhost,127.0.0.1,::1',
    });
  });

  it('holds the CA file that the person set, where the environment names none', async () => {
    const file = { from: 'setting', file: '/octo.pem', count: 1, expired: [], problem: null, isUsed: true } as const;
    const dialer = { certificates: () => [file] };
    expect(await runtimeEnvironment(token, around({ dialer }))).toMatchObject({ NODE_EXTRA_CA_CERTS: '/octo.pem' });
    const environment = { NODE_EXTRA_CA_CERTS: '/ca.pem' };
    const both = await runtimeEnvironment(token, around({ dialer, environment }));
    expect(both.NODE_EXTRA_CA_CERTS).toBe('/ca.pem');
  });

  it('holds the system’s proxy where the environment names none', async () => {
    const dialer = proxy('proxy.example:3128');
    expect(await runtimeEnvironment(token, around({ dialer }))).toMatchObject({
      HTTPS_PROXY: 'http://proxy.example:3128',
    });
    const environment = { HTTPS_PROXY: 'http://other.example:8080' };
    const both = await runtimeEnvironment(token, around({ dialer, environment }));
    expect(both.HTTPS_PROXY).toBe('http://other.example:8080');
  });

  it('holds the proxy of a PAC script above the environment’s, and nothing starts while that one can’t be used', async () => {
    const environment = { HTTPS_PROXY: 'http://other.example:8080' };
    const script = (problem: string | null) => ({
      proxyFor: async () => ({ address: 'chosen.example:80', from: 'script', hasCredentials: false, problem }) as const,
    });
    expect(await runtimeEnvironment(token, around({ dialer: script(null), environment }))).toMatchObject({
      HTTPS_PROXY: 'http://chosen.example:80',
    });
    const broken = runtimeEnvironment(token, around({ dialer: script('isn’t there'), environment }));
    await expect(broken).rejects.toMatchObject({ kind: 'offline' });
  });

  it('names a company’s host, and the simulator’s address where that is on this machine', async () => {
    const company = { ...token, host: 'octo.ghe.com' };
    expect(await runtimeEnvironment(company, around())).toMatchObject({ COPILOT_GH_HOST: 'octo.ghe.com' });
    const simulated = await runtimeEnvironment(token, around({ githubApi: new URL('http://127.0.0.1:4000/') }));
    expect(simulated.COPILOT_DEBUG_GITHUB_API_URL).toBe('http://127.0.0.1:4000');
    const other = await runtimeEnvironment(token, around({ githubApi: new URL('https://api.octo.ghe.com/') }));
    expect(other).not.toHaveProperty('COPILOT_DEBUG_GITHUB_API_URL');
  });

  it('lets a stored sign-in be found: its folder and its keychain', async () => {
    const environment = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/bus', XDG_RUNTIME_DIR: '/run/1', HOME: '/home/me' };
    const onLinux = await runtimeEnvironment(stored, around({ environment }));
    expect(onLinux).toMatchObject({ ...environment, HOME: '/sandbox', COPILOT_HOME: '/home/me/.copilot' });
    expect(onLinux).not.toHaveProperty('COPILOT_DISABLE_KEYTAR');
    const onMac = await runtimeEnvironment(stored, around({ environment, platform: 'darwin' }));
    expect(onMac).toMatchObject({ HOME: '/home/me' });
  });

  it('holds what Windows needs to open a socket', async () => {
    const environment = { SystemRoot: 'C:\\Windows', LOCALAPPDATA: 'C:\\Users\\me' };
    const env = await runtimeEnvironment(token, around({ environment, platform: 'win32' }));
    expect(env).toMatchObject({ SystemRoot: 'C:\\Windows', LOCALAPPDATA: '/sandbox' });
  });
});
