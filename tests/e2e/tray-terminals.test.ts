import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { claudeBinary } from '../clients/claude.ts';
import { Terminal, tmux } from '../clients/terminal.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { showsIcon } from './icon-name.ts';
import { showsText } from './page-holds.ts';
import type { TrayIcon } from './status-notifier.ts';
import { hasDesktop, TrayProgram } from './tray-program.ts';

/** Claude Code in a terminal, and the tray beside it: no window is ever opened before the last click. */
describe.skipIf(!hasDesktop || claudeBinary === '' || tmux === '')('sessions of a terminal, in the tray', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let tray: TrayIcon;
  let terminal: Terminal | null = null;
  let lines: Record<string, string>;

  beforeAll(async () => {
    desktop = await Desktop.start({ keyring: true });
    simulator = await startSimulator({ deviceInterval: 1 });
    program = await TrayProgram.start({ desktop, simulator, args: ['--hidden'] });
    tray = await program.tray();
    await tray.shows('Turn proxy off');
    await tray.click('Sign in to GitHub…');
    await tray.shows(/^\(Code/);
    simulator.script.approve();
    await tray.shows('Sign out…');
    await tray.click('Copy lines for Claude Code', 'bash or zsh');
    await until(async () => (await program.clipboard()).includes('ANTHROPIC_BASE_URL'));
    const copied = await program.clipboard();
    const pairs = [...copied.matchAll(/^export (\w+)=(?:'([^']*)'|"([^"]*)"|(.*))$/gm)];
    lines = Object.fromEntries(
      pairs.map(([, name = '', single, double, bare]) => [name, single ?? double ?? bare ?? '']),
    );
  });
  afterAll(async () => {
    try {
      await terminal?.close();
      await program?.close();
    } finally {
      await simulator?.close();
      await desktop?.close();
    }
  });

  const project = () => join(desktop.home, 'parcel-api');
  async function open(...args: string[]): Promise<Terminal> {
    mkdirSync(project(), { recursive: true });
    const projects = { [project()]: { hasTrustDialogAccepted: true } };
    const config = join(desktop.home, '.claude.json');
    const known = existsSync(config) ? JSON.parse(readFileSync(config, 'utf8')) : {};
    writeFileSync(config, JSON.stringify({ ...known, hasCompletedOnboarding: true, theme: 'dark', projects }));
    await terminal?.close();
    const opened = await Terminal.open(claudeBinary, args, {
      cwd: project(),
      env: {
        ...{ HOME: desktop.home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', DISABLE_AUTOUPDATER: '1' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ...lines },
      },
    });
    terminal = opened;
    await opened.see('❯');
    return opened;
  }

  it('one that asks is in the menu and changes the icon; answered there, both go', async () => {
    const there = await open();
    await there.say('step: ask: Which one? | This | That');
    await there.see('Which one?');
    await tray.shows('parcel-api waits in a terminal');
    await showsIcon(tray, 'tray-waiting');
    expect(await tray.tooltip()).toBe('Jumpseat: 1 session waits for you');
    // The question is on the screen a moment before it takes keys.
    await there.pressUntil('Enter', /Which one\? → This/);
    const menu = await tray.shows(/^Sessions ▸.*parcel-api · done in a terminal/);
    expect(menu).not.toContain('parcel-api waits in a terminal');
    await showsIcon(tray, 'tray-on');
    expect(await program.visibleWindows()).toBe(0);
  });

  it('one whose terminal was closed goes on by the line that is copied, or with a click in the window', async () => {
    await terminal?.close();
    await tray.shows(
      /^Sessions ▸ New session…, ─, parcel-api · its terminal ended, ─, Copy the line for a terminal ▸ parcel-api$/,
    );
    await tray.click('Sessions', 'Copy the line for a terminal', 'parcel-api');
    await desktop.notifications.titled('Line copied');
    const copied = await program.clipboard();
    const [, folder, id = ''] = /^cd '?(.+?)'? && claude --resume ([0-9a-f-]{36})$/.exec(copied) ?? [];
    expect(folder).toBe(project());
    await until(async () => !(await tray.menu()).some((entry) => entry.label === 'Sessions'));

    const there = await open('--resume', id);
    await there.see('Which one?');
    // A model thinks longer than the notes of Claude Code are given to settle.
    simulator.script.always({ kind: 'usual', before: (index) => (index === 0 ? sleep(1000) : undefined) });
    await there.say('count to 5');
    await there.see('1, 2, 3, 4, 5');
    await tray.shows(/Sessions ▸.*done in a terminal/);
    await tray.click('Sessions', 'parcel-api · done in a terminal');
    const page = await program.window();
    await showsText(page, 'count to 5');
    expect(page.url()).toContain(id);
    await showsText(page, 'In a terminal');
  });
});
