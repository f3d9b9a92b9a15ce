import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import { freePort } from '../free-port.ts';
import { runPatienceMs, soon } from '../soon.ts';
import { Started } from '../started.ts';
import { stockEditor } from './stock-editor.ts';

/** One request as the provider that plays Copilot got it. */
export interface Asked {
  model: string;
  messages: { role: number; content: { text?: string; result?: object; call?: string; data?: string }[] }[];
  tools: string[];
  toolMode: number;
  modelOptions: Record<string, unknown>;
  /** Cancelled while it ran. */
  cancelled?: boolean;
}

/** A real VS Code with the packed extension, and a provider in the place of Copilot Chat. */
export interface RealEditor {
  /** Jumpseat's folder. */
  home: string;
  /** Another window on a folder of its own, once its extensions run. */
  window(name: string): Promise<EditorWindow>;
  /** Where the window that serves is found. */
  served(): { port: number; key: string; pid: number };
  /** What the provider was asked until now. */
  asked(): Asked[];
  /** What VS Code said when an extension used a proposed API that its manifest doesn't name. */
  refusedProposal(): string;
  /** The provider has no models any more, or again; to be told with `Provider: Changed`. */
  signOut(isOut: boolean): void;
  stop(): Promise<void>;
}

export async function startEditor(): Promise<RealEditor> {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-editor-'));
  const data = join(home, 'data');
  const server = stockEditor(process.env.JUMPSEAT_TEST_EDITOR ?? '', join(home, 'editor'));
  const log = join(home, 'asked.jsonl');
  const settingsFile = join(data, 'data', 'User', 'settings.json');
  mkdirSync(join(data, 'data', 'User'), { recursive: true });
  mkdirSync(join(data, 'extensions'));
  writeFileSync(log, '');
  cpSync(
    join(import.meta.dirname, 'copilot-provider'),
    join(data, 'extensions', 'jumpseat-test.copilot-provider-1.0.0'),
    {
      recursive: true,
    },
  );
  // Nothing watches the file here: what is to be set is set before.
  const settings = {
    'security.workspace.trust.enabled': false,
    'workbench.startupEditor': 'none',
    'jumpseat.terminalEnvironment': true,
  };
  writeFileSync(settingsFile, JSON.stringify(settings));
  const env = { PATH: process.env.PATH, HOME: home, JUMPSEAT_HOME: join(home, 'jumpseat'), JUMPSEAT_TEST_LM_LOG: log };
  const common = ['--accept-server-license-terms', '--server-data-dir', data, '--telemetry-level', 'off'];
  const options = { env, withinMs: runPatienceMs, detached: true };
  const vsix = process.env.JUMPSEAT_TEST_VSIX ?? '';
  const installed = await new Started(
    process.execPath,
    [server, '--install-extension', vsix, ...common],
    options,
  ).ended();
  if (installed.code !== 0) throw new Error(`The extension was not installed: ${installed.out}${installed.err}`);
  const port = await freePort();
  const address = ['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
  const started = new Started(process.execPath, [server, ...address, ...common], options);
  let browser: Browser | null = null;
  let context: BrowserContext | null = null;
  const stop = async (): Promise<void> => {
    await browser?.close();
    // Its extension hosts are of its group.
    const { pid } = started.child;
    if (pid !== undefined) process.kill(-pid);
    await started.ended();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await soon(async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/version`);
      if (!ok) throw new Error('The editor does not answer.');
    });
    browser = await launchChromium('--disable-gpu');
    context = await browser.newContext({ viewport: { width: 1000, height: 600 } });
    context.setDefaultTimeout(runPatienceMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const all = context;
  return {
    home: join(home, 'jumpseat'),
    window: async (name) => {
      const folder = join(home, name);
      mkdirSync(folder, { recursive: true });
      const page = await all.newPage();
      await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
      return new EditorWindow(page, folder);
    },
    served: () => JSON.parse(readFileSync(join(home, 'jumpseat', 'vscode.json'), 'utf8')),
    asked: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    refusedProposal: () => readFileSync(`${log}.proposal`, 'utf8'),
    signOut: (isOut) => {
      if (isOut) writeFileSync(`${log}.signed-out`, '');
      else rmSync(`${log}.signed-out`, { force: true });
    },
    stop,
  };
}

const dialog = '.monaco-dialog-box';
const entry = '.statusbar-item[id="jumpseat.jumpseat.jumpseat.status"]';
const row = '.quick-input-list .monaco-list-row';

/** A window of the editor, used as a person would. */
export class EditorWindow {
  readonly page: Page;
  readonly folder: string;

  constructor(page: Page, folder: string) {
    this.page = page;
    this.folder = folder;
  }

  /** Runs a command by its title from the palette, which lists those of extensions only once they are known. */
  async command(title: string): Promise<void> {
    const { page } = this;
    await page.bringToFront();
    const found = page.locator(row, { hasText: title }).first();
    await soon(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill(`>${title}`, { timeout: 2000 });
      await found.waitFor({ timeout: 2000 });
    });
    await page.keyboard.press('Enter');
  }

  /** VS Code's own question whether the extension may use Copilot's models. */
  async consentDialog(): Promise<string> {
    await this.page.waitForSelector(dialog);
    return (await this.page.locator(dialog).textContent()) ?? '';
  }

  /** With JUMPSEAT_TEST_PICTURES=vscode/pictures: what vscode/README.md and the walkthrough show. */
  async picture(name: string, clip: { x: number; y: number; width: number; height: number }): Promise<void> {
    const folder = process.env.JUMPSEAT_TEST_PICTURES;
    if (folder === undefined) return;
    await this.page.screenshot({ path: join(folder, `${name}.png`), clip, animations: 'disabled' });
  }

  async press(button: string): Promise<void> {
    await this.page.locator(`${dialog} .monaco-button`, { hasText: button }).click();
    await this.page.locator(dialog).waitFor({ state: 'detached' });
  }

  async choose(label: string): Promise<void> {
    await this.page.locator(row, { hasText: label }).first().click();
  }

  /** What stands in the status bar of ours; empty: nothing. */
  async status(): Promise<string> {
    const shown = await this.page.locator(entry).allTextContents();
    return shown.join('').trim();
  }

  /** What is shown when the pointer rests on it. */
  async hover(): Promise<string> {
    await this.page.locator(entry).hover();
    const shown = this.page.locator('.workbench-hover', { hasText: 'Jumpseat' }).first();
    await shown.waitFor();
    return (await shown.textContent()) ?? '';
  }

  /** The words of the notifications that are shown. */
  async notifications(): Promise<string> {
    return (await this.page.locator('.notification-list-item-message').allTextContents()).join('\n');
  }

  async clearNotifications(): Promise<void> {
    await this.command('Notifications: Clear All Notifications');
  }
}
