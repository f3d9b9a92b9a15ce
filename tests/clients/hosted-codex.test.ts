import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HostedAgent, hostCodex } from './hosted-agent.ts';
import { markedProcesses } from './marked-processes.ts';
import { type Product, startProduct } from './product.ts';

/** The real Codex behind codex-acp, through the product, against the simulator: another agent in the same interface. */
let product: Product;
let hosted: HostedAgent;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(async () => {
  await hosted?.connection.stop();
  await product.close();
});

it('leads two sessions, each with its own key; a tool runs when it is allowed; no key is an argument', async () => {
  hosted = await hostCodex(product);
  expect(hosted.connection.capabilities.mcpCapabilities).toMatchObject(hosted.agent.mcp);
  const labels = [randomUUID(), randomUUID()] as const;
  const begin = (sessionId: string) =>
    hosted.start({ kind: 'new', sessionId }, { effort: 'low' }) as Promise<{ sessionId: string }>;
  const [first, second] = await Promise.all([begin(labels[0]), begin(labels[1])]);
  // Outside of its sandbox, which the tests do not fetch: there it has to ask.
  const outside = '"sandbox_permissions":"require_escalated","justification":"a test"';
  await hosted.prompt(first.sessionId, `use: exec_command {"cmd":"touch made",${outside}}`);
  await hosted.prompt(second.sessionId, 'count to 3');
  expect(hosted.asked.length, hosted.text()).toBe(1);
  expect(existsSync(join(hosted.project, 'made'))).toBe(true);
  expect(hosted.text()).toContain('1, 2, 3');
  // What a deletion takes away.
  expect(await hosted.agent.conversationFiles?.(first.sessionId)).toEqual([
    expect.stringContaining(join(product.home, '.codex', 'sessions')),
  ]);
  await product.settled();
  const rows = product.exchanges.map(({ api, client, askedModel, initiator }) => [api, client, askedModel, initiator]);
  expect(rows).toEqual([
    ['responses', labels[0], 'gpt-5.4', 'user'],
    ['responses', labels[0], 'gpt-5.4', 'agent'],
    ['responses', labels[1], 'gpt-5.4', 'user'],
  ]);
  const running = markedProcesses(product.home);
  expect(running.length).toBeGreaterThan(1);
  expect(running.filter(({ args }) => args.includes(product.key))).toEqual([]);
  // codex-acp hands it to Codex in the environment, and it stands nowhere else.
  const knowing = running.filter(({ environment }) => environment.includes(product.key));
  expect(knowing.length).toBeGreaterThan(0);
  expect(knowing.filter(({ args }) => !args.includes('app-server'))).toEqual([]);
});
