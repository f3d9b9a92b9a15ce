import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../../app/formats/wire/json.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { codexBinary, codexHome } from './codex.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
beforeAll(async () => {
  if (!existsSync(codexBinary)) throw new Error('There is no Codex. Run the tests with "npm test".');
  product = await startProduct();
});
afterAll(() => product.close());

const paths = ['/responses', '/v1/messages', '/chat/completions'];

/** What Copilot is sent for a model from now on. */
function sentFor(model: string) {
  const before = product.simulator.requests.length;
  return () =>
    product.simulator.requests
      .slice(before)
      .filter(({ path, body }) => paths.includes(path) && isObject(body) && body.model === model);
}

describe.each([
  ['gpt-5.4', '/responses'],
  ['claude-sonnet-4.6', '/v1/messages'],
  ['gpt-4.1', '/chat/completions'],
])('the real Codex on %s, which Copilot serves through %s', (model, path) => {
  it('A12.38 A12.39 a prompt, its command and the result, and a second prompt: user, agent, user', async () => {
    const codex = codexHome(product, model);
    const sent = sentFor(model);
    const before = product.exchanges.length;
    const rowsNow = () => product.exchanges.slice(before).filter(({ askedModel }) => askedModel === model);
    const first = await codex.run('use: exec_command {"cmd":"echo made-by-codex | tee made.txt"}');
    expect([first.code, first.text], first.errors).toEqual([0, expect.stringContaining('made-by-codex')]);
    expect(first.text).toContain('The tool answered');
    expect(readFileSync(join(codex.project, 'made.txt'), 'utf8')).toBe('made-by-codex\n');

    const second = await codex.run('resume', '--last', 'what was it?');
    expect([second.code, second.text], second.errors).toEqual([0, expect.stringContaining('what was it?')]);

    await expect.poll(() => rowsNow().length).toBe(3);
    const rows = rowsNow();
    expect(
      rows.map(({ api, client, path: through, initiator, reason, status, outcome }) => [
        ...[api, client, through, initiator, reason?.code, status, outcome],
      ]),
    ).toEqual([
      ['responses', 'codex', path, 'user', 'prompt', 200, 'done'],
      ['responses', 'codex', path, 'agent', 'tool-results', 200, 'done'],
      ['responses', 'codex', path, 'user', 'prompt', 200, 'done'],
    ]);
    expect(sent().map(({ path: to, initiator, status }) => [to, initiator, status])).toEqual([
      [path, 'user', 200],
      [path, 'agent', 200],
      [path, 'user', 200],
    ]);
    // Nothing was left out without a word. Copilot itself searches for a model of OpenAI's.
    const texts = rows[0]?.fits.map(({ text }) => text) ?? [];
    expect(texts).toEqual(
      expect.arrayContaining(['custom tools and namespaces sent as functions', 'client_metadata removed']),
    );
    expect(texts.includes('web search offered as a function and run by Jumpseat')).toBe(path !== '/responses');
    expect(product.simulator.script.violations).toEqual([]);
  });

  it('A12.38 it searches the web, as one user', async () => {
    const codex = codexHome(product, model);
    await product.settled();
    const before = product.exchanges.length;
    const run = await codex.run(path === '/responses' ? 'search: node 24' : 'use: web_search {"query":"node 24"}');
    expect([run.code, run.text], run.errors).toEqual([0, expect.stringContaining('docs.example')]);
    await product.settled();
    const rows = [...product.exchanges.slice(before)].sort((one, other) => one.startedAt - other.startedAt);
    expect(rows.map(({ path: to, initiator, outcome }) => [to, initiator, outcome])).toEqual(
      path === '/responses'
        ? [[path, 'user', 'done']]
        : [
            [path, 'user', 'done'],
            ['/responses', 'agent', 'done'],
            [path, 'agent', 'done'],
          ],
    );
  });
});

it('what a Claude thought goes back to it with the result, as it was signed', async () => {
  const model = 'claude-opus-4.8';
  const codex = codexHome(product, model);
  const sent = sentFor(model);
  const run = await codex.run('think, then use: exec_command {"cmd":"echo thought"}');
  expect([run.code, run.text], run.errors).toEqual([0, expect.stringContaining('thought')]);
  const [first, second] = sent().map(({ body }) => (isObject(body) ? body : {}));
  expect(first?.thinking).toEqual({ type: 'adaptive' });
  const messages: unknown[] = Array.isArray(second?.messages) ? second.messages : [];
  expect(messages.at(-2)).toMatchObject({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: expect.stringMatching(/./), signature: expect.stringMatching(/./) },
      { type: 'tool_use', name: 'exec_command', input: { cmd: 'echo thought' } },
    ],
  });
});

/** Codex knows this name, and offers it `apply_patch` as a free-form tool, which Copilot does not know. */
describe.each(['/responses', '/v1/messages', '/chat/completions'])('a free-form tool on a model with %s', (path) => {
  it('is called with a patch, which Codex applies', async () => {
    const id = 'gpt-5.5';
    const models = defaultModels().map(Object);
    const like = models.find((model) => model.id === 'gpt-5.4');
    const other = await startProduct({ models: [...models, { ...like, id, supported_endpoints: [path] }] });
    try {
      const codex = codexHome(other, id);
      const patch = '*** Begin Patch\n*** Add File: patched.txt\n+from a patch\n*** End Patch\n';
      const run = await codex.run(`use: apply_patch ${JSON.stringify({ input: patch })}`);
      expect([run.code, run.text], run.errors).toEqual([0, expect.stringContaining('The tool answered')]);
      expect(readFileSync(join(codex.project, 'patched.txt'), 'utf8')).toBe('from a patch\n');
      await expect.poll(() => other.exchanges.length).toBe(2);
      expect(other.exchanges.map(({ path: through, initiator, outcome }) => [through, initiator, outcome])).toEqual([
        [path, 'user', 'done'],
        [path, 'agent', 'done'],
      ]);
    } finally {
      await other.close();
    }
  });
});

it('a refusal of Copilot’s is said in its own words', async () => {
  product.simulator.script.next({
    kind: 'answer',
    status: 400,
    body: { error: { message: 'Something in here is not allowed today.', code: 'invalid_request_body' } },
  });
  const run = await codexHome(product, 'gpt-5-mini').run('hello');
  expect(run.code).toBe(1);
  expect(run.errors).toContain('Something in here is not allowed today.');
});

it('an answer that is cut is no answer', async () => {
  product.simulator.script.next({ kind: 'usual', cutAfter: 6 });
  const run = await codexHome(product, 'claude-haiku-4.5').run('hello');
  expect(run.code).toBe(1);
  expect(run.errors).toContain('ended early');
});
