import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { showsText } from './page-holds.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const key = 'k'.repeat(40);

/** The window in the real Electron: every view comes over IPC, shows what happens, and does what a person asks. */
describe.skipIf(electronPath === undefined)('the tray app’s window', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let page: Page;
  let other: Server;
  const complaints: string[] = [];
  const loaded: string[] = [];

  beforeAll(async () => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    desktop = await Desktop.start();
    simulator = await startSimulator();
    program = await TrayProgram.start({
      desktop,
      simulator,
      env: {
        JUMPSEAT_SECRETS: 'memory',
        JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
        JUMPSEAT_KEY: key,
        JUMPSEAT_PORT: String(takenPort()),
      },
    });
    page = await program.window();
    page.on('request', (request) => loaded.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterAll(async () => {
    await program?.close();
    await simulator?.close();
    await desktop?.close();
    other.close();
  });

  const takenPort = (): number => {
    const address = other.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  it('the dialog of files begins in the folder that it is for', async () => {
    await program.electron.evaluate(({ dialog }) => {
      const answer = async ({ defaultPath }: { defaultPath: string }) => ({
        canceled: false,
        filePaths: [`${defaultPath}/notes.txt`],
      });
      Reflect.set(dialog, 'showOpenDialog', answer);
    });
    expect(await page.evaluate((folder) => window.jumpseat?.chooseFiles(folder), desktop.home)).toEqual({
      ...{ ok: true, value: [{ kind: 'path', path: join(desktop.home, 'notes.txt') }] },
    });
  });

  const go = (title: string) => page.getByRole('navigation', { name: 'Places' }).getByText(title).click();
  const ask = (text: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${program.port}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}.smoke`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4.6',
        max_tokens: 100,
        stream: true,
        messages: [{ role: 'user', content: text }],
      }),
    });
  const settings = (): Record<string, unknown> => JSON.parse(readFileSync(join(program.home, 'settings.json'), 'utf8'));

  it('started while another program has its port, says which; a free one is one click away', async () => {
    const banner = page.getByTestId('banner');
    await banner.getByText(new RegExp(`Port ${takenPort()} is in use by .+ \\(pid ${process.pid}\\)\\.`)).waitFor();
    await go('Settings');
    await page.getByText('Only one program can listen there.').waitFor();
    await banner.getByRole('button', { name: 'Use a free port' }).click();
    await page.getByTestId('proxy-card').getByText('Proxy on').waitFor();
    expect(program.port).not.toBe(takenPort());
    other.close();
  });

  it('opens every view, and asks for nothing but its own files: what it shows came over IPC', async () => {
    await page.reload();
    await go('Requests');
    await page.getByText('No requests yet').waitFor();
    await go('Usage');
    await page.getByText('Nothing in this period').waitFor();
    await go('Models');
    await page.getByTestId('model-row-opus').waitFor();
    await go('Health');
    await page.getByTestId('check-machine.clock').waitFor();
    // What only the tray app has to say.
    await page.getByTestId('check-machine.tray').waitFor();
    await go('Settings');
    await page.getByText('Closing the window').waitFor();
    await page.getByText(/Electron \d+\./).waitFor();
    expect(loaded.filter((name) => !name.startsWith('app://bundle/'))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(0);
  });

  it('shows a request when it starts, counts while it runs, and fills it in', async () => {
    await go('Requests');
    const gate = Promise.withResolvers<void>();
    simulator.script.next({ kind: 'usual', gate: gate.promise });
    const answer = ask('hello');
    const row = page.locator('.requests_row');
    await row.getByText('Waiting for Copilot').waitFor();
    expect(await row.getAttribute('aria-busy')).toBe('true');
    gate.resolve();
    await (await answer).text();
    await row.getByTestId('cell-status').getByText('200').waitFor();
    await until(async () => (await row.getAttribute('aria-busy')) === null);
    await row.click();
    await page.getByTestId('detail').getByText('Belongs to').waitFor();
    await page.getByRole('button', { name: 'Close details' }).click();
  });

  it('exports what it shows into the file that the person chose, and says nothing of one that was given up', async () => {
    const file = join(desktop.home, 'exported.jsonl');
    // In the place of the system's own dialog, which comes after these listeners: given up, then answered.
    const dialogTitle = program.electron.evaluate(
      ({ session }, path) =>
        new Promise<string | undefined>((resolve) => {
          session.defaultSession.once('will-download', (_event, item) => {
            const { title } = item.getSaveDialogOptions();
            item.once('done', () => resolve(title));
            item.cancel();
            session.defaultSession.on('will-download', (_next, chosen) => chosen.setSavePath(path));
          });
        }),
      file,
    );
    const start = async () => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('button', { name: 'Export 1 request' }).click();
    };
    await start();
    expect(await dialogTitle).toBe('Save export');
    await start();
    await page.getByText('Saved exported.jsonl.').waitFor();
    expect(await page.locator('.toasts_toast').allInnerTexts()).toHaveLength(1);
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'));
    const [exported] = readFileSync(file, 'utf8').trim().split('\n');
    expect(JSON.parse(exported ?? '')).toMatchObject({ client: 'smoke', status: 200, initiator: 'user' });
    expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  it('a theme is in force at once, kept, and there before the first paint of the next window', async () => {
    await go('Settings');
    await page.getByRole('button', { name: 'Dark' }).click();
    await until(() => page.evaluate(() => document.documentElement.dataset.theme === 'dark'));
    expect(settings().theme).toBe('dark');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(13, 17, 23)');
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByRole('button', { name: 'Light' }).click();
    await until(async () => (await ground()) === 'rgb(255, 255, 255)');
  });

  it('turned off and on by its switch: a banner with the way out, and the address back', async () => {
    await go('Requests');
    await page.getByRole('switch', { name: 'Proxy' }).click();
    const banner = page.getByTestId('banner');
    await banner.getByText('The proxy is off.').waitFor();
    await page.getByText('Proxy off').first().waitFor();
    expect(program.port).toBeNull();
    expect(await page.locator('.requests_row').count()).toBe(1);
    await banner.getByRole('button', { name: 'Turn proxy on' }).click();
    await page.getByTestId('proxy-card').getByText('Proxy on').waitFor();
    expect((await ask('after the pause')).status).toBe(200);
    await until(async () => (await page.locator('.requests_row').count()) === 2);
  });

  it('an override is kept and used by the next request', async () => {
    await go('Models');
    await page.getByRole('button', { name: 'Override haiku' }).click();
    await page.getByRole('combobox').fill('sonnet-4.5');
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Save override' }).click();
    await page.getByTestId('model-row-haiku').getByText('Your override').waitFor();
    expect(settings().modelOverrides).toEqual({ haiku: 'claude-sonnet-4.5' });
  });

  it('is never smaller than what it is made for', async () => {
    const smallest = await program.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getMinimumSize(),
    );
    expect(smallest).toEqual([720, 480]);
    await showsText(page, 'Models');
  });

  it('has complained about nothing', () => {
    expect(complaints).toEqual([]);
  });

  it('opens again as large as it was left, at the place where it was left', async () => {
    const opened = async (): Promise<Page> => {
      if ((await program.visibleWindows()) === 0) expect(await program.startAgain()).toBe(0);
      return program.window();
    };
    const size = () =>
      program.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize() ?? null);
    const first = await opened();
    await first.getByRole('navigation', { name: 'Places' }).getByText('Usage').click();
    await first.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await program.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(860, 560));
    await until(async () => (await size())?.[0] === 860);
    await program.closeWindow();
    await until(async () => (await program.visibleWindows()) === 0);
    const second = await opened();
    await second.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    expect(await size()).toEqual([860, 560]);
  });

  it('speaks the language of the system', async () => {
    await program.close();
    const env = { JUMPSEAT_SECRETS: 'memory', JUMPSEAT_GITHUB_TOKEN: simulator.githubToken, LANG: 'de_AT.UTF-8' };
    program = await TrayProgram.start({ desktop, simulator, env });
    page = await program.window();
    await page.getByRole('heading', { name: 'Nutzung', level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  });
});
