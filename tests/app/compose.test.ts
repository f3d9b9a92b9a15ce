import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { nodePaths } from '../../app/adapters/paths.ts';
import { composeApp } from '../../app/compose.ts';
import { RefusedVariableError, readEnvironment } from '../../app/environment.ts';

describe('the app as a front composes it', () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'jumpseat-open-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const open = (env: Record<string, string>) => {
    const all = { JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', ...env };
    return composeApp({
      env: all,
      paths: nodePaths(all),
      variables: readEnvironment(all),
      version: '1.2.3',
      dashboard: home,
      dialer: nodeDialer({ env: {} }),
      openUrl: async () => {},
    });
  };

  it('serves with the key and port of the variables', async () => {
    const { app, close } = await open({ JUMPSEAT_KEY: 'key-of-this-test-alone', JUMPSEAT_PORT: '0' });
    try {
      const { baseUrl } = await app.startProxy();
      const answer = await fetch(`${baseUrl}/v1/nothing`, {
        headers: { authorization: 'Bearer key-of-this-test-alone.test' },
      });
      expect(answer.status).toBe(404);
      expect(app.state()).toMatchObject({
        version: '1.2.3',
        secrets: { storage: 'memory' },
        account: { kind: 'signed-out' },
      });
    } finally {
      await close();
    }
  });

  it('gives the way to the network what the settings say, at once, and what a variable says above it', async () => {
    const file = join(home, 'company.pem');
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, network: { caFile: file } }));
    const ofFile = ({ ports }: Awaited<ReturnType<typeof open>>) =>
      ports.dialer.certificates?.().find(({ from }) => from === 'setting')?.file ?? null;
    const composed = await open({});
    expect(ofFile(composed)).toBe(file);
    await composed.app.changePreferences({ network: { caFile: null } });
    expect(ofFile(composed)).toBeNull();
    const relative = composed.app.changePreferences({ network: { caFile: 'company.pem' } });
    await expect(relative).rejects.toThrow('The CA file needs its whole path.');
    await composed.close();
    const byVariable = await open({ JUMPSEAT_CA_FILE: '/etc/octo.pem' });
    expect(ofFile(byVariable)).toBe('/etc/octo.pem');
    await byVariable.close();
  });

  it('keeps secrets in a file only after the person agreed to it', async () => {
    await expect(open({ JUMPSEAT_SECRETS: 'file' })).rejects.toThrow(RefusedVariableError);
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, secretsStorage: 'file' }));
    const { app, close } = await open({ JUMPSEAT_SECRETS: '' });
    expect(app.state().secrets.storage).toBe('file');
    await close();
  });

  it('keeps secrets in memory at every start where that was chosen, and warns of nothing', async () => {
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, secretsStorage: 'memory' }));
    const { app, close } = await open({ JUMPSEAT_SECRETS: '' });
    expect(app.state().secrets).toEqual({ storage: 'memory', problem: null, needsFile: false });
    expect(await app.check('account.storage')).toMatchObject({ finding: 'In memory until you quit, as you chose' });
    await close();
  });

  it.each([
    [{ JUMPSEAT_SECRETS: 'drawer' }, 'JUMPSEAT_SECRETS must be one of keychain, file, memory, not "drawer".'],
    [
      { JUMPSEAT_PORT: '70000' },
      'JUMPSEAT_PORT must be a whole number from 1024 to 65535, or 0 for a free port, not "70000".',
    ],
    [{ JUMPSEAT_KEY: 'my.secret' }, 'JUMPSEAT_KEY may hold no dot, no blank and no accents.'],
  ])('refuses %j', (env, message) => {
    expect(() => open(env)).toThrow(message);
  });

  it('refuses a token of the wrong kind without repeating it', () => {
    const token = `ghp_${'x'.repeat(36)}`;
    let message = '';
    try {
      open({ JUMPSEAT_GITHUB_TOKEN: token });
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/JUMPSEAT_GITHUB_TOKEN can’t be used/);
    expect(message).not.toContain(token);
  });
});
