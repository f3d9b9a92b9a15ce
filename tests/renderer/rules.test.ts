import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { prompt, type Stack } from '../app/stack.ts';
import { isSound, Pages } from './page-of-health-and-settings.ts';

/** Settings → Rules, as a person writes, orders and tries rules; what a request then does, and what its row says. */

const pages = new Pages();
beforeAll(() => pages.start());
afterEach(() => pages.closeAll());
afterAll(() => pages.stop());

const sent = (stack: Stack) =>
  stack.simulator.requests
    .filter(({ method, service }) => method === 'POST' && service === 'copilot')
    .map(({ body }) => Object(body).model);

describe('Settings → Rules', () => {
  it('adds a rule: it is in the file, and the next request and its detail follow it', async () => {
    const shown = await pages.at('settings/rules');
    const { page, stack } = shown;
    const none = page.getByText('No rules. Every request uses the model that it asks for.');
    await none.waitFor();
    await page.getByLabel('Asked model contains').fill('sonnet');
    expect(await page.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Model', exact: true }).fill('gpt-5-mini');
    await page.getByRole('combobox', { name: 'Effort', exact: true }).selectOption('low');
    await page.getByRole('combobox', { name: 'Fallback', exact: true }).fill('claude-haiku-4.5');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const table = page.getByRole('table', { name: 'Rules in their order' });
    await table.getByText('model gpt-5-mini, effort low, fallback claude-haiku-4.5').waitFor();
    expect(await none.count()).toBe(0);
    const use = { model: 'gpt-5-mini', effort: 'low', fallback: 'claude-haiku-4.5' };
    expect(shown.settings().models).toEqual({ rules: [{ when: { model: 'sonnet' }, use }] });
    await isSound(shown);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect(sent(stack)).toEqual(['gpt-5-mini']);
    const [row] = await stack.rows(1);
    await page.goto(page.url().replace(/#.*/, `#/requests/${row?.id}`));
    await page.getByText('Your rule 1 (models containing sonnet).').first().waitFor();
    await page.goto(page.url().replace(/#.*/, '#/requests?q=change%3Arule'));
    await page.getByText('gpt-5-mini').first().waitFor();
  });

  it('refuses a model that the account lacks with words, and writes nothing', async () => {
    const shown = await pages.at('settings/rules');
    const { page } = shown;
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    await field('Model').fill('gpt-9');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const said = page
      .getByRole('alert')
      .getByText('Copilot has no model "gpt-9" for this account. Choose one of the list.');
    await said.waitFor();
    // Below the field, which is the one that is marked.
    const isWrong = (name: string) => field(name).getAttribute('aria-invalid');
    expect([await isWrong('Model'), await isWrong('Fallback')]).toEqual(['true', 'false']);
    const top = async (place: typeof said) => (await place.boundingBox())?.y;
    expect(await top(said)).toBeGreaterThan((await top(field('Model'))) ?? Number.POSITIVE_INFINITY);
    expect(shown.stack.app.preferences().models.rules).toEqual([]);
  });

  it('orders rules with their buttons and with keys, where the focus follows; changes and removes them', async () => {
    const shown = await pages.at('settings/rules', {
      before: async ({ app }) => {
        const rules = ['a', 'b', 'c'].map((client) => ({ when: { client }, use: { effort: 'low' as const } }));
        await app.changePreferences({ models: { rules } });
      },
    });
    const { page, stack } = shown;
    const order = () =>
      stack.app
        .preferences()
        .models.rules.map(({ when }) => when.client)
        .join('');
    await page.getByRole('button', { name: 'Try rule 3 earlier' }).click();
    await expect.poll(order).toBe('acb');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Try rule 2 earlier');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(order).toBe('cab');
    // The first one can't go further up: the focus stays with the rule.
    await expect.poll(focused).toBe('Try rule 1 later');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(order).toBe('acb');
    await page.getByRole('button', { name: 'Change rule 2' }).click();
    await expect.poll(focused).toBe('Client');
    await page.getByRole('combobox', { name: 'Request class', exact: true }).selectOption('Subagent');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('client c, class subagent').waitFor();
    expect(stack.app.preferences().models.rules[1]).toEqual({
      when: { client: 'c', class: 'subagent' },
      use: { effort: 'low' },
    });
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await expect.poll(order).toBe('cb');
    await isSound(shown);
    // Undone in the notice, it is at its place again, whatever else was changed since.
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('Rule 1 removed.').waitFor();
    await expect.poll(order).toBe('b');
    await stack.app.changePreferences({ models: { rules: [{ when: { client: 'b' }, use: { effort: 'high' } }] } });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(order).toBe('cb');
    await page.getByText('client c, class subagent').waitFor();
    expect(stack.app.preferences().models.rules[1]).toEqual({ when: { client: 'b' }, use: { effort: 'high' } });
  });

  it('sets a limit for a rule’s requests, shows what is used of it, and the request’s detail names the rule', async () => {
    const shown = await pages.at('settings/rules');
    const { page, stack } = shown;
    const form = page.locator('form.settings_rule-form').first();
    await form.getByRole('combobox', { name: 'Request class', exact: true }).selectOption('Main');
    const most = form.getByLabel('Most credits', { exact: true });
    expect(await form.getByLabel('Period').count()).toBe(0);
    await most.fill('-1');
    await page.getByText('Choose a number from 0.01 to 1,000,000, or leave it empty for no limit.').waitFor();
    expect(await page.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
    await most.fill('0.01');
    await form.getByLabel('Period').selectOption('per month');
    await form.getByLabel('When used up').selectOption('Stop');
    await isSound(shown);
    await page.getByRole('button', { name: 'Add rule' }).click();
    const table = page.getByRole('table', { name: 'Rules in their order' });
    await table.getByText('limit 0.01 credits per month (stop)').waitFor();
    await table.getByText('0 of 0.01 used').waitFor();
    const limit = { credits: 0.01, per: 'month', action: 'stop' };
    expect(shown.settings().models).toEqual({ rules: [{ when: { class: 'main' }, use: { limit } }] });
    expect([(await stack.messages(prompt('hi'))).status, (await stack.messages(prompt('again'))).status]).toEqual([
      ...[200, 429],
    ]);
    await table.getByText(/^\d\.\d+ of 0\.01 used$/).waitFor();
    // Its other parts stay when one is changed.
    await page.getByRole('button', { name: 'Change rule 1' }).click();
    await page.getByRole('combobox', { name: 'Effort', exact: true }).selectOption('low');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await table.getByText('effort low, limit 0.01 credits per month (stop)').waitFor();
    expect(stack.app.preferences().models.rules).toEqual([{ when: { class: 'main' }, use: { effort: 'low', limit } }]);
    await page.goto(page.url().replace(/#.*/, '#/usage'));
    await page.getByTestId('banner').getByText('Requests of this rule are refused until').waitFor();
    await page.getByRole('button', { name: 'Open rules' }).click();
    await table.waitFor();
    await page.goto(page.url().replace(/#.*/, '#/settings/limits'));
    const limits = page.getByRole('table', { name: 'Limits that are set' });
    await limits.getByText('Credits per month, rule (class main)').first().waitFor();
    const [row] = await stack.rows(2);
    await page.goto(page.url().replace(/#.*/, `#/requests/${row?.id}`));
    await page.getByText('class main', { exact: true }).waitFor();
  });

  it('says of a rule that its key, its account or its model is not there', async () => {
    const { page } = await pages.at('settings/rules', {
      before: async ({ app }) => {
        await app.changePreferences({
          models: {
            rules: [
              { when: { key: 'ci' }, use: { account: 'work' } },
              { when: {}, use: { model: 'gpt-9' } },
            ],
          },
        });
      },
    });
    const table = page.getByRole('table', { name: 'Rules in their order' });
    await table.getByText('No account has this name: error 403.').waitFor();
    await table.getByText('There is no such key: it was revoked, or never created.').waitFor();
    await table.getByText('gpt-9 isn’t in your catalog.').waitFor();
  });

  it('says what would happen to a request, and sends nothing', async () => {
    const { page, stack } = await pages.at('settings/rules', {
      before: async ({ app }) => {
        const use = { model: 'gpt-5-mini', fallback: 'claude-haiku-4.5' };
        await app.changePreferences({ models: { rules: [{ when: { class: 'subagent' }, use }] } });
      },
    });
    const form = page.getByRole('form', { name: 'Try a request' });
    await form.getByLabel('Its model').fill('opus');
    await form.getByRole('button', { name: 'Try' }).click();
    await page.getByText('No rule is for this request.').waitFor();
    await form.getByLabel('Its class').selectOption('Subagent');
    await form.getByRole('button', { name: 'Try' }).click();
    await page.getByText('Rule 1 (class subagent) is the first that is for this request.').waitFor();
    await page.getByText('It would run on gpt-5-mini.').waitFor();
    await page
      .getByText('If Copilot refuses that model or your limit for it is used up, claude-haiku-4.5 would be asked.')
      .waitFor();
    // Whoever changes rules or limits, the answer is that of now.
    await stack.app.changePreferences({ models: { rules: [] } });
    await page.getByText('No rule is for this request.').waitFor();
    expect(await page.getByText('It would run on gpt-5-mini.').count()).toBe(0);
    await stack.app.changePreferences({ limits: { creditsPerDay: 5 } });
    await page.getByText('It counts for your limit: 0 of 5 credits used today.').waitFor();
    expect(sent(stack)).toEqual([]);
  });
});
