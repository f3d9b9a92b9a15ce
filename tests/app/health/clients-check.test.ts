import { expect, it } from 'vitest';
import type { Client } from '../../../app/api/setup.ts';
import { clientsFinding, refusedSince } from '../../../app/health/feature-checks.ts';
import { RefusedClients } from '../../../app/server/refused-clients.ts';
import { prompt, startStack } from '../stack.ts';

const at = (hour: number): number => new Date(2026, 10, 28, hour).getTime();
const codex = (trouble: string | null): Client => ({
  ...{ name: 'codex', title: 'Codex', label: 'codex', isInstalled: true },
  uses: [{ use: 'models', files: ['~/.codex/config.toml'], state: 'set-up', by: 'jumpseat', trouble }],
});

it('a client that worked and shows another key now is named, and no name that never worked', () => {
  const refused = new RefusedClients();
  refused.note('my-app', at(11));
  refused.note('codex', at(9));
  refused.note('sk-from-somewhere', at(11));
  const last = [
    { client: 'my-app', at: at(10) },
    { client: 'codex', at: at(10) },
  ];
  const since = refusedSince(last, refused);
  expect(since).toEqual([{ label: 'my-app', refusedAt: at(11), workedAt: at(10) }]);
  expect(clientsFinding([codex(null)], since, at(12))).toEqual({
    verdict: 'warning',
    finding: 'my-app worked until 10:00:00. Its key was refused at 11:00:00.',
    remedy: 'Copy the lines again from Settings → Clients, or with "jumpseat env --for openai --client my-app".',
  });
  refused.note('codex', at(11));
  expect(refusedSince(last, refused).map(({ label }) => label)).toEqual(['my-app', 'codex']);
});

it('a program whose file says why is named once, with the way to set it up again', () => {
  const refused = [{ label: 'codex', refusedAt: at(11), workedAt: at(10) }];
  expect(clientsFinding([codex('model_provider is gone from FILE.')], refused, at(12))).toEqual({
    ...{ verdict: 'warning', finding: 'Codex: model_provider is gone from FILE.', remedyFor: 'terminal' },
    remedy: 'Run "jumpseat setup codex".',
    client: { name: 'codex', title: 'Codex', uses: ['models'] },
  });
  const both = [...refused, { label: 'my-app', refusedAt: at(11), workedAt: at(10) }];
  const found = clientsFinding([codex('model_provider is gone from FILE.')], both, at(12));
  expect(found.remedyFor).toBe(undefined);
  expect(found.remedy).toMatch(/^Run "jumpseat setup codex"\. Copy the lines again .+ --client my-app"\.$/);
});

it('holds only so many names', () => {
  const refused = new RefusedClients();
  for (let name = 0; name < 500; name++) refused.note(`n${name}`, name);
  expect([refused.size, refused.at('n0'), refused.at('n499')]).toEqual([100, null, 499]);
});

it('Health names a client of lines that were pasted, once its key is another one', async () => {
  const stack = await startStack();
  try {
    const ask = (key: string) => stack.messages(prompt('hello'), { authorization: `Bearer ${key}.my-app` });
    expect((await ask(stack.key)).status).toBe(200);
    await stack.rows(1);
    expect(await stack.app.check('machine.clients')).toMatchObject({ verdict: 'skipped' });
    expect((await ask('old-key')).status).toBe(401);
    expect(await stack.app.check('machine.clients')).toMatchObject({
      verdict: 'warning',
      finding: expect.stringMatching(/^my-app worked until \S+\. Its key was refused at \S+\.$/),
    });
    expect((await ask(stack.key)).status).toBe(200);
    await stack.rows(2);
    expect(await stack.app.check('machine.clients')).toMatchObject({ verdict: 'skipped' });
  } finally {
    await stack.close();
  }
});
