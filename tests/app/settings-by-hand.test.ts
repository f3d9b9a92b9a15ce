import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { freePort } from '../free-port.ts';
import { soon } from '../soon.ts';
import { Spawned } from './cli/spawn-jumpseat.ts';
import { prompt, type Stack, startStack } from './stack.ts';

/** settings.json changed in an editor while Jumpseat runs: what applies at once, and what waits and says so. */

let home: string;
const save = (settings: object): void => writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
const wait = (from: number, to: number) => ({
  code: 'settings-wait',
  text: `settings.json says port ${to}. The proxy stays on ${from} until it starts again, and Claude Code with it.`,
  remedy: 'Turn the proxy off and on in the window, or restart "jumpseat serve". Then set up Claude Code again.',
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-by-hand-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('in a running app', () => {
  let stack: Stack;
  afterEach(() => stack.close());
  const warnings = () => stack.app.state().warnings;

  it('another identity goes out with the next request', async () => {
    stack = await startStack({ home });
    save({ identity: { editorVersion: 'vscode/9.9.9', pluginVersion: 'copilot-chat/8.8.8' } });
    const sent = async () => {
      await stack.messages(prompt('hi'));
      return stack.simulator.requests.filter(({ path }) => path === '/v1/messages').at(-1)?.headers;
    };
    await soon(async () =>
      expect(await sent()).toMatchObject({
        'editor-version': 'vscode/9.9.9',
        'editor-plugin-version': 'copilot-chat/8.8.8',
        'user-agent': 'GitHubCopilotChat/8.8.8',
      }),
    );
    save({});
    await soon(async () => expect((await sent())?.['editor-version']).not.toBe('vscode/9.9.9'));
  });

  it(
    'another port waits for the next start and says so; a port of an option or a variable waits for ' + 'nothing',
    async () => {
      const [first, second] = [await freePort(), await freePort()];
      save({ port: first });
      stack = await startStack({ home, idle: true });
      await stack.app.startProxy();
      expect(warnings()).toEqual([]);
      save({ port: second });
      await soon(() => expect(warnings()).toEqual([wait(first, second)]));
      const settingsFile = await stack.app.check('server.settings');
      expect(settingsFile).toMatchObject({ verdict: 'warning', finding: wait(first, second).text });
      await stack.app.stopProxy();
      expect(warnings()).toEqual([]);
      await stack.app.startProxy();
      expect([stack.app.state().proxy, warnings()]).toMatchObject([{ kind: 'on', port: second }, []]);
      await stack.app.stopProxy();
      await stack.app.startProxy({ port: 0 });
      expect(warnings()).toEqual([]);
    },
  );
});

it('jumpseat serve says it in its terminal, once', async () => {
  const simulator: Simulator = await startSimulator();
  const [first, second] = [await freePort(), await freePort()];
  save({ port: first });
  const spawned = new Spawned(['serve', '--json'], {
    HOME: home,
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
  });
  try {
    await spawned.line();
    const { text, remedy } = wait(first, second);
    save({ port: second });
    await soon(() => expect(spawned.err).toBe(`${text} ${remedy}\n`));
    save({ port: second, theme: 'dark' });
    save({ port: 'nonsense' });
    await soon(() => expect(spawned.err).toContain('port has to be a number, without quotes'));
    expect(spawned.err.split(text)).toHaveLength(2);
  } finally {
    spawned.child.kill('SIGTERM');
    await spawned.ended();
    await simulator.close();
  }
});
