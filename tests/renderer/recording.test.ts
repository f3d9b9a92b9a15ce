import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isSound, pagesOf } from './pages-of.ts';

/** What was said, and what it took, in a real browser against the real app. */

const requests = pagesOf('requests');

const hostile = '<img src=x onerror="alert(1)"></pre><script>alert(2)</script>';
const asked = {
  model: 'opus',
  max_tokens: 100,
  stream: true,
  thinking: { type: 'adaptive' },
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', scope: 'global' } }],
  messages: [{ role: 'user', content: `the-needle and ${hostile} with gho_abcdefghijklmnopqrstuvwxyz0123456789` }],
};
const fromClaudeCode = {
  'x-claude-code-session-id': '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3',
  'x-claude-code-request-class': 'main',
  'x-claude-code-prompt-id': '1ec277a0-93f1-4e0c-8a15-d2b64c90fe11',
  'x-claude-code-prev-tool-durations': 'Bash=24;Read=3',
};

/** Opens the last request of the list on a tab. */
async function openTab(page: Page, tab: string) {
  await page.locator('.requests_row').last().click();
  await page.getByTestId(`detail-tab-${tab}`).click();
  return page.getByTestId('detail');
}

describe('recording what is said', () => {
  it('is off until the person agrees, shows that it is on, and shows what was said', async () => {
    const { page, stack, complaints } = await requests();
    await stack.messages(asked, fromClaudeCode);
    const detail = await openTab(page, 'request');
    await detail
      .getByText('Jumpseat saves sizes and counts, not the text. To record bodies from now on, turn on')
      .waitFor();
    await detail.getByText('1 (1 user)').waitFor();
    expect(await page.getByText('Recording bodies').count()).toBe(0);

    await detail.getByRole('button', { name: 'Record bodies…' }).click();
    const question = page.getByRole('dialog', { name: 'Record requests and answers?' });
    await question
      .getByText('Prompts, code, tool output and answers stay in this machine’s memory, at most 64 MB, until you quit.')
      .waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(stack.app.state().recording.on).toBe(false);
    await detail.getByRole('button', { name: 'Record bodies…' }).click();
    await question.getByRole('button', { name: 'Record bodies' }).click();
    const foot = page.locator('.list-foot').getByRole('link', { name: 'Recording bodies' });
    expect(await foot.getAttribute('href')).toBe('#/settings/privacy');
    await detail.getByText('Bodies are recorded now. This request began before that').waitFor();

    await stack.messages(asked, fromClaudeCode);
    await expect.poll(() => page.locator('.requests_row').count()).toBe(2);
    await openTab(page, 'request');
    const body = detail.locator('.detail_body-text');
    await body.getByText('"model": "claude-opus-4.8"').waitFor();
    const sent = (await body.textContent()) ?? '';
    // Text, whatever it looks like; and no token in it.
    expect(sent).toContain('<img src=x onerror=\\"alert(1)\\"></pre><script>alert(2)</script>');
    expect(sent).toContain('[redacted]');
    expect(sent).not.toContain('gho_abcdef');
    expect(await page.locator('.detail_detail img, .detail_detail script').count()).toBe(0);
    await detail.getByRole('button', { name: 'Received by Jumpseat' }).click();
    await body.getByText('"model": "opus"').waitFor();
    await detail.getByRole('button', { name: 'Difference' }).click();
    await body.getByText('+ "claude-opus-4.8"').waitFor();
    expect(await body.textContent()).toContain('system[0].cache_control.scope\n− "global"');

    await page.getByTestId('detail-tab-response').click();
    await body.getByText('— text —').waitFor();
    await detail.getByText(/^1 text/).waitFor();
    await detail.getByRole('button', { name: 'Events' }).click();
    await body.getByText('event: message_start').waitFor();
    await isSound({ page, complaints });
  });

  it('finds words in a body by the keyboard', async () => {
    const { page, stack } = await requests();
    stack.app.record(true);
    await stack.messages(asked);
    const detail = await openTab(page, 'request');
    const text = detail.getByRole('region', { name: 'Sent to Copilot, text' });
    await text.getByText('the-needle').waitFor();
    await text.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('E-NEEDLE');
    await detail.getByText('1 of 1').waitFor();
    expect(await marked(page)).toEqual(['e-needle']);
    // Letters are words there, not keys of the list.
    await page.keyboard.press('Control+a');
    await page.keyboard.type('jk[]u');
    await detail.getByText('Nothing found').waitFor();
    expect(await page.getByTestId('detail-tab-request').getAttribute('aria-selected')).toBe('true');
  });

  it('cuts what is big, and shows all of it where that is wanted', async () => {
    const { page, stack } = await requests();
    stack.app.record(true);
    const lines = Array.from({ length: 25_000 }, (_, line) => ({ type: 'text', text: `line ${line} of many` }));
    await stack.messages({ ...asked, messages: [{ role: 'user', content: lines }] });
    const detail = await openTab(page, 'request');
    await detail.getByText('The first 256 kB are shown.').waitFor();
    const text = detail.locator('.detail_body-text');
    expect((await text.textContent())?.length).toBe(256_000);
    await detail.getByRole('button', { name: /^Show all \d\.\d MB$/ }).click();
    await expect.poll(async () => (await text.textContent())?.includes('line 24999 of many')).toBe(true);
    // Only what is in sight was laid out, so that a person can go on.
    await detail.getByRole('searchbox', { name: 'Find in this body' }).fill('line 24999 of many');
    await detail.getByText('1 of 1').waitFor();
    expect(await marked(page)).toEqual(['line 24999 of many']);
  });

  it('says what was let go of, and why', async () => {
    const { page, stack } = await requests();
    await stack.app.changePreferences({ bodies: { megabytes: 1, minutes: null } });
    stack.app.record(true);
    await stack.messages(asked);
    await stack.messages({ ...asked, messages: [{ role: 'user', content: 'x'.repeat(600_000) }] });
    await expect.poll(() => page.locator('.requests_row').count()).toBe(2);
    const detail = await openTab(page, 'request');
    await detail.getByText('This body was dropped to stay under 1 MB.').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/settings/privacy`);
    await page.getByRole('switch', { name: 'Record bodies' }).click();
    await expect.poll(() => stack.app.state().recording.on).toBe(false);
  });

  it('filters by what was said', async () => {
    const { page, stack } = await requests();
    stack.app.record(true);
    await stack.messages(asked);
    await page.getByRole('combobox').fill('something');
    await page.getByText('The only request doesn’t match this filter.').waitFor();
    await page.getByRole('combobox').fill('');
    await stack.messages({ ...asked, messages: [{ role: 'user', content: 'something else' }] });
    await expect.poll(() => page.locator('.requests_row').count()).toBe(2);
    await page.getByRole('combobox').fill('THE-NEEDLE');
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    await page.getByRole('combobox').fill('has:body');
    await expect.poll(() => page.locator('.requests_row').count()).toBe(2);
    stack.app.forgetBodies();
    await page.getByText('None of 2 requests matches this filter.').waitFor();
  });

  it('exports what was said only where the person wants it', async () => {
    const { page, stack } = await requests();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('Nothing recorded').waitFor();
    await page.keyboard.press('Escape');
    stack.app.record(true);
    await stack.messages(asked);
    await expect.poll(() => page.locator('.requests_row').count()).toBe(1);
    const exported = async (withBodies: boolean): Promise<string> => {
      await page.getByRole('button', { name: 'Export' }).click();
      const include = page.getByRole('checkbox', { name: 'Include bodies' });
      expect(await include.isChecked()).toBe(false);
      if (withBodies) {
        await include.check();
        await page.getByText('Bodies hold prompts, code and tool output. Look before you share.').waitFor();
      }
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export 1 request' }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    expect(await exported(false)).not.toContain('the-needle');
    const text = await exported(true);
    expect(JSON.parse(text).bodies.sent).toContain('the-needle');
    expect(text).not.toContain('gho_abcdef');
  });

  it('shows headers without their secrets, and the time that each step took', async () => {
    const { page, stack, complaints } = await requests();
    await stack.messages(asked, { ...fromClaudeCode, 'x-api-key': 'sk-ant-api03-something-secret-1234' });
    const detail = await openTab(page, 'headers');
    await detail.getByText('x-initiator').waitFor();
    const headers = (await detail.locator('.detail_header-list').first().textContent()) ?? '';
    expect(headers).toContain('authorization•••••••• (redacted)');
    expect(headers).toContain('x-initiatoruser');
    await detail.getByText('From the client').click();
    await detail.getByText('x-claude-code-request-class').waitFor();
    const all = (await detail.textContent()) ?? '';
    expect(all).toContain('x-api-key•••••••• (redacted)');
    for (const secret of ['sk-ant-api03', stack.key, 'tid=']) expect(all).not.toContain(secret);
    await page.getByTestId('detail-tab-timing').click();
    for (const name of ['Read request', 'Prepare for Copilot', 'Token', 'Connect', 'Wait for headers', 'Stream'])
      await detail.getByRole('row', { name: new RegExp(`^${name} `) }).waitFor();
    await detail.getByRole('row', { name: 'Bash 24 ms' }).waitFor();
    await detail.getByText('Longest gap').waitFor();
    await isSound({ page, complaints });
  });

  it('counts the output of a running answer', async () => {
    const { page, stack } = await requests();
    const rest = Promise.withResolvers<void>();
    stack.simulator.script.next({ kind: 'usual', before: (index) => (index > 6 ? rest.promise : undefined) });
    const answer = stack.messages(asked);
    const output = page.locator('.requests_row').getByTestId('cell-output');
    await output.getByText(/^[1-9]\d*$/).waitFor();
    expect(await page.locator('.requests_row').getAttribute('aria-busy')).toBe('true');
    expect(await output.locator('span').getAttribute('title')).toContain('estimated by Jumpseat');
    // One that opens while the answer stands still has missed every event of it.
    await page.reload();
    await output.getByText(/^[1-9]\d*$/).waitFor();
    rest.resolve();
    await answer;
    const [row] = await stack.rows(1);
    await output.getByText(String(row?.tokens.output), { exact: true }).waitFor();
  });
});

/** The words that are marked as the place that is looked at. */
function marked(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(CSS.highlights.get('body-current') ?? [])].map(String));
}
