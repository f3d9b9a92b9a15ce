import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { Jumpseat } from '../../vscode/jumpseat.ts';
import { prompt } from '../app/stack.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { FakeEditor } from '../vscode/fake-editor.ts';
import { Chromium } from './chromium-window.ts';

/** Settings → Account → Reach Copilot, as a person uses it, with the extension's own server behind the app. */
let chromium: Chromium;
beforeAll(async () => {
  chromium = await Chromium.launch();
});
afterAll(() => chromium?.close());

it('asks before another way is taken, says what is missing, and where requests go then', async () => {
  const { stack, page, axe } = await opened();
  const choice = page.getByRole('combobox', { name: 'Reach Copilot' });
  const setting = page.locator('.settings_setting', { has: choice });
  const dialog = page.getByRole('dialog');
  await expect.poll(() => setting.textContent()).toContain('sends requests to Copilot itself.');

  await choice.selectOption('Through VS Code');
  await expect.poll(() => dialog.textContent()).toMatch(/Every request is counted as user.*Claude doesn’t think there/);
  expect(await axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect([await choice.inputValue(), stack.app.preferences().reach]).toEqual(['directly', 'directly']);

  await choice.selectOption('Through VS Code');
  await dialog.getByRole('button', { name: 'Go through VS Code' }).click();
  await expect.poll(() => stack.app.preferences().reach).toBe('through-vscode');
  await expect.poll(() => setting.textContent()).toContain('no window of VS Code serves them. Open VS Code');
  await page.getByTestId('banner').getByText('Requests go through VS Code').waitFor();
  await page.getByText('Signed in, not in use: requests go through VS Code.').waitFor();
  expect(await axe()).toEqual([]);

  const editor = new FakeEditor();
  editor.values.enabled = true;
  editor.allowed = true;
  const served = new Jumpseat({ editor, folder: stack.home, clock: nodeClock(), pid: process.pid });
  onTestFinished(() => served.deactivate());
  await served.activate();
  await expect
    .poll(() => setting.textContent())
    .toContain(`Now its extension 0.1.0 serves at 127.0.0.1:${editor.port}.`);
  await page.getByTestId('banner').waitFor({ state: 'detached' });
  expect((await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6', stream: false }))).status).toBe(200);

  const before = stack.simulator.requests.length;
  await choice.selectOption('Directly');
  await dialog.getByRole('button', { name: 'Go directly' }).click();
  await expect.poll(() => stack.app.preferences().reach).toBe('directly');
  expect((await stack.messages(prompt('hi', { model: 'claude-sonnet-4-6', stream: false }))).status).toBe(200);
  expect(stack.simulator.requests.slice(before).map(({ path }) => path)).toContain('/v1/messages');
  const rows = await stack.rows(2);
  for (const [row, as] of [
    [rows[0], 'VS Code; always counted as user'],
    [rows[1], /^vscode\//],
  ] as const) {
    await page.goto(page.url().replace(/#.*$/, `#/requests/${row?.id}`));
    await page.getByTestId('detail').getByText(as).first().waitFor();
  }
  expect(editor.sent).toHaveLength(1);
  expect(await chromium.closeWindows()).toEqual([]);
});

async function opened() {
  const window = await chromium.window({
    secrets: desktopSecrets(),
    settings: { version: 1, welcomedAt: 1 },
    at: '#/settings/account',
  });
  return { stack: window.stack, page: window.page, axe: () => window.axe() };
}
