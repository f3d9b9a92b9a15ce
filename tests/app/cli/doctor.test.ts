import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Check } from '../../../app/api/state.ts';
import { doctor } from '../../../app/cli/commands/doctor.ts';
import { env } from '../../../app/cli/commands/env.ts';
import { setupClient } from '../../../app/cli/commands/setup-client.ts';
import { type StatusReport, status } from '../../../app/cli/commands/status.ts';
import { openApp } from '../../../app/cli/compose.ts';
import type { Surroundings } from '../../../app/cli/surroundings.ts';
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
  // What is learned is on disk by then.
  await stack.app.check('server.database');
  const { surroundings, terminal } = beside({ JUMPSEAT_GITHUB_TOKEN: stack.simulator.githubToken });
  await doctor(surroundings, options);
  return terminal.text;
}

function beside(more: Record<string, string>): { surroundings: Surroundings; terminal: ReturnType<typeof paper> } {
  const { simulator, home } = stack;
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    ...more,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    PATH: '',
  };
  const terminal = paper();
  return { terminal, surroundings: { terminal, env, open: (options) => openApp(env, options) } };
}

it('tells what refusals taught, and forgets it where it is asked to', async () => {
  expect(await run({})).toMatch(/Learned +claude-sonnet-4\.6 takes no tools\.strict, until /);
  const forgotten = await run({ forgetLearned: true });
  expect(forgotten).toMatch(/^Forgot 1 thing that refusals had taught\. Copilot is asked again\.\n\n/);
  expect(forgotten).toMatch(/Learned +Nothing learned from Copilot’s refusals so far/);
  await expect.poll(() => stack.app.learned()).toEqual([]);
  expect(await run({ forgetLearned: true })).toMatch(/^Nothing had been learned from refusals\.\n\n/);
  expect(JSON.parse(await run({ forgetLearned: true, json: true }))).toMatchObject({ forgotten: 0 });
  expect(JSON.parse(await run({ json: true }))).not.toHaveProperty('forgotten');
});

it('names a program whose set-up another tool has changed, and what sets it up again', async () => {
  const own = { JUMPSEAT_GITHUB_TOKEN: stack.simulator.githubToken, JUMPSEAT_KEY: stack.key };
  const said = async (command: (surroundings: Surroundings) => Promise<unknown>): Promise<string> => {
    const { surroundings, terminal } = beside(own);
    await command(surroundings);
    return terminal.text;
  };
  expect(await said((around) => doctor(around, {}))).toMatch(/Other programs +None is set up\n/);
  expect(await said((around) => setupClient(around, 'codex', {}))).toContain('Codex is set up.\n');
  expect(await said((around) => doctor(around, {}))).toMatch(/Other programs +Codex\n/);
  const file = join(stack.home, '.codex', 'config.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('model_provider = "jumpseat"', 'model_provider = "openai"'));
  const finding = 'Codex: model_provider in ~/.codex/config.toml was changed since it was set up.';
  const report = await said((around) => doctor(around, {}));
  expect(report.replaceAll(/\n +/g, ' ')).toContain(`${finding} → Run "jumpseat setup codex".`);
  const list = await said((around) => setupClient(around, 'list', {}));
  expect(list).toMatch(/^codex +Codex +models +changed since it was set up +/m);
  expect(list).toContain(`${finding} Set it up again: "jumpseat setup codex".\n`);
});

it('finds nothing wrong with lines that were just copied, in a process that has not read the models yet', async () => {
  const own = {
    JUMPSEAT_GITHUB_TOKEN: stack.simulator.githubToken,
    JUMPSEAT_KEY: stack.key,
  };
  const copied = beside(own);
  await env(copied.surroundings, { shell: 'bash' });
  const lines = [...copied.terminal.text.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(lines.map(([name]) => name)).toContain('ANTHROPIC_DEFAULT_SONNET_MODEL');
  const { findings } = await both({ ...own, ...Object.fromEntries(lines) });
  expect(findings).toMatchObject({
    'claude-code.settings': 'passed: Set by the variables of this shell, not by settings.json',
    'claude-code.shell': 'passed: No conflicts',
  });
  const old = await both({ ...own, ...Object.fromEntries(lines), ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4' });
  expect(old.findings['claude-code.shell']).toBe(
    'warning: Not what the lines for Claude Code say now: ANTHROPIC_DEFAULT_SONNET_MODEL.',
  );
  const earlier = await both({ ...own, ...Object.fromEntries(lines), ANTHROPIC_AUTH_TOKEN: 'earlier.claude-code' });
  const other = 'The key in this shell isn’t the one that Jumpseat asks for, so Claude Code gets error 401.';
  expect(earlier.findings['claude-code.settings']).toBe(`failed: ${other}`);
  expect(earlier.report.claudeCodeProblem?.text).toBe(other);
});

/** What both commands say, as JSON, in a shell that holds no sign-in of its own. */
async function both(more: Record<string, string>): Promise<{ report: StatusReport; findings: Record<string, string> }> {
  const [said, checked] = [beside(more), beside(more)];
  await status(said.surroundings, { json: true });
  await doctor(checked.surroundings, { json: true });
  const { checks } = JSON.parse(checked.terminal.text) as { checks: Check[] };
  const findings = checks.map(({ id, verdict, finding }) => [id, `${verdict}: ${finding}`]);
  return { report: JSON.parse(said.terminal.text), findings: Object.fromEntries(findings) };
}

it.each([
  ['no sign-in', () => ({})],
  ['one that GitHub took back', (token: string) => ({ JUMPSEAT_GITHUB_TOKEN: token })],
])('with %s here, status and doctor tell of that of the Jumpseat that runs', async (_, variables) => {
  const { script, githubToken } = stack.simulator;
  script.revokeGithubToken();
  const { account } = stack.app.state();
  const mintedAt = account.kind === 'signed-in' ? account.token?.mintedAt : undefined;
  const works = await both(variables(githubToken));
  // Its Copilot token is good for a while: requests work.
  expect((await stack.messages(prompt('on'))).status).toBe(200);
  expect(works.report).toMatchObject({ ready: true, problem: null, account: { login: 'octo-demo' } });
  const age = works.report.account?.token?.ageSeconds ?? Number.NaN;
  expect(Math.abs(Date.now() - (mintedAt ?? 0) - age * 1000)).toBeLessThan(10_000);
  expect(works.findings).toMatchObject({
    'account.signed-in': expect.stringMatching(/^passed: octo-demo/),
    'account.token': expect.stringMatching(/^passed: /),
    'copilot.connection': expect.stringMatching(/^passed: /),
  });

  script.expireTokens();
  expect((await stack.messages(prompt('on'))).status).toBe(401);
  const refused = await both(variables(githubToken));
  const why = 'octo-demo: GitHub refuses the sign-in.';
  expect(refused.report).toMatchObject({ ready: false, problem: { text: expect.stringContaining(why) } });
  expect(refused.findings['account.signed-in']).toBe(`failed: ${why}`);
});
