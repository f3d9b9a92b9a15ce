import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Block, Conversation } from '../../../../renderer/sessions/state/conversation.ts';
import { conversation, read, shell, step, text, turn } from '../transcript-page/example.ts';
import { type OpenPage, TranscriptPages } from '../transcript-page/open-page.ts';

/** Conversations that a model, a tool, a server or a repository wrote to do harm. */

const pages = new TranscriptPages();
beforeAll(() => pages.start(), 120_000);
afterAll(() => pages.stop());

let open: OpenPage;
afterEach(async () => {
  // Nothing was fetched, and nothing had to be refused by the page's policy: it was never set as markup.
  expect(open.fetched).toEqual([]);
  expect(open.complaints).toEqual([]);
  await pages.close(open);
});

const show = async (given: Conversation): Promise<void> => {
  open = await pages.open();
  await open.page.evaluate((one) => window.show(one, { actions: ['openAddress', 'openPath'] }), given);
  await open.page.getByRole('feed', { name: 'Conversation' }).waitFor();
};
/** Those in the page; each that is open is closed no more. */
const openAll = async (): Promise<void> => {
  const closed = open.page.locator('.steps_tool-line[aria-expanded="false"]');
  for (let most = 20; most > 0 && (await closed.count()) > 0; most--) await closed.first().click();
};
const everyElement = (): Promise<string[]> =>
  open.page.evaluate(() => [
    ...new Set([...document.querySelectorAll('.transcript_talk *')].map(({ localName }) => localName)),
  ]);

const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><use href="//evil.test/x"/></svg>',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<form action="//evil.test"><button formaction="javascript:window.hacked=1">go</button></form>',
  '<style>* { display: none }</style>',
  '<base href="//evil.test/">',
  '[a](javascript:window.hacked=1) [b](data:text/html,<script>1</script>) [c](vbscript:x) [d](app://bundle/x)',
  '![i](//evil.test/i.png) ![j](data:image/svg+xml,<svg onload=alert(1)>)',
  '<a href="https://evil.test" ping="https://evil.test/p">x</a>',
].join('\n\n');

describe('words that want to be a page', () => {
  it('are words, wherever they stand', async () => {
    const blocks: Block[] = [
      text('t', attacks),
      { kind: 'thinking', id: 'k', message: null, text: attacks, isOpen: false, startedAt: null, endedAt: null },
      shell('s', attacks, attacks),
      step('m', {
        stepKind: 'mcp',
        tool: 'mcp__evil__<b>x</b>',
        title: attacks,
        input: { a: attacks },
        content: [{ type: 'text', text: attacks }],
      }),
      step('i', {
        stepKind: 'other',
        tool: 'x',
        content: [
          { type: 'image', mimeType: 'image/svg+xml', data: btoa('<svg onload="window.hacked=1"/>') },
          { type: 'image', mimeType: 'text/html', data: btoa(attacks) },
          { type: 'image', mimeType: 'image/png" onerror="window.hacked=1', data: 'x' },
        ],
      }),
      { kind: 'compaction', id: 'c', isOpen: false, at: null, before: 1, after: 1, summary: attacks },
    ];
    await show(conversation([turn('a', blocks, { prompt: [{ type: 'text', text: attacks }] })]));
    await openAll();
    await open.page.getByRole('button', { name: 'Show summary' }).click();
    await expect.poll(() => open.page.locator('.transcript_summary').count()).toBe(1);
    for (const element of ['script', 'iframe', 'form', 'style', 'base', 'img', 'use', 'object', 'embed']) {
      expect(await everyElement()).not.toContain(element);
    }
    expect(await open.page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined();
    // Icons alone are drawn.
    expect(await open.page.locator('.transcript_talk svg:not(.octicon):not(.ring)').count()).toBe(0);
    expect(await open.page.locator('.transcript_talk a[href]').count()).toBe(0);
    expect(await open.page.locator('.transcript_talk [id]:not(.steps_tool-open)').count()).toBe(0);
  });

  it('lead nowhere without being asked about, and never by another scheme', async () => {
    await show(conversation([turn('a', [text('t', '[bank](https://gооgle.com/login) [x](javascript:1)')])]));
    await open.page.getByRole('button', { name: 'bank' }).click();
    const dialog = open.page.getByRole('dialog', { name: 'Open this address?' });
    await expect.poll(() => dialog.locator('b').textContent()).toMatch(/^xn--/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await open.page.evaluate(() => window.did)).toEqual([]);
    expect(await open.page.getByRole('button', { name: 'x', exact: true }).count()).toBe(0);
  });

  it('of a terminal keep their colours and lose every other power', async () => {
    const output = [
      '\u001b[2J\u001b[Hcleared',
      '\u001b]0;title\u0007named',
      '\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007',
      '\u001b[31mred\u001b[0m',
      '\u009b2Jwide',
      'over\rwritten',
      '\u001bPq#0;2;0;0;0\u001b\\sixel',
    ].join('\n');
    await show(conversation([turn('a', [shell('s', 'cat x', output)])]));
    await openAll();
    const shown = (await open.page.locator('.steps_tool-open pre').textContent()) ?? '';
    expect(shown.split('\n')).toEqual(['cleared', 'named', 'link', 'red', 'wide', 'written', 'sixel']);
    const red = open.page.locator('.steps_tool-open pre').getByText('red', { exact: true });
    expect(await red.evaluate(({ style }) => style.color)).toBe('var(--danger)');
  });

  it('that run from right to left turn nothing around them', async () => {
    const turned = '\u202egnp.exe \u2066 שלום';
    await show(conversation([turn('a', [read('r', `/w/${turned}`), shell('s', turned, turned), text('t', turned)])]));
    const line = open.page.getByTestId('step-s').locator('.steps_tool-line');
    const [verb, chevron] = [
      await line.locator('.steps_verb').boundingBox(),
      await line.locator('.steps_chev').boundingBox(),
    ];
    expect(verb?.x ?? 0).toBeLessThan(chevron?.x ?? 0);
    expect(await line.locator('bdi').count()).toBe(1);
  });
});

describe('too much of it', () => {
  it('a line of 5 MB is shown in part, and the page lives on', async () => {
    const line = 'x'.repeat(5_000_000);
    await show(
      conversation([
        turn('a', [shell('s', 'cat big', line), text('t', line), read('r', `/w/${line.slice(0, 100_000)}`)], {
          prompt: [{ type: 'text', text: line }],
        }),
      ]),
    );
    await openAll();
    expect(await open.page.evaluate(() => document.body.textContent?.length ?? 0)).toBeLessThan(500_000);
    await open.page.getByRole('feed', { name: 'Conversation' }).focus();
    await open.page.keyboard.press('End');
    await expect.poll(() => open.page.getByTestId('turn-figures-a').count()).toBe(1);
  });

  it('ten thousand steps in a turn are there, and few of them in the page', async () => {
    const blocks = Array.from({ length: 10_000 }, (_, at) => shell(`s${at}`, `run ${at}`, `out ${at}`));
    await show(conversation([turn('a', blocks)]));
    await expect.poll(() => open.page.getByTestId('step-s9999').count()).toBe(1);
    expect(await open.page.locator('.steps_tool').count()).toBeLessThan(200);
    await open.page.keyboard.press('Control+f');
    await open.page.getByRole('textbox', { name: 'Find in conversation' }).fill('run 77');
    await expect.poll(() => open.page.getByRole('search').getByRole('status').textContent()).toMatch(/of 111$/);
    await open.page.keyboard.press('Enter');
    await expect.poll(() => open.page.getByTestId('step-s77').count()).toBe(1);
  });
});
