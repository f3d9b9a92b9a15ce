import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';
import { edit, step } from './sessions-stage/steps.ts';

/** What a person finds after turns: what changed, the way back, and copies. */
const id = '00000000-0000-4000-8000-00000000000e';
let chromium: Chromium;
let person: string;
let project: string;
let agent: FakeAgent;
let window: ChromiumWindow;
let page: Page;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  agent = new FakeAgent();
  person = mkdtempSync(join(tmpdir(), 'jumpseat-after-'));
  project = join(person, 'parcel-api');
  mkdirSync(project);
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const idle = () => until(async () => (await window.stack.app.session(id)).state === 'idle');

/** A session in which these words were sent, a turn for each. */
async function open(words: readonly string[] = ['Begin.']): Promise<void> {
  window = await chromium.window({
    ...{
      secrets: desktopSecrets(),
      settings: { version: 1, welcomedAt: 1 },
      person,
      as: 'tray',
      at: `#/sessions/${id}`,
    },
    app: { agents: [agent] },
    before: async ({ app }) => {
      await app.trustFolder(project);
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
      for (const text of words) {
        await app.sendMessage({ session: id, prompt: [{ type: 'text', text }] });
        await until(async () => (await app.session(id)).state === 'idle');
      }
    },
  });
  ({ page } = window);
  await page.setViewportSize({ width: 1700, height: 800 });
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const changes = (): Locator => page.getByTestId('changes');

async function send(text: string): Promise<void> {
  await window.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text }] });
  await idle();
}

describe('the changes of a session', () => {
  const path = (): string => join(project, 'deliver.ts');
  beforeEach(() => {
    agent.script = async (turn) => {
      if (turn.text !== 'Edit.') {
        await step(turn, { tool: 'Bash', kind: 'execute', input: { command: 'npm test' }, output: 'ok', exit: 0 });
        return 'end_turn';
      }
      writeFileSync(path(), 'new\n');
      await edit(turn, path(), 'old\n', ['old', 'new']);
      return 'end_turn';
    };
  });

  it('are what the button over it counts, however it was left', async () => {
    await open(['Edit.', 'Run it.']);
    const button = page.getByRole('button', { name: /^1 file/ });
    await button.click();
    await changes().getByTestId(`change-${path()}`).waitFor();
    await changes()
      .getByRole('button', { name: /^This turn/ })
      .click();
    await changes().getByText('Nothing changed in this turn').waitFor();
    await button.click();
    await changes().getByTestId(`change-${path()}`).waitFor();
  });

  it.each([720, 1280])('have the keyboard at once in a window %i wide, and give it back', async (width) => {
    await open(['Edit.']);
    await page.setViewportSize({ width, height: 480 });
    await field().focus();
    await page.keyboard.press('Control+d');
    const row = changes().getByTestId(`change-${path()}`);
    const first = row.locator('.changes_change-open');
    await first.waitFor();
    await soon(async () => expect(await first.evaluate((one) => one === document.activeElement)).toBe(true));
    await page.keyboard.press('z');
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(path(), 'utf8')).toBe('old\n');
    await page.keyboard.press('Control+d');
    await changes().waitFor({ state: 'detached' });
    await soon(async () => expect(await field().evaluate((one) => one === document.activeElement)).toBe(true));
  });

  it('count what is changed now, the same over the session as beside it', async () => {
    agent.script = async (turn) => {
      for (const name of ['one.ts', 'two.ts']) {
        writeFileSync(join(project, name), 'new\n');
        await edit(turn, join(project, name), 'old\n', ['old', 'new']);
      }
      return 'end_turn';
    };
    await open();
    const button = page.locator('.panes_pane-head').getByRole('button', { name: /file/ });
    const words = async (): Promise<string> => (await button.innerText()).replace(/\s+/g, ' ').trim();
    await soon(async () => expect(await words()).toBe('2 files +2 −2'));
    await button.click();
    const sum = async (): Promise<string> => await changes().locator('.changes_changes-tools .changes_sum').innerText();
    const row = (name: string): Locator => changes().getByTestId(`change-${join(project, name)}`);
    await row('one.ts').getByRole('button', { name: 'Undo', exact: true }).click();
    await soon(async () => expect([await words(), await sum()]).toEqual(['1 file +1 −1', '+1 −1']));
    writeFileSync(join(project, 'one.ts'), 'by hand\n');
    await row('one.ts').getByRole('button', { name: 'Redo' }).click();
    await row('one.ts').getByText('Redo would lose another change.').waitFor();
    expect([await words(), await sum()]).toEqual(['1 file +1 −1', '+1 −1']);
    await row('two.ts').getByRole('button', { name: 'Undo', exact: true }).click();
    await soon(async () => expect(await words()).toBe('2 files undone'));
  });

  it('are accepted by a double click, which writes no file; undoing them is said for what it does', async () => {
    await open(['Edit.']);
    await page.getByRole('button', { name: /^1 file/ }).click();
    const row = changes().getByTestId(`change-${path()}`);
    await row.getByRole('button', { name: 'Accept', exact: true }).dblclick();
    await row.getByText('Accepted', { exact: true }).waitFor();
    expect(await row.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    expect(readFileSync(path(), 'utf8')).toBe('new\n');
    await row.locator('.changes_change-open').click();
    await row.getByRole('button', { name: 'Undo edits', exact: true }).click();
    await row.getByText('Undone', { exact: true }).waitFor();
    expect(readFileSync(path(), 'utf8')).toBe('old\n');
    const redo = row.getByRole('button', { name: 'Redo', exact: true });
    // As a second click does that meets it where `Undo` was.
    await redo.dispatchEvent('click', { detail: 2 });
    expect(readFileSync(path(), 'utf8')).toBe('old\n');
    await redo.click();
    await row
      .getByText('Accepted', { exact: true })
      .or(row.getByRole('button', { name: 'Accept', exact: true }))
      .waitFor();
    expect(readFileSync(path(), 'utf8')).toBe('new\n');
  });

  it('that were put back by hand count nowhere any more once they were looked at', async () => {
    agent.script = async (turn) => {
      for (const name of ['one.ts', 'two.ts']) {
        writeFileSync(join(project, name), 'new\n');
        await edit(turn, join(project, name), 'old\n', ['old', 'new']);
      }
      return 'end_turn';
    };
    await open();
    const button = page.locator('.panes_pane-head').getByRole('button', { name: /file/ });
    const counts = async (): Promise<string[]> => {
      const tabs = changes().getByRole('group', { name: 'Changes of' });
      return [await button.innerText(), await tabs.innerText()].map((words) => words.replace(/\s+/g, ' ').trim());
    };
    await soon(async () => expect(await button.innerText()).toMatch(/^2 files/));
    writeFileSync(join(project, 'one.ts'), 'old\n');
    await button.click();
    await soon(async () => expect(await counts()).toEqual(['1 file +1 −1', 'This turn 1 Session 1']));
    writeFileSync(join(project, 'two.ts'), 'old\n');
    const row = changes().getByTestId(`change-${join(project, 'two.ts')}`);
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await soon(async () => expect(await counts()).toEqual(['2 files undone', 'This turn 0 Session 0']));
  });

  it('of a file that something else wrote since can still be accepted, and are counted the same everywhere', async () => {
    agent.script = async (turn) => {
      for (const name of ['one.ts', 'two.ts']) {
        writeFileSync(join(project, name), 'new\n');
        await edit(turn, join(project, name), '', ['', 'new\n']);
      }
      return 'end_turn';
    };
    await open();
    const row = (name: string): Locator => changes().getByTestId(`change-${join(project, name)}`);
    await page
      .locator('.panes_pane-head')
      .getByRole('button', { name: /^2 files/ })
      .click();
    await row('one.ts').getByRole('button', { name: 'Undo', exact: true }).click();
    await row('one.ts').getByRole('button', { name: 'Redo' }).waitFor();
    await page.getByRole('button', { name: 'Close changes' }).click();
    writeFileSync(join(project, 'two.ts'), 'by hand\n');
    await page
      .locator('.panes_pane-head')
      .getByRole('button', { name: /^1 file/ })
      .click();
    await row('two.ts').getByText('Changed since', { exact: true }).waitFor();
    expect(
      await changes()
        .getByRole('button', { name: /^Session/ })
        .innerText(),
    ).toMatch(/1$/);
    expect((await changes().locator('.changes_changes-tools .changes_sum').innerText()).trim()).toBe('+1');
    await row('two.ts').getByRole('button', { name: 'Accept', exact: true }).click();
    await row('two.ts').getByRole('button', { name: 'Accept', exact: true }).waitFor({ state: 'detached' });
    expect(await changes().getByRole('button', { name: 'Accept all' }).count()).toBe(0);
    await row('two.ts').locator('.changes_change-open').click();
    await row('two.ts').getByRole('button', { name: 'Show difference' }).click();
    await row('two.ts')
      .locator('.changes_change-way', { has: page.getByRole('heading', { name: 'Since then' }) })
      .getByText('by hand')
      .waitFor();
    expect(await row('two.ts').textContent()).not.toContain('Undo would do');
  });

  it('count the commands of turns that run while they are open', async () => {
    await open(['Edit.', 'Run it.']);
    await page.getByRole('button', { name: /^1 file/ }).click();
    await changes()
      .getByRole('button', { name: /^Session/ })
      .click();
    await changes().getByText('1 command ran in this session.').waitFor();
    await send('Run it again.');
    await send('And again.');
    await changes().getByText('3 commands ran in this session.').waitFor();
    await changes().getByRole('button', { name: 'Show the commands' }).click();
    expect(await changes().getByRole('list', { name: 'Commands' }).getByRole('listitem').count()).toBe(3);
  });

  it('say what else changed a file between Claude’s edits, and no time of Claude’s own', async () => {
    agent.script = async (turn) => {
      const words: [string, string] = turn.text === 'Edit.' ? ['old', 'new'] : ['mine', 'last'];
      writeFileSync(path(), `${words[1]}\n`);
      await edit(turn, path(), `${words[0]}\n`, words);
      return 'end_turn';
    };
    await open(['Edit.', 'Again.']);
    await page.getByRole('button', { name: /^1 file/ }).click();
    const row = changes().getByTestId(`change-${path()}`);
    await row.getByText('Changed since', { exact: true }).waitFor();
    await row.locator('.changes_change-open').click();
    await row.getByText('Something else changed this file between Claude’s edits.').waitFor();
    await row.getByRole('button', { name: 'Show difference' }).click();
    const other = row.locator('.changes_change-way', { has: page.getByRole('heading', { name: 'The other change' }) });
    expect(await other.textContent()).toMatch(/new.*mine/);
  });

  it('undo Claude’s edit of a file alone, where something else changed other lines', async () => {
    const far = 'a\nb\nc\nd\n';
    agent.script = async (turn) => {
      writeFileSync(path(), `new\n${far}`);
      await edit(turn, path(), `old\n${far}`, ['old', 'new']);
      return 'end_turn';
    };
    await open(['Edit.']);
    writeFileSync(path(), `new\n${far}mine\n`);
    await page.getByRole('button', { name: /^1 file/ }).click();
    const row = changes().getByTestId(`change-${path()}`);
    await row.getByText('Changed since', { exact: true }).waitFor();
    await row.locator('.changes_change-open').click();
    await row.getByRole('button', { name: 'Undo, keep the other change' }).click();
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(path(), 'utf8')).toBe(`old\n${far}mine\n`);
    await row.getByRole('button', { name: 'Redo' }).click();
    await row.getByRole('button', { name: 'Redo, keep the other change' }).click();
    await row.getByText('Changed since', { exact: true }).waitFor();
    expect(readFileSync(path(), 'utf8')).toBe(`new\n${far}mine\n`);
  });

  it('look at a file again when its row is opened', async () => {
    await open(['Edit.']);
    await page.getByRole('button', { name: /^1 file/ }).click();
    const row = changes().getByTestId(`change-${path()}`);
    await row.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    writeFileSync(path(), 'by hand\n');
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByText('Undo would lose a later change.').waitFor();
    await row.getByRole('button', { name: 'Show difference' }).click();
    await row.getByRole('heading', { name: 'Without Claude’s edit' }).waitFor();
    writeFileSync(path(), 'new\n');
    await row.locator('.changes_change-open').click();
    await row.getByText('Undo would lose a later change.').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    expect(readFileSync(path(), 'utf8')).toBe('old\n');
  });

  it('say that something else changed a file that can’t be redone', async () => {
    await open(['Edit.']);
    await page.getByRole('button', { name: /^1 file/ }).click();
    const row = changes().getByTestId(`change-${path()}`);
    await row.getByRole('button', { name: 'Undo', exact: true }).click();
    await row.getByRole('button', { name: 'Redo' }).waitFor();
    writeFileSync(path(), 'by hand\n');
    await row.getByRole('button', { name: 'Redo' }).click();
    await row.getByText('Redo would lose another change.').waitFor();
    expect(await row.textContent()).toContain('Something else changed this file beside Claude’s edit.');
    expect(await row.textContent()).not.toMatch(/Undo would|version before/);
    expect(await row.getByText('Undone', { exact: true }).count()).toBe(1);
    expect(await changes().getByText('can’t be undone.').count()).toBe(0);
    expect(await row.evaluate((one) => one.classList.contains('changes_undone'))).toBe(true);
  });
});

it('a path in an answer is a link once its file is there, and where it is the session’s', async () => {
  const outside = join(person, 'theirs.ts');
  writeFileSync(outside, 'theirs\n');
  writeFileSync(join(project, 'there.ts'), 'there\n');
  const words = `See src/later.ts:3, ./there.ts:1 and ${outside}.`;
  agent.script = async (turn) => {
    if (turn.text === 'Begin.') await turn.say(words);
    else {
      mkdirSync(join(project, 'src'));
      writeFileSync(join(project, 'src/later.ts'), 'later\n');
    }
    return 'end_turn';
  };
  await open();
  const links = page.locator('.text_answer').getByRole('button');
  await soon(async () => expect(await links.allInnerTexts()).toEqual(['./there.ts:1']));
  expect(await page.locator('.text_answer').innerText()).toBe(words);
  await send('Write.');
  await soon(async () => expect(await links.allInnerTexts()).toEqual(['src/later.ts:3', './there.ts:1']));
});

it('a dialog of files that is closed without one leaves the keyboard in the message field', async () => {
  await open();
  await page.getByRole('button', { name: 'Attach files' }).focus();
  await page.keyboard.press('Enter');
  await soon(async () => expect(await field().evaluate((one) => one === document.activeElement)).toBe(true));
});

/** What can be forked, and gone back behind. */
function answerWithIds(): void {
  agent.script = async (turn) => {
    const nth = agent.asked.filter(({ method }) => method === 'session/prompt').length;
    await turn.say(`You said: ${turn.text}`, `message-${nth}`);
    await turn.raw({ type: 'assistant', message: { id: `message-${nth}` }, uuid: `uuid-${nth}` });
    return 'end_turn';
  };
}

describe('a folder that isn’t trusted', () => {
  beforeEach(answerWithIds);

  it('says what Send ignores, is marked in its session, and is trusted and distrusted under In force', async () => {
    writeFileSync(join(project, 'CLAUDE.md'), 'Do as I say.\n');
    window = await chromium.window({
      ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person },
      ...{ as: 'dashboard', at: '#/sessions/new', app: { agents: [agent] } },
    });
    ({ page } = window);
    const trustOfStart = (): unknown[] =>
      agent.asked.flatMap(({ method, params }) =>
        /^session\/(new|resume)$/.test(method) ? [Object(params._meta).jumpseat.trusted] : [],
      );
    const mark = (): Locator => page.getByRole('button', { name: 'Not trusted' });
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await page.getByRole('textbox', { name: 'Path of the folder' }).fill(project);
    await page.getByRole('button', { name: 'Use this folder' }).click();
    const chosen = (): Locator => page.getByRole('button', { name: `Folder: ${project}` });
    await chosen().waitFor();
    await page.evaluate(() => location.assign('#/sign-in'));
    await chosen().waitFor({ state: 'detached' });
    await page.evaluate(() => location.assign('#/sessions/new'));
    await chosen().waitFor();
    await page
      .getByTestId('trust')
      .getByText(/^CLAUDE\.md in this folder can give Claude commands\. Send ignores it\. Trust and send uses it,/)
      .waitFor();
    expect(await page.getByText(/servers/).count()).toBe(0);
    await field().fill('Go');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('You said: Go').waitFor();
    await mark().click();
    const dialog = page.getByRole('dialog', { name: 'In force' });
    await dialog.getByText(/^You don’t trust this folder: Claude ignores CLAUDE\.md in it\./).waitFor();
    expect(await window.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Trust this folder' }).click();
    await dialog.getByText(/^You trust this folder: Claude uses CLAUDE\.md in it\./).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await mark().waitFor({ state: 'detached' });
    await field().fill('Again');
    await field().press('Enter');
    await page.getByText('You said: Again').waitFor();
    expect(trustOfStart()).toEqual([false, true]);
    await page.getByRole('button', { name: 'Session actions' }).click();
    await page.getByRole('menuitem', { name: 'In force…' }).click();
    await dialog.getByRole('button', { name: `Take back trust in ${project}` }).click();
    await dialog.getByText(/^You don’t trust this folder/).waitFor();
    expect(await window.stack.app.trustedFolders()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await mark().waitFor();

    // A copy is trusted no more than that, before its first message and after it.
    await page.getByRole('button', { name: 'Session actions' }).click();
    await page.getByRole('menuitem', { name: 'Fork' }).click();
    await page.getByRole('heading', { name: /Fork$/ }).waitFor();
    await mark().waitFor();
    await field().fill('In the fork');
    await field().press('Enter');
    await page.getByText('You said: In the fork').waitFor();
    await mark().waitFor();
    expect(trustOfStart()).toEqual([false, true, false]);
  });
});

describe('going back', () => {
  beforeEach(answerWithIds);

  it('leaves the keyboard in the message field, with the prompt that was cut off', async () => {
    await open(['First.', 'Second.']);
    const prompt = page.getByTestId('transcript').getByText('Second.', { exact: true });
    await prompt.hover();
    const all = page.getByTestId('transcript').locator('.transcript_prompt-acts');
    expect(await all.first().getByRole('button', { name: 'Go back to before this…' }).isDisabled()).toBe(true);
    const acts = all.last();
    expect((await acts.getByRole('button').allInnerTexts()).filter(Boolean)).toEqual([
      ...['Go back to before this…', 'Fork after this turn'],
    ]);
    await acts.getByRole('button', { name: 'Go back to before this…' }).click();
    // What Enter presses is to be seen, though a pointer opened the dialog.
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    const look = cancel.evaluate((one) => [one === document.activeElement, getComputedStyle(one).outlineStyle]);
    expect(await look).toEqual([true, 'solid']);
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await soon(async () => expect(await field().inputValue()).toBe('Second.'));
    await soon(async () => expect(await field().evaluate((one) => one === document.activeElement)).toBe(true));
    await page.getByTestId('went-back').getByRole('button', { name: 'Undo' }).click();
    await page.getByTestId('went-back').waitFor({ state: 'detached' });
    await soon(async () => expect(await field().evaluate((one) => one === document.activeElement)).toBe(true));
  });

  it('has a sign of its own beside that of undo', async () => {
    agent.script = async (turn) => {
      writeFileSync(join(project, 'a.ts'), 'new\n');
      await edit(turn, join(project, 'a.ts'), 'old\n', ['old', 'new']);
      return 'end_turn';
    };
    await open();
    const sign = (name: string): Promise<string> => page.getByRole('button', { name }).locator('svg').innerHTML();
    expect(await sign('Go back to before this…')).not.toBe(await sign('Undo the edits of this turn…'));
  });
});
