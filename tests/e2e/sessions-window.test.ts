import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedFolder } from '../../app/packages/installed.ts';
import { agentSdk } from '../../app/sessions/agents/claude/claude-packages.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const { JUMPSEAT_TEST_CLAUDE: claude, JUMPSEAT_TEST_AGENT_SDK: sdk } = process.env;

/** A session in the real window: the real Electron starts the real Claude Code, and a key lets it write. */
describe.skipIf(electronPath === undefined || claude === undefined)('Sessions in the tray app', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let page: Page;
  let project: string;

  beforeAll(async () => {
    desktop = await Desktop.start();
    simulator = await startSimulator();
    project = join(desktop.home, 'project');
    mkdirSync(project);
    symlinkSync(claude ?? '', join(desktop.folder, 'bin', 'claude'));
    // As after the person let Jumpseat fetch it.
    const place = installedFolder(join(desktop.home, 'jumpseat', 'cache', 'packages'), agentSdk);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(dirname(sdk ?? ''), place);
    program = await TrayProgram.start({
      desktop,
      simulator,
      env: { JUMPSEAT_SECRETS: 'memory', JUMPSEAT_GITHUB_TOKEN: simulator.githubToken },
    });
    page = await program.window();
  });
  afterAll(async () => {
    await program?.close();
    await simulator?.close();
    await desktop?.close();
  });

  it('begins in the folder that was chosen, and writes once that was allowed with the keyboard', async () => {
    // In the place of the system's own dialog.
    await program.electron.evaluate(({ dialog }, path) => {
      Reflect.set(dialog, 'showOpenDialog', async () => ({ canceled: false, filePaths: [path] }));
    }, project);
    await page.getByRole('navigation', { name: 'Places' }).getByText('Sessions').click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await page.getByRole('menuitem', { name: 'Choose folder…' }).click();
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill(`Write it down.\nstep: write: ${join(project, 'new.txt')} | Some words.`);
    await composer.press('Enter');
    const asked = page.getByRole('group', { name: 'Create new.txt?' });
    await asked.waitFor();
    expect(existsSync(join(project, 'new.txt'))).toBe(false);
    await page.keyboard.press('Control+.');
    await until(async () => (await asked.locator('footer button').last().getAttribute('aria-disabled')) !== 'true');
    await page.keyboard.press('1');
    await page.getByText('That was the last of 1 steps.').waitFor();
    expect(existsSync(join(project, 'new.txt'))).toBe(true);
  });
});
