import { afterEach, beforeEach, expect, it } from 'vitest';
import { env } from '../../../app/cli/commands/env.ts';
import { openApp } from '../../../app/cli/compose.ts';
import { type Stack, startStack } from '../stack.ts';
import { paper } from './paper.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

/** What a person at a terminal reads beside the lines. */
async function said(what: string, given: { client?: string; setUp?: boolean; shell?: string } = {}): Promise<string> {
  const { simulator, home, key } = stack;
  const variables = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_KEY: key,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    ...{ HOME: home, PATH: '', SHELL: '/bin/bash' },
  };
  if (given.setUp === true) {
    const opened = await openApp(variables, {});
    try {
      await opened.app.applySetup((await opened.app.planSetup('setup')).id);
    } finally {
      await opened.close();
    }
  }
  const terminal = paper(true);
  await env(
    { terminal, env: variables, open: (more) => openApp(variables, more) },
    { for: what, ...(given.client && { client: given.client }), ...(given.shell && { shell: given.shell }) },
  );
  return terminal.errors;
}

it('is evaluated by a shell in one step where it is made for one, and never what an editor starts', async () => {
  for (const what of ['openai', 'codex']) {
    expect(await said(what)).toContain(`In one step: eval "$(jumpseat env --for ${what})"`);
  }
  for (const what of ['acp', 'acp-zed', 'acp-jetbrains', 'mcp', 'codex-config']) {
    expect(await said(what), what).not.toContain('In one step');
  }
  expect(await said('mcp', { shell: 'json' })).toMatch(
    /^This is \.mcp\.json of a project\. The key is not in it: [^\n]*\n$/,
  );
});

it('says that the proxy is off where it is needed, and nothing of it to an editor that starts Jumpseat', async () => {
  await stack.app.stopProxy({ graceMs: 0 });
  expect(await said('openai')).toContain(
    'The proxy is off. Run "jumpseat serve", or turn the proxy on in the tray app.',
  );
  for (const what of ['acp', 'acp-zed', 'acp-jetbrains']) expect(await said(what), what).not.toContain('proxy');
});

it('says that a label isn’t used where settings.json holds the key', async () => {
  expect(await said('claude-code', { client: 'work' })).not.toContain('the label isn’t used');
  expect(await said('claude-code', { client: 'work', setUp: true })).toContain('the label isn’t used');
  expect(await said('claude-code', { setUp: true })).not.toContain('the label isn’t used');
});
