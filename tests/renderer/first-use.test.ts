import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AgentDescription, Availability } from '../../app/sessions/agents/agent.ts';
import { isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const missing: Availability = {
  available: false,
  kind: 'missing',
  reason: 'There is no Claude Code on the PATH.',
  mend: 'Let Jumpseat fetch it.',
  fetchable: { bytes: 68_200_000 },
};

/** A Claude Code that isn’t here before it was fetched; the first fetch fails. */
function claude(): { agent: AgentDescription; finish: () => void; fetches: () => number } {
  let state: Availability = missing;
  let fetches = 0;
  let finish = (): void => undefined;
  const unused = () => Promise.reject(new Error('This one is never started.'));
  const agent: AgentDescription = {
    ...{ name: 'claude', title: 'Claude Code', modes: [], heeds: [], mcp: { http: false, sse: false } },
    models: async () => ['opus', 'sonnet'].map((id) => ({ id, model: `claude-${id}-4.8`, efforts: ['low', 'high'] })),
    availability: async () => state,
    fetch: async () => {
      fetches += 1;
      if (fetches === 1) throw new Error('The registry doesn’t answer.');
      await new Promise<void>((done) => {
        finish = done;
      });
      state = { available: true, version: '2.1.328', from: 'fetched' };
    },
    connect: unused,
    prepare: unused,
  };
  return { agent, finish: () => finish(), fetches: () => fetches };
}

it('where there is no Claude Code, the sessions offer one, say why it failed, and go on when it is there', async () => {
  const { agent, finish, fetches } = claude();
  const shown = await pages.at('sessions', { stack: { app: { agents: [agent] } } });
  const { page } = shown;
  const pane = page.getByTestId('first-use');
  await pane.getByRole('heading', { name: 'Run Claude Code in this window' }).waitFor();
  await pane.getByText('There is no Claude Code on the PATH. Let Jumpseat fetch it.').waitFor();
  await pane.getByText('68.2 MB').waitFor();
  await isSound(shown);
  expect(fetches()).toBe(0);
  await pane.getByRole('button', { name: 'Fetch and use' }).click();
  await expect.poll(() => pane.getByRole('alert').innerText()).toContain('The copy couldn’t be fetched.');
  await page.evaluate(() => {
    window.location.hash = '#/sessions/new';
  });
  await pane.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => pane.getByRole('button', { name: 'Fetching…' }).isDisabled()).toBe(true);
  await expect.poll(fetches).toBe(2);
  finish();
  await page.getByRole('heading', { name: 'New session' }).waitFor();
  expect(await pane.count()).toBe(0);
});

it('settings of sessions say which Claude Code runs, fetch one, and apply at once', async () => {
  const { agent, finish, fetches } = claude();
  const shown = await pages.at('settings/sessions', { stack: { app: { agents: [agent] } } });
  const { page, stack } = shown;
  const section = page.locator('#settings-sessions');
  await expect.poll(() => page.locator('.settings-list [aria-current="true"]').innerText()).toBe('Sessions');
  await section.getByRole('button', { name: 'Fetch (68.2 MB)' }).click();
  await section.getByText('The copy couldn’t be fetched.').waitFor();
  await section.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(fetches).toBe(2);
  finish();
  await section.getByText('The copy that Jumpseat fetched, version 2.1.328.').waitFor();
  const sessions = () => stack.app.preferences().sessions;
  const atOnce = section.getByRole('textbox', { name: 'Running at once' });
  await atOnce.fill('33');
  await atOnce.press('Enter');
  await section.getByText('Choose a number from 1 to 32.').waitFor();
  expect(sessions().atOnce).toBe(4);
  await atOnce.fill('8');
  await atOnce.press('Enter');
  await section.getByRole('textbox', { name: 'Most credits per turn' }).fill('2.5');
  await section.getByRole('textbox', { name: 'Most credits per turn' }).press('Enter');
  await section.getByRole('combobox', { name: 'Unload idle sessions' }).selectOption('Never');
  await section.getByRole('switch', { name: 'Search what was said' }).click();
  await section.getByRole('switch', { name: 'Let Claude Code ask Anthropic about pages' }).click();
  const enter = section.getByRole('group', { name: 'Enter while Claude works' });
  await enter.getByRole('button', { name: 'Queue', pressed: true }).waitFor();
  await enter.getByRole('button', { name: 'Steer' }).click();
  await section.getByRole('combobox', { name: 'Permissions of new sessions' }).selectOption('Accept edits');
  expect(await section.getByRole('combobox', { name: 'Permissions of new sessions' }).innerText()).not.toContain(
    'Never',
  );
  const model = section.getByRole('combobox', { name: 'Model of new sessions' });
  await expect.poll(() => model.innerText()).toContain('sonnet');
  await model.selectOption('sonnet');
  await section.getByRole('combobox', { name: 'Effort of new sessions' }).selectOption('The model decides');
  await section.getByRole('combobox', { name: 'Keep versions for undo' }).selectOption('90 days');
  await section.getByRole('switch', { name: 'Sessions made elsewhere' }).click();
  // A browser opens no files of this machine.
  expect(await section.getByText('Open files with').count()).toBe(0);
  // What only the tray app has stays as it was.
  const wanted = {
    mode: 'acceptEdits',
    model: 'sonnet',
    effort: null,
    keepVersionsDays: 90,
    madeElsewhere: false,
    openFilesWith: 'system',
    search: false,
    atOnce: 8,
    unloadAfterMinutes: null,
    creditsPerTurn: 2.5,
    webFetchPreflight: true,
    enterWhileRunning: 'steer',
    titlesOutside: false,
  };
  await expect.poll(sessions).toEqual(wanted);
  expect(shown.settings().sessions).toEqual(wanted);
  await section.getByRole('button', { name: 'Delete versions…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete all versions kept for undo?' });
  await isSound(shown);
  await question.getByRole('button', { name: 'Delete versions' }).click();
  await page.getByText('No versions were kept.').waitFor();
  await isSound(shown);
});
