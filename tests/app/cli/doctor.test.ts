import { afterEach, beforeEach, expect, it } from 'vitest';
import { doctor } from '../../../app/cli/commands/doctor.ts';
import { openApp } from '../../../app/cli/compose.ts';
import { prompt, type Stack, startStack } from '../stack.ts';
import { paper } from './paper.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  stack.simulator.script.refuseField('tools.strict');
  const strict = { name: 'Bash', strict: true, input_schema: { type: 'object', properties: {} } };
  await stack.messages(prompt('hi', { tools: [strict] }));
});
afterEach(() => stack.close());

/** The command beside the Jumpseat that runs, as another process of its folder. */
async function run(options: { json?: boolean; forgetLearned?: boolean }): Promise<string> {
  const { simulator, home } = stack;
  // What is learned is on disk by then.
  await stack.app.check('server.database');
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    HOME: home,
    PATH: '',
  };
  const terminal = paper();
  await doctor({ terminal, env, open: (more) => openApp(env, more) }, options);
  return terminal.text;
}

it('tells what refusals taught, and forgets it where it is asked to', async () => {
  expect(await run({})).toMatch(/Learned +claude-sonnet-4\.6 takes no tools\.strict \(until /);
  const forgotten = await run({ forgetLearned: true });
  expect(forgotten).toMatch(/^Forgot 1 thing that refusals had taught\. Copilot is asked again\.\n\n/);
  expect(forgotten).toMatch(/Learned +Nothing that the list of models doesn’t say/);
  await expect.poll(() => stack.app.learned()).toEqual([]);
  expect(await run({ forgetLearned: true })).toMatch(/^Nothing had been learned from refusals\.\n\n/);
  expect(JSON.parse(await run({ forgetLearned: true, json: true }))).toMatchObject({ forgotten: 0 });
  expect(JSON.parse(await run({ json: true }))).not.toHaveProperty('forgotten');
});
