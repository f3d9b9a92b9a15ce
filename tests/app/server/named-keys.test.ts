import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { redact } from '../../../app/adapters/redact.ts';
import { createKey, keys, revokeKey } from '../../../app/cli/commands/keys.ts';
import { openApp } from '../../../app/cli/compose.ts';
import { soon } from '../../soon.ts';
import { paper } from '../cli/paper.ts';
import { temporaryFolder } from '../history/surroundings.ts';
import { eventsOf, prompt, type Stack, startStack } from '../stack.ts';

let stack: Stack;
/** How far the clock of the product is ahead, in ms. */
let ahead = 0;
beforeEach(async () => {
  ahead = 0;
  const clock = nodeClock();
  stack = await startStack({
    home: temporaryFolder(),
    ports: { clock: { ...clock, now: () => clock.now() + ahead } },
  });
  await stack.app.models();
});
afterEach(() => stack.close());

const days = (count: number): number => count * 86_400_000;
const any = { clients: [], days: null };
const send = (credential: string, words = 'hi') =>
  stack.messages(prompt(words), { authorization: `Bearer ${credential}` });
const errorOf = (answer: { json(): unknown }): unknown =>
  (answer.json() as { error: { message: string } }).error.message;

describe('a further key', () => {
  it('opens what the first one opens, under its name; what is left of it is a hash', async () => {
    const key = await stack.app.createKey({ ...any, name: 'ci' });
    expect(key).toMatch(/^jsk_[\w-]{43}$/);
    expect((await send(`${key}.codex`)).status).toBe(200);
    expect((await send(key)).status).toBe(200);
    const search = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'web_fetch', arguments: { url: 'http://127.0.0.1:1/' } },
    };
    await stack.send({
      method: 'POST',
      path: '/mcp',
      headers: {
        authorization: `Bearer ${key}.zed`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(search),
    });
    const metrics = await stack.send({ path: '/metrics', headers: { authorization: `Bearer ${key}.prometheus` } });
    expect(metrics.status).toBe(200);
    expect((await stack.rows(3)).map((row) => [row.client, row.key])).toEqual([
      ['codex', 'ci'],
      ['ci', 'ci'],
      ['zed', 'ci'],
    ]);
    await stack.messages(prompt('by the first'));
    const first = (await stack.rows(4)).at(-1);
    expect(first?.key).toBeUndefined();
    const [listed] = await stack.app.namedKeys();
    expect(listed).toMatchObject({ name: 'ci', clients: [], expiresAt: null });
    expect(listed?.lastUsedAt).toBeGreaterThanOrEqual(listed?.createdAt ?? Number.NaN);
    expect(readFileSync(join(stack.home, 'settings.json'), 'utf8')).not.toContain(key.slice(4, 20));
    expect(redact(`{"sent":"${key}.codex"}`)).not.toContain(key.slice(4));
  });

  it('is for its clients alone', async () => {
    const one = await stack.app.createKey({ name: 'one', clients: ['codex'], days: null });
    const two = await stack.app.createKey({ name: 'two', clients: ['codex', 'aider'], days: null });
    expect([(await send(one)).status, (await send(`${one}.codex`)).status]).toEqual([200, 200]);
    const others = await send(`${one}.cline`);
    expect([others.status, errorOf(others)]).toEqual([
      401,
      'Jumpseat: the key “one” is for codex, and not for “cline”. Send the name that it is for, or another key.',
    ]);
    expect(errorOf(await send(two))).toBe(
      'Jumpseat: a name is missing after the key “two”, which is for codex and aider. ' +
        'Send KEY.NAME, for example with “codex” as the name.',
    );
    expect((await send(`${two}.aider`)).status).toBe(200);
    const inOtherHeader = await stack.messages(prompt('hi'), { authorization: null, 'x-api-key': `${two}.aider` });
    expect(errorOf(inOtherHeader)).toContain('came in the header x-api-key');
  });

  it('that was revoked is refused with that reason, in each header', async () => {
    const key = await stack.app.createKey({ ...any, name: 'gone', days: null });
    await stack.app.revokeKey('gone');
    const revoked =
      'Jumpseat: this key was revoked, or another Jumpseat made it. Create a new key with "jumpseat keys create".';
    expect(errorOf(await send(key))).toBe(revoked);
    expect(errorOf(await send(`${key}.codex`))).toBe(revoked);
    const inOtherHeader = await stack.messages(prompt('hi'), { authorization: null, 'x-api-key': key });
    expect([inOtherHeader.status, errorOf(inOtherHeader)]).toEqual([401, revoked]);
  });

  it('is refused once it has expired', async () => {
    const key = await stack.app.createKey({ ...any, name: 'short', days: 2 });
    ahead = days(2) - 60_000;
    expect((await send(key)).status).toBe(200);
    ahead = days(2) + 60_000;
    const refused = await send(key);
    expect([refused.status, errorOf(refused)]).toEqual([
      401,
      expect.stringMatching(
        /^Jumpseat: the key “short” expired on .+\. Create a new key with "jumpseat keys create"\.$/,
      ),
    ]);
  });

  it('that is revoked while a body still comes in refuses that request, and nothing is sent', async () => {
    const key = await stack.app.createKey({ ...any, name: 'ci' });
    const body = JSON.stringify(prompt('one'));
    const sending = request(`${stack.baseUrl}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}.codex`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
      },
    });
    sending.flushHeaders();
    // It has come through the door.
    await once(sending, 'continue');
    sending.write(body.slice(0, 10));
    await stack.app.revokeKey('ci');
    const answered = once(sending, 'response');
    sending.end(body.slice(10));
    const [answer] = await answered;
    const { error } = JSON.parse(await text(answer));
    expect([answer.statusCode, error.message]).toEqual([
      401,
      'Jumpseat: the key “ci” was revoked while this request was running. Use another key.',
    ]);
    const [row] = await stack.rows(1);
    expect([row?.key, row?.failure?.code, row?.attempts]).toEqual(['ci', 'key-revoked', []]);
  });

  it('that is revoked in the middle of an answer ends it with words, and no other', async () => {
    const { script } = stack.simulator;
    const key = await stack.app.createKey({ ...any, name: 'ci' });
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held = script.next({ kind: 'usual', gate });
    const other = script.next({ kind: 'usual', gate });
    const ends = send(`${key}.codex`, 'one');
    await held.taken;
    const stays = stack.messages(prompt('two'));
    await other.taken;
    await stack.app.revokeKey('CI');
    const ended = await ends;
    const said = 'Jumpseat: the key “ci” was revoked while this request was running. Use another key.';
    const told =
      ended.status === 200 ? eventsOf(ended.text).at(-1)?.data.error : (ended.json() as { error: unknown }).error;
    expect(told).toMatchObject({ type: 'authentication_error', message: said });
    const [row] = await stack.rows(1);
    expect([row?.key, row?.outcome, row?.failure?.code]).toEqual(['ci', 'failed', 'key-revoked']);
    expect([(await send(`${key}.codex`)).status, (await stack.app.namedKeys()).length]).toEqual([401, 0]);
    open();
    expect((await stays).status).toBe(200);
  });

  it('has a name of its own', async () => {
    await stack.app.createKey({ ...any, name: 'ci' });
    await expect(stack.app.createKey({ ...any, name: 'CI' })).rejects.toMatchObject({
      message: 'There is a key named "ci" already. Upper and lower case count as the same.',
      remedy: 'Choose another name, or revoke that key first.',
    });
    await expect(stack.app.revokeKey('other')).rejects.toThrow('There is no key named "other".');
  });

  it('has limits of its own, which count its requests alone', async () => {
    const key = await stack.app.createKey({ ...any, name: 'ci' });
    await stack.app.changePreferences({
      limits: { rules: [{ key: 'ci', credits: 0.01, per: 'day', action: 'stop' }] },
    });
    stack.simulator.script.next({ kind: 'usual' });
    await stack.messages(prompt('by the first'));
    expect((await send(`${key}.codex`)).status).toBe(200);
    await stack.rows(2);
    const refused = await send(`${key}.codex`);
    expect([refused.status, errorOf(refused)]).toEqual([429, expect.stringContaining('key ci has used')]);
    expect((await stack.messages(prompt('by the first'))).status).toBe(200);
  });
});

it('jumpseat keys creates, lists and revokes them, at once in the Jumpseat that runs', async () => {
  const { home, simulator } = stack;
  const env = {
    JUMPSEAT_HOME: home,
    JUMPSEAT_SECRETS: 'memory',
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
  };
  const terminal = paper();
  const surroundings = { terminal, env, open: (options?: object) => openApp(env, options) };
  await createKey(surroundings, 'ci', { client: ['codex', 'aider'], days: '30' });
  const [key = ''] = terminal.text.split('\n');
  expect((await send(`${key}.codex`)).status).toBe(200);
  await stack.rows(1);
  const list = { ...surroundings, terminal: paper() };
  await keys(list, {});
  const [head = '', line = ''] = list.terminal.text.split('\n');
  expect(head.split(/ {2,}/)).toEqual(['Name', 'For', 'Expires', 'Last used']);
  expect(line).toMatch(/^ci +codex, aider +\d+ \w+ \d{4}, \d\d:\d\d.* +\d\d:\d\d:\d\d, \d+ s ago$/);
  await revokeKey({ ...surroundings, terminal: paper() }, 'ci');
  expect((await send(`${key}.codex`)).status).toBe(401);
  await expect(createKey(surroundings, 'a b', {})).rejects.toThrow('“a b” can’t name a key or a client.');
  await expect(createKey(surroundings, 'b', { days: '0' })).rejects.toThrow('--days must be a whole number from 1');
  // One that another process takes out of the file.
  const other = await stack.app.createKey({ ...any, name: 'other' });
  const settings = join(home, 'settings.json');
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), keys: [] }));
  await soon(async () => expect((await send(other)).status).toBe(401));
  // A mistyped list is left for the person to correct.
  const mistyped = JSON.stringify({ keys: [{ name: 'kept' }] });
  writeFileSync(settings, mistyped);
  const refused = /^The list "keys" in settings\.json can’t be used, so nothing was changed\.$/;
  await expect(stack.app.createKey({ ...any, name: 'next' })).rejects.toThrow(refused);
  expect(readFileSync(settings, 'utf8')).toBe(mistyped);
});
