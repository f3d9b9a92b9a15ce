import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../../app/api/sessions.ts';
import { cutTexts } from '../../../../app/sessions/store/cut-texts.ts';
import type { Conversation, Step } from '../../../../renderer/sessions/state/conversation.ts';
import { emptyConversation, foldEvents } from '../../../../renderer/sessions/state/fold.ts';
import { axeViolations, without } from '../../../e2e/axe-findings.ts';
import { soon } from '../../../soon.ts';
import { session, wordsInSight } from '../cards/cards-page.ts';
import {
  began,
  conversation,
  cost,
  edit,
  lane,
  read,
  said,
  searched,
  shell,
  step,
  text,
  turn,
} from '../transcript-page/example.ts';
import { type OpenPage, TranscriptPages } from '../transcript-page/open-page.ts';

const pages = new TranscriptPages();
beforeAll(() => pages.start(), 120_000);
afterAll(() => pages.stop());

let open: OpenPage;
afterEach(async () => {
  expect(open.complaints).toEqual([]);
  expect(open.fetched).toEqual([]);
  await pages.close(open);
});

const everything = [
  ...['tryAgain', 'tryAgainWithModel', 'goOn', 'changePrompt', 'goBack', 'fork', 'undoTurn', 'openPath', 'openAddress'],
  ...['showRequest', 'showRequests', 'showInChanges', 'copyReport'],
];

async function show(given: Conversation | null, actions: readonly string[] = everything): Promise<void> {
  await open.page.evaluate(([one, names]) => window.show(one, { actions: names }), [given, actions] as const);
}

/** Two frames: what came is drawn, measured, and put where it belongs. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

const did = (): Promise<unknown[][]> => open.page.evaluate(() => window.did);
const feed = () => open.page.getByRole('feed', { name: 'Conversation' });
const left = (): Promise<number> =>
  feed().evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
const placeOf = async (locator: ReturnType<Page['locator']>): Promise<number> =>
  (await locator.boundingBox())?.y ?? Number.NaN;

const long = (id: string, change = {}) =>
  turn(
    id,
    Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0 ? text(`x${at}`, `Words ${at} of ${id}. `.repeat(30)) : shell(`${id}-${at}`, `run ${at}`, 'a\nb'),
    ),
    change,
  );
const streaming = (words: string, more: readonly ReturnType<typeof shell>[] = []): Conversation =>
  conversation([
    long('a'),
    turn('b', [shell('b1', 'npm test', 'a'), ...more, text('x', words, true)], {
      state: 'running',
      endedAt: null,
      cost: null,
    }),
  ]);

it('works a large difference out beside the window, line by line as where there is no worker', async () => {
  const lines = (word: string): string => Array.from({ length: 300 }, (_, at) => `${word} ${at} of many\n`).join('');
  const given = conversation([turn('a', [edit('e', '/w/a.ts', lines('one'), lines('two'))])]);
  const texts: string[] = [];
  for (const hasWorkers of [true, false]) {
    open = await pages.open();
    if (!hasWorkers) await open.page.evaluate(() => Reflect.deleteProperty(globalThis, 'Worker'));
    await show(given);
    const line = feed().getByRole('button', { name: 'Edit /w/a.ts, 300 lines added, 300 removed' });
    await line.click();
    const table = feed().getByRole('region', { name: 'Difference of /w/a.ts' });
    await table.locator('tr').nth(399).waitFor();
    await feed().getByRole('button', { name: 'Show all 600 lines' }).click();
    await table.locator('tr').nth(599).waitFor();
    expect(open.page.workers()).toHaveLength(hasWorkers ? 1 : 0);
    texts.push(await table.innerText());
    if (hasWorkers) await pages.close(open);
  }
  expect(texts[0]).toContain('two 299 of many');
  expect(texts[1]).toBe(texts[0]);
});

it('says what the process of the session is started again for', async () => {
  open = await pages.open();
  const given = conversation([turn('a', [], { state: 'running', endedAt: null, cost: null })]);
  const reported: Session = { ...session, agent: 'codex', state: 'starting' };
  for (const [restartsFor, words] of [
    [['model', 'folders'], 'Restarting for the new model and the new folders…'],
    [undefined, 'Starting Codex…'],
  ] as const) {
    const session = restartsFor === undefined ? reported : { ...reported, restartsFor: [...restartsFor] };
    await open.page.evaluate(([one, session]) => window.show(one, { session }), [given, session] as const);
    await expect.poll(() => open.page.locator('.transcript_awaited').textContent()).toBe(words);
  }
});

it('names the models of a turn that are not the one of the session', async () => {
  open = await pages.open();
  const turns = [turn('a', [text('x', 'One')], { models: ['opus', 'sonnet', 'haiku'] }), turn('b', [text('y', 'Two')])];
  await open.page.evaluate((one) => window.show(one, { model: 'opus' }), conversation(turns));
  await open.page.getByTestId('turn-figures-a').getByText('with sonnet, haiku', { exact: true }).waitFor();
  expect(await open.page.getByText(/^with /).count()).toBe(1);
});

it('an image that was too large to keep is its name and size, as the host has it, and no broken picture', async () => {
  open = await pages.open();
  const image = {
    type: 'image',
    mimeType: 'image/png',
    data: 'A'.repeat(400_000),
    _meta: { jumpseat: { name: 'a.png' } },
  };
  const reported = { update: { sessionUpdate: 'tool_call', toolCallId: 'i', title: 'x', status: 'completed' } };
  const content = [{ type: 'content', content: { ...image, _meta: null } }];
  const events = [
    { kind: 'turn-started', event: { initiator: 'user', prompt: [{ type: 'text', text: 'see' }, image] } },
    { kind: 'update', event: { child: null, update: { ...reported.update, content } } },
  ] as const;
  const kept = events.map(({ kind, event }, seq) => {
    const entry = { seq: seq + 1, sessionId: 'session', turnId: 't', at: began, kind };
    return { ...entry, ...cutTexts(event) };
  });
  await show(foldEvents(emptyConversation('session'), kept));
  await expect.poll(() => open.page.locator('.transcript_prompt .text_file').textContent()).toContain('a.png 300.0 kB');
  await open.page.getByTestId('step-i').locator('.steps_tool-line').click();
  await open.page.getByText('An image of 300.0 kB isn’t saved.').waitFor();
  expect(await open.page.locator('img').count()).toBe(0);
  expect(await open.page.getByText('the beginning is saved').count()).toBe(0);
});

it('a picture that was sent keeps its name', async () => {
  open = await pages.open();
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = { type: 'image', mimeType: 'image/png', data, _meta: { jumpseat: { name: 'pic.png' } } };
  await show(conversation([turn('a', [text('x', 'Seen.')], { prompt: [{ type: 'text', text: 'see' }, image] })]));
  await open.page.locator('.transcript_prompt').getByText('pic.png', { exact: true }).waitFor();
  expect(await open.page.locator('.transcript_prompt img').count()).toBe(1);
});

it('a comment that was sent shows its lines in a box', async () => {
  open = await pages.open();
  const said = 'One comment.\n\na.ts, line 3:\n```diff\n-old ``` here\n+new\n```\nWhy this?\n~~~ not a fence';
  await show(conversation([turn('a', [text('x', 'Because.')], { prompt: [{ type: 'text', text: said }] })]));
  const prompt = open.page.locator('.transcript_prompt');
  await prompt.locator('figure pre').waitFor();
  expect(await prompt.locator('figure pre').innerText()).toBe('-old ``` here\n+new');
  expect(await prompt.locator('.transcript_prompt-text').innerText()).not.toContain('```diff');
  for (const words of ['a.ts, line 3:', 'Why this?']) expect(await prompt.innerText()).toContain(words);
});

describe('while an answer streams', () => {
  it('the end is followed, and the first step up stops that at once', async () => {
    open = await pages.open();
    const { page } = open;
    await show(streaming('one '));
    await expect.poll(left).toBeLessThan(1);
    await show(streaming('one '.repeat(800)));
    await settled(page);
    expect(await left()).toBeLessThan(1);
    // What is selected stays where it is, and this is the end.
    await page.keyboard.press('Control+a');
    await settled(page);
    expect(await left()).toBeLessThan(1);
    expect(await page.getByRole('button', { name: 'Go to the end' }).count()).toBe(0);

    await feed().hover();
    await page.mouse.wheel(0, -20);
    await page.getByRole('button', { name: 'Go to the end' }).waitFor();
    await settled(page);
    await show(streaming('one '.repeat(1_600), [shell('b2', 'ls', ''), shell('b3', 'ls', '')]));
    await page.getByRole('button', { name: '2 new steps' }).waitFor();
    expect(await left()).toBeGreaterThan(300);

    await page.getByRole('button', { name: '2 new steps' }).click();
    await expect.poll(left).toBeLessThan(1);
    expect(await page.getByRole('button', { name: /Go to the end|new step/ }).count()).toBe(0);
  });

  it('what is read stays where it is, whatever comes, opens or is added above', async () => {
    open = await pages.open();
    const { page } = open;
    await show(streaming('one '));
    await expect.poll(left).toBeLessThan(1);
    await feed().hover();
    await page.mouse.wheel(0, -900);
    await page.getByRole('button', { name: 'Go to the end' }).waitFor();
    await settled(page);
    const marked = page.getByTestId('step-a-23').locator('.steps_tool-line');
    await marked.waitFor();
    const before = await placeOf(marked);
    for (let words = 1; words <= 20; words += 1) {
      await show(streaming('one '.repeat(words * 40)));
      expect(Math.abs((await placeOf(marked)) - before)).toBeLessThan(1);
    }
    const grown = streaming('one '.repeat(800));
    await show({ ...grown, turns: [long('older'), ...grown.turns] });
    await settled(page);
    expect(Math.abs((await placeOf(marked)) - before)).toBeLessThan(1);
    await page.setViewportSize({ width: 640, height: 600 });
    await settled(page);
    await page.setViewportSize({ width: 912, height: 600 });
    await settled(page);
    expect(Math.abs((await placeOf(marked)) - before)).toBeLessThan(2);
  });

  it('five thousand pieces shift nothing that stands', async () => {
    open = await pages.open();
    const { page } = open;
    await show(streaming(''));
    await settled(page);
    const shift = await page.evaluate(async (given) => {
      let sum = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
      });
      observer.observe({ type: 'layout-shift', buffered: false });
      const [first, last] = given.turns;
      if (first === undefined || last === undefined) throw new Error('There are two turns.');
      let words = '';
      for (let piece = 0; piece < 5_000; piece += 1) {
        words += piece % 40 === 39 ? '\n\n- ' : `word${piece} `;
        if (piece % 25 !== 24) continue;
        const block = { kind: 'text', id: 'x', message: null, text: words, isOpen: true } as const;
        window.show({ ...given, turns: [first, { ...last, blocks: [...last.blocks.slice(0, -1), block] }] });
        await new Promise((done) => requestAnimationFrame(done));
      }
      observer.disconnect();
      return sum;
    }, streaming(''));
    // What scrolls by because the end is followed is no shift of what is read: the browser counts none of it.
    expect(shift).toBeLessThan(0.001);
    expect(await left()).toBeLessThan(1);
  });
});

describe('a long conversation', () => {
  it('of ten thousand steps keeps a part in the page, and opens at its end', async () => {
    open = await pages.open();
    const { page } = open;
    const blocks = Array.from({ length: 10_000 }, (_, at) => shell(`s${at}`, `run ${at}`, 'a\nb'));
    const given = conversation([turn('many', blocks, { state: 'running', endedAt: null })]);
    await show(given);
    await page.getByTestId('step-s9999').waitFor();
    expect(await page.locator('.steps_tool').count()).toBeLessThan(150);
    expect(await left()).toBeLessThan(1);
    await feed().focus();
    await page.keyboard.press('Home');
    await page.getByTestId('step-s0').waitFor();
    expect(await page.locator('.steps_tool').count()).toBeLessThan(150);
    await page.keyboard.press('End');
    await page.getByTestId('step-s9999').waitFor();
  });

  it('says nothing of new steps whose end is in sight, nor of those that are not shown', async () => {
    open = await pages.open();
    const { page } = open;
    const toEnd = page.locator('.transcript_to-end');
    const short = (...steps: Step[]) => conversation([turn('a', steps, { state: 'running', endedAt: null })]);
    await show(short(shell('1', 'one', 'a')));
    await feed().focus();
    // This stops following, and there is nothing to scroll.
    await page.keyboard.press('PageUp');
    await settled(page);
    await show(short(...['1', '2', '3'].map((id) => shell(id, 'one', 'a'))));
    await page.getByTestId('step-3').waitFor();
    await settled(page);
    expect(await toEnd.count()).toBe(0);
    // Lists of tasks stand in the dock while a turn runs.
    const tasks = ['t1', 't2'].map((id) => step(id, { stepKind: 'tasks' }));
    const given = (more: Step[]) => conversation([long('b'), ...short(shell('1', 'one', 'a'), ...more).turns]);
    await show(given([]));
    await feed().hover();
    await page.mouse.wheel(0, -900);
    await toEnd.waitFor();
    await show(given(tasks));
    await settled(page);
    expect(await toEnd.innerText()).toBe('Go to the end');
    await show(given([...tasks, shell('2', 'two', 'a')]));
    await toEnd.getByText('1 new step').waitFor();
    // After going back, the step that was seen last is gone.
    await show(conversation([long('b'), ...short(shell('other', 'one', 'a')).turns]));
    await settled(page);
    expect(await toEnd.innerText()).toBe('Go to the end');
  });

  it('shows what was asked, and what was answered', async () => {
    open = await pages.open();
    const asked = step('q', {
      ...{ stepKind: 'question', tool: 'AskUserQuestion', content: said('Your questions have been answered: …') },
      input: { questions: [{ header: 'Choice', question: 'Which one?' }] },
      answered: { by: 'person', answer: { action: 'accept', content: { question_0: 'This' } }, rule: null },
    });
    await show(conversation([turn('a', [asked])]));
    const line = open.page.getByTestId('step-q');
    expect(await wordsInSight(line.locator('.steps_on'))).toBe('Which one?');
    expect(await wordsInSight(line.locator('.steps_out'))).toBe('This');
    await line.getByRole('button').click();
    expect(await line.locator('.steps_tool-open').innerText()).toMatch(/^Which one\?\s+This$/);
  });

  it('says in its line that edits are accepted from here on, beside what was changed', async () => {
    open = await pages.open();
    const answered = { by: 'person', answer: { answer: 'allow', acceptEdits: true }, rule: null } as const;
    await show(conversation([turn('a', [{ ...edit('e', 'src/webhooks/deliver.ts', 'one', '1'), answered }])]));
    const out = open.page.getByTestId('step-e').locator('.steps_out');
    expect(await wordsInSight(out)).toBe(await out.textContent());
    expect(await out.textContent()).toMatch(/^Edits accepted from here on · \S/);
  });

  it('opens where it was left, with what was open', async () => {
    open = await pages.open();
    const { page } = open;
    const one = conversation([long('a'), long('b')], { sessionId: 'one' });
    await show(one);
    await expect.poll(left).toBeLessThan(1);
    await feed().hover();
    await page.mouse.wheel(0, -1_500);
    await page.getByRole('button', { name: 'Go to the end' }).waitFor();
    const marked = page.locator('.steps_tool-line').nth(3);
    await marked.click();
    const again = page.locator('.steps_tool-line[aria-expanded="true"]');
    await again.waitFor();
    await settled(page);
    const before = await placeOf(again);
    await show(conversation([long('c')], { sessionId: 'two' }));
    await settled(page);
    await show(one);
    await again.waitFor();
    await expect.poll(async () => Math.abs((await placeOf(again)) - before)).toBeLessThan(2);
    // Left at its end, it opens there.
    await page.getByRole('button', { name: 'Go to the end' }).click();
    await settled(page);
    await show(conversation([long('c')], { sessionId: 'two' }));
    await settled(page);
    await show(one);
    await settled(page);
    await expect.poll(left).toBeLessThan(1);
  });

  it('counts as new what came since its end was in sight, also where it is read again', async () => {
    open = await pages.open();
    const { page } = open;
    const toEnd = page.getByRole('button', { name: /Go to the end/ });
    const given = (...more: Step[]) =>
      conversation([long('a'), long('b'), turn('c', more, { state: 'running', endedAt: null })], { sessionId: 'one' });
    await show(given());
    await expect.poll(left).toBeLessThan(1);
    await feed().hover();
    await page.mouse.wheel(0, -1_500);
    await toEnd.waitFor();
    await show(conversation([long('d')], { sessionId: 'two' }));
    await settled(page);
    // Nothing of it is read yet.
    await show(conversation([], { sessionId: 'one' }));
    await settled(page);
    await show(given());
    await toEnd.waitFor();
    await settled(page);
    expect(await toEnd.innerText()).toBe('Go to the end');
    await show(given(shell('n1', 'ls', ''), shell('n2', 'ls', '')));
    await page.getByRole('button', { name: 'Go to the end, 2 new steps' }).waitFor();
  });

  it('asks for what is older near its top, and keeps what is read when that comes', async () => {
    open = await pages.open();
    const { page } = open;
    const given = conversation([long('b')], { hasOlder: true });
    await show(given);
    await expect.poll(left).toBeLessThan(1);
    await feed().focus();
    await page.keyboard.press('Home');
    await expect.poll(did).toContainEqual(['loadOlder']);
    // The browser scrolls there step by step.
    await expect.poll(() => feed().evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await settled(page);
    const prompt = page.getByTestId('turn-b').locator('.transcript_prompt');
    const before = await placeOf(prompt);
    await show(conversation([long('a'), ...given.turns]));
    await settled(page);
    expect(Math.abs((await placeOf(prompt)) - before)).toBeLessThan(1);
    // Older steps are no new ones.
    expect(await page.getByRole('button', { name: 'Go to the end', exact: true }).count()).toBe(1);
    await show(conversation([long('a'), ...given.turns, turn('c', [shell('c1', 'ls', '')])]));
    await page.getByRole('button', { name: 'Go to the end, 1 new step' }).waitFor();
  });

  it('shows the prompt that has scrolled away in one line, and goes to it', async () => {
    open = await pages.open();
    await show(conversation([long('a'), long('b')]));
    const stuck = open.page.getByRole('button', { name: 'Go to the prompt: Prompt of b' });
    await stuck.click();
    await expect.poll(() => stuck.count()).toBe(0);
    expect(await placeOf(open.page.getByTestId('turn-b').locator('.transcript_prompt'))).toBeGreaterThanOrEqual(0);
  });
});

describe('hostile words', () => {
  const script =
    '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><svg onload="window.hacked = 1">';
  const everywhere = (words: string): Conversation =>
    conversation([
      turn(
        'h',
        [
          text('x', words),
          { kind: 'thinking', id: 't', message: null, text: words, isOpen: false, startedAt: began, endedAt: began },
          shell('s', words, words),
          edit('e', words, words, `${words}\n${words}`),
          step('m', {
            stepKind: 'mcp',
            tool: `mcp__${words.slice(0, 20)}__${words.slice(0, 20)}`,
            input: { a: words },
            content: said(words),
          }),
          step('a', {
            stepKind: 'subagent',
            title: words,
            lane: lane({ type: words.slice(0, 40), task: words, blocks: [text('y', words)] }),
          }),
        ],
        {
          prompt: [{ type: 'text', text: words }],
          state: 'failed',
          problem: { code: 'failed', text: words, remedy: '', requestId: null, stderr: words },
        },
      ),
    ]);
  const openAll = async (page: Page): Promise<void> => {
    for (const id of ['s', 'e', 'm', 'a']) {
      const line = page.getByTestId(`step-${id}`).locator('.steps_tool-line').first();
      await line.scrollIntoViewIfNeeded();
      await line.click();
    }
  };

  it('are never markup, load nothing, and lead nowhere unasked', async () => {
    open = await pages.open({ viewport: { width: 912, height: 2_400 } });
    const { page } = open;
    const words = `${script}\n\n[a](javascript:alert(1)) [b](data:text/html,x) [c](https://evil.example/?q=1) ![d](https://evil.example/i.png)\n\n<https://аpple.com/>`;
    await show(everywhere(words));
    await openAll(page);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(
      await page
        .locator(
          'script:not([src]), .transcript_talk img, .transcript_talk svg:not(.octicon, .ring), .transcript_talk a, .transcript_talk iframe',
        )
        .count(),
    ).toBe(0);
    const answer = page.locator('.transcript_item[data-kind="text"] .text_answer').first();
    expect(await answer.getByRole('button').allInnerTexts()).toEqual(['c', 'Open in browser…', 'https://аpple.com/']);
    expect(await answer.innerText()).toContain('Image not loaded: evil.example');

    await answer.getByRole('button', { name: 'https://аpple.com/' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open this address?' });
    expect(await dialog.locator('b').innerText()).toBe('xn--pple-43d.com');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await did()).toEqual([]);
    await answer.getByRole('button', { name: 'c', exact: true }).click();
    await dialog.getByRole('button', { name: 'Open' }).click();
    expect(await did()).toEqual([['openAddress', 'https://evil.example/?q=1']]);
  });

  it.each([
    { title: '5 MB in one line', words: 'x'.repeat(5_000_000) },
    { title: 'right to left, and overrides of it', words: 'שלום ‮gnp.exe‬ مرحبا \u2066abc'.repeat(40) },
    {
      title: 'escapes of a terminal',
      words: '\u001b[31mred\u001b[0m\u001b]0;t\u0007\u001b[2J\u0000\u0008\u009b1m'.repeat(200),
    },
    { title: 'lone surrogates and strange spaces', words: '\ud800 a\udc00\u2028b\u200b\ufeff'.repeat(200) },
  ])('are shown in their place: $title', async ({ words }) => {
    open = await pages.open({ viewport: { width: 912, height: 1_400 } });
    const { page } = open;
    await show(everywhere(words));
    await openAll(page);
    await settled(page);
    // Nothing of it is wider than the page, or stands over something else.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(912);
    expect(
      await page
        .locator('.transcript_item')
        .evaluateAll((items) => items.every((item) => item.scrollWidth <= item.clientWidth)),
    ).toBe(true);
    expect(await page.locator('body').evaluate((body) => (body.textContent ?? '').length)).toBeLessThan(1_000_000);
  });
});

describe('what can be done', () => {
  const failed = (code: string, requestId: string | null = null) => ({
    state: 'failed' as const,
    problem: { code, text: 'It broke.', remedy: '', requestId, stderr: null },
  });

  it('shows why a plan failed, below the plan', async () => {
    open = await pages.open();
    const reason = 'You are not in plan mode.';
    const plan = {
      stepKind: 'plan',
      tool: 'ExitPlanMode',
      input: { plan: 'Move all dates' },
      content: said(reason),
    } as const;
    await show(conversation([turn('a', [step('p', { ...plan, state: 'failed' })])]));
    const shown = open.page.getByTestId('step-p');
    await shown.locator('.steps_tool-line').click();
    await soon(async () => expect(await shown.textContent()).toContain(reason));
  });

  it('of a call that Claude Code refused shows why in words, and offers nothing that was not done', async () => {
    open = await pages.open();
    const why = 'You are not in plan mode. '.repeat(20).trim();
    const answered = { by: 'person', answer: { answer: 'deny' }, rule: null } as const;
    const steps = [
      step('w', {
        stepKind: 'mcp',
        tool: 'x',
        state: 'failed',
        content: said(`<tool_use_error>${why}</tool_use_error>`),
      }),
      step('n', { stepKind: 'write', tool: 'Write', state: 'denied', input: { file_path: '/w/new.ts' }, answered }),
      step('d', { stepKind: 'edit', tool: 'Edit', state: 'denied', input: { file_path: '/w/old.ts' }, answered }),
    ];
    await show(
      conversation([
        turn(
          'a',
          [steps[0], text('x', 'Then'), steps[1], text('y', 'And'), steps[2]].filter((one) => one !== undefined),
        ),
      ]),
    );
    const opened = async (id: string) => {
      const shown = open.page.getByTestId(`step-${id}`);
      await shown.locator('.steps_tool-line').click();
      return shown.locator('.steps_tool-open');
    };
    const field = (await opened('w')).locator('pre');
    expect(await field.textContent()).toBe(why);
    expect(await field.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    expect(await (await opened('n')).getByRole('button').count()).toBe(0);
    expect(await (await opened('d')).getByRole('button').allTextContents()).toEqual(['Open file']);
    // A file that was made is gone once that was undone.
    const made = { type: 'diff', path: '/w/made.ts', oldText: null, newText: 'a' } as const;
    const undone = { content: [made], undone: [made.path] };
    await show(conversation([turn('u', [edit('u', made.path, '', 'a', undone)])]));
    const texts = (await opened('u')).getByRole('button').allTextContents();
    expect(await texts).not.toContain('Open file');
  });

  it('is red where a step failed, and not where it was allowed', async () => {
    open = await pages.open();
    const answered = { by: 'rule', answer: { answer: 'allow' }, rule: null } as const;
    await show(
      conversation([turn('a', [{ ...shell('f', 'exit 7', '', { exitCode: 7, state: 'failed' }), answered }])]),
    );
    const out = open.page.getByTestId('step-f').locator('.steps_out');
    expect(await out.textContent()).toBe('Allowed for this session · exit 7');
    const look = (of: typeof out) =>
      of.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).fontWeight]);
    expect(await look(out.locator('span').first())).not.toEqual(await look(out));
  });

  it('says of a turn that was stopped that more tokens may have come out than were counted', async () => {
    open = await pages.open();
    const stopped = { state: 'cancelled', cost: { ...cost, output: 3, isPartlyUnknown: true } } as const;
    await show(conversation([turn('a', [text('x', '1 2 3')], stopped)]));
    const figures = open.page.getByTestId('turn-figures-a');
    await soon(async () => expect(await figures.textContent()).toContain(' cached · at least 3 out'));
    const unknown = { ...stopped, cost: { ...stopped.cost, nanoAiu: 0 } };
    await show(conversation([turn('a', [text('x', '1 2 3')], unknown)]));
    const sum = figures.getByText('Cost unknown: not reported by Copilot', { exact: true });
    await sum.waitFor();
    expect(await sum.getAttribute('title')).toMatch(
      /^A request was stopped or cut before Copilot reported its charge\./,
    );
    await show(conversation([turn('a', [], { ...unknown, cost: { ...unknown.cost, estimate: 8.86e9 } })]));
    const estimated = figures.getByText('≈ 8.86 credits, not reported by Copilot', { exact: true });
    await estimated.waitFor();
    expect(await estimated.getAttribute('title')).toMatch(/bill\. Estimated from the model’s prices\.$/);
    await show(conversation([turn('a', [], { ...unknown, cost: { ...unknown.cost, output: 0 } })]));
    await soon(async () => expect(await figures.textContent()).toContain(' cached · output unknown'));
  });

  it('says of a turn that was refused no first word, and that its request was refused', async () => {
    open = await pages.open();
    const words = 'Copilot refused something in this request.';
    const problem = { code: 'invalid-request', text: words, remedy: '', requestId: null, stderr: null };
    const error = text('y', 'API Error: 400 Copilot answered 400: no');
    const none = { ...cost, nanoAiu: 0, user: 0, agent: 0, input: 0, cached: 0, output: 0, refused: 1 };
    const refused = { state: 'failed', problem, cost: none } as const;
    await show(conversation([turn('a', [error], refused)]));
    const figures = open.page.getByTestId('turn-figures-a');
    await figures.getByText('0 user and 0 agent requests. 1 request refused, at no charge.').waitFor();
    expect(await figures.textContent()).not.toContain('first word');
    // What an agent said before that is a word.
    await show(conversation([turn('a', [text('x', 'So'), error], refused)]));
    await figures.getByText('first word after 1.24 s').waitFor();
  });

  it('claims no price for a turn of which no request is known', async () => {
    open = await pages.open();
    const none = { ...cost, nanoAiu: 0, user: 0, agent: 0, input: 0, cached: 0, output: 0 };
    await show(conversation([turn('a', [text('x', 'An answer.')], { cost: none })]));
    const figures = open.page.getByTestId('turn-figures-a');
    await figures.getByText('No requests', { exact: true }).waitFor();
    await figures.getByTitle('Jumpseat saw no request of this turn. Its cost isn’t known.').waitFor();
    expect(await figures.textContent()).not.toContain('credits');
    // Copilot said that these cost nothing.
    await show(conversation([turn('a', [text('x', 'An answer.')], { cost: { ...none, user: 1 } })]));
    await figures.getByText('0 credits', { exact: true }).waitFor();
  });

  it('offers to undo no edits of a turn that was led elsewhere: in a terminal, or before a fork', async () => {
    open = await pages.open();
    const edits = [edit('e', '/w/a.ts', 'a', 'b'), text('x', 'words')];
    await show(
      conversation([
        turn('a', edits, { number: null }),
        turn(
          'b',
          edits.map((one) => ({ ...one, id: `b${one.id}` })),
        ),
      ]),
    );
    const undo = (id: string) =>
      open.page.getByTestId(`turn-figures-${id}`).getByRole('button', { name: 'Undo the edits of this turn…' });
    await undo('b').waitFor();
    expect(await undo('a').count()).toBe(0);
  });

  it('is done for the turn it stands at, and has no button where there is no action', async () => {
    open = await pages.open();
    const { page } = open;
    const given = conversation([
      turn('f', [edit('e', '/w/a.ts', 'a', 'b'), text('x', 'words')], failed('refused', '9c41d7e2ffff')),
    ]);
    await show(given);
    for (const name of [
      'Try again',
      'Try again with another model…',
      'Show request 9c41d7e2',
      'Undo the edits of this turn…',
    ]) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    await page.getByRole('button', { name: '1 user and 3 agent requests. Show them.' }).click();
    await page.getByTestId('step-e').locator('.steps_tool-line').click();
    await page.getByRole('button', { name: 'Open file' }).click();
    await page.getByRole('button', { name: 'Show in changes' }).click();
    expect(await did()).toEqual([
      ...[
        ['tryAgain', 'f'],
        ['tryAgainWithModel', 'f'],
        ['showRequest', '9c41d7e2ffff'],
        ['undoTurn', 'f'],
      ],
      ...[
        ['showRequests', 'f'],
        ['openPath', '/w/a.ts', 40],
        ['showInChanges', 'f', '/w/a.ts'],
      ],
    ]);
    await show({ ...given, sessionId: 'other' }, []);
    await page.getByText('Copilot refused a request of this turn.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /Try again|Show request|Undo|Fork|Go back/ }).count())
      .toBe(0);
  });

  it('says when Jumpseat was closed in the middle of it, and what was asked then', async () => {
    open = await pages.open();
    const closed = { state: 'interrupted', endedAt: Date.UTC(2026, 10, 20, 10, 42, 5) } as const;
    const asked = [
      [{ what: 'command', name: '' }, 'to run a command'],
      [{ what: 'answer', name: '' }, 'a question'],
      [{ what: 'named', name: 'tracker' }, 'to use tracker'],
      [{ what: 'tool', name: '' }, 'to use a tool'],
    ] as const;
    const turns = asked.map(([askedAtEnd], at) => turn(`${at}`, [], { ...closed, askedAtEnd }));
    await show(conversation([...turns, turn('none', [], closed)]), []);
    const was = 'Jumpseat was closed in the middle of this turn at 10:42.';
    const lines = open.page.locator('.transcript_divider');
    await lines.filter({ hasText: 'Jumpseat was closed' }).last().waitFor();
    expect((await lines.allTextContents()).map((line) => line.trim())).toEqual([
      ...asked.map(([, words]) => `${was} It asked ${words} when Jumpseat was closed. It was denied.`),
      was,
    ]);
  });

  it('is said of a conversation that can’t be read', async () => {
    open = await pages.open();
    await open.page.evaluate(() => window.show(null, { problem: 'The file is gone.' }));
    await open.page.getByText('This conversation can’t be read. The file is gone.').waitFor();
    await open.page.getByRole('button', { name: 'Try again' }).click();
    expect(await did()).toEqual([['read again']]);
  });

  it('is stopped with Escape where the focus is in it', async () => {
    open = await pages.open();
    await show(streaming('words'), ['stop']);
    await feed().focus();
    await open.page.keyboard.press('Escape');
    expect(await did()).toEqual([['stop']]);
  });

  it('has the name of its file however deep that lies, and all of its path where it is opened', async () => {
    open = await pages.open();
    const folders = Array.from({ length: 12 }, (_, at) => `a-folder-with-a-long-name-${at}`).join('/');
    const path = `/w/${folders}/deliver.ts`;
    await show(conversation([turn('a', [edit('e', path, 'a', 'b'), read('r', `/w/${folders}/read.ts`)])]));
    const line = open.page.getByTestId('step-e');
    expect(await wordsInSight(line.locator('.steps_on'))).toMatch(/deliver\.ts$/);
    expect(await wordsInSight(open.page.getByTestId('step-r').locator('.steps_on'))).toMatch(/read\.ts$/);
    await line.getByRole('button').first().click();
    expect(await wordsInSight(line.locator('.steps_whole-path'))).toBe(path);
  });

  it('leads from the path in an answer to its file and line', async () => {
    open = await pages.open();
    const words = 'It stands in `src/a.ts:12`, see lib/b.ts and [the test](test/c.ts#L7).';
    await show(conversation([turn('a', [text('x', words)])]));
    for (const name of ['src/a.ts:12', 'lib/b.ts', 'the test']) await feed().getByRole('button', { name }).click();
    expect(await did()).toEqual([
      ['openPath', 'src/a.ts', 12],
      ['openPath', 'lib/b.ts', null],
      ['openPath', 'test/c.ts', 7],
    ]);
  });

  it('is reached with the keyboard alone', async () => {
    open = await pages.open();
    const { page } = open;
    await show(
      conversation([
        turn('a', [
          shell('1', 'one', 'a'),
          text('x', 'words'),
          shell('2', 'two', 'b', { state: 'failed', exitCode: 1 }),
        ]),
        long('b'),
      ]),
    );
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.querySelector('.sr')?.textContent ?? '');
    await feed().focus();
    await page.keyboard.press('Home');
    await page.getByTestId('turn-a').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toMatch(/^Run one/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toMatch(/^Run two, failed, exit 1/);
    await page.keyboard.press('Enter');
    await page.locator('.steps_tool-line[aria-expanded="true"]').waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toMatch(/^Run one/);
    await page.keyboard.press('e');
    await expect.poll(focused).toMatch(/^Run two/);
    await page.keyboard.press('End');
    await expect.poll(left).toBeLessThan(1);
  });
});

describe('a step that fails', () => {
  const running = (state: 'running' | 'failed') =>
    conversation([
      long('a'),
      turn('b', [shell('s', 'npm test', 'exit 1', { state, endedAt: state === 'running' ? null : began })], {
        ...{ state: 'running', endedAt: null, cost: null },
      }),
    ]);
  const isOpen = (): Promise<string | null> =>
    open.page.getByTestId('step-s').locator('.steps_tool-line').getAttribute('aria-expanded');

  it('opens by itself while it is the last one and followed, and stays as a person leaves it', async () => {
    open = await pages.open();
    await show(running('running'));
    await open.page.getByTestId('step-s').waitFor();
    await show(running('failed'));
    await expect.poll(isOpen).toBe('true');
    await open.page.getByTestId('step-s').locator('.steps_tool-line').click();
    await show(streaming('more'));
    await show(running('failed'));
    expect(await isOpen()).toBe('false');
  });

  it('does not while a person reads further up, nor where it had failed before', async () => {
    open = await pages.open();
    await show(running('failed'));
    await open.page.getByTestId('step-s').waitFor();
    await settled(open.page);
    expect(await isOpen()).toBe('false');
    await show(running('running'));
    await feed().hover();
    await open.page.mouse.wheel(0, -100);
    await open.page.getByRole('button', { name: 'Go to the end' }).waitFor();
    await show(running('failed'));
    await settled(open.page);
    expect(await isOpen()).toBe('false');
  });
});

describe('what was sent', () => {
  it('is seen: its sending leads to the end', async () => {
    open = await pages.open();
    const { page } = open;
    await show(conversation([long('a'), long('b')]));
    await expect.poll(left).toBeLessThan(1);
    await feed().focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Go to the end' }).waitFor();
    // The browser scrolls there step by step, and each is one of the person's.
    await expect.poll(() => feed().evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await page.evaluate((one) => window.show(one, { sent: 1 }), conversation([long('a'), long('b')]));
    await expect.poll(left).toBeLessThan(1);
    await expect.poll(() => page.getByRole('button', { name: 'Go to the end' }).count()).toBe(0);
  });
});

describe('words in the conversation', () => {
  const field = () => open.page.getByRole('textbox', { name: 'Find in conversation' });
  const count = () => open.page.getByRole('search').getByRole('status');
  const marked = (): Promise<string[]> =>
    open.page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => `${range}`));
  const markedNow = (): Promise<string> =>
    open.page.evaluate(() => [...(CSS.highlights.get('found-now') ?? [])].map((range) => `${range}`).join('|'));
  const isInView = (): Promise<boolean> =>
    open.page.evaluate(() => {
      const [range] = CSS.highlights.get('found-now') ?? [];
      const place = range instanceof Range ? range.getBoundingClientRect() : null;
      const view = document.querySelector('[role=feed]')?.getBoundingClientRect();
      return place != null && view != null && place.top >= view.top && place.bottom <= view.bottom;
    });
  const output = `${'line\n'.repeat(20)}a needle in the middle\n${'line\n'.repeat(20)}`;
  const hay = conversation([
    long('a', { prompt: [{ type: 'text', text: 'Where is the Needle?' }] }),
    turn('b', [text('t', 'The **nee**dle was here.'), shell('s', 'look', output)]),
    long('c'),
  ]);

  const longCommand = `echo ${'a '.repeat(40)} needle`;
  const changed = edit('s', '/hay/a.ts', 'pin\n', 'needle\n');
  const plan = '# Find the **nee**dle\n\nLook for it.';
  it.each([
    ['a command of several lines', shell('s', 'cd hay\nfind needle', 'nothing')],
    ['a long command', shell('s', longCommand, 'nothing')],
    ['a command in its line', shell('s', 'find needle', 'nothing')],
    ['the text of an edit', { ...changed, content: [...changed.content, ...said('Changed to needle.')] }],
    ['the title of a plan', step('s', { stepKind: 'plan', title: 'Plan', input: { plan } })],
    ['a question', step('s', { stepKind: 'question', input: { questions: [{ question: 'Which needle?' }] } })],
    ['a web query', step('s', { stepKind: 'web', tool: 'WebSearch', input: { query: 'needle' } })],
    [
      'a result of a web query',
      searched('find', [{ title: 'A hay stack', url: 'https://needle.example/' }], 'Nothing else.'),
    ],
    ['a long web query', step('s', { stepKind: 'web', tool: 'WebSearch', input: { query: longCommand } })],
  ])('count one place once where the step is open: %s', async (_, one) => {
    open = await pages.open();
    const { page } = open;
    await show(conversation([turn('t', [one, text('x', 'The last needle.')])]));
    await feed().waitFor();
    await page.getByTestId('step-s').getByRole('button').first().click();
    await page.keyboard.press('Control+f');
    await field().fill('needle');
    await expect.poll(() => count().textContent()).toMatch(/ of 2$/);
    await expect.poll(marked).toEqual(['needle', 'needle']);
    await page.getByRole('search').getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => count().textContent()).toBe('1 of 2');
    await expect.poll(isInView).toBe(true);
  });

  it('are found in closed steps too, counted, marked and gone to, and following ends', async () => {
    open = await pages.open();
    const { page } = open;
    await show(hay);
    await feed().waitFor();
    await page.keyboard.press('Control+f');
    await field().fill('needle');
    // From where it is read: the end.
    await expect.poll(() => count().textContent()).toBe('3 of 3');
    await expect.poll(markedNow).toBe('needle');
    await expect.poll(isInView).toBe(true);
    expect(await page.getByTestId('step-s').locator('.steps_tool-line').getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'Go to the end' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => count().textContent()).toBe('1 of 3');
    await expect.poll(markedNow).toBe('Needle');
    await expect.poll(isInView).toBe(true);
    await page.keyboard.press('F3');
    await expect.poll(() => count().textContent()).toBe('2 of 3');
    // Marks of emphasis are none of the words.
    await expect.poll(markedNow).toBe('needle');
    await page.keyboard.press('Shift+F3');
    await expect.poll(() => count().textContent()).toBe('1 of 3');
    await field().fill('no such words');
    await expect.poll(() => count().textContent()).toBe('Not found');
    await expect.poll(marked).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('search').count()).toBe(0);
    expect(await feed().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('are looked for in older turns, which are read for it, and the place stays', async () => {
    open = await pages.open();
    const { page } = open;
    const newer = [turn('b', [text('t', 'one needle')]), long('c')];
    await show({ ...conversation(newer), hasOlder: true });
    await feed().waitFor();
    await page.keyboard.press('F3');
    await field().fill('needle');
    await expect.poll(() => count().textContent()).toBe('1 of 1…');
    await expect.poll(did).toContainEqual(['loadOlder']);
    await show(conversation([turn('a', [text('u', 'a needle and a needle')]), ...newer]));
    await expect.poll(() => count().textContent()).toBe('3 of 3');
    await page.keyboard.press('F3');
    await expect.poll(() => count().textContent()).toBe('1 of 3');
  });

  it('are shown at the time at which they were found from outside, without the focus', async () => {
    open = await pages.open();
    const { page } = open;
    const at = (id: string, minutes: number) =>
      turn(id, [text(id, `needle of ${id}`)], { startedAt: began + minutes * 60_000 });
    const given = conversation([
      at('a', 0),
      long('x', { startedAt: began }),
      at('b', 9),
      at('c', 20),
      long('d', { startedAt: began + 1_800_000 }),
    ]);
    await page.evaluate(([one, request]) => window.show(one, { request }), [
      given,
      { words: 'needle', at: began + 10 * 60_000 },
    ] as const);
    await expect.poll(() => count().textContent()).toBe('2 of 3');
    await expect.poll(isInView).toBe(true);
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(false);
  });
});

describe('for screen readers and keyboards', () => {
  it.each(['light', 'dark'] as const)('it is sound in %s colours, and says what it is', async (colorScheme) => {
    open = await pages.open({ colorScheme, viewport: { width: 912, height: 1_600 } });
    const { page } = open;
    await show(
      conversation([
        turn('a', [
          read('r', '/w/a.ts'),
          edit('e', '/w/a.ts', 'a', 'b'),
          text(
            'x',
            '# Head\n\n- [x] done\n\n| a |\n|---|\n| b |\n\n```ts\nconst a = 1;\n```\n\n[l](https://example.com)',
          ),
        ]),
        turn('b', [shell('s', 'npm test', '\u001b[31mred\u001b[0m', { state: 'failed', exitCode: 1 })], {
          state: 'failed',
          problem: { code: 'refused', text: 'No.', remedy: '', requestId: '1', stderr: null },
        }),
        turn('c', [{ kind: 'compaction', id: 'k', isOpen: false, at: began, before: 9, after: 1, summary: 'S' }], {
          state: 'cancelled',
        }),
      ]),
    );
    for (const id of ['r', 'e', 's']) await page.getByTestId(`step-${id}`).locator('.steps_tool-line').click();
    await page.locator('pre code span').first().waitFor();
    const violations = await axeViolations(
      page,
      without('page-has-heading-one', 'landmark-one-main', 'region', 'heading-order'),
    );
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(
      await page
        .getByRole('article')
        .evaluateAll((all) =>
          all.map((one) => [
            one.getAttribute('aria-label'),
            one.getAttribute('aria-posinset'),
            one.getAttribute('aria-setsize'),
          ]),
        ),
    ).toEqual([
      ['Prompt, 10:39:41', '1', '3'],
      ['Prompt, 10:39:41', '2', '3'],
      ['Prompt, 10:39:41', '3', '3'],
    ]);
    expect(await page.getByRole('button', { name: 'Run npm test, failed, exit 1, 0.9 seconds' }).count()).toBe(1);
  });
});
