import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeAgent, type FakeTurn } from '../app/sessions/host/fake-agent.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { soon, until } from '../soon.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';
import { cutOff } from './page-looks.ts';
import { crowded, outOfReach } from './sessions-stage/looks.ts';
import { step } from './sessions-stage/steps.ts';

/** Changes that a person reviews: comments on lines, sent as one message, and what was looked at. */
const id = '00000000-0000-4000-8000-00000000001e';
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
  agent.script = edits;
  person = mkdtempSync(join(tmpdir(), 'jumpseat-review-'));
  project = join(person, 'parcel-api');
  mkdirSync(project);
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
const original = numbered(1, 40);

/** `deliver.ts top` changes line 3, and so on: each prompt is what is written. */
async function edits(turn: FakeTurn): Promise<'end_turn'> {
  if (turn.text === 'Begin.') {
    await write(turn, 'deliver.ts', [
      ...original.slice(0, 2),
      'const pause = 250;',
      'wait(pause);',
      ...original.slice(4),
    ]);
    await write(turn, 'parse.ts', ['utc', ...original.slice(1)]);
  } else if (turn.text === 'Above.') {
    const now = readFileSync(join(project, 'deliver.ts'), 'utf8').trimEnd().split('\n');
    await write(turn, 'deliver.ts', ['// one', '// two', ...now]);
  } else if (turn.text === 'Over.') {
    const now = readFileSync(join(project, 'deliver.ts'), 'utf8').trimEnd().split('\n');
    await write(
      turn,
      'deliver.ts',
      now.map((line) => (line === 'wait(pause);' ? 'await later(pause);' : line)),
    );
  } else if (turn.text === 'Everywhere.') {
    for (const name of ['deliver.ts', 'parse.ts']) {
      const now = readFileSync(join(project, name), 'utf8').trimEnd().split('\n');
      const marked = now.map((line, index) => (index % 2 === 0 ? `${line} // ${index}` : line));
      await write(turn, name, marked);
    }
  } else if (turn.text === 'Run.') {
    const path = join(project, 'deliver.ts');
    const run = { command: 'sed -i 1d deliver.ts' };
    const update = (more: object) =>
      turn.update({ toolCallId: 'toolu_run', _meta: { claudeCode: { toolName: 'Bash' } }, ...more } as never);
    const asked = { sessionUpdate: 'tool_call', name: 'Bash', title: 'Bash', kind: 'execute', rawInput: run };
    await update({ ...asked, status: 'pending' });
    await turn.ask({ toolCallId: 'toolu_run', name: 'Bash', rawInput: run });
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(1).join('\n'));
    await update({ sessionUpdate: 'tool_call_update', status: 'completed', rawOutput: '' });
  } else await turn.say('Read.');
  return 'end_turn';
}

/** As Claude Code tells of a file that it wrote. */
async function write(turn: FakeTurn, name: string, lines: readonly string[]): Promise<void> {
  const path = join(project, name);
  const before = readFileSync(path, 'utf8');
  const after = `${lines.join('\n')}\n`;
  writeFileSync(path, after);
  await step(turn, {
    ...{ tool: 'Edit', kind: 'edit', input: { file_path: path, old_string: before, new_string: after } },
    content: [{ type: 'diff', path, oldText: before, newText: after }],
    response: {
      ...{ filePath: path, oldString: before, newString: after, originalFile: before, userModified: false },
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [] }],
    },
    output: 'Updated.',
  });
}

const idle = () => until(async () => (await window.stack.app.session(id)).state === 'idle');

async function open({ isNew = true, ...more }: WindowOptions & { isNew?: boolean } = {}): Promise<void> {
  for (const name of isNew ? ['deliver.ts', 'parse.ts'] : []) {
    writeFileSync(join(project, name), `${original.join('\n')}\n`);
  }
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, at: `#/sessions/${id}` },
    ...more,
    app: {
      agents: [agent],
      trash: async (path) => renameSync(path, join(person, 'trash')),
    },
    before: async ({ app }) => {
      if (!isNew) return;
      await app.trustFolder(project);
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Begin.' }] });
      await until(async () => (await app.session(id)).state === 'idle');
    },
  });
  ({ page } = window);
  await page.setViewportSize({ width: 1700, height: 900 });
  await field().waitFor();
}
const field = (): Locator => page.getByRole('textbox', { name: 'Message' });
const changes = (): Locator => page.getByTestId('changes');
const row = (name: string): Locator => changes().getByTestId(`change-${join(project, name)}`);
const line = (name: string, words: string): Locator => row(name).locator('tr[data-line]', { hasText: words });

async function openChanges(): Promise<void> {
  await page.getByRole('button', { name: /^2 files/ }).click();
  await row('deliver.ts').waitFor();
}

async function openFile(name: string): Promise<void> {
  await row(name).locator('.changes_change-open').click();
  await row(name).locator('tr[data-line]').first().waitFor();
}

/** By the button beside the line; `to` with Shift held. */
async function comment(name: string, words: string, text: string): Promise<void> {
  await line(name, words).hover();
  await line(name, words)
    .getByRole('button', { name: /^Comment on line/ })
    .click();
  await row(name)
    .getByRole('textbox', { name: /^Comment on line/ })
    .fill(text);
  await row(name).getByRole('button', { name: 'Save comment' }).click();
}

async function send(text: string): Promise<void> {
  await window.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text }] });
  await idle();
}

const prompts = (): string[] =>
  agent.asked
    .filter(({ method }) => method === 'session/prompt')
    .map(({ params }) => (params.prompt as { text?: string }[]).map(({ text = '' }) => text).join('|'));

it('changes are open as they were left after another view, and the focus stays where it is', async () => {
  await open();
  await openChanges();
  await changes()
    .getByRole('button', { name: /^Session/ })
    .click();
  await openFile('parse.ts');
  await page.getByRole('link', { name: 'Usage' }).click();
  await changes().waitFor({ state: 'detached' });
  const back = page.getByRole('link', { name: 'Sessions' });
  await back.click();
  await row('parse.ts').locator('tr[data-line]').first().waitFor();
  expect(await row('deliver.ts').locator('tr[data-line]').count()).toBe(0);
  expect(
    await changes()
      .getByRole('button', { name: /^Session/ })
      .getAttribute('aria-pressed'),
  ).toBe('true');
  expect(await back.evaluate((link) => link === document.activeElement)).toBe(true);
  await changes().getByRole('button', { name: 'Close changes' }).click();
  await page.getByRole('link', { name: 'Usage' }).click();
  await back.click();
  await field().waitFor();
  expect(await changes().count()).toBe(0);
});

it('a command that changed lines says so in its line, also after a reload', async () => {
  await open();
  await window.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Run.' }] });
  await page.getByTestId('question').getByRole('button', { name: 'Allow once' }).click({ delay: 700 });
  for (const _ of ['live', 'read']) {
    const ran = page.getByTestId('step-toolu_run');
    await soon(async () => expect(await ran.innerText()).toMatch(/\n(?:Allowed once · )?−1\n/));
    expect(await ran.innerText()).not.toContain('No output');
    await page.getByRole('button', { name: /^Run sed -i 1d deliver\.ts, 0 lines added, 1 removed/ }).waitFor();
    await page.reload();
  }
});

it('what is read of the changes stays where it is when edits come above it, and files stay open', async () => {
  await open();
  const say = async (text: string): Promise<void> => {
    const { turnId } = await window.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text }] });
    await until(async () =>
      (await window.stack.app.sessionTurns({ session: id, before: null, limit: 9 })).some(
        (turn) => turn.id === turnId && turn.state === 'done',
      ),
    );
  };
  await say('Everywhere.');
  await page.setViewportSize({ width: 1700, height: 480 });
  await openChanges();
  await openFile('deliver.ts');
  await openFile('parse.ts');
  const top = (name: string, words: string) =>
    line(name, words).evaluate((one) => Math.round(one.getBoundingClientRect().top));
  const read: [string, string][] = [
    ['deliver.ts', 'line 30'],
    ['deliver.ts', '// 28'],
    ['parse.ts', 'line 20'],
  ];
  for (const [name, words] of read) {
    await line(name, words)
      .first()
      .evaluate((one) => one.scrollIntoView({ block: 'center' }));
    const before = await top(name, words);
    const [height] = [await row('deliver.ts').locator('tr[data-line]').count()];
    await say('Above.');
    await soon(async () => expect(await row('deliver.ts').locator('tr[data-line]').count()).toBeGreaterThan(height));
    expect([words, await top(name, words)]).toEqual([words, before]);
    expect(await changes().locator('.changes_change-open[aria-expanded=true]').count()).toBe(2);
  }
});

describe('comments on lines', () => {
  it('are sent as one message with the file, the lines and what stood there', async () => {
    await open();
    await openChanges();
    await openFile('deliver.ts');
    await comment('deliver.ts', 'wait(pause)', 'Await it.');
    // Several lines: the pointer goes from one to the other.
    const from = line('deliver.ts', 'line 3').getByRole('button', { name: 'Comment on line 3, removed' });
    await from.hover();
    await page.mouse.down();
    await line('deliver.ts', 'const pause').hover();
    await page.mouse.up();
    await row('deliver.ts').getByRole('textbox', { name: 'Comment on line 3' }).fill('Why not a constant?\nAs before.');
    await row('deliver.ts').getByRole('button', { name: 'Save comment' }).click();
    await openFile('parse.ts');
    await comment('parse.ts', 'utc', 'Say so in `README`.');
    await changes().getByRole('button', { name: 'Write message (3)' }).click();
    await soon(async () => expect(await field().evaluate((one) => one === document.activeElement)).toBe(true));
    const chips = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await soon(async () => expect(await chips.count()).toBe(3));
    await chips.first().getByRole('button', { name: 'Comment on deliver.ts, line 4', exact: true }).click();
    await page.getByRole('dialog').getByText('Await it.').waitFor();
    await page.keyboard.press('Escape');
    await field().fill('Some things:');
    await field().press('Enter');
    await until(() => prompts().length === 2);
    expect(prompts()[1]).toBe(
      [
        'Some things:',
        '3 comments on the changes:',
        'deliver.ts, line 4:\n```diff\n+wait(pause);\n```\nAwait it.',
        'deliver.ts, line 3:\n```diff\n-line 3\n-line 4\n+const pause = 250;\n```\nWhy not a constant?\nAs before.',
        'parse.ts, line 1:\n```diff\n+utc\n```\nSay so in `README`.',
      ].join('\n\n'),
    );
    await soon(async () => expect(await changes().getByRole('article').count()).toBe(0));
    await page.locator('.transcript_prompt', { hasText: 'Why not a constant?' }).waitFor();
  });

  it('are written with keys alone, over several lines', async () => {
    await open();
    await page.keyboard.press('Control+d');
    await row('deliver.ts').waitFor();
    await soon(async () =>
      expect(
        await row('deliver.ts')
          .locator('.changes_change-open')
          .evaluate((one) => one === document.activeElement),
      ).toBe(true),
    );
    const focused = (): Promise<string | null> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null,
      );
    await page.keyboard.press('c');
    await soon(async () => expect(await focused()).toBe('Comment on line 3, removed'));
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    expect(await focused()).toBe('Comment on line 4, added');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused()).toBe('Comment on lines 3–4'));
    // What are keys in the list are words here.
    await page.keyboard.type('zanc jk');
    await page.keyboard.press('Control+Enter');
    await soon(async () => expect(await focused()).toBe('Comment on line 4, added'));
    await row('deliver.ts').getByText('zanc jk').waitFor();
    expect(readFileSync(join(project, 'deliver.ts'), 'utf8')).toContain('wait(pause);');
    await page.keyboard.press('Escape');
    // The next file's place, and back.
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await soon(async () => expect(await focused()).toMatch(/^Undo @@ -1,5/));
    expect(await row('parse.ts').getByText('utc').count()).toBe(1);
    await page.keyboard.press('N');
    await soon(async () => expect(await focused()).toMatch(/^Undo @@ -1,8/));
    await page.keyboard.press('j');
    await soon(async () => expect(await focused()).toMatch(/^parse\.ts/));
    await page.keyboard.press('k');
    await soon(async () => expect(await focused()).toMatch(/^deliver\.ts/));
  });

  it('are there after a reload and a restart, also one that is being written', async () => {
    const home = join(person, 'home');
    mkdirSync(home);
    await open({ home });
    await openChanges();
    await openFile('deliver.ts');
    await comment('deliver.ts', 'const pause', 'Kept.');
    await line('deliver.ts', 'wait(pause)').hover();
    await line('deliver.ts', 'wait(pause)')
      .getByRole('button', { name: /^Comment on line/ })
      .click();
    await row('deliver.ts').getByRole('textbox').fill('Half a sen');
    await until(async () =>
      JSON.stringify(await window.stack.app.draft({ key: id, window: null, living: [] })).includes('Half a sen'),
    );
    await page.reload();
    await openChanges();
    expect(await row('deliver.ts').locator('.changes_comment-count').innerText()).toMatch(/^2/);
    await openFile('deliver.ts');
    await row('deliver.ts').getByText('Kept.').waitFor();
    expect(await chromium.closeWindows()).toEqual([]);
    await open({ home, isNew: false });
    await openChanges();
    await openFile('deliver.ts');
    await row('deliver.ts').getByText('Kept.').waitFor();
    await row('deliver.ts').getByText('Half a sen').waitFor();
  });

  it('follow their lines, and say so; lines that became others stay quoted', async () => {
    await open();
    await openChanges();
    await openFile('deliver.ts');
    await comment('deliver.ts', 'wait(pause)', 'Await it.');
    await comment('deliver.ts', 'const pause', 'A constant.');
    await send('Above.');
    await row('deliver.ts').getByText('Moved, before: line 4.').waitFor();
    // Below its own line, at its new number.
    const below = (words: string): Promise<string> =>
      line('deliver.ts', words).evaluate((one) => one.nextElementSibling?.textContent ?? '');
    expect(await below('wait(pause)')).toMatch(/^Line 6Moved, before: line 4\.Await it\./);
    await send('Over.');
    const gone = row('deliver.ts').locator('.review_other-comment', { hasText: 'Await it.' });
    await gone.getByText('These lines have changed since. They are quoted as they were.').waitFor();
    expect(await gone.locator('.review_comment-quote').innerText()).toContain('wait(pause);');
    expect(await below('await later(pause)')).not.toContain('Await it.');
    await field().press('Enter');
    await until(() => prompts().length === 4);
    expect(prompts()[3]).toBe(
      [
        '2 comments on the changes:',
        'deliver.ts, line 4 (changed since this comment was written):\n```diff\n+wait(pause);\n```\nAwait it.',
        'deliver.ts, line 3 (now line 5):\n```diff\n+const pause = 250;\n```\nA constant.',
      ].join('\n\n'),
    );
  });

  it('of a file that was changed elsewhere since say so', async () => {
    await open();
    await openChanges();
    await openFile('deliver.ts');
    await comment('deliver.ts', 'wait(pause)', 'Await it.');
    writeFileSync(join(project, 'deliver.ts'), 'by hand\n');
    await field().press('Enter');
    await until(() => prompts().length === 2);
    expect(prompts()[1]).toContain('deliver.ts, line 4 (the file was changed elsewhere since):');
  });

  it('stay where their file isn’t listed, and come back where they could not be sent', async () => {
    const refusal = Object.assign(new Error('Not now.'), { code: 'busy', remedy: 'Try again.' });
    let isRefused = false;
    await open({ onCall: (name) => (name === 'sendMessage' && isRefused ? Promise.reject(refusal) : undefined) });
    await openChanges();
    await openFile('parse.ts');
    await comment('parse.ts', 'utc', 'Say so.');
    await send('Above.');
    await changes()
      .getByRole('button', { name: /^This turn/ })
      .click();
    await row('parse.ts').waitFor({ state: 'detached' });
    await changes().getByText('These lines are not in the differences shown here.').waitFor();
    expect(await changes().locator('.review_other-comment').innerText()).toMatch(/^parse\.ts\s+Line 1/);
    isRefused = true;
    await field().press('Enter');
    await page.getByText('Not now. Try again.').waitFor();
    await changes().getByText('Say so.').waitFor();
    expect(prompts().length).toBe(2);
  });

  it('of two windows are each window’s own', async () => {
    await open({ as: 'dashboard' });
    await page.setViewportSize({ width: 1700, height: 900 });
    const other = await window.context.newPage();
    await other.goto(page.url());
    await openChanges();
    await openFile('deliver.ts');
    await comment('deliver.ts', 'wait(pause)', 'Of the first.');
    await until(async () =>
      JSON.stringify(await window.stack.app.draft({ key: id, window: null, living: [] })).includes('Of the first.'),
    );
    await other.getByRole('button', { name: /^2 files/ }).click();
    const there = other.getByTestId('changes').getByTestId(`change-${join(project, 'deliver.ts')}`);
    await there.locator('.changes_change-open').click();
    await there.locator('tr[data-line]').first().waitFor();
    expect(await there.getByRole('article').count()).toBe(0);
    await other.close();
    await field().press('Enter');
    await until(() => prompts().length === 2);
    expect(prompts()[1]).toContain('Of the first.');
  });

  it('are not in the way when their session is removed', async () => {
    await open();
    await openChanges();
    await openFile('deliver.ts');
    await line('deliver.ts', 'wait(pause)').hover();
    await line('deliver.ts', 'wait(pause)')
      .getByRole('button', { name: /^Comment on line/ })
      .click();
    await row('deliver.ts').getByRole('textbox').fill('Too late');
    await window.stack.app.deleteSession(id);
    await page.getByText('This session isn’t there any more').waitFor();
    expect(await page.getByText('Too late').inputValue()).toBe('Too late');
  });
});

describe('against the branch', () => {
  const git = (...command: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...command], {
      env: { PATH: process.env.PATH, HOME: person },
      stdio: 'pipe',
    });

  it('shows what the folder differs in, also what no edit made, and marks what was looked at until it changes', async () => {
    for (const name of ['deliver.ts', 'parse.ts']) writeFileSync(join(project, name), `${original.join('\n')}\n`);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'One');
    git('checkout', '-q', '-b', 'topic');
    writeFileSync(join(project, 'made.ts'), 'by a command\n');
    await open();
    await openChanges();
    await changes().getByRole('button', { name: 'Against main 3' }).waitFor();
    // The count holds before anybody looks at the list.
    writeFileSync(join(project, 'more.ts'), 'by another\n');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await changes().getByRole('button', { name: 'Against main 4' }).waitFor();
    rmSync(join(project, 'more.ts'));
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await changes().getByRole('button', { name: 'Against main 3' }).click();
    await row('made.ts').waitFor();
    expect(await changes().getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    await openFile('made.ts');
    await comment('made.ts', 'by a command', 'Delete it.');
    await row('made.ts').getByRole('button', { name: 'Accept', exact: true }).click();
    await row('made.ts').getByText('Accepted', { exact: true }).waitFor();
    await row('deliver.ts').getByRole('button', { name: 'Accept', exact: true }).click();
    await row('deliver.ts').getByText('Accepted', { exact: true }).waitFor();
    // A double click leaves the mark; a click on it takes it back.
    await row('deliver.ts').getByRole('button', { name: 'Accepted', exact: true }).click();
    await row('deliver.ts').getByRole('button', { name: 'Accept', exact: true }).dblclick();
    await row('deliver.ts').getByRole('button', { name: 'Accepted', exact: true, pressed: true }).waitFor();
    await send('Above.');
    await row('deliver.ts').getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await row('made.ts').getByText('Accepted', { exact: true }).waitFor();
    await field().press('Enter');
    await until(() => prompts().length === 3);
    expect(prompts()[2]).toBe('A comment on the changes:\n\nmade.ts, line 1:\n```diff\n+by a command\n```\nDelete it.');
    git('stash', '-q', '--include-untracked');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await changes().getByText('Nothing differs from main').waitFor();
  });

  it('of a folder that isn’t trusted is not shown, says why, and is once it is trusted', async () => {
    writeFileSync(join(project, 'deliver.ts'), `${original.join('\n')}\n`);
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'One');
    writeFileSync(join(project, 'CLAUDE.md'), 'Be brief.\n');
    await open();
    await window.stack.app.distrustFolder(project);
    await page.reload();
    const mark = page.getByRole('button', { name: 'Not trusted' });
    await mark.waitFor();
    await openChanges();
    const why = 'Not compared with the default branch: you don’t trust this folder, and git could run programs';
    await changes().getByText(why).waitFor();
    expect(await window.axe()).toEqual([]);
    await changes().getByRole('button', { name: 'Trust folder…' }).click();
    await page.getByRole('dialog', { name: 'Trust this folder?' }).getByRole('button', { name: 'Trust' }).click();
    await changes()
      .getByRole('button', { name: /^Against main/ })
      .waitFor();
    expect(await changes().getByText(why).count()).toBe(0);
    expect(await window.stack.app.trustedFolders()).toEqual([project]);
    await mark.waitFor({ state: 'detached' });
    expect((await window.stack.app.session(id)).state).toBe('unloaded');
  });

  it('is no choice without a repository', async () => {
    await open();
    await openChanges();
    await openFile('deliver.ts');
    const choices = changes().getByRole('group', { name: 'Changes of' }).getByRole('button');
    expect(await choices.count()).toBe(2);
    // Nor is anything said where there is none in a folder that isn’t trusted.
    await window.stack.app.distrustFolder(project);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    expect(await changes().getByRole('note').count()).toBe(0);
  });
});

/** Comments that a box around the difference cuts off. */
const cutByTheirBox = (comments: Element[]): string[] =>
  comments.flatMap((comment) => {
    const [box, own] = [comment.closest('.text_patch'), comment.getBoundingClientRect()];
    const { top, bottom, right } = box?.getBoundingClientRect() ?? own;
    return own.top < top - 1 || own.bottom > bottom + 1 || own.right > right + 1 ? [comment.textContent ?? ''] : [];
  });

it.each([
  ['light', 1700, 900],
  ['dark', 1700, 900],
  ['light', 720, 480],
  ['dark', 1200, 800],
] as const)('is for everyone: %s, %i × %i', async (colorScheme, width, height) => {
  await open();
  await openChanges();
  await openFile('deliver.ts');
  await comment('deliver.ts', 'wait(pause)', 'Await it, and say in a comment why there is a pause at all.');
  await line('deliver.ts', 'const pause').hover();
  await line('deliver.ts', 'const pause')
    .getByRole('button', { name: /^Comment on line/ })
    .click();
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await row('deliver.ts').getByRole('textbox').waitFor();
  expect(await window.axe({ within: '[data-testid=changes]' })).toEqual([]);
  expect([await outOfReach(page), await cutOff(page), await crowded(page)]).toEqual([[], [], []]);
  expect(await row('deliver.ts').locator('.review_comment').evaluateAll(cutByTheirBox)).toEqual([]);
  const pictures = process.env.JUMPSEAT_TEST_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `review-${colorScheme}-${width}.png`) });
});
