import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { FoundProgram, NewestFound } from '../../app/api/sessions.ts';
import { PackageError } from '../../app/packages/package.ts';
import type { AgentDescription, Availability } from '../../app/sessions/agents/agent.ts';
import { type ProgramChoice, readChoice } from '../../app/sessions/agents/agent-programs.ts';
import { until } from '../soon.ts';
import { isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const missing: Availability = {
  available: false,
  kind: 'missing',
  reason: 'There is no Claude Code on the PATH.',
  remedy: 'Let Jumpseat fetch it.',
  fetchable: { bytes: 68_200_000 },
};

/** A Claude Code of which a test says what is here, and how its fetches end. */
class OfTest {
  own: FoundProgram | null = null;
  isHere = false;
  /** What leads it is here only in a version of an earlier Jumpseat. */
  hasOldLeader = false;
  /** Known without asking; `found`: once the registry was asked. */
  newer: { version: string; bytes: number } | null = null;
  found: () => Promise<NewestFound> = () => Promise.reject(new Error('It was not to be asked.'));
  version = '2.1.328';
  /** Each fetch waits for its end: nothing, or why it came to nothing. */
  readonly fetches: { from: string; received: (bytes: number) => void; end: (why?: Error) => void }[] = [];
  readonly #choice = (): ProgramChoice => readChoice(this.chosen());
  chosen: () => string | null = () => null;

  readonly agent: AgentDescription = {
    ...{ name: 'claude', title: 'Claude Code', modes: [], respectsTrust: [] },
    mcp: { http: false, sse: false, acp: false },
    models: async () => ['opus', 'sonnet'].map((id) => ({ id, model: `claude-${id}-4.8`, efforts: ['low', 'high'] })),
    availability: async () => {
      const from = this.#choice()?.from ?? (this.own === null ? 'fetched' : 'own');
      if (this.hasOldLeader) {
        const reason = 'Anthropic’s Agent SDK isn’t here.';
        const fetchable = { bytes: 1_600_000 };
        return { available: false, kind: 'leader-missing', reason, remedy: 'Let Jumpseat fetch it.', fetchable };
      }
      if (!this.isHere || (from === 'own' && this.own?.problem !== null)) return missing;
      return {
        available: true,
        version: this.version,
        from,
        path: from === 'own' ? '/home/me/bin/claude' : '/cache/claude',
      };
    },
    sources: async () => ({
      chosen: this.#choice()?.from ?? null,
      ...{ own: this.own, file: null, oldest: '2.1.273' },
      copy: { version: this.version, newer: this.newer, isHere: this.isHere, bytes: this.isHere ? 0 : 68_200_000 },
      leaderBytes: this.isHere ? 0 : 1_600_000,
      wasLed: this.hasOldLeader,
    }),
    refuseFile: async () => null,
    removeCopy: async () => {
      this.isHere = false;
    },
    updates: {
      look: () => this.found(),
      fetch: (options) =>
        this.#begun('fetched', options).then(() => {
          this.version = this.newer?.version ?? this.version;
          this.newer = null;
        }),
    },
    fetch: ({ from = 'fetched', ...options }) =>
      this.isHere && !this.hasOldLeader ? Promise.resolve() : this.#begun(from, options),
    connect: () => Promise.reject(new Error('This one is never started.')),
    prepare: () => Promise.reject(new Error('This one is never started.')),
  };

  #begun(from: string, { signal, onProgress }: Parameters<AgentDescription['fetch']>[0]): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      const received = (bytes: number): void => onProgress?.({ received: bytes, total: 68_200_000 });
      const end = (why?: Error): void => {
        if (why === undefined) {
          this.isHere = true;
          this.hasOldLeader = false;
          resolve();
        } else reject(why);
      };
      this.fetches.push({ from, received, end });
    });
  }

  /** The fetch that was begun last. */
  async fetch(nth: number): Promise<OfTest['fetches'][number]> {
    return until(() => this.fetches[nth]);
  }
}

async function pageOf(claude: OfTest, place: string) {
  const shown = await pages.at(place, { stack: { app: { agents: [claude.agent] } } });
  claude.chosen = () => {
    const { claudeProgram = null } = existsSync(join(shown.stack.home, 'settings.json')) ? shown.settings() : {};
    return typeof claudeProgram === 'string' ? claudeProgram : null;
  };
  return shown;
}

it('where there is no Claude Code, the sessions fetch one, and go on when it is there', async () => {
  const claude = new OfTest();
  const shown = await pageOf(claude, 'sessions/new');
  const { page, stack } = shown;
  const pane = page.getByTestId('first-use');
  await pane.getByRole('heading', { name: 'Run Claude Code in this window' }).waitFor();
  const sources = pane.getByRole('group', { name: 'Where Claude Code comes from' });
  const own = sources.getByRole('radio', { name: 'The claude on this machine' });
  const copy = sources.getByRole('radio', { name: 'A copy that Jumpseat fetches' });
  expect(await copy.isChecked()).toBe(true);
  await sources.getByText('Not found').waitFor();
  await sources.getByText('There’s no claude on your PATH.').waitFor();
  await sources.getByText('68.2 MB', { exact: true }).waitFor();
  await isSound(shown);
  await own.check();
  expect(await pane.getByRole('button', { name: 'Use this one' }).isDisabled()).toBe(true);
  await copy.check();
  expect(claude.fetches).toEqual([]);
  await pane.getByRole('button', { name: 'Learn more' }).click();
  await page.getByRole('dialog', { name: 'Claude Code in this window' }).getByRole('button', { name: 'Close' }).click();

  await pane.getByRole('button', { name: 'Fetch and use' }).click();
  (await claude.fetch(0)).received(41_700_000);
  await sources.getByText('Fetching, 41 of 68.2 MB').waitFor();
  expect(await own.isDisabled()).toBe(true);
  await isSound(shown);
  await pane.getByRole('button', { name: 'Cancel' }).click();
  await pane.getByRole('button', { name: 'Fetch and use' }).click();
  (await claude.fetch(1)).end(new PackageError('network', 'It couldn’t be fetched from registry.test.', 'Look at it.'));
  await expect
    .poll(() => pane.getByRole('alert').innerText())
    .toBe('The copy couldn’t be fetched. It couldn’t be fetched from registry.test. Look at it.');
  await isSound(shown);
  await pane.getByRole('button', { name: 'Try again' }).click();
  (await claude.fetch(2)).end(new PackageError('altered', 'Not the file.', 'Look at the registry.'));
  await expect.poll(() => pane.getByRole('alert').innerText()).toBe('The checksum doesn’t match. Nothing was saved.');
  await pane.getByRole('button', { name: 'Try again' }).click();
  const last = await claude.fetch(3);
  // Another page of the same app hears it too, also one that is opened meanwhile.
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/#.*/, '#/settings/sessions'));
  await other.locator('#settings-sessions').getByRole('button', { name: 'Change…' }).click();
  last.received(9_000_000);
  await other
    .getByRole('dialog')
    .getByText(/Fetching, \d+ of 68.2 MB/)
    .waitFor();
  last.end();
  await page.getByRole('heading', { name: 'New session' }).waitFor();
  await other.getByRole('dialog').getByText('Ready, 2.1.328').waitFor();
  expect(await pane.count()).toBe(0);
  expect(stack.app.preferences().sessions.atOnce).toBe(4);
  expect(shown.settings().claudeProgram).toBe('fetched');
});

it('goes on to a new session from where no session is open', async () => {
  const claude = new OfTest();
  const { page } = await pageOf(claude, 'sessions');
  const pane = page.getByTestId('first-use');
  await pane.getByRole('button', { name: 'Fetch and use' }).click();
  (await claude.fetch(0)).end();
  await page.getByRole('heading', { name: 'New session' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/sessions/new');
});

it('takes the person’s own Claude Code, and says which is too old', async () => {
  const claude = new OfTest();
  claude.own = { path: '/home/me/bin/claude', version: '2.0.14', problem: 'too-old' };
  const shown = await pageOf(claude, 'sessions/new');
  const { page } = shown;
  const pane = page.getByTestId('first-use');
  await pane.getByText('2.0.14, too old').waitFor();
  await pane.getByText('2.1.273 or newer is needed. Run "claude update".').waitFor();
  claude.own = { path: '/home/me/bin/claude', version: '2.1.328', problem: null };
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await pane.getByText('Found, 2.1.328').waitFor();
  await pane.getByText('~/bin/claude').waitFor();
  const own = pane.getByRole('radio', { name: 'The claude on this machine' });
  expect(await own.isChecked()).toBe(true);
  await pane.getByRole('button', { name: 'Use this one' }).click();
  const { from, end } = await claude.fetch(0);
  expect(from).toBe('own');
  end();
  await page.getByRole('heading', { name: 'New session' }).waitFor();
  expect(shown.settings().claudeProgram).toBe('own');
});

it('settings of sessions say which Claude Code runs, choose another one, and apply at once', async () => {
  const claude = new OfTest();
  claude.own = { path: '/home/me/bin/claude', version: '2.1.328', problem: null };
  claude.isHere = true;
  const shown = await pageOf(claude, 'settings/sessions');
  const { page, stack } = shown;
  const section = page.locator('#settings-sessions');
  await expect.poll(() => page.locator('.settings_settings-list [aria-current="true"]').innerText()).toBe('Sessions');
  await section.getByText('~/bin/claude, version 2.1.328').waitFor();
  await section.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where Claude Code comes from' });
  await dialog.getByText('Ready, 2.1.328').waitFor();
  await dialog.getByText('The new version is used after all sessions are unloaded.').waitFor();
  await isSound(shown);
  await dialog.getByRole('radio', { name: 'A copy that Jumpseat fetches' }).check();
  await dialog.getByRole('button', { name: 'Use this one' }).click();
  await section.getByText('/cache/claude, version 2.1.328').waitFor();
  expect(await dialog.count()).toBe(0);
  await section.getByRole('button', { name: 'Change…' }).click();
  await dialog.getByRole('button', { name: 'Remove the copy' }).click();
  await dialog.getByText('68.2 MB').waitFor();
  claude.isHere = true;
  await dialog.getByRole('button', { name: 'Close' }).click();
  const sessions = () => stack.app.preferences().sessions;
  const atOnce = section.getByRole('textbox', { name: 'Running at once' });
  await atOnce.fill('17');
  await atOnce.press('Enter');
  await section.getByText('Choose a number from 1 to 16.').waitFor();
  expect(sessions().atOnce).toBe(4);
  await atOnce.fill('8');
  await atOnce.press('Enter');
  await section.getByRole('textbox', { name: 'Most credits per turn' }).fill('2.5');
  await section.getByRole('textbox', { name: 'Most credits per turn' }).press('Enter');
  await section.getByRole('combobox', { name: 'Unload idle sessions' }).selectOption('Never');
  await section.getByRole('switch', { name: 'Search conversations' }).click();
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
  await section.getByRole('combobox', { name: 'Save versions for undo' }).selectOption('90 days');
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
  const question = page.getByRole('dialog', { name: 'Delete all versions saved for undo?' });
  await isSound(shown);
  await question.getByRole('button', { name: 'Delete versions' }).click();
  await page.getByText('No versions were saved.').waitFor();
  await isSound(shown);
});

it('settings of sessions bring a copy up to date, only when they are told to', async () => {
  const claude = new OfTest();
  claude.isHere = true;
  const shown = await pageOf(claude, 'settings/sessions');
  const section = shown.page.locator('#settings-sessions');
  await section.getByText('/cache/claude, version 2.1.328').waitFor();
  const check = section.getByRole('button', { name: 'Check for newer' });
  const words = '@anthropic-ai/claude-code-linux-x64 2.1.340 is there, but registry.example gives no signatures.';
  claude.found = () => Promise.reject(new PackageError('unsigned', words, 'Wait for a newer Jumpseat.'));
  await check.click();
  await section.getByText(`Not updated. ${words} Wait for a newer Jumpseat.`).waitFor();
  claude.found = async () => ({ version: '2.1.328', isNewer: false });
  await check.click();
  await section.getByText('2.1.328 is the newest.').waitFor();
  await isSound(shown);
  claude.found = async () => {
    claude.newer = { version: '2.1.340', bytes: 70_000_000 };
    return { version: '2.1.340', isNewer: true };
  };
  await check.click();
  await section.getByText('Newer: 2.1.340 (70.0 MB)').waitFor();
  await isSound(shown);
  const update = section.getByRole('button', { name: 'Update' });
  await update.click();
  (await claude.fetch(0)).received(41_000_000);
  await section.getByText('Fetching, 41 of 68.2 MB').waitFor();
  await section.getByRole('button', { name: 'Cancel' }).click();
  await update.click();
  const refused = 'It was fetched and can’t lead sessions here: it printed nothing.';
  (await claude.fetch(1)).end(new PackageError('unusable', refused, 'The one before it is still used.'));
  await section.getByText(`Not updated. ${refused} The one before it is still used.`).waitFor();
  await section.getByText('/cache/claude, version 2.1.328').waitFor();
  await update.click();
  (await claude.fetch(2)).end();
  await section.getByText('/cache/claude, version 2.1.340').waitFor();
  await check.waitFor();
});

it('after an update of Jumpseat the sessions fetch the new adapter, and keep what was chosen', async () => {
  const claude = new OfTest();
  claude.own = { path: '/home/me/bin/claude', version: '2.1.328', problem: null };
  claude.isHere = true;
  claude.hasOldLeader = true;
  const shown = await pageOf(claude, 'sessions/new');
  claude.chosen = () => 'own';
  const pane = shown.page.getByTestId('new-adapter');
  await pane.getByRole('heading', { name: 'Claude Code needs a new version of its adapter' }).waitFor();
  await pane.getByText('It is fetched once from the npm registry: 1.6 MB.').waitFor();
  expect(await shown.page.getByRole('radio', { name: 'The claude on this machine' }).count()).toBe(0);
  await isSound(shown);
  await pane.getByRole('button', { name: 'Fetch' }).click();
  (await claude.fetch(0)).received(400_000);
  await pane.getByText('Fetching, 0 of 68.2 MB').waitFor();
  (await claude.fetch(0)).end(new PackageError('network', 'The registry didn’t answer.', 'Try again later.'));
  await pane.getByText('The adapter couldn’t be fetched. The registry didn’t answer. Try again later.').waitFor();
  await isSound(shown);
  await pane.getByRole('button', { name: 'Try again' }).click();
  (await claude.fetch(1)).end();
  await pane.waitFor({ state: 'detached' });
  await shown.page.getByRole('heading', { name: 'New session' }).waitFor();
  expect([
    claude.chosen(),
    existsSync(join(shown.stack.home, 'settings.json')) && shown.settings().claudeProgram,
  ]).toEqual(['own', false]);
});

it('is chosen with the keyboard alone, at 200 % and in the dark', async () => {
  const claude = new OfTest();
  claude.own = { path: '/home/me/bin/claude', version: '2.1.328', problem: null };
  const context = { colorScheme: 'dark', viewport: { width: 600, height: 400 } } as const;
  const shown = await pages.at('sessions/new', { stack: { app: { agents: [claude.agent] } }, context });
  const { page } = shown;
  const pane = page.getByTestId('first-use');
  const own = pane.getByRole('radio', { name: 'The claude on this machine' });
  await own.waitFor();
  await isSound(shown);
  await own.focus();
  await page.keyboard.press('ArrowDown');
  expect(await pane.getByRole('radio', { name: 'A copy that Jumpseat fetches' }).isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect((await claude.fetch(0)).from).toBe('fetched');
  await pane.getByRole('button', { name: 'Cancel' }).waitFor();
  await isSound(shown);
  await page.goto(page.url().replace(/#.*/, '#/settings/sessions'));
  await page.locator('#settings-sessions').getByText('Let Claude Code ask Anthropic about pages').waitFor();
  await isSound(shown);
});
