import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/** A person's rules and fallbacks under the real Claude Code. */

const rules = [
  { when: { class: 'subagent', folder: tmpdir() }, use: { model: 'gpt-5-mini' } },
  { when: { class: 'main' }, use: { fallback: 'claude-haiku-4.5' } },
];

let product: Product;
beforeEach(async () => {
  product = await startProduct({}, { models: { rules } });
});
afterEach(() => product.close());

const sent = () =>
  product.simulator.requests.flatMap(({ method, path, body, initiator, headers }) =>
    method === 'POST' && ['/v1/messages', '/responses'].includes(path)
      ? [{ path, model: Object(body).model, initiator, type: headers['x-interaction-type'] }]
      : [],
  );

describe.runIf(claudeBinary !== '')('the real Claude Code under rules', () => {
  it('runs its subagent on a model of another family, with the same initiators, and goes on', async () => {
    const { code } = await runClaude(product, 'subagent: run: echo sub');
    expect(code).toBe(0);
    const requests = sent();
    const subagents = requests.filter(({ type }) => type === 'conversation-subagent');
    expect(subagents.length).toBeGreaterThan(0);
    for (const each of subagents)
      expect(each).toMatchObject({ path: '/responses', model: 'gpt-5-mini', initiator: 'agent' });
    const others = requests.filter(({ type }) => type !== 'conversation-subagent');
    expect(new Set(others.map(({ path }) => path))).toEqual(new Set(['/v1/messages']));
    expect(requests.filter(({ initiator }) => initiator === 'user')).toHaveLength(1);
  });

  it('goes on after an answer that names the fallback, with its own model again', async () => {
    const body = { error: { message: 'overloaded', code: 'model_overloaded' } };
    product.simulator.script.next({ kind: 'answer', status: 429, body });
    const { code, text } = await runClaude(product, 'run: echo jump$((40 + 2))', { model: 'claude-sonnet-4.6' });
    expect([code, text]).toEqual([0, expect.stringContaining('jump42')]);
    expect(sent().map(({ model, initiator }) => [model, initiator])).toEqual([
      ['claude-sonnet-4.6', 'user'],
      ['claude-haiku-4.5', 'user'],
      ['claude-sonnet-4.6', 'agent'],
    ]);
    await product.ended(({ reason }) => reason?.code === 'tool-results');
    expect(product.exchanges[0]).toMatchObject({
      ...{ askedModel: 'claude-sonnet-4.6', servedModel: 'claude-haiku-4.5', outcome: 'done' },
      attempts: [{ status: 429, retriedBecause: 'fallback' }, { status: 200 }],
    });
  });
});
