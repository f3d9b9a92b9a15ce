import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionSettings, writeSettings } from '../../../../app/sessions/agents/claude/session-settings.ts';
import { ownProxies, sparseEnvironment } from '../../../../app/sessions/agents/sparse-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('lies in a file for this user alone until it is released; what a killed Jumpseat left goes', async () => {
  const left = join(folder, 'old.session.json');
  writeFileSync(left, '{}');
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(left, long, long);
  const { path, release } = await writeSettings(folder, { env: { A: 'b' } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ env: { A: 'b' } });
  expect(readdirSync(folder)).toHaveLength(1);
  await release();
  await release();
  expect(readdirSync(folder)).toEqual([]);
});

it('names our proxy and key, and blanks what would lead elsewhere', () => {
  const given = {
    ...{ baseUrl: 'http://127.0.0.1:4180', key: 'jss_key', webFetchPreflight: false },
    models: { opus: 'claude-opus-4.8', sonnet: 'claude-sonnet-4.6', haiku: null },
    proxies: ownProxies({ HTTPS_PROXY: 'http://proxy:1', NO_PROXY: 'intern' }),
  };
  const settings = sessionSettings(given) as { env: Record<string, string> };
  expect(settings).toMatchObject({ apiKeyHelper: '', skipWebFetchPreflight: true });
  expect(settings.env).toMatchObject({
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
    ANTHROPIC_AUTH_TOKEN: 'jss_key',
    ANTHROPIC_API_KEY: '',
    ANTHROPIC_CUSTOM_HEADERS: '',
    CLAUDE_CODE_USE_BEDROCK: '',
    CLAUDE_CODE_USE_VERTEX: '',
    CLAUDE_CODE_USE_FOUNDRY: '',
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-sonnet-4.6',
    HTTPS_PROXY: 'http://proxy:1',
    http_proxy: '',
    NO_PROXY: 'intern,127.0.0.1,localhost,::1',
  });
  expect(sessionSettings({ ...given, webFetchPreflight: true })).not.toHaveProperty('skipWebFetchPreflight');
});

it('hands on little of the environment, and no secret', () => {
  const all = {
    PATH: '/bin',
    HOME: '/home/me',
    LANG: 'C',
    SSL_CERT_FILE: '/ca',
    GH_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'x',
  };
  const more = { JUMPSEAT_GITHUB_TOKEN: 'x', NODE_OPTIONS: 'x', ELECTRON_RUN_AS_NODE: '1', ANTHROPIC_BASE_URL: 'x' };
  expect(sparseEnvironment({ ...all, ...more }, 'linux')).toEqual({
    ...{ PATH: '/bin', HOME: '/home/me', LANG: 'C', SSL_CERT_FILE: '/ca' },
    ...{ NO_PROXY: '127.0.0.1,localhost,::1', no_proxy: '127.0.0.1,localhost,::1' },
  });
});
