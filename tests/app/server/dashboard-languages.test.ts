import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import type { AppState, Check } from '../../../app/api/state.ts';
import { type Answer, type Stack, sendTo, startStack } from '../stack.ts';

/** The app's own sentences, for a page that shows another language than English. */

let stack: Stack;
let cookie: string;
beforeAll(async () => {
  stack = await startStack({ secrets: memorySecrets({}), app: { typedCommand: 'npx jumpseat' } });
  const { pathname, search } = new URL((await stack.app.startProxy()).dashboardUrl);
  const first = await sendTo(stack.baseUrl, { path: `${pathname}${search}` });
  cookie = String(first.headers['set-cookie']?.[0]).split(';')[0] ?? '';
});
afterAll(() => stack.close());

function call(name: string, given: unknown[], language: string | null): Promise<Answer> {
  return sendTo(stack.baseUrl, {
    method: 'POST',
    path: `/ui/api/call/${name}${language === null ? '' : `?language=${language}`}`,
    headers: { 'content-type': 'application/json', origin: stack.baseUrl, cookie },
    body: JSON.stringify(given),
  });
}

const resultOf = <Value>(answer: Answer): Value => (answer.json() as { value: Value }).value;

it('finds in German for a German page, and at the same moment in English for others', async () => {
  const check = async (language: string | null): Promise<Check> =>
    resultOf<Check>(await call('check', ['account.signed-in'], language));
  const [german, english, japanese, unknown] = await Promise.all([check('de'), check(null), check('ja'), check('fr')]);
  expect(english).toMatchObject({ title: 'Signed in', finding: 'Not signed in.' });
  expect(german).toMatchObject({ title: 'Angemeldet', finding: 'Nicht angemeldet.', verdict: 'failed' });
  expect(japanese).toMatchObject({ finding: 'サインインしていません。' });
  expect(unknown).toEqual(english);
});

it('fails in German for a German page, with the command that is typed here', async () => {
  const revoke = (language: string | null) => call('revokeKey', ['ci'], language);
  const [german, english] = await Promise.all([revoke('de'), revoke(null)]);
  expect(english.json()).toMatchObject({
    ok: false,
    problem: { text: 'There is no key named "ci".', remedy: 'Run "npx jumpseat keys" for those that there are.' },
  });
  expect(german.json()).toMatchObject({
    ok: false,
    problem: {
      text: 'Es gibt keinen Schlüssel mit dem Namen "ci".',
      remedy: 'Führen Sie "npx jumpseat keys" aus, um die vorhandenen zu sehen.',
    },
  });
  expect((await call('check', [7], 'de')).json()).toMatchObject({
    problem: { code: 'bad-call', text: 'Die Seite hat „check“ falsch aufgerufen.' },
  });
});

it('has errors of accounts, sessions and settings in German, too, with what others have named as it is', async () => {
  const problem = async (name: string, given: unknown[], language: string | null) =>
    ((await call(name, given, language)).json() as { problem: { text: string; remedy: string } }).problem;
  expect(await problem('renameAccount', ['Yes', 'work'], 'de')).toMatchObject({
    text: 'Es gibt kein solches Konto.',
    remedy: 'Wählen Sie einen Eintrag der Liste.',
  });
  expect(await problem('stopSession', ['Yes'], 'ja')).toMatchObject({
    text: 'そのセッションはありません。',
    remedy: '別のセッションを選択してください。',
  });
  expect(await problem('stopSession', ['Yes'], null)).toMatchObject({ text: 'There is no such session.' });
  const label = await problem('bindAccount', ['first', ['Turn it on.']], 'zh-CN');
  expect(label).toMatchObject({ text: '“Turn it on.”不能作为客户端标签。' });
});

it('sends events in German to the page that asked for them so', async () => {
  const [german, english] = await Promise.all([firstState('?language=de'), firstState('')]);
  expect(english.reach).toEqual(german.reach);
  expect(english.status).toBe('signed-out');
  expect(german).toEqual(resultOf<AppState>(await call('state', [], 'de')));
});

it('stays English for clients and in the log', async () => {
  const refused = await stack.messages({ model: 'haiku', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });
  expect(refused.text).toContain('Not signed in to GitHub');
  await call('checks', [], 'de');
  expect(JSON.stringify(stack.log)).not.toMatch(/nicht|angemeldet/i);
});

async function firstState(query: string): Promise<AppState> {
  const outgoing = request(new URL(`/ui/api/events${query}`, stack.baseUrl), { headers: { cookie } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.includes('\n\n')) break;
  }
  return JSON.parse(text.slice('data: '.length, text.indexOf('\n\n'))).state;
}
