import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { idOf, sampleLines } from '../app/sessions/transcripts/samples.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const key = 'k'.repeat(40);
const code = 'const answer = 6 * 7;\nconsole.log(answer);';
const answer = `Here it is:\n\n\`\`\`js\n${code}\n\`\`\``;
const session = idOf(1);

/** Every kind of Copy in the window of the tray app, looked at on the system's clipboard. */
describe.skipIf(electronPath === undefined)('Copy in the tray app', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let page: Page;

  beforeAll(async () => {
    desktop = await Desktop.start();
    simulator = await startSimulator();
    writeConversation(join(desktop.home, '.claude', 'projects', '-home-me-project'));
    program = await TrayProgram.start({ desktop, simulator, env: { JUMPSEAT_SECRETS: 'memory', JUMPSEAT_KEY: key } });
    page = await program.window();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterAll(async () => {
    await program?.close();
    await simulator?.close();
    await desktop?.close();
  });

  const go = (at: string) =>
    page.evaluate((hash) => {
      window.location.hash = hash;
    }, at);

  /** What lies on the clipboard after `act`, which has to put something there. */
  async function copied(act: () => Promise<unknown>): Promise<string> {
    const before = `nothing was copied ${Math.random()}`;
    await program.electron.evaluate(({ clipboard }, text) => clipboard.writeText(text), before);
    await act();
    return until(
      async () => {
        const text = await program.clipboard();
        return text === before ? null : text;
      },
      async () => ({ toasts: await page.getByTestId('toast').allTextContents() }),
    );
  }
  const button = (name: string) => () => page.getByRole('button', { name, exact: true }).click();

  it('the code of a sign-in', async () => {
    await go('#/sign-in');
    const shown = await page.getByTestId('device-code').innerText();
    expect(await copied(button('Copy code'))).toBe(shown);
    simulator.script.approve();
    await page
      .getByText(/octo-demo/)
      .first()
      .waitFor();
  });

  it('the proxy’s address', async () => {
    await go('#/requests');
    expect(await copied(button('Copy proxy address'))).toBe(`http://127.0.0.1:${program.port}`);
  });

  it('the local key, which is shown nowhere', async () => {
    await go('#/settings/proxy');
    expect(await copied(button('Copy key'))).toBe(key);
    await page.getByText('Local key copied.').waitFor();
    expect(await page.locator('body').innerText()).not.toContain(key);
  });

  it('a request’s id and its detail, by button, menu and key', async () => {
    const sent = await fetch(`http://127.0.0.1:${program.port}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}.smoke`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'claude-sonnet-4.6', max_tokens: 100 },
        messages: [{ role: 'user', content: 'hello' }],
      }),
    });
    await sent.text();
    await go('#/requests');
    await page.locator('.requests_row').click();
    const id = await until(() => /requests\/([^?]+)/.exec(page.url())?.[1]);
    expect(await copied(button('Copy id'))).toBe(id);
    const curl = /^curl .*\/v1\/messages/m;
    expect(await copied(button('Copy as cURL'))).toMatch(curl);
    expect(
      await copied(async () => {
        await page.locator('.requests_row').focus();
        await page.keyboard.press('c');
      }),
    ).toMatch(curl);
    const fromMenu = (name: string) => async () => {
      await page.locator('.requests_row').dispatchEvent('contextmenu', { clientX: 300, clientY: 200 });
      await page.getByRole('menuitem', { name }).click();
    };
    expect(JSON.parse(await copied(fromMenu('Copy as JSON')))).toMatchObject({ id, status: 200 });
    expect(await copied(fromMenu('Copy for a bug report'))).toContain('claude-sonnet-4.6');
    expect(await copied(fromMenu('Copy link'))).toContain(`#/requests/${id}`);
  });

  it('the health report', async () => {
    await go('#/health');
    await page.getByTestId('check-account.signed-in').getByText('octo-demo').waitFor();
    const report = await copied(button('Copy report'));
    expect(report).toMatch(/^Jumpseat \d+\.\d+\.\d+ · .*(Linux|Mac|Windows)[\s\S]*clock/i);
    expect(report).toMatch(/Signed in +yes/);
    expect(report).not.toContain('octo-demo');
  });

  it('of a conversation its code, an answer, the whole of it, and its id', async () => {
    await go(`#/sessions/${session}`);
    const transcript = page.getByTestId('transcript');
    const block = transcript.locator('.text_block', { hasText: 'const answer' });
    await block.hover();
    expect(await copied(() => block.getByRole('button', { name: 'Copy' }).click())).toBe(code);
    expect(await copied(() => page.getByRole('button', { name: 'Copy answer' }).last().click())).toBe(answer);
    expect(
      await copied(async () => {
        await transcript.getByText('Here it is:').click();
        await page.keyboard.press('c');
      }),
    ).not.toBe('');
    const fromMenu = (name: string) => async () => {
      await page.getByRole('button', { name: 'Session actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const conversation = await copied(fromMenu('Copy conversation as Markdown'));
    expect(conversation).toContain(answer);
    expect(await copied(fromMenu('Copy the line for a terminal'))).toMatch(
      new RegExp(`^cd .+(?: &&|;) claude --resume ${session}$`),
    );
  });
});

/** A conversation of a terminal's, whose last answer holds code. */
function writeConversation(folder: string): void {
  const lines = sampleLines('interrupted');
  const last = lines.findLast(({ type }) => type === 'assistant');
  Object.assign(last?.message ?? {}, { content: [{ type: 'text', text: answer }] });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${session}.jsonl`),
    `${lines.map((line) => JSON.stringify({ ...line, sessionId: session })).join('\n')}\n`,
  );
}
