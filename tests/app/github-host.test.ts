import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import type { Dialer, Secrets } from '../../app/ports.ts';
import { SettingsStore } from '../../app/settings/settings.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { prompt, type Stack, type StackOptions, startStack } from './stack.ts';

/** A company's GitHub under its own name, reached by a dialer that knows where it stands in for it. */
let company: Simulator;
let home: string;
let stacks: Stack[];
/** What the company's GitHub was shown, and where. */
let shown: { path: string; authorization: string | undefined }[];

beforeEach(async () => {
  company = await startSimulator({ deviceInterval: 1, approveAfterPolls: 1 });
  home = mkdtempSync(join(tmpdir(), 'jumpseat-hosts-'));
  stacks = [];
  shown = [];
});
afterEach(async () => {
  for (const stack of stacks) await stack.close();
  await company.close();
  rmSync(home, { recursive: true, force: true });
});

function companyDialer(): Dialer {
  const real = nodeDialer();
  const places: Record<string, string> = { 'octo.ghe.com': company.webUrl, 'api.octo.ghe.com': company.apiUrl };
  return {
    dial(request) {
      const place = places[request.url.host];
      if (place === undefined) return real.dial(request);
      shown.push({ path: request.url.pathname, authorization: request.headers.Authorization });
      return real.dial({ ...request, url: new URL(request.url.pathname + request.url.search, place) });
    },
    close: () => real.close(),
  };
}

async function start(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({
    ...options,
    home,
    ports: { dialer: companyDialer() },
    app: { githubFixedBy: null, ...options.app },
  });
  stacks.push(stack);
  await stack.app.refresh();
  return stack;
}

const kind = (stack: Stack): string => stack.app.state().account.kind;
const settings = (): Record<string, unknown> => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'));

describe('the host of GitHub', () => {
  it(
    'is chosen while everything runs: nobody is signed in there, and the token of the old one is gone and was ' +
      'shown to nobody',
    async () => {
      const secrets = memorySecrets();
      const stack = await start({ secrets });
      const { webUrl, apiUrl, githubToken } = stack.simulator;
      await secrets.set('github-token', `${new URL(webUrl).host} ${new URL(apiUrl).host} ${githubToken}`);
      await stack.app.refresh();
      expect((await stack.messages(prompt('hi'))).status).toBe(200);

      await stack.app.changePreferences({ githubHost: 'https://Octo.ghe.com/' });
      expect(kind(stack)).toBe('signed-out');
      expect(await secrets.get('github-token')).toBeNull();
      expect(settings()).toMatchObject({ githubHost: 'octo.ghe.com', account: null });
      expect(stack.app.preferences()).toMatchObject({ githubHost: 'octo.ghe.com', githubFixedBy: null });
      expect((await stack.messages(prompt('hi'))).status).toBe(401);
      await stack.app.refresh();
      await stack.app.checks();
      expect(shown.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    },
  );

  it('B3.6 is signed in to anew, and its Copilot answers', async () => {
    const stack = await start();
    await stack.app.changePreferences({ githubHost: 'octo.ghe.com' });
    expect(await stack.app.signIn(() => {})).toMatchObject({ kind: 'signed-in' });
    expect(shown.map(({ path }) => path).slice(0, 2)).toEqual(['/login/device/code', '/login/oauth/access_token']);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect(stack.app.state().account).toMatchObject({ apiHost: new URL(company.copilotUrl).host });
    expect(company.requests.map(({ path }) => path)).toContain('/v1/messages');
  });

  it('holds at the next start, with the sign-in of that host', async () => {
    const secrets = memorySecrets();
    const first = await start({ secrets, idle: true });
    await first.app.changePreferences({ githubHost: 'octo.ghe.com' });
    await first.app.signIn(() => {});
    expect(await secrets.get('github-token')).toBe(`octo.ghe.com ${company.githubToken}`);
    await first.app.close();
    const second = await start({ secrets, idle: true });
    expect([kind(second), second.app.preferences().githubHost]).toEqual(['signed-in', 'octo.ghe.com']);
  });

  it('that another process or an editor chose is followed', async () => {
    const stack = await start();
    await expect.poll(() => kind(stack)).toBe('signed-in');
    const other = SettingsStore.open(join(home, 'settings.json'), { write: () => undefined }).store;
    await other.update({ githubHost: 'octo.ghe.com' });
    other.close();
    await expect.poll(() => kind(stack)).toBe('signed-out');
    await stack.app.refresh();
    expect(shown.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });

  it('that is none of GitHub’s is refused with what it has to be, and nothing changes', async () => {
    const stack = await start();
    for (const githubHost of ['github.example', 'octo.ghe.com.github.example', 'http://octo.ghe.com', '']) {
      await expect(stack.app.changePreferences({ githubHost })).rejects.toMatchObject({
        message:
          'The setting githubHost was not changed: it has to be github.com or your company’s host at ' +
          'GitHub, such as octo.ghe.com.',
      });
    }
    expect(kind(stack)).toBe('signed-in');
    await stack.app.changePreferences({ githubHost: 'octo.ghe.com' });
    await stack.app.changePreferences({ githubHost: 'github.com' });
    expect(settings().githubHost).toBeNull();
  });

  it('that a variable decides stays, says so, and a token from outside never meets the settings’ host', async () => {
    const store: Secrets = memorySecrets();
    const plain = SettingsStore.open(join(home, 'settings.json'), { write: () => undefined }).store;
    await plain.update({ githubHost: 'octo.ghe.com' });
    plain.close();
    const stack = await start({
      secrets: store,
      idle: true,
      app: { githubFixedBy: 'JUMPSEAT_GITHUB_TOKEN', githubToken: 'ghu_SIMULATED0000000000000000000000000000' },
    });
    expect(stack.app.preferences()).toMatchObject({
      githubHost: new URL(stack.simulator.webUrl).host,
      githubFixedBy: 'JUMPSEAT_GITHUB_TOKEN',
    });
    await stack.app.checks();
    expect(shown).toEqual([]);
    await expect(stack.app.changePreferences({ githubHost: 'github.com' })).rejects.toMatchObject({
      message: 'The host of GitHub was chosen by JUMPSEAT_GITHUB_TOKEN.',
      remedy: 'Unset it, and start Jumpseat again.',
    });
  });
});
