import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { creditsOf } from '../../app/words/numbers.ts';
import { clockTime } from '../../app/words/times.ts';
import { FakeAgent, type FakeTurn } from '../app/sessions/host/fake-agent.ts';
import { prompt } from '../app/stack.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { Chromium, type ChromiumWindow } from './chromium-window.ts';

/** What the view says of a turn while it runs. */
const id = '00000000-0000-4000-8000-00000000000e';
let chromium: Chromium;
let person: string;
let agent: FakeAgent;
let window: ChromiumWindow;
let page: Page;
/** Ends the turn. */
let end: () => void;
let turn: FakeTurn;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(async () => {
  person = mkdtempSync(join(tmpdir(), 'jumpseat-running-'));
  const project = join(person, 'parcel-api');
  mkdirSync(project);
  agent = new FakeAgent();
  const ending = Promise.withResolvers<void>();
  end = ending.resolve;
  const begun = Promise.withResolvers<FakeTurn>();
  agent.script = async (given) => {
    begun.resolve(given);
    await Promise.race([ending.promise, given.stopped]);
    return 'end_turn';
  };
  window = await chromium.window({
    ...{ secrets: desktopSecrets(), settings: { version: 1, welcomedAt: 1 }, person, at: `#/sessions/${id}` },
    app: { agents: [agent] },
    before: async ({ app }) => {
      await app.trustFolder(project);
      await app.newSession({ id, cwd: project, agent: 'claude', title: 'The one', choices: {} });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Begin.' }] });
      turn = await begun.promise;
    },
  });
  ({ page } = window);
  await foot().waitFor();
});
afterEach(async () => {
  end();
  const complaints = await chromium.closeWindows();
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const foot = (): Locator => page.getByRole('region', { name: 'Session', exact: true }).locator('.panes_session-foot');
const row = (): Locator => page.getByTestId(`session-row-${id}`);
const today = (): Locator => page.locator('.panes_list .panes_session-foot');

/** How late the sum of today may be on a busy machine, in ms. Once it was up to 10 s late. */
const besideMs = 7_000;

/** As the agent asks, with the key of its session. Returns what it cost, in nano-AIU. */
async function request(): Promise<number> {
  const started = agent.asked.find(({ method }) => method === 'session/new')?.params._meta as {
    jumpseat: { key: string };
  };
  const before = await window.stack.rows(0);
  const authorization = `Bearer ${started.jumpseat.key}`;
  expect((await window.stack.messages(prompt('hello'), { authorization })).status).toBe(200);
  const exchange = (await window.stack.rows(before.length + 1)).at(-1);
  return exchange?.charge.nanoAiu ?? 0;
}

describe('a turn that runs', () => {
  it('moves what its session cost with every request, in the foot, in the row and in the sum of today', async () => {
    let nanoAiu = 0;
    for (const count of [1, 2, 3]) {
      nanoAiu += await request();
      const credits = creditsOf(nanoAiu);
      await foot().getByText(`${count} user, 0 agent requests`).waitFor();
      await foot().getByText(`${credits} credits`, { exact: true }).waitFor();
      await foot()
        .getByText(new RegExp(`^Working, [^,]+, ${credits.replace('.', '\\.')} credits so far$`))
        .waitFor();
      await row().getByText(credits, { exact: true }).waitFor();
      await today().getByText(`${credits} credits today`).waitFor({ timeout: besideMs });
    }
    expect(nanoAiu).toBeGreaterThan(0);
    // The list shows as many as are counted.
    expect(await foot().getByRole('link').getAttribute('href')).toMatch(/-is%3Ano-charge$/);
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('/cost');
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Credits of this session' });
    await dialog.getByRole('row', { name: /^1 .*3 user, 0 agent/ }).waitFor();
    nanoAiu += await request();
    await dialog
      .getByRole('row', { name: `4 user, 0 agent ${creditsOf(nanoAiu)}` })
      .first()
      .waitFor();
    expect(await dialog.getByRole('row').count()).toBe(3);
    expect((await window.stack.app.session(id)).state).toBe('running');
  });

  it('has its credits, once it has ended, in the form of the list and the session', async () => {
    const credits = creditsOf(await request());
    end();
    await page
      .getByTestId('transcript')
      .locator('.transcript_turn-foot')
      .getByText(`${credits} credits`, { exact: true })
      .waitFor();
    await row().getByText(credits, { exact: true }).waitFor();
    await foot().getByText(`${credits} credits`, { exact: true }).waitFor();
  });

  it('says that it waits for Copilot and when it tries again, until it has', async () => {
    const transcript = page.getByTestId('transcript');
    await turn.raw({ type: 'system', subtype: 'api_retry', retry_delay_ms: 3_600_000, error_status: 429 });
    const { retry } = await window.stack.app.session(id);
    const at = clockTime(retry?.at ?? 0);
    await row().getByText(`Retries at ${at}`).waitFor();
    await foot().getByText(`Waiting for Copilot (status 429), retries at ${at}`).waitFor();
    await transcript.getByText(`Waiting for Copilot (status 429), retries at ${at}`).waitFor();
    await request();
    await row().getByText('Thinking').waitFor();
    await foot()
      .getByText(/^Working/)
      .waitFor();
    await turn.raw({ type: 'system', subtype: 'api_retry', retry_delay_ms: 3_600_000, error_status: 500 });
    await foot().getByText('status 500').waitFor();
    await turn.say('An answer.');
    await row().getByText('Writing').waitFor();
  });
});
