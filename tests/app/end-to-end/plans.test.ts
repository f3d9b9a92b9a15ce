import { afterEach, describe, expect, it } from 'vitest';
import { type PlanName, planNames } from '../../../app/simulator/options.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/** What a person is told of their plan, where it has models to choose and where GitHub chooses. */

let stack: Stack;
afterEach(() => stack.close());

async function start(plan: PlanName): Promise<void> {
  stack = await startStack({ simulator: { plan } });
  await stack.app.refresh();
}
const ask = (model: string) => stack.messages(prompt('hi', { model }));

describe.each([
  ['student', 'Copilot Student', { world: 'credits', entitlement: 200, remaining: 150 }],
  ['free', 'Copilot Free', { entitlement: 50, remaining: 40 }],
] as const)('%s: GitHub chooses the model', (plan, name, quota) => {
  it('the state, doctor, the models and the 404 say so with the plan’s name', async () => {
    await start(plan);
    const said = `${name} has no model to choose. GitHub chooses the model there (Auto)`;
    const state = stack.app.state();
    expect(state).toMatchObject({ status: 'auto-only', quota, health: { ready: false, autoOnly: true } });
    expect(state.health.problem).toMatchObject({ code: 'auto-only', text: expect.stringContaining(said) });
    expect(await stack.app.check('copilot.models')).toMatchObject({
      verdict: 'failed',
      finding: expect.stringContaining(said),
      remedy: expect.stringContaining('github.com/features/copilot/plans'),
    });
    const { names, models } = await stack.app.models();
    expect(new Set(names.map(({ absence }) => absence?.kind))).toEqual(new Set(['auto-only']));
    expect(models.filter(({ offered }) => offered)).toEqual([]);
    expect((await stack.app.explainModel('claude-sonnet-4-6')).kind).toBe('auto-only');
    const answer = await ask('opus');
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(`Jumpseat: ${said}`)]);
    const asked = await stack.send({ path: '/v1/models/opus', headers: { 'anthropic-version': '2023-06-01' } });
    expect([asked.status, asked.text]).toEqual([404, expect.stringContaining(`Jumpseat: ${said}`)]);
    expect(stack.simulator.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('Copilot’s own refusal of an exact name says so, too', async () => {
    await start(plan);
    stack.simulator.script.next({
      kind: 'answer',
      status: 400,
      body: { error: { message: 'The requested model is not supported.', code: 'model_not_supported' } },
    });
    const answer = await ask('claude-sonnet-4.6');
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(`${name} has no model to choose.`)]);
  });
});

it.each(planNames.filter((name) => name !== 'student' && name !== 'free'))('%s has models to choose', async (plan) => {
  await start(plan);
  expect(stack.app.state()).toMatchObject({ status: 'on', health: { ready: true, autoOnly: false } });
  expect((await ask('opus')).status).toBe(200);
});
