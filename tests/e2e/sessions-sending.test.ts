import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentDescription } from '../../app/sessions/agents/agent.ts';
import { FakeAgent } from '../app/sessions/host/fake-agent.ts';
import { samplePath } from '../app/sessions/transcripts/samples.ts';
import { prompt, type Stack } from '../app/stack.ts';
import { desktopSecrets } from '../renderer/page-of-health-and-settings.ts';
import { until } from '../soon.ts';
import { Chromium, type ChromiumWindow, type WindowOptions } from './chromium-window.ts';

/** What the state of the app, of a session and of its folder means for sending: the line under the field. */
const id = '00000000-0000-4000-8000-000000000001';
let chromium: Chromium;
let person: string;
let project: string;
let agent: FakeAgent;
let blocker: Server | null = null;

beforeAll(async () => {
  chromium = await Chromium.launch();
});
beforeEach(() => {
  agent = new FakeAgent();
  agent.conversations.add(id);
  person = mkdtempSync(join(tmpdir(), 'jumpseat-sending-'));
  project = join(person, 'project');
  mkdirSync(project);
  const kept = join(person, '.claude', 'projects', 'project');
  mkdirSync(kept, { recursive: true });
  const text = readFileSync(samplePath('steered'), 'utf8').replaceAll(
    /"cwd":"[^"]*"/g,
    `"cwd":${JSON.stringify(project)}`,
  );
  writeFileSync(join(kept, `${id}.jsonl`), text);
});
afterEach(async () => {
  const complaints = await chromium.closeWindows();
  blocker?.close();
  blocker = null;
  rmSync(person, { recursive: true, force: true, maxRetries: 5 });
  expect(complaints).toEqual([]);
});
afterAll(() => chromium?.close());

const open = async (options: WindowOptions = {}, description: AgentDescription = agent): Promise<ChromiumWindow> => {
  const window = await chromium.window({
    secrets: desktopSecrets(),
    settings: { version: 1, welcomedAt: 1 },
    ...{ person, at: `#/sessions/${id}` },
    ...options,
    app: { agents: [description], ...options.app },
  });
  const { page } = window;
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello there');
  return window;
};
const line = (page: Page) => page.getByTestId('sending');
const says = (page: Page, words: string | RegExp) => line(page).getByText(words).waitFor();
const button = (page: Page, name: string) =>
  page.locator('.composer_composer').getByRole('button', { name, exact: true });
const isGrey = (page: Page, name = 'Send') => button(page, name).isDisabled();
const sent = () => agent.asked.filter(({ method }) => method === 'session/prompt');
const refused = (code: string) => ({
  kind: 'answer' as const,
  ...{ status: 429, headers: { 'retry-after': '7200' }, body: { error: { code, message: code } } },
});

async function takenPort(): Promise<number> {
  const server = createServer();
  blocker = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('sending waits for what is missing', () => {
  it('a sign-in', async () => {
    const { page } = await open({ secrets: desktopSecrets(null) });
    await says(page, 'Sending needs a sign-in.');
    await expect.poll(() => isGrey(page)).toBe(true);
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Hello there');
  });

  it('the proxy, which it turns on', async () => {
    const { page } = await open({ before: ({ app }: Stack) => app.stopProxy() });
    await says(page, 'Sending needs the proxy.');
    await expect.poll(() => isGrey(page)).toBe(true);
    await button(page, 'Turn proxy on').click();
    await line(page).waitFor({ state: 'detached' });
    await expect.poll(() => isGrey(page)).toBe(false);
  });

  it('a free port, which it takes', async () => {
    const { page } = await open({
      idle: true,
      before: async ({ app }) => {
        await app.changePreferences({ port: await takenPort() }, { restart: false });
        await expect(app.startProxy()).rejects.toThrow();
      },
    });
    await says(page, 'Sending needs the proxy.');
    await button(page, 'Use a free port').click();
    await line(page).waitFor({ state: 'detached' });
  });

  it('Copilot’s access', async () => {
    const { page } = await open({
      before: async ({ simulator, app }) => {
        simulator.script.refuseMint('subscription_ended');
        await app.refresh();
      },
    });
    await says(page, 'This account has no access to Copilot.');
    await expect.poll(() => isGrey(page)).toBe(true);
  });

  it('its folder, which is elsewhere now', async () => {
    const { page, stack } = await open();
    await until(async () => !(await isGrey(page)));
    renameSync(project, join(person, 'moved'));
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await says(page, /\/project no longer exists\.$/);
    await expect.poll(() => isGrey(page)).toBe(true);
    await stack.app.moveSession({ session: id, folder: join(person, 'moved') });
    await line(page).waitFor({ state: 'detached' });
    await button(page, 'Send').click();
    await until(() => sent().length === 1);
    expect(agent.asked.find(({ method }) => method === 'session/resume')?.params).toMatchObject({
      cwd: join(person, 'moved'),
    });
  });

  it('a session of its own, whatever conversation of a terminal was read before', async () => {
    const { page, stack } = await open();
    await until(async () => !(await isGrey(page)));
    await page.getByRole('button', { name: 'New session', exact: true }).first().click();
    await page.getByText('Nothing starts before you send.').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Something else');
    await stack.app.trustFolder(project);
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await until(() => sent().length === 1);
    expect(agent.asked.map(({ method }) => method)).not.toContain('session/resume');
    expect(page.url()).not.toContain(id);
    const begun = await stack.app.session(String(sent()[0]?.params.sessionId));
    expect(begun).toMatchObject({ cwd: project });
    expect(await stack.app.session(id)).toMatchObject({ state: 'provisional', sentAt: null });
  });

  it('another program that has it open; a fork goes on here', async () => {
    const notes = join(person, '.claude', 'sessions');
    mkdirSync(notes);
    writeFileSync(join(notes, '1.json'), JSON.stringify({ pid: process.pid, sessionId: id, entrypoint: 'cli' }));
    const { page } = await open();
    await says(page, 'Close it there first, or go on in a copy. Two at once would lose messages.');
    await expect.poll(() => isGrey(page)).toBe(true);
    expect(await page.getByRole('textbox', { name: 'Message' }).getAttribute('placeholder')).toBe(
      'This session is open in a terminal.',
    );
    expect(await page.getByTestId('mode').count()).toBe(0);
    await page.getByRole('button', { name: 'Session actions' }).click();
    const inMenu = (name: string) => page.getByRole('menuitem', { name });
    await inMenu('Delete…').getByText('It is open in another program. Close it there first.').waitFor();
    expect([await inMenu('Delete…').isDisabled(), await inMenu('Fork').isDisabled()]).toEqual([true, false]);
    await page.keyboard.press('Escape');
    await button(page, 'Fork and go on here').click();
    await until(() => !page.url().includes(id));
    await page.getByText(/^Forked from “/).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Go on');
    await button(page, 'Send').click();
    await until(() => sent().length === 1);
  });

  it('Claude Code, and no longer once it was fetched', async () => {
    let isHere = false;
    const described: AgentDescription = {
      ...{
        name: agent.name,
        title: 'Claude Code',
        modes: agent.modes,
        respectsTrust: agent.respectsTrust,
        mcp: agent.mcp,
      },
      models: () => agent.models(),
      prepare: (start) => agent.prepare(start),
      connect: (handlers) => agent.connect(handlers),
      availability: async () =>
        isHere
          ? { available: true, version: '2.1.328', from: 'fetched' }
          : {
              ...{ available: false, kind: 'missing', reason: 'There is no Claude Code.', remedy: 'Fetch it.' },
              fetchable: { bytes: 1 },
            },
      fetch: async () => {
        isHere = true;
      },
    };
    const { page, stack } = await open({}, described);
    await says(page, 'Claude Code isn’t set up for this window.');
    await expect.poll(() => isGrey(page)).toBe(true);
    await button(page, 'Choose where it comes from').waitFor();
    await stack.app.fetchAgent('claude');
    await line(page).waitFor({ state: 'detached' });
    await button(page, 'Send').click();
    await until(() => sent().length === 1);
  });

  it('a model that is on', async () => {
    const { page, stack } = await open({
      before: ({ app }) => app.chooseForSession({ session: id, choices: { model: 'claude-opus-4.5' } }),
    });
    await says(page, 'claude-opus-4.5 is off for this account.');
    await expect.poll(() => isGrey(page)).toBe(true);
    await button(page, 'Choose another').click();
    await page.getByRole('menu', { name: 'Model' }).getByText('Enable on GitHub').waitFor();
    await page.getByRole('menu', { name: 'Model' }).getByRole('menuitemradio', { name: 'claude-opus-4.8' }).click();
    await line(page).waitFor({ state: 'detached' });
    expect((await stack.app.session(id)).model.wanted).toBe('claude-opus-4.8');
  });
});

describe('sending goes on', () => {
  it('once Copilot answers: the message waits in the queue', async () => {
    const { page, stack } = await open({
      before: async ({ app, simulator, messages }) => {
        await app.models();
        simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
        await messages(prompt('hello'));
        await messages(prompt('hello'));
      },
    });
    await says(page, 'No connection. It is sent as soon as Copilot answers.');
    await button(page, 'Queue').click();
    await page
      .getByTestId(/^queue-/)
      .getByText('Hello there')
      .waitFor();
    expect(sent()).toEqual([]);
    stack.simulator.script.clear();
    await page.getByRole('button', { name: 'Try again now' }).click();
    await until(() => sent().length === 1);
    await page.getByTestId(/^queue-/).waitFor({ state: 'detached' });
  });

  it('without credits, as Copilot decides', async () => {
    const { page } = await open({ simulator: { user: { remaining: 0 } } });
    await says(
      page,
      /^Out of credits until \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\. A GitHub budget, or a higher one, lets it go on now\.$/,
    );
    await expect.poll(() => isGrey(page)).toBe(false);
  });

  it('at a limit', async () => {
    const { page } = await open({
      before: async (stack) => {
        stack.simulator.script.next(refused('user_weekly_rate_limited'));
        await stack.messages(prompt('hello'));
      },
    });
    await says(page, /^The weekly limit holds until [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\.$/);
    await expect.poll(() => isGrey(page)).toBe(false);
  });
});
