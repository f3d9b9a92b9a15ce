import { afterEach, describe, expect, it } from 'vitest';
import { readCatalog } from '../../../../app/copilot/catalog.ts';
import { goneModels } from '../../../../app/exchange/model/gone.ts';
import { defaultModels } from '../../../../app/simulator/plans.ts';
import { prompt, type Stack, startStack } from '../../stack.ts';

const models = readCatalog({ data: defaultModels() });
const without = (id: string) => models.filter((model) => model.id !== id);

describe('models that are gone', () => {
  it('are those in use that the catalog has no more, each with what its name runs on now', () => {
    const used = [
      { model: 'claude-sonnet-4.6', asked: 'sonnet' },
      { model: 'claude-opus-4.8', asked: 'claude-opus-4-8' },
    ];
    expect(goneModels(models, {}, used)).toEqual([]);
    expect(goneModels(without('claude-sonnet-4.6'), {}, used)).toEqual([
      { model: 'claude-sonnet-4.6', asked: 'sonnet', runsOn: expect.stringMatching(/^claude-sonnet-/) },
    ]);
    expect(goneModels([], {}, used)).toEqual([
      { model: 'claude-sonnet-4.6', asked: 'sonnet', runsOn: null },
      { model: 'claude-opus-4.8', asked: 'claude-opus-4-8', runsOn: null },
    ]);
  });

  it('are also what an override names, unless it leads somewhere all the same', () => {
    const overrides = { 'claude-3-*': 'claude-sonnet-4.6', haiku: 'opus' };
    expect(goneModels(models, overrides, [])).toEqual([]);
    expect(goneModels(without('claude-sonnet-4.6'), overrides, [])).toEqual([
      { model: 'claude-sonnet-4.6', asked: 'claude-3-*', runsOn: null },
    ]);
  });
});

describe('the app', () => {
  let stack: Stack | null = null;
  afterEach(async () => {
    await stack?.close();
    stack = null;
  });

  it('says which model in use is gone when the catalog is read again, and that it is back when it is', async () => {
    const here = await startStack();
    stack = here;
    expect((await here.messages(prompt('hi', { model: 'claude-sonnet-4.6' }))).status).toBe(200);
    await here.rows(1);
    const gone = async (): Promise<unknown> => {
      await here.app.models({ refresh: true });
      return here.app.state().goneModels;
    };
    expect(await gone()).toEqual([]);
    const raw = defaultModels();
    here.simulator.script.setModels(raw.filter((model) => !JSON.stringify(model).includes('"id":"claude-sonnet-4.6"')));
    await expect
      .poll(gone)
      .toEqual([
        { model: 'claude-sonnet-4.6', asked: 'claude-sonnet-4.6', runsOn: expect.stringMatching(/^claude-sonnet-/) },
      ]);
    expect(await here.app.check('copilot.models')).toMatchObject({
      verdict: 'warning',
      finding: expect.stringMatching(
        /^claude-sonnet-4\.6 is no longer in your catalog; “claude-sonnet-4\.6” runs on claude-sonnet-\S+ now\.$/,
      ),
    });
    here.simulator.script.setModels(raw);
    await expect.poll(gone).toEqual([]);
  });
});
