import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { readSettings } from '../../vscode/editor.ts';
import { Jumpseat } from '../../vscode/jumpseat.ts';
import type { LmModel } from '../../vscode/models.ts';
import { sendTo } from '../app/stack.ts';
import { FakeEditor, NoPermissions } from './fake-editor.ts';
import { newFolder, serving } from './serving.ts';

function window(change: (editor: FakeEditor) => unknown = () => undefined) {
  const editor = new FakeEditor();
  change(editor);
  const jumpseat = new Jumpseat({ editor, folder: newFolder(), clock: nodeClock(), pid: process.pid, lookEveryMs: 20 });
  onTestFinished(() => jumpseat.deactivate());
  return { editor, jumpseat };
}

describe('Jumpseat: Enable', () => {
  it('serves, asks for the consent, and offers the lines', async () => {
    const { editor, jumpseat } = window();
    await jumpseat.activate();
    expect([editor.bar, editor.asked]).toEqual([null, 0]);
    editor.press = 'Copy Environment';
    await jumpseat.enable();
    expect([editor.values.enabled, editor.asked, editor.allowed, editor.sent.length]).toEqual([true, 1, true, 0]);
    expect(editor.bar?.text).toBe('$(check) Jumpseat');
    expect(editor.said[0]).toMatch(
      /^Jumpseat serves at http:\/\/127\.0\.0\.1:\d+\. 0 requests so far\. 2 models of Copilot’s\./,
    );
    expect(editor.copied[0]).toContain('ANTHROPIC_AUTH_TOKEN=');
    expect(editor.copied[0]).toContain('claude-sonnet-4.6');
  });

  it('says what a refusal means, and asks again the next time', async () => {
    const { editor, jumpseat } = window((found) => {
      found.consent = () => Promise.reject(new NoPermissions());
    });
    await jumpseat.enable();
    expect(editor.said[0]).toMatch(/^Jumpseat may not use Copilot/);
    expect(editor.bar?.text).toBe('$(question) Jumpseat: waits for consent');
    editor.consent = () => Promise.reject(new Error('Canceled'));
    await jumpseat.enable();
    expect([editor.asked, editor.allowed, editor.bar?.text]).toEqual([2, true, '$(check) Jumpseat']);
  });

  it('says that Copilot is missing, and sees when it comes', async () => {
    const { editor, jumpseat } = window((found) => {
      found.ids = [];
    });
    await jumpseat.enable();
    expect(editor.said[0]).toContain('offers no Copilot model in the window “test”');
    expect(editor.bar?.text).toBe('$(warning) Jumpseat: no Copilot');
    editor.ids = ['gpt-4.1'];
    await jumpseat.modelsChanged();
    expect(editor.bar?.text).toBe('$(question) Jumpseat: waits for consent');
  });
});

it('keeps the models of the last change, whichever answer comes last', async () => {
  const { editor, jumpseat } = window();
  await jumpseat.enable();
  const old = Promise.withResolvers<readonly LmModel[]>();
  const asks = vi.spyOn(editor, 'models').mockReturnValueOnce(old.promise);
  const before = jumpseat.modelsChanged();
  editor.ids = ['gpt-4.1', 'gpt-5', 'claude-sonnet-4.6'];
  await jumpseat.modelsChanged();
  expect(asks).toHaveBeenCalledTimes(2);
  old.resolve([editor.model('gpt-4.1')]);
  await before;
  await jumpseat.status();
  expect(editor.said.at(-1)).toContain(' 3 models of Copilot’s.');
});

describe('a window that starts', () => {
  it('serves where it is switched on, and asks the person nothing', async () => {
    const { editor } = await serving();
    expect([editor.asked, editor.said]).toEqual([0, []]);
  });

  it('follows the settings', async () => {
    const { editor, jumpseat, get } = await serving();
    editor.values = { ...editor.values, enabled: false };
    await jumpseat.settingsChanged();
    expect(editor.bar).toBeNull();
    await expect(get('/healthz')).rejects.toThrow();
    editor.values = { ...editor.values, enabled: true };
    await jumpseat.settingsChanged();
    expect(editor.bar?.text).toBe('$(check) Jumpseat');
  });

  it('says in its status that the key is required, and in the output channel when it starts and stops', async () => {
    const { editor, jumpseat, base } = await serving();
    await jumpseat.status();
    expect(editor.said.at(-1)).toMatch(/ Clients need the key, which “Copy Environment” copies\.$/);
    await jumpseat.disable();
    await jumpseat.status();
    expect(editor.said.at(-1)).not.toContain('key');
    expect(editor.logged).toEqual(['Starting.', `Started. Serves at ${base}.`, 'Stopped.']);
  });

  it('says in the output channel why it did not start', async () => {
    const { base } = await serving();
    const port = Number(new URL(base).port);
    const { editor, jumpseat } = window((found) => {
      found.values = { ...found.values, enabled: true, port };
    });
    await jumpseat.activate();
    expect(editor.logged.at(-1)).toBe(
      `Not started. Port ${port} is used by another program. Set jumpseat.port to another port, or to 0 for any free port.`,
    );
  });

  it('is switched off by the command', async () => {
    const { editor, jumpseat } = await serving();
    await jumpseat.disable();
    expect([editor.values.enabled, editor.bar]).toEqual([false, null]);
    await jumpseat.status();
    expect(editor.said.at(-1)).toContain('Jumpseat is off');
    await jumpseat.copyEnvironment();
    expect([editor.said.at(-1), editor.copied]).toEqual([expect.stringContaining('Run “Jumpseat: Enable” first'), []]);
  });

  it('gives its terminals the variables only where that was chosen', async () => {
    const { editor, jumpseat, base, key } = await serving();
    expect(editor.terminals).toEqual([]);
    editor.values = { ...editor.values, terminalEnvironment: true };
    await jumpseat.settingsChanged();
    expect(Object.fromEntries(editor.terminals.map(({ name, value }) => [name, value]))).toMatchObject({
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_AUTH_TOKEN: `${key}.claude-code`,
    });
    await jumpseat.disable();
    expect(editor.terminals).toEqual([]);
  });
});

describe('the door', () => {
  it('lets in with the key alone, from this machine alone', async () => {
    const { base, key } = await serving();
    const ask = (headers: Record<string, string>) => fetch(`${base}/v1/models`, { headers });
    const authorization = `Bearer ${key}.x`;
    expect((await ask({ authorization })).status).toBe(200);
    const wrong = await ask({ authorization: 'Bearer wrong.x' });
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).toContain('Run “Jumpseat: Copy Environment” in VS Code');
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization, origin: 'https://example.com' })).status).toBe(403);
    const path = '/v1/messages';
    expect((await sendTo(base, { path, headers: { authorization, host: 'example.com' } })).status).toBe(421);
    const tooLarge = { authorization, 'content-type': 'application/json', 'content-length': '70000000' };
    expect((await sendTo(base, { method: 'POST', path, headers: tooLarge })).status).toBe(413);
    expect((await fetch(`${base}/healthz`)).headers.get('x-jumpseat')).toBe('0.1.0');
  });

  it('has a key of its own that is kept, and never an empty one', async () => {
    const { editor, key } = await serving((found) => {
      found.key = '';
    });
    expect([editor.key, key.length]).toEqual([key, 43]);
    const kept = await serving((found) => {
      found.key = 'kept-key-of-a-window';
    });
    expect(kept.key).toBe('kept-key-of-a-window');
  });
});

describe('the manifest', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../vscode/package.json', import.meta.url), 'utf8'));
  const { version, devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

  it('has the settings that are read, with their defaults', () => {
    const properties: Record<string, { default: unknown; scope: string }> =
      manifest.contributes.configuration.properties;
    const defaults = readSettings((name) => properties[`jumpseat.${name}`]?.default);
    expect(
      Object.fromEntries(Object.entries(properties).map(([name, { default: value }]) => [name.slice(9), value])),
    ).toEqual(defaults);
    // A folder that is opened must not switch it on.
    expect(new Set(Object.values(properties).map(({ scope }) => scope))).toEqual(new Set(['application']));
  });

  it('F1 is of this version, for every VS Code from 1.106 on, with nothing proposed', () => {
    expect(manifest.version).toBe(version);
    expect(manifest.engines).toEqual({ vscode: '^1.106.0' });
    // The types that it is compiled against know nothing newer.
    expect(devDependencies['@types/vscode']).toMatch(/^1\.106\./);
    expect(manifest.extensionKind).toEqual(['ui', 'workspace']);
    expect(manifest.capabilities).toEqual({ untrustedWorkspaces: { supported: true }, virtualWorkspaces: true });
    expect(manifest).not.toHaveProperty('enabledApiProposals');
    expect(manifest).not.toHaveProperty('extensionDependencies');
  });

  it.each([
    [{ port: 70_000, atOnce: 0, historyTurns: 'x', enabled: 'yes' }, {}],
    [
      { port: 4280, atOnce: 2, historyTurns: 3, enabled: true },
      { port: 4280, atOnce: 2, historyTurns: 3, enabled: true },
    ],
  ])('takes of %j what makes sense', (values: Record<string, unknown>, expected) => {
    const defaults = {
      enabled: false,
      port: 0,
      atOnce: 4,
      historyTurns: null,
      terminalEnvironment: false,
      verbose: false,
    };
    expect(readSettings((name) => values[name])).toEqual({ ...defaults, ...expected });
  });
});
