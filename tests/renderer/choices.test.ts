import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../app/adapters/movable-secrets.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { defaults } from '../app/settings/defaults.ts';
import { prompt } from '../app/stack.ts';
import { desktopSecrets, isSound, Pages } from './page-of-health-and-settings.ts';

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const free = { app: { githubFixedBy: null } };

describe('GitHub’s host', () => {
  it('is changed after a question, by the keyboard, and the sign-in before it has ended', async () => {
    const shown = await pages.at('settings/account', { stack: free });
    const { page, stack } = shown;
    await page.getByText('Signed in as octo-demo').waitFor();
    const field = page.getByRole('textbox', { name: 'GitHub host' });
    const before = await field.inputValue();
    await field.fill('octo.ghe.com');
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Sign out of ${before}?` });
    await dialog.getByText('you sign in again at octo.ghe.com').waitFor();
    await isSound(shown);
    await page.keyboard.press('Escape');
    expect([await field.inputValue(), stack.app.state().account.kind]).toEqual([before, 'signed-in']);
    await field.fill('https://octo.ghe.com');
    await field.press('Enter');
    await dialog.getByRole('button', { name: 'Change host' }).click();
    await page.getByText('GitHub is octo.ghe.com now.').waitFor();
    await page.getByText('Signed out').first().waitFor();
    expect(await field.inputValue()).toBe('octo.ghe.com');
    expect(shown.settings()).toMatchObject({ githubHost: 'octo.ghe.com', account: null });
  });

  it('that is none of GitHub’s is refused below the field, without a question', async () => {
    const { page, stack } = await pages.at('settings/account', { stack: free });
    const field = page.getByRole('textbox', { name: 'GitHub host' });
    await field.fill('github.example');
    await field.press('Enter');
    await page.getByText('it has to be github.com or your company’s host at GitHub, such as octo.ghe.com.').waitFor();
    expect([await field.getAttribute('aria-invalid'), await page.getByRole('dialog').count()]).toEqual(['true', 0]);
    expect(stack.app.state().account.kind).toBe('signed-in');
  });

  it('that a variable chose is shown, with the variable', async () => {
    const { page } = await pages.at('settings/account', { stack: { app: { githubFixedBy: 'JUMPSEAT_GITHUB_URL' } } });
    await page.getByText('Set from outside, by JUMPSEAT_GITHUB_URL.').waitFor();
    expect(await page.getByRole('textbox', { name: 'GitHub host' }).isDisabled()).toBe(true);
  });
});

describe('a person’s limits', () => {
  it('hold at once, are named where they cannot be, and are lifted by leaving nothing', async () => {
    const shown = await pages.at('settings/limits');
    const { page, stack } = shown;
    const field = page.getByRole('textbox', { name: 'Most requests per minute' });
    await field.fill('1.5');
    await field.press('Enter');
    await page.getByText('Choose a whole number from 1 to 1,000,000, or leave it empty for no limit.').waitFor();
    await field.fill('1');
    await field.press('Enter');
    await expect.poll(() => stack.app.preferences().limits.requestsPerMinute).toBe(1);
    const statuses = [];
    for (const text of ['one', 'two']) statuses.push((await stack.messages(prompt(text))).status);
    expect(statuses).toEqual([200, 429]);
    await field.fill('');
    await field.press('Enter');
    await expect.poll(() => stack.app.preferences().limits.requestsPerMinute).toBeNull();
    const credits = page.getByRole('textbox', { name: 'Most credits per day' });
    await credits.fill('12.5');
    await credits.press('Tab');
    await page.getByRole('switch', { name: 'Ask before a burst' }).click();
    await expect
      .poll(() => shown.settings().limits)
      .toEqual({ ...defaults.limits, creditsPerDay: 12.5, askBeforeBurst: true });
    expect(await page.getByRole('textbox', { name: /premium requests per/i }).count()).toBe(0);
    // What becomes of a budget is chosen where there is one.
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    expect(await stop.count()).toBe(0);
    const budget = page.getByRole('textbox', { name: 'Credits per month' });
    await budget.fill('7,000');
    await budget.press('Tab');
    await stop.click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ creditsPerMonth: 7000, monthUsedUp: 'stop' });
    // One for a part of the requests, beside what is used of each.
    await page.getByRole('combobox', { name: 'Limit for' }).selectOption('Model');
    await page.getByLabel('Name of the model').fill('sonnet');
    await page.getByRole('textbox', { name: 'Credits', exact: true }).fill('250');
    await page.getByRole('combobox', { name: 'When used up' }).selectOption('Stop');
    await page.getByRole('textbox', { name: 'Credits', exact: true }).press('Enter');
    const rule = { model: 'sonnet', credits: 250, per: 'day', action: 'stop' };
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [rule] });
    const set = page.getByRole('table', { name: 'Limits that are set' });
    await expect
      .poll(() => set.getByRole('row').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Limit\s+Used\s+When used up\s*$/),
        expect.stringMatching(/^Credits per day\s+\d\.\d\d of 12\.5\s+Stop\s*$/),
        expect.stringMatching(/^Credits per month\s+\d\.\d\d of 7,000\s+Stop\s*$/),
        expect.stringMatching(/^Credits per day, models containing sonnet\s+\d\.\d\d of 250\s+Stop\s*$/),
      ]);
    await isSound(shown);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page
      .getByRole('region', { name: 'Your limits' })
      .getByText(/^\d\.\d\d of 250$/)
      .waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Change Credits per day, models containing sonnet' }).click();
    const amount = page.getByRole('textbox', { name: 'Credits', exact: true });
    expect(await amount.inputValue()).toBe('250');
    await amount.fill('300');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [{ ...rule, credits: 300 }] });
    // The same once more replaces it, or stands beside it as the person says.
    await page.getByRole('combobox', { name: 'Limit for' }).selectOption('Model');
    await page.getByLabel('Name of the model').fill('sonnet');
    await amount.fill('200');
    await page.getByRole('button', { name: 'Add limit' }).click();
    await page
      .getByText('Credits per day, models containing sonnet: there already is a limit of 300, which stops.')
      .waitFor();
    expect(shown.settings().limits).toMatchObject({ rules: [{ ...rule, credits: 300 }] });
    await isSound(shown);
    await page.getByRole('button', { name: 'Keep both' }).click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [{ credits: 300 }, { credits: 200 }] });
    await page.getByRole('button', { name: 'Remove Credits per day, models containing sonnet' }).nth(1).click();
    await expect.poll(() => set.getByText('models containing sonnet').count()).toBe(1);
    await page.getByLabel('Name of the model').fill('sonnet');
    await amount.fill('250');
    await page.getByRole('button', { name: 'Add limit' }).click();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await expect
      .poll(() => shown.settings().limits)
      .toMatchObject({ rules: [{ ...rule, action: 'warn', credits: 250 }] });
    // A folder is a path, of one that is there.
    await page.getByRole('combobox', { name: 'Limit for' }).selectOption('Folder');
    const folder = page.getByLabel('Name of the folder');
    await amount.fill('5');
    for (const [named, problem] of [
      ['shop', 'Write the whole path, such as ~/shop.'],
      ['/no/such/folder', '/no/such/folder is no folder.'],
    ] as const) {
      await folder.fill(named);
      await folder.press('Enter');
      await page.getByText(problem).waitFor();
    }
    await page.getByRole('button', { name: 'Remove Credits per day, models containing sonnet' }).click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [] });
    await page.getByText('Limit removed: Credits per day, models containing sonnet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [{ credits: 250 }] });
    await page.getByRole('button', { name: 'Remove Credits per day, models containing sonnet' }).click();
    await expect.poll(() => shown.settings().limits).toMatchObject({ rules: [] });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page
      .getByRole('region', { name: 'Your limits' })
      .getByText(/^\d\.\d\d of 7,000$/)
      .waitFor();
    await isSound(shown);
  });

  it('offers the keys that there are, and says of a limit that its key is gone', async () => {
    const shown = await pages.at('settings/limits');
    const { page, stack } = shown;
    for (const name of ['ci', 'laptop']) await stack.app.createKey({ name, clients: [], days: null });
    await page.reload();
    await page.getByRole('combobox', { name: 'Limit for' }).selectOption('Key');
    await expect
      .poll(() =>
        page
          .locator('#settings-limits datalist option')
          .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      )
      .toEqual(['ci', 'laptop']);
    await page.locator('#settings-limits').getByLabel('Name of the key').fill('ci');
    await page.getByRole('textbox', { name: 'Credits', exact: true }).fill('5');
    await page.getByRole('textbox', { name: 'Credits', exact: true }).press('Enter');
    const row = page.getByRole('row', { name: /Credits per day, key ci/ });
    await row.waitFor();
    expect(await row.innerText()).not.toContain('There is no key');
    await stack.app.revokeKey('ci');
    await row.getByText('There is no key “ci”: it was revoked, or never created.').waitFor();
  });
});

describe('paid overage', () => {
  it('that was allowed for today is said in the settings, and taken back there', async () => {
    const shown = await pages.at('settings/limits', {
      stack: { simulator: { user: { remaining: 0, overagePermitted: true } } },
    });
    const { page, stack } = shown;
    await stack.app.refresh();
    await stack.app.decideOverage(true);
    await page.getByText('Paid overage is allowed today').waitFor();
    const section = page.locator('#settings-limits');
    await section.getByRole('button', { name: 'No longer allow' }).click();
    await page.getByText('Paid overage is refused today').waitFor();
    expect(stack.app.state().health.overage).toBe('refused');
    // In a low window all of what is decided can be read.
    await page.setViewportSize({ width: 720, height: 480 });
    const text = page.getByTestId('banner').locator('p');
    expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    await isSound(shown);
  });
});

describe('what refusals taught', () => {
  it('is shown by Health and Models until when it holds, and is taken back one by one or whole', async () => {
    const shown = await pages.at('health');
    const { page, stack } = shown;
    stack.simulator.script.refuseField('tools.strict');
    const strict = { name: 'Bash', strict: true, input_schema: { type: 'object', properties: {} } };
    for (const model of ['claude-sonnet-4.6', 'claude-opus-4.8', 'claude-haiku-4.5'])
      await stack.messages(prompt('hi', { model, tools: [strict] }));
    await page.getByRole('button', { name: 'Check again', exact: true }).click();
    await page.getByTestId('check-copilot.learned').getByRole('button', { name: 'Show' }).click();
    const table = page.getByRole('table', { name: 'Learned from refusals' });
    await expect.poll(() => table.getByRole('row').count()).toBe(4);
    expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0);
    await isSound(shown);
    await page.getByRole('button', { name: 'Forget: claude-opus-4.8 takes no tools.strict' }).click();
    await page.getByText('Forgot 1 thing. Copilot is asked again.').waitFor();
    expect((await stack.app.learned()).map(({ model }) => model)).toEqual(['claude-sonnet-4.6', 'claude-haiku-4.5']);
    await page.getByRole('button', { name: 'Forget all' }).click();
    await expect.poll(() => table.count()).toBe(0);
    expect(await stack.app.learned()).toEqual([]);
  });
});

it('a demo says in the sidebar that it is one', async () => {
  const { page } = await pages.at('requests', { stack: { app: { isDemo: true } } });
  const note = page.getByRole('complementary', { name: 'Jumpseat' }).getByRole('note');
  await note.getByText('Demo', { exact: true }).waitFor();
  expect(await note.innerText()).toContain('GitHub and Copilot are simulated. Nothing is billed.');
  // In the narrow rail the word is there in full, and nothing has to be scrolled.
  await page.setViewportSize({ width: 700, height: 600 });
  const word = note.getByText('Demo', { exact: true });
  expect(
    await word.evaluate((element) => {
      const [inner, outer] = [element, element.parentElement ?? element].map((one) => one.getBoundingClientRect());
      const rail = element.closest('aside, .shell_sidebar') ?? element;
      return [
        (inner?.left ?? 0) >= (outer?.left ?? 0),
        (inner?.right ?? 0) <= (outer?.right ?? 0),
        rail.scrollWidth - rail.clientWidth,
      ];
    }),
  ).toEqual([true, true, 0]);
});

describe('Health', () => {
  it('leads from the last failure to its request, and names what of the settings file is not in force', async () => {
    const { page, stack } = await pages.at('health');
    stack.simulator.script.next({ kind: 'answer', status: 400, body: { message: 'no good' } });
    await stack.messages(prompt('hi'));
    await stack.rows(1);
    await stack.app.changePreferences({ historyDays: 30 });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${stack.home}/settings.json`, '{ "version": 1, "historyDays": "long" }');
    const file = page.getByTestId('check-server.settings');
    await file.getByText('historyDays has to be a number, without quotes').waitFor();
    await page.getByTestId('check-copilot.last-success').getByRole('button', { name: 'Show request' }).click();
    const [failed] = await stack.app.exchanges({ limit: 1 });
    await expect.poll(() => page.url()).toContain(`#/requests/${failed?.id}`);
  });

  it('shows what setting up Claude Code would change where that is its remedy', async () => {
    const { page } = await pages.at('health');
    await page.getByTestId('check-claude-code.settings').getByRole('button', { name: 'Set up Claude Code…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add to settings' }).waitFor();
  });
});

it('everything is checked again when the machine wakes up, whatever is looked at', async () => {
  const { page, stack } = await pages.at('requests');
  await expect.poll(() => stack.app.state().account).toMatchObject({ login: 'octo-demo' });
  let runs = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/ui/api/call/checks')) runs += 1;
  });
  await page.clock.install();
  await page.reload();
  await expect.poll(() => runs).toBeGreaterThan(0);
  // The page was never asleep: what was due has run by then.
  await page.clock.runFor(10_000);
  const before = runs;
  await page.clock.fastForward('10:00');
  await expect.poll(() => runs).toBe(before + 1);
});

describe('a model in use that is gone', () => {
  it.each([
    ['Claude Code', { 'x-claude-code-session-id': '0c2f7f0e-5b1d-4f57-9c39-6a7a1d0e9b11' }],
    ['another client', {}],
  ])('of %s is named by Models, with the way to another one', async (_client, headers) => {
    const shown = await pages.at('models');
    const { page, stack } = shown;
    await stack.messages(prompt('hi', { model: 'claude-sonnet-4.6' }), headers);
    await stack.rows(1);
    const left = defaultModels().filter((model) => !JSON.stringify(model).includes('"id":"claude-sonnet-4.6"'));
    stack.simulator.script.setModels(left);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('claude-sonnet-4.6 is no longer in your catalog.').waitFor();
    await isSound(shown);
    await page.getByRole('button', { name: 'Choose a model' }).first().click();
    await page.getByRole('form', { name: 'Override of claude-sonnet-4.6' }).waitFor();
  });
});

describe('secrets in memory', () => {
  it('that the person chose there are no reason for a banner', async () => {
    const token = 'ghu_SIMULATED0000000000000000000000000000';
    const { page, stack } = await pages.at('settings/account', { secrets: memorySecrets({ 'github-token': token }) });
    await page.getByText('In memory until you quit. Chosen by JUMPSEAT_SECRETS.').waitFor();
    await expect.poll(() => stack.app.state().status).toBe('on');
    expect(await page.getByTestId('banner').count()).toBe(0);
  });
});

it('the licences of what is in here can be read', async () => {
  const shown = await pages.at('settings/about', { secrets: desktopSecrets() });
  const { page } = shown;
  await page.route('**/ui/licenses.txt', (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'react 19 (MIT)' }),
  );
  await page.getByRole('button', { name: 'Licenses' }).click();
  await page.getByRole('dialog', { name: 'Licenses' }).getByText('react 19 (MIT)').waitFor();
  await isSound(shown);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('a fault of the page costs the view it is in, says so, and gives a report; the rest goes on', async () => {
  const shown = await pages.at('requests');
  const { page } = shown;
  await page.route('**/ui/api/call/models', (route) =>
    route.fulfill({ json: { ok: true, value: { readAt: 0, names: 'none', models: 5, warnings: [] } } }),
  );
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByText('Something failed in Jumpseat.').waitFor();
  await page.getByRole('button', { name: 'Copy for a bug report' }).waitFor();
  await page.getByRole('link', { name: /^Health/ }).click();
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  await page.unroute('**/ui/api/call/models');
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('table', { name: 'All models of this account' }).waitFor();
});

it('the empty list offers the setup only where there is none and there can be one', async () => {
  const { page, stack } = await pages.at('requests');
  const setUp = page.getByRole('button', { name: 'Set up Claude Code…' });
  await setUp.waitFor();
  await stack.app.applySetup((await stack.app.planSetup('setup')).id);
  await page.reload();
  const words = /The proxy is on and waiting\. Claude Code is set up in .*: start claude and send a prompt\./;
  await page.getByText(words).waitFor();
  expect(await setUp.count()).toBe(0);

  const secrets = memorySecrets({ 'github-token': stack.simulator.githubToken });
  const demo = await pages.at('requests', { secrets, stack: { app: { isDemo: true } } });
  await demo.page.getByRole('button', { name: 'Copy lines for the shell' }).waitFor();
  await expect.poll(() => demo.page.locator('.button.primary, .primary').count()).toBe(1);
  expect(await demo.page.getByRole('button', { name: 'Set up Claude Code…' }).count()).toBe(0);
});

it('a fault of one address ends with it, also in the same view', async () => {
  const { page } = await pages.at('requests?q=is%3A__proto__');
  await page.getByText('“is:” has no value “__proto__”.').waitFor();
  await page.route('**/ui/api/call/exchange', (route) => route.fulfill({ json: { ok: true, value: { id: 'bent' } } }));
  const go = (at: string) =>
    page.evaluate((hash) => {
      window.location.hash = hash;
    }, at);
  await go('#/requests/bent');
  await page.getByText('Something failed in Jumpseat.').waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.getByText('No requests yet').waitFor();
});

it('the local key is copied without being shown, and programs get in with it', async () => {
  const { page, stack } = await pages.at('settings/proxy');
  const copy = page.getByRole('button', { name: 'Copy key' });
  await copy.click();
  await page
    .getByText('The browser denies access to its clipboard. Run "jumpseat env" in a terminal instead.')
    .waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy.click();
  await page.getByText('Local key copied. Add a dot and the program’s name: KEY.NAME.').waitFor();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toBe(await stack.app.localKey());
  expect(await page.locator('body').innerText()).not.toContain(key);
  expect((await stack.messages(prompt('hi'), { authorization: `Bearer ${key}.smoke` })).status).toBe(200);
});

it('a further key is created and copied without being shown, and is refused once it is revoked', async () => {
  const shown = await pages.at('settings/proxy');
  const { page, stack } = shown;
  const name = page.getByRole('textbox', { name: 'Name of the key' });
  const create = page.getByRole('button', { name: 'Create and copy' });
  expect(await create.isDisabled()).toBe(true);
  await name.fill('a b');
  await create.click();
  await page.getByText('“a b” can’t name a key or a client. Use up to 64 letters').waitFor();
  await name.fill('ci');
  await page.getByRole('textbox', { name: 'For these clients only' }).fill('codex, aider');
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('Expires in 30 days');
  await create.click();
  const instead = 'The browser denies access to its clipboard. Run "jumpseat keys create ci" in a terminal instead.';
  await page.getByText(instead).waitFor();
  expect(await stack.app.namedKeys()).toEqual([]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await create.click();
  await page.getByText('Key “ci” copied. It can’t be copied again.').waitFor();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^jsk_[\w-]{43}$/);
  expect(await page.locator('body').innerText()).not.toContain(key);
  await stack.app.createKey({ name: 'elsewhere', clients: [], days: null });
  await page.getByRole('table', { name: 'More keys' }).getByText('elsewhere').waitFor();
  const send = (label: string) => stack.messages(prompt('hi'), { authorization: `Bearer ${key}.${label}` });
  expect([(await send('codex')).status, (await send('cline')).status]).toEqual([200, 401]);
  const row = page.getByRole('table', { name: 'More keys' }).getByRole('row').filter({ hasText: 'aider' });
  expect((await row.innerText()).split('\t').slice(0, 2)).toEqual(['ci', 'codex, aider']);
  // When it was used last comes by itself.
  await row.getByText(/^\d\d:\d\d:\d\d, /).waitFor({ timeout: 20_000 });
  await row.getByText(/, [1-9]\d* s ago$/).waitFor({ timeout: 20_000 });
  await isSound(shown);
  await row.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByRole('dialog', { name: 'Revoke the key “ci”?' }).getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await send('codex')).status).toBe(401);
});
