import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CopilotRuntime } from '../../app/account/sdk/copilot-runtime.ts';
import { isMusl, runtimePackage, systemName } from '../../app/account/sdk/runtime-package.ts';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { memorySecrets } from '../../app/adapters/memory-secrets.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { patientLimits } from '../app/account/sdk/played.ts';
import { prompt, type Stack, startStack } from '../app/stack.ts';
import { script } from '../scripts/script.ts';

const runtime = runtimePackage(systemName(process.platform, process.arch, isMusl()));
const dialer = nodeDialer();
afterAll(() => dialer.close());

/** The whole product on the way through GitHub's own runtime, against the simulated GitHub and Copilot. */
describe.skipIf(runtime === null)('through GitHub’s own runtime', () => {
  let cache: string;
  let stack: Stack;
  const common = { clock: nodeClock(), dialer, platform: process.platform, userHome: homedir(), runtime };

  beforeAll(async () => {
    const { cacheFolder } = await script<{ cacheFolder(): string }>('project');
    cache = join(cacheFolder(), 'tests');
    const githubApi = new URL('https://api.github.com');
    await new CopilotRuntime({ ...common, environment: process.env, githubApi, paths: { cache } }).fetch();
  }, 600_000);

  beforeEach(async () => {
    const made: { runtime: CopilotRuntime | null } = { runtime: null };
    const real = (): CopilotRuntime => {
      const githubApi = new URL(stack.simulator.apiUrl);
      made.runtime ??= new CopilotRuntime({
        ...{ ...common, environment: {}, githubApi, paths: { cache }, limits: patientLimits },
      });
      return made.runtime;
    };
    stack = await startStack({
      secrets: memorySecrets({ 'github-token': fakeGithubToken }),
      app: {
        runtime: {
          package: runtime?.package ?? null,
          installed: () => Promise.resolve('here'),
          fetch: () => real().fetch(),
          ask: (credential) => real().ask(credential),
        },
      },
    });
  });
  afterEach(() => stack.close());

  const askedOf = (path: string) => stack.simulator.requests.filter((request) => request.path === path);

  it('a sign-in, a request in its name, another endpoint after a 401, and the way back', async () => {
    const { simulator, app } = stack;
    const { ownToken } = simulator;
    expect(await app.signInWith({ kind: 'token', token: ownToken })).toEqual({ kind: 'signed-in', login: 'octo-demo' });
    expect(app.state().admission).toMatchObject({
      ...{ way: 'copilot-sdk', credential: 'token', sentAs: { editor: 'copilot/1.0.85', integration: 'copilot-sdk' } },
    });
    expect((await stack.messages(prompt('hello'))).status).toBe(200);
    simulator.script.next({ kind: 'answer', status: 401, body: 'unauthorized' }, '/v1/messages');
    const usersBefore = simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user').length;
    expect((await stack.messages(prompt('hello again'))).status).toBe(200);
    const users = simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user');
    expect(users.length).toBeGreaterThan(usersBefore);
    expect(users.at(-1)?.headers).toMatchObject({ authorization: 'Bearer <own-token>' });
    expect(askedOf('/v1/messages').map(({ status, initiator }) => [status, initiator])).toEqual([
      [200, 'user'],
      [401, 'user'],
      [200, 'user'],
    ]);
    for (const { headers } of askedOf('/v1/messages')) {
      expect(headers).toMatchObject({ 'editor-version': 'copilot/1.0.85', 'copilot-harness-id': 'copilot-sdk' });
      expect(headers).not.toHaveProperty('x-client-machine-id');
    }
    expect(simulator.script.violations).toEqual([]);
    expect(await app.chooseCredential('vscode')).toBe(true);
    expect((await stack.messages(prompt('as before'))).status).toBe(200);
    expect(askedOf('/v1/messages').at(-1)?.headers['editor-version']).toMatch(/^vscode\//);
    const files = readdirSync(stack.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(ownToken);
    }
  });

  it('a token that GitHub took back is refused, and the other way is offered', async () => {
    const { simulator, app } = stack;
    await app.signInWith({ kind: 'token', token: simulator.ownToken });
    simulator.script.revokeGithubToken();
    expect((await stack.messages(prompt('hello'))).status).toBe(401);
    expect(app.state().account).toMatchObject({ kind: 'signed-in', notice: { id: 'sign-in-refused' } });
    const again = await app.signInWith({ kind: 'token', token: simulator.ownToken });
    expect(again).toMatchObject({ kind: 'failed', mend: expect.stringContaining('--way vscode') });
  });
});
