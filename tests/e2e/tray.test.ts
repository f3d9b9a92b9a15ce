import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { Desktop } from './desktop.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

describe.skipIf(electronPath === undefined)('the tray app on a desktop', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram | null = null;
  beforeEach(async () => {
    desktop = await Desktop.start({ keyring: true });
    simulator = await startSimulator({ deviceInterval: 1 });
  });
  afterEach(async () => {
    await program?.close();
    await simulator.close();
    await desktop.close();
  });
  it('tries', async () => {
    program = await TrayProgram.start({ desktop, simulator });
    const tray = await program.tray();
    console.log(await tray.tooltip(), await tray.lines());
    const p = await tray.pictures();
    console.log(p.map((x) => [x.width, x.height, x.argb.length]));
    await tray.click('Sign in to GitHub');
    console.log(await tray.shows(/Code/));
    simulator.script.approve();
    console.log(await tray.shows('Turn proxy off'), await tray.tooltip(), program.port);
    console.log(desktop.notifications.shown, desktop.opened);
    const all = program.processes();
    console.log(all);
    await tray.click('Quit Jumpseat');
    await program.gone(all);
    console.log(program.output);
    expect(1).toBe(1);
  });
});
