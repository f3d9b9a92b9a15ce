import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { showsIcon } from './icon-name.ts';
import { chooseInDialog, putClaudeOn } from './sessions-day/sessions-desktop.ts';
import { SessionsPage } from './sessions-day/sessions-page.ts';
import { heardOn, plugIn, tone } from './sound-card.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const { JUMPSEAT_TEST_CLAUDE: claude } = process.env;

/** What of a session reaches beyond the real window: addresses, tray, notifications, and the end. */
describe.skipIf(electronPath === undefined || claude === undefined)('G8 Sessions in the tray app', () => {
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
    putClaudeOn(desktop);
    plugIn(desktop);
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

  it('begins in the folder that was chosen', async () => {
    await chooseInDialog(program, project);
    const sessions = new SessionsPage(page);
    await page.getByRole('navigation', { name: 'Places' }).getByText('Sessions').click();
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await sessions.send('Write it down.');
    await sessions.ended(1);
  });

  it('goes back and forward with Alt and the arrows, also out of the message field, and opens no menu bar', async () => {
    const hasMenuBar = (): Promise<boolean | undefined> =>
      program.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMenuBarVisible());
    /** As the system's: what the page leaves goes to Electron, which sees Alt alone where it is released first. */
    const press = async (...keys: string[]): Promise<void> => {
      await program.electron.evaluate(({ BrowserWindow }, names) => {
        const { webContents } = BrowserWindow.getAllWindows()[0] ?? {};
        for (const type of ['keyDown', 'keyUp'] as const)
          for (const keyCode of names) webContents?.sendInputEvent({ type, keyCode, modifiers: ['alt'] });
      }, keys);
      // They have been through by then.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    };
    const field = page.getByRole('textbox', { name: 'Message' });
    const usage = page.getByRole('heading', { name: 'Usage', level: 1 });
    const session = page.url();
    await page.getByRole('navigation', { name: 'Places' }).getByText('Usage').click();
    await usage.waitFor();
    await press('Alt', 'Left');
    await field.waitFor();
    expect([page.url(), await hasMenuBar()]).toEqual([session, false]);
    await field.focus();
    await press('Alt', 'Right');
    await usage.waitFor();
    expect(await hasMenuBar()).toBe(false);
    await press('Alt', 'Left');
    await field.waitFor();
    // Alt alone is Electron's.
    await press('Alt');
    await expect.poll(hasMenuBar).toBe(true);
    await program.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setMenuBarVisibility(false),
    );
  });

  it('draws its words in a font that the styles name, none of them with serifs', async () => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('DOM.enable');
    await cdp.send('CSS.enable');
    const drawnIn = async (selector: string): Promise<string[]> => {
      const { root } = await cdp.send('DOM.getDocument');
      const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName }) => familyName);
    };
    const named = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.id = 'probe';
      probe.style.fontFamily = 'system-ui';
      probe.textContent = 'Jumpseat';
      return getComputedStyle(document.body).fontFamily.replaceAll('"', '').split(', ');
    });
    const allowed = [...named, ...(await drawnIn('#probe'))];
    await page.evaluate(() => document.getElementById('probe')?.remove());
    for (const selector of ['.shell_places .shell_name', '.shell_quota .muted', 'h1']) {
      const drawn = await drawnIn(selector);
      expect([selector, drawn.length > 0]).toEqual([selector, true]);
      for (const family of drawn) {
        expect(family).not.toMatch(/\bserif|times|roman/i);
        // A weight may be in the name: `Inter Semi Bold`.
        expect([family, allowed.some((name) => `${family} `.startsWith(`${name} `))]).toEqual([family, true]);
      }
    }
  });

  it('leaves the menu of the right button open when the button is released', async () => {
    const row = page.locator('[data-testid^="session-row-"]').first();
    const box = await until(() => row.boundingBox());
    await page.mouse.move(box.x + 40, box.y + 10);
    await page.mouse.down({ button: 'right' });
    const menu = page.getByRole('menu', { name: /^Actions of / });
    await menu.waitFor();
    await page.mouse.move(box.x + 37, box.y + 8);
    await page.mouse.up({ button: 'right' });
    expect(await menu.isVisible()).toBe(true);
    // The page has drawn itself anew since.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(await menu.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('takes files that are dropped on the field by where they lie', async () => {
    const composer = page.getByRole('textbox', { name: 'Message' });
    const box = await until(() => composer.boundingBox());
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const files = [join(project, 'new.txt'), desktop.home];
    const data = { items: [], files, dragOperationsMask: 1 };
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place, data });
    await page.getByText('Drop to attach').waitFor();
    await cdp.send('Input.dispatchDragEvent', { type: 'dragOver', ...place, data });
    await cdp.send('Input.dispatchDragEvent', { type: 'drop', ...place, data });
    const taken = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await taken.filter({ hasText: 'new.txt' }).waitFor();
    const outside = 'It’s outside of this session’s folder. Claude will ask to read it.';
    await taken.filter({ hasText: outside }).waitFor();
    expect(await page.getByText(outside).count()).toBe(1);
    for (const name of ['new.txt', outside]) {
      await taken
        .filter({ hasText: name })
        .getByRole('button', { name: /^Remove/ })
        .click();
    }
    await taken.first().waitFor({ state: 'detached' });
  });

  it('opens an address of the conversation in the browser, once all of it was confirmed', async () => {
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Look at [the page](https://example.com/a?b=c).');
    await composer.press('Enter');
    await page.getByRole('button', { name: 'the page', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Open this address?' });
    expect(await dialog.locator('b').innerText()).toBe('example.com');
    expect(desktop.opened).toEqual([]);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await until(() => desktop.opened.includes('https://example.com/a?b=c'));
    const refused = await page.evaluate(() => window.jumpseat?.openAddress('file:///etc/passwd'));
    expect(refused).toMatchObject({ ok: false, problem: { code: 'NotOpenedError' } });
    expect(desktop.opened).toHaveLength(1);
  });

  it('opens a session in a further window: one question for both, a draft for each, closed without a word', async () => {
    const here = new SessionsPage(page);
    await here.composer.fill('Written in the first window.');
    const session = here.address;
    await page.keyboard.press('Control+Shift+N');
    const beside = await until(() => program.electron.windows().find((one) => one !== page));
    const there = new SessionsPage(beside);
    await there.composer.waitFor();
    expect([there.address, await there.composer.inputValue()]).toEqual([session, '']);
    await there.send('step: run: touch beside.txt');
    await here.question('Run this command?').waitFor();
    // What leads to the session brings the window to the front that shows it. The other one stays where it is.
    await here.go('#/usage');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await program.electron.evaluate(({ BrowserWindow }) => {
      const first = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().endsWith('#/usage'));
      first?.focus();
    });
    const tray = await program.tray();
    await tray.shows('project asks to run a command');
    await tray.click('project asks to run a command');
    const inFront = (): Promise<string | undefined> =>
      program.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.webContents.getURL());
    await until(async () => (await inFront())?.endsWith(session) === true);
    expect(new URL(page.url()).hash).toBe('#/usage');

    await here.go(session);
    await here.question('Run this command?').waitFor();
    await there.answer('Run this command?', '1');
    await here.question('Run this command?').waitFor({ state: 'detached' });
    await there.idle();
    expect(existsSync(join(project, 'beside.txt'))).toBe(true);
    await beside.close();
    await until(async () => (await program.visibleWindows()) === 1);
    expect(desktop.notifications.shown.map(({ title }) => title)).not.toContain('Jumpseat keeps running');
    expect(await here.composer.inputValue()).toBe('Written in the first window.');
    await here.composer.fill('');
  });

  it('plays the sounds that are chosen, says why where one is none, and again when its file is gone', async () => {
    const file = join(desktop.home, 'ding.wav');
    await page.evaluate(() => {
      location.hash = '#/settings/notifications';
    });
    const field = page
      .locator('.settings_setting')
      .filter({ has: page.getByLabel('Sound when a session waits', { exact: true }) });
    const choice = field.getByRole('combobox');
    writeFileSync(join(desktop.home, 'notes.txt'), 'no sound');
    await chooseInDialog(program, join(desktop.home, 'notes.txt'));
    await choice.selectOption('A file…');
    await field.getByText('The file is no sound that Jumpseat can play. Choose another file.').waitFor();
    expect(await choice.inputValue()).toBe('');
    writeFileSync(file, tone());
    await chooseInDialog(program, file);
    await choice.selectOption('A file…');
    await field.getByRole('button', { name: 'Play' }).waitFor();
    expect(await choice.inputValue()).toBe(file);
    await until(() => heardOn(desktop) > 0);
    rmSync(file);
    await page.reload();
    await field.getByText('The sound’s file isn’t there any more, or can’t be read. Choose another file.').waitFor();
    writeFileSync(file, tone());
    await page.evaluate(() => {
      location.hash = '#/sessions';
    });
    await page
      .getByText(/^Write it down/)
      .first()
      .click();
  });

  it('has a short command answered in its notification, where the person wants that', async () => {
    const reopen = async (): Promise<void> => {
      await (await program.tray()).click('Open Jumpseat');
      page = await program.window();
    };
    // Where it is tried once more, it begins as the first time.
    if (page.isClosed()) await reopen();
    rmSync(join(project, 'noted.txt'), { force: true });
    desktop.notifications.shown.length = 0;
    const answers = async (on: boolean): Promise<void> => {
      await page.evaluate(() => {
        location.hash = '#/settings/notifications';
      });
      await page.getByRole('switch', { name: 'Answer short commands in notifications' }).setChecked(on);
      await page.evaluate(() => {
        location.hash = '#/sessions';
      });
      await page
        .getByText(/^Write it down/)
        .first()
        .click();
    };
    await answers(true);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('step: run: touch noted.txt && echo "<b>"');
    await composer.press('Enter');
    await page.getByRole('group', { name: 'Run this command?' }).waitFor();
    await program.closeWindow();
    const asked = await desktop.notifications.titled('project asks to run a command');
    expect([asked.body, asked.buttons.map(({ label }) => label)]).toEqual([
      'touch noted.txt && echo "<b>"',
      ['Allow once', 'Deny'],
    ]);
    desktop.notifications.click(asked, 'Allow once');
    await until(() => existsSync(join(project, 'noted.txt')));
    desktop.notifications.shown.length = 0;
    await reopen();
    await answers(false);
  });

  it('C22.5 waits out of sight: the tray, a notification, a sound and the question before the end say so', async () => {
    await program.electron.evaluate(({ app }) => {
      const counts: number[] = [];
      Reflect.set(globalThis, 'badges', counts);
      Reflect.set(app, 'setBadgeCount', (count: number) => counts.push(count));
    });
    const badges = (): Promise<number[]> => program.electron.evaluate(() => Reflect.get(globalThis, 'badges'));
    const heard = heardOn(desktop);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('step: run: touch made.txt');
    await composer.press('Enter');
    await page.getByRole('group', { name: 'Run this command?' }).waitFor();
    await program.closeWindow();
    const tray = await program.tray();
    const menu = await tray.shows('project asks to run a command');
    const row = menu.indexOf('project asks to run a command');
    expect(menu.slice(row - 1, row + 3)).toEqual([
      '─',
      'project asks to run a command',
      'Sessions ▸ New session…',
      '─',
    ]);
    await showsIcon(tray, 'tray-waiting');
    expect(await tray.tooltip()).toBe('Jumpseat: 1 session waits for you');
    expect(await badges()).toEqual([1]);
    const reported = await desktop.notifications.titled('project asks to run a command');
    expect(reported.body).toBe('Open Jumpseat to answer.');
    await until(() => heardOn(desktop) > heard);

    await program.answer('Quit when it’s done');
    await tray.click('Quit Jumpseat');
    await until(async () => (await program.asked()).length === 1);
    expect(await program.asked()).toEqual([
      {
        message: '1 session waits for you',
        detail:
          'Quitting stops Claude Code in the middle of its turn. Its question is denied. You can go on later. ' +
          'A session that waits is done only after your answer.',
        buttons: ['Quit when it’s done', 'Quit now', 'Cancel'],
      },
    ]);
    // From then on menu, tooltip, a second quit and the window say so, and take it back.
    const quits = 'uits when 1 session is done (1 waits for you)';
    expect((await tray.shows('Don’t quit')).slice(-3)).toEqual([`(Q${quits})`, 'Don’t quit', 'Quit Jumpseat']);
    expect(await tray.tooltip()).toBe(`Jumpseat: q${quits}`);
    await program.answer('Keep waiting');
    await tray.click('Quit Jumpseat');
    await until(async () => (await program.asked()).length === 1);
    expect(await program.asked()).toMatchObject([
      { message: `Jumpseat q${quits}`, buttons: ['Keep waiting', 'Quit now', 'Don’t quit'] },
    ]);
    await tray.click('Don’t quit');
    await until(async () => !(await tray.lines()).includes('Don’t quit'));
    await program.answer('Quit when it’s done');
    await tray.click('Quit Jumpseat');
    await tray.shows('Don’t quit');
    // The way back to the question, and the end with its turn.
    desktop.notifications.click(reported);
    page = await program.window();
    const asked = page.getByRole('group', { name: 'Run this command?' });
    await asked.waitFor();
    const waits = page.getByText(`Jumpseat q${quits}.`);
    await waits.waitFor();
    await page.getByRole('button', { name: 'Don’t quit' }).click();
    await waits.waitFor({ state: 'detached' });
    await program.answer('Quit when it’s done');
    await tray.click('Quit Jumpseat');
    await waits.waitFor();
    // Where one notification for several leads, and a line of the menu.
    await page.evaluate(() => {
      location.hash = '#/sessions?q=waiting';
    });
    await page.getByRole('button', { name: /^Waiting/, pressed: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/sessions');
    await page.evaluate(() => {
      location.hash = '#/settings/notifications';
    });
    for (const name of ['A session waits', 'A session is done', 'A session failed']) {
      expect(await page.getByRole('switch', { name }).getAttribute('aria-checked')).toBe('true');
    }
    await page.getByRole('switch', { name: 'Titles outside the window' }).click();
    const titled = await tray.shows(/^project · Write it down\..* · asks to run a command$/);
    await tray.click(titled.find((line) => line.startsWith('project · ')) ?? '');
    await asked.waitFor();
    const allow = asked.getByRole('button', { name: 'Allow once' });
    await until(async () => (await allow.getAttribute('aria-disabled')) !== 'true');
    await allow.click();
    await program.gone();
    expect(existsSync(join(project, 'made.txt'))).toBe(true);
  });
});
