import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { markedProcesses } from '../clients/marked-processes.ts';
import { until } from '../soon.ts';
import { axeFindings } from './axe-findings.ts';
import { Desktop } from './desktop.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { loggedCosts, shownCosts } from './sessions-day/costs.ts';
import { holdAnswer } from './sessions-day/hold-answer.ts';
import { chooseInDialog, putClaudeOn, saveInto } from './sessions-day/sessions-desktop.ts';
import { SessionsPage } from './sessions-day/sessions-page.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const { JUMPSEAT_TEST_CLAUDE: claude } = process.env;
const hasAll = electronPath !== undefined && claude !== undefined;

/**
 * A person's day in Sessions: the real Electron leads the real Claude Code, against the simulator. Each test goes on
 * where the one before ended.
 */
describe.skipIf(!hasAll)('G7 a day in Sessions in the tray app', { retry: 0 }, () => {
  oneAfterAnother();
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let sessions: SessionsPage;
  let project: string;
  /** Of the session that the day is spent with. */
  let address: string;
  const complaints: string[] = [];
  const file = (name: string): string => join(project, name);
  const axe = (): Promise<string[]> => axeFindings(sessions.page);

  const start = async (): Promise<void> => {
    program = await TrayProgram.start({ desktop, simulator });
    await shown();
  };
  /** The window, which is another one after it was closed. */
  const shown = async (): Promise<void> => {
    const page = await program.window();
    page.on('pageerror', (error) => complaints.push(error.message));
    sessions = new SessionsPage(page);
  };

  beforeAll(async () => {
    desktop = await Desktop.start({ keyring: true });
    simulator = await startSimulator({ deviceInterval: 1 });
    project = join(desktop.home, 'project');
    mkdirSync(project);
    writeFileSync(file('notes.txt'), 'The old words.\n');
    putClaudeOn(desktop);
    await start();
  });
  afterAll(async () => {
    await program?.close();
    await simulator?.close();
    await desktop?.close();
  });

  it('begins with a sign-in', async () => {
    await sessions.go('#/sign-in');
    await sessions.page.getByTestId('device-code').waitFor();
    simulator.script.approve();
    await sessions.page
      .getByText(/octo-demo/)
      .first()
      .waitFor();
    await sessions.go('#/sessions');
  });

  it('begins in the folder that was chosen, and edits two files once it was allowed with the keyboard', async () => {
    const { page, composer, transcript } = sessions;
    await chooseInDialog(program, project);
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await composer.fill('x');
    await sessions.canSend();
    await sessions.send(
      'Put new words in.',
      `step: read: ${file('notes.txt')}`,
      `step: edit: ${file('notes.txt')} | old | new`,
      `step: write: ${file('more.txt')} | More words.`,
    );
    await page.getByTestId('question').waitFor();
    expect(await sessions.hasFocus(composer)).toBe(true);
    expect(await axe()).toEqual([]);
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The old words.\n');
    await sessions.answer('Edit notes.txt?', '1');
    await sessions.answer('Create more.txt?', '1');
    await transcript.getByText('That was the last of 3 steps.').waitFor();
    await sessions.ended(1);
    expect(await sessions.hasFocus(composer)).toBe(true);
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The new words.\n');
    expect(readFileSync(file('more.txt'), 'utf8')).toContain('More words.');
    expect(await axe()).toEqual([]);
    ({ address } = sessions);
  });

  it('takes one of the two edits back', async () => {
    const { page } = sessions;
    await page.getByRole('button', { name: '2 files +2 −1' }).click();
    const row = page.getByTestId(`change-${file('notes.txt')}`);
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(file('notes.txt'), 'utf8')).toBe('The old words.\n');
    expect(existsSync(file('more.txt'))).toBe(true);
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Close changes' }).click();
  });

  it('asks about a plan, and has a question of its own', async () => {
    const { page, transcript } = sessions;
    await page.getByTestId('mode').click();
    await page.getByRole('menuitemradio', { name: /^Plan only/ }).click();
    await page.getByRole('button', { name: 'Permissions: Plan only' }).waitFor();
    await sessions.send('First a plan.', 'step: plan: First this, then that', 'step: ask: Which one? | This | That');
    await page.getByTestId('question').getByText('First this, then that').waitFor();
    await sessions.answer('Go ahead with this plan?', '2');
    await sessions.answer('Claude has a question', '2', 'Enter');
    await sessions.ended(2);
    await page.getByRole('button', { name: 'Permissions: Ask first' }).waitFor();
    await transcript.getByRole('button', { name: /^Question Which one\?, That/ }).waitFor();
  });

  it('sends a subagent, which has a line of its own', async () => {
    await sessions.send('subagent: say hello');
    await sessions.transcript.getByRole('button', { name: /^Subagent / }).waitFor();
    // Where it went on in the background, its end is a turn that nobody sent.
    await until(async () => (await sessions.figures.count()) >= 3);
    await sessions.idle();
  });

  it('takes words into the running turn, queues others, and is stopped', async () => {
    const { page, transcript, composer } = sessions;
    const read = holdAnswer(simulator.script, 'Read both.', 0);
    await sessions.send('Read both.', `step: read: ${file('notes.txt')}`, `step: read: ${file('more.txt')}`);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await sessions.steer('Mind the commas.');
    await page
      .getByTestId(/^steer-/)
      .getByText('Mind the commas.')
      .waitFor();
    read.goOn();
    await transcript.getByText(/^Steered at /).waitFor();
    await sessions.idle();

    holdAnswer(simulator.script, 'count to 1000');
    await sessions.send('count to 1000');
    await transcript.getByText(/1, 2, 3/).waitFor();
    await sessions.send('count to 3');
    await page
      .getByTestId(/^queue-/)
      .getByText('count to 3')
      .waitFor();
    await composer.press('Escape');
    await transcript.getByText(/^Stopped by you after /).waitFor();
    await page.getByText('1 message is queued and waits.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await transcript.getByText('1, 2, 3', { exact: true }).waitFor();
    await sessions.idle();
  });

  it('says out of sight that Claude Code was killed, and keeps what it said', async () => {
    const answer = holdAnswer(simulator.script, 'count to 900');
    await sessions.send('count to 900');
    await answer.held;
    await program.closeWindow();
    await until(async () => (await program.visibleWindows()) === 0);
    const running = markedProcesses(desktop.home).filter(({ args }) => args.includes('--output-format'));
    expect(running).toHaveLength(1);
    for (const { pid } of running) process.kill(pid, 'SIGKILL');
    const reported = await desktop.notifications.titled('project stopped');
    expect(reported.body).toBe('Claude Code ended in the middle of a turn.');
    const tray = await program.tray();
    await tray.shows(/^Sessions ▸ .*project · stopped: Claude Code ended/);
    desktop.notifications.click(reported);
    await shown();
    await sessions.transcript.getByText('Claude Code stopped in the middle of this turn.').waitFor();
    await sessions.process.getByText('Claude Code stopped').waitFor();
    expect(sessions.address).toBe(address);
    expect(await axe()).toEqual([]);
  });

  it('is there after the app was quit and started again, and goes on', async () => {
    await sessions.composer.fill('Not said yet.');
    const tray = await program.tray();
    await tray.click('Quit Jumpseat');
    await program.gone();
    expect(markedProcesses(desktop.home)).toEqual([]);
    await start();
    await sessions.go('#/sessions');
    await sessions.page.getByTestId(`session-row-${address.split('/').at(-1)}`).click();
    await sessions.transcript.getByText('Claude Code stopped in the middle of this turn.').waitFor();
    await until(async () => (await sessions.composer.inputValue()) === 'Not said yet.');
    await sessions.transcript.getByRole('button', { name: 'Continue' }).click();
    await sessions.transcript.getByText('Go on where you stopped.').first().waitFor();
    await sessions.idle();
  });

  it('is told of a line what should change there, as one message of the person’s', async () => {
    const { page, transcript } = sessions;
    await page.getByRole('button', { name: /^1 file / }).click();
    const row = page.getByTestId(`change-${file('more.txt')}`);
    await row.locator('.changes_change-open').focus();
    await page.keyboard.press('c');
    await row.getByRole('button', { name: 'Comment on line 1, added' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await row.getByRole('textbox', { name: 'Comment on line 1' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Say it in other words.');
    expect(await axe()).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Write message (1)' }).click();
    const requests = simulator.requests.length;
    await sessions.send('count to 2');
    await transcript.locator('.transcript_prompt', { hasText: 'more.txt, line 1:' }).waitFor();
    await until(() => simulator.requests.length > requests);
    await sessions.idle();
    const sent = simulator.requests.slice(requests).filter(({ path }) => path === '/v1/messages');
    const asked = sent.filter(({ body }) => JSON.stringify(body).includes('Say it in other words.'));
    expect(asked.map(({ headers }) => headers['x-initiator'])).toContain('user');
    expect(JSON.stringify(asked[0]?.body)).toContain('+More words.');
    await page.getByRole('button', { name: 'Close changes' }).click();
  });

  it('is forked, and the copy goes on by itself', async () => {
    const { page, figures, transcript } = sessions;
    await figures.last().getByRole('button', { name: 'Fork after this turn' }).click();
    await until(() => sessions.address !== address);
    await page.getByRole('heading', { name: /Fork$/, level: 2 }).waitFor();
    await sessions.send('count to 5');
    await transcript.getByText(/4, 5/).waitFor();
    await sessions.idle();
    await sessions.go(address);
    await page.getByRole('heading', { name: /Fork$/, level: 2 }).waitFor({ state: 'detached' });
    await until(
      async () => (await page.getByTestId(/^session-row-/).count()) === 2,
      () => page.getByTestId('session-list').innerHTML(),
    );
  });

  it('says what each turn and all of it cost, which is what the log and its export say', async () => {
    const shown = await shownCosts(sessions);
    const turns = Object.keys(shown.turns);
    expect(turns.length).toBeGreaterThanOrEqual(8);
    expect(shown.whole.credits).toMatch(/[1-9]/);
    const exported = join(desktop.home, 'exported.csv');
    await saveInto(program, exported);
    expect(await loggedCosts(sessions, turns, exported)).toEqual(shown);
    expect(complaints).toEqual([]);
  });

  it('has a prompt that the person keeps, filled by keys, as a command of Claude Code’s own', async () => {
    const { page, composer, transcript } = sessions;
    await sessions.go(address);
    await composer.fill('count to {{number}}');
    await page.getByRole('button', { name: 'Templates' }).click();
    await page.getByRole('menuitem', { name: 'Save as a template…' }).click();
    await page.getByRole('dialog', { name: 'Save as a template' }).getByRole('textbox', { name: 'Name' }).fill('tally');
    await page.keyboard.press('Enter');
    await page.getByText('Template saved. Type / to use it: /tally').waitFor();
    expect(readFileSync(file('.claude/commands/tally.md'), 'utf8')).toMatch(/\ncount to \$number\n$/);
    await composer.fill('');
    await composer.press('/');
    await page.getByRole('option', { name: /^\/tally/ }).waitFor();
    await page.keyboard.type('tally');
    await page.keyboard.press('Enter');
    await page.keyboard.type('11');
    await page.keyboard.press('Enter');
    await until(async () => (await composer.inputValue()) === 'count to 11');
    expect(await axe()).toEqual([]);
    await composer.press('Enter');
    await transcript.getByText('1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11', { exact: true }).waitFor();
    await sessions.idle();
  });

  it('takes a plugin in from the next message on, and lets it go', async () => {
    const { page, composer, transcript } = sessions;
    const plugin = join(desktop.home, 'plugins', 'demo');
    mkdirSync(join(plugin, '.claude-plugin'), { recursive: true });
    mkdirSync(join(plugin, 'commands'));
    writeFileSync(join(plugin, '.claude-plugin', 'plugin.json'), '{"name":"demo","version":"1.0.0"}');
    writeFileSync(join(plugin, 'commands', 'shout.md'), '---\ndescription: Counts aloud\n---\ncount to 13\n');
    const dialog = page.getByRole('dialog', { name: 'Customizations' });
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Session actions' }).click();
      await page.getByRole('menuitem', { name: 'Customizations…' }).click();
      await dialog.waitFor();
    };
    const line = dialog.getByRole('listitem', { name: 'demo' });
    await open();
    await page.getByRole('button', { name: 'Add from a folder…' }).click();
    const adding = page.getByRole('dialog', { name: 'Add from a folder' });
    await adding.getByRole('textbox', { name: 'Path of the folder' }).fill(plugin);
    await page.keyboard.press('Enter');
    await adding.getByRole('button', { name: 'Trust demo and add' }).click();
    await line.getByText('From your next message on').waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await sessions.send('/demo:shout');
    await transcript.getByText(/^1, 2, 3.*12, 13$/).waitFor();
    await sessions.idle();
    await open();
    await line.getByText('Loaded', { exact: true }).waitFor();
    await line.getByRole('switch', { name: 'demo' }).press('Space');
    await line.getByText('Off', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await sessions.send('count to 2');
    await transcript.getByText('1, 2', { exact: true }).last().waitFor();
    await sessions.idle();
    await sessions.send('/demo:shout');
    await page.getByText('There’s no command /demo:shout').waitFor();
    await composer.fill('');
  });

  it('works in a worktree of its own, which goes once its work is committed and nobody works there', async () => {
    const { page } = sessions;
    const git = (folder: string, ...command: string[]): string => {
      const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
      return execFileSync('git', ['-C', folder, ...ada, ...command], { encoding: 'utf8', stdio: 'pipe' });
    };
    git(project, 'init', '-q', '-b', 'main');
    git(project, 'add', '-A');
    git(project, 'commit', '-q', '-m', 'One');
    const worktree = join(desktop.home, 'project.worktrees', 'own');
    await sessions.go('#/sessions/new');
    await page.getByRole('button', { name: 'In a new worktree…' }).click();
    await page.getByRole('textbox', { name: 'Branch' }).fill('own');
    await page.getByRole('textbox', { name: 'Set-up command' }).fill('echo ready > ready.log');
    await page.getByRole('button', { name: 'Create worktree and run command' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await page.locator(`.composer_folder-button[title="${worktree}"]`).waitFor();
    await sessions.composer.fill('x');
    await sessions.canSend();
    await sessions.send('Work here.', `step: write: ${join(worktree, 'own.txt')} | Own words.`);
    await page.getByTestId('question').waitFor();
    const own = sessions.address;
    const openList = async (): Promise<void> => {
      await sessions.go('#/sessions/new');
      await page.getByRole('button', { name: 'Worktrees…' }).click();
    };
    const row = page.getByRole('listitem', { name: 'own', exact: true });
    await openList();
    await row.getByText(/works here\.$/).waitFor();
    expect(await row.getByRole('button', { name: 'Remove own…' }).isDisabled()).toBe(true);
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await sessions.go(own);
    await sessions.answer('Create own.txt?', '1');
    await sessions.idle();
    expect(readFileSync(join(worktree, 'own.txt'), 'utf8')).toContain('Own words.');
    await openList();
    await row.getByText(/^2 files not committed · No commits yet/).waitFor();
    git(worktree, 'add', '-A');
    git(worktree, 'commit', '-q', '-m', 'Two');
    await page.getByRole('button', { name: 'Close' }).click();
    await openList();
    await row.getByText(/^Everything committed · 1 commit not in main/).waitFor();
    await row.getByRole('button', { name: 'Remove own…' }).click();
    await page.getByRole('button', { name: 'Remove worktree' }).click();
    // It was chosen: its repository is now.
    await page.locator(`.composer_folder-button[title="${project}"]`).waitFor();
    expect(existsSync(worktree)).toBe(false);
    expect(git(project, 'show', 'own:own.txt')).toContain('Own words.');
    await sessions.go(own);
    await page.getByText(/project\.worktrees\/own no longer exists\.$/).waitFor();
    expect(complaints).toEqual([]);
  });
});
