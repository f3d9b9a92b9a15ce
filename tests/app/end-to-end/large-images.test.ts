import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { noiseJpeg, noisePng } from '../images/pictures.ts';
import { prompt, type Stack, startStack } from '../stack.ts';

/** Images that are larger than Copilot takes, from a client of each API to a model of each path. */

const most = 3_145_728;
const large = noisePng(1080, 1000).toString('base64');
const url = `data:image/png;base64,${large}`;

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.refresh();
});
afterEach(() => stack.close());

const sent = () => stack.simulator.requests.filter(({ method, path }) => method === 'POST' && path !== '/models');
/** Data of all images of a request, in whatever format. */
const imagesOf = (body: unknown): string[] =>
  [...JSON.stringify(body).matchAll(/"(?:data:image\/\w+;base64,)?([A-Za-z0-9+/=]{1000,})"/g)].map(
    ([, data = '']) => data,
  );
const bytes = (data: string | undefined) => Buffer.from(data ?? '', 'base64');

const bodies = {
  '/v1/messages': {
    max_tokens: 100,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is it' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: large } },
        ],
      },
    ],
  },
  '/v1/chat/completions': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is it' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  },
  '/v1/responses': {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what is it' },
          { type: 'input_image', image_url: url },
        ],
      },
    ],
  },
};

it.each([
  ['/v1/messages', 'claude-sonnet-4.6'],
  ['/v1/messages', 'gpt-5.4'],
  ['/v1/chat/completions', 'gemini-3.1-pro-preview'],
  ['/v1/chat/completions', 'claude-sonnet-4.6'],
  ['/v1/responses', 'gpt-5.4'],
] as const)('a large image in %s to %s is scaled down, and the row says so', async (path, model) => {
  const answer = await stack.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...bodies[path] }),
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const [image, ...others] = imagesOf(sent().at(-1)?.body);
  expect(others).toEqual([]);
  expect(bytes(image).length).toBeLessThanOrEqual(most);
  const { width, height } = PNG.sync.read(bytes(image));
  expect([width < 1080, width > 960, width / height]).toEqual([true, true, expect.closeTo(1.08, 2)]);
  const [row] = await stack.rows(1);
  expect(row?.fits).toContainEqual({
    ...{ code: 'image-scaled', count: 1 },
    text: expect.stringMatching(/^image scaled down: 3\.\d MB → (2\.\d|3) MB$/),
  });
  expect(row?.initiator).toBe('user');
});

describe('in a conversation', () => {
  const image = (data: string, type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type: type, data },
  });
  const text = (words: string) => ({ type: 'text', text: words });

  it('each large one of a tool and of a person is scaled, small ones and other bytes stay', async () => {
    const small = noisePng(40, 40).toString('base64');
    const photo = noiseJpeg(1900, 1100).toString('base64');
    expect(bytes(photo).length).toBeGreaterThan(most);
    const tool = { type: 'tool_use', id: 'toolu_1', name: 'Shot', input: {} };
    const messages = [
      { role: 'user', content: [text('show'), image(small)] },
      { role: 'assistant', content: [tool] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image(photo, 'image/jpeg')] }],
      },
      { role: 'assistant', content: [text('Well.')] },
      { role: 'user', content: [text('and this'), image(large), text('{"a" :  1e3}')] },
    ];
    const tools = [{ name: 'Shot', input_schema: { type: 'object', properties: {} } }];
    const body = { ...prompt(''), tools, messages };
    expect((await stack.messages(body)).status).toBe(200);
    expect((await stack.messages(body)).status).toBe(200);
    const [first, second] = sent().map(({ body: each }) => imagesOf(each));
    expect(first).toHaveLength(3);
    expect(first?.[0]).toBe(small);
    expect(first?.map((data) => bytes(data).length <= most)).toEqual([true, true, true]);
    expect(bytes(first?.[1]).subarray(0, 2).toString('hex')).toBe('ffd8');
    // The same bytes, for Copilot's cache.
    expect(second).toEqual(first);
    const rows = await stack.rows(2);
    expect(rows.map(({ fits }) => fits.find(({ code }) => code === 'image-scaled')?.count)).toEqual([2, 2]);
  });

  it('one that cannot be read is refused or left out, as before', async () => {
    const broken = 'A'.repeat(4_500_000);
    const attached = { role: 'user', content: [text('look'), image(broken)] };
    expect((await stack.messages({ ...prompt(''), messages: [attached] })).status).toBe(413);
    const messages = [attached, { role: 'assistant', content: 'Well' }, { role: 'user', content: 'and?' }];
    expect((await stack.messages({ ...prompt(''), messages })).status).toBe(200);
    expect((await stack.rows(2))[1]?.fits.map(({ code }) => code)).toContain('image-left-out');
  });
});

describe('PDFs with more pages than Copilot takes', () => {
  const page = (at: number) => `${at} 0 obj <</Type /Page /Parent 1 0 R>> endobj\n`;
  const plain = `%PDF-1.4\n1 0 obj <</Type /Pages /Count 2>> endobj\n${page(2)}${page(3)}`;
  const inside = deflateSync('4 0 5 20 6 40 <</Type/Page>> <</Type/Page>> <</Type/Page>>').toString('latin1');
  const packed = `%PDF-1.5\n9 0 obj <</Type /ObjStm /Filter /FlateDecode /N 3>> stream\n${inside}\nendstream endobj\n`;
  const document = (pdf: string) => ({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: Buffer.from(pdf, 'latin1').toString('base64') },
  });

  it('are refused in Copilot’s words, with how many pages there are', async () => {
    const refusal = { error: { message: 'A maximum of 4 PDF pages may be provided.', code: 'invalid_request_body' } };
    stack.simulator.script.always({ kind: 'answer', status: 400, body: refusal }, '/v1/messages');
    const ask = async (...documents: object[]): Promise<unknown> => {
      const answer = await stack.messages({ ...prompt(''), messages: [{ role: 'user', content: documents }] });
      expect([answer.status, answer.headers['x-should-retry']]).toEqual([400, 'false']);
      return Object(answer.json()).error.message;
    };
    const copilots = 'Copilot answered 400: A maximum of 4 PDF pages may be provided.';
    expect(await ask(document(plain), document(packed))).toBe(`${copilots} The PDFs in this request have 5 pages.`);
    expect(await ask(document('%PDF-1.7 of another kind'))).toBe(copilots);
    // A small file that unpacks to much is not unpacked.
    const bomb = deflateSync(Buffer.alloc(40 * 1024 * 1024)).toString('latin1');
    expect(await ask(document(plain), document(packed.replace(inside, () => bomb)))).toBe(copilots);
  });
});

it('a second model is sent the image as its own limit has it, not as the first one’s had it', async () => {
  // The first takes less than the second, and the row says what became of the image that was sent.
  const models = structuredClone(defaultModels());
  const limitOf = (id: string, bytes: number | null): void => {
    const vision = Object(models.find((model) => Object(model).id === id)).capabilities.limits.vision;
    if (bytes === null) delete vision.max_prompt_image_size;
    else vision.max_prompt_image_size = bytes;
  };
  limitOf('claude-sonnet-4.6', 1_000_000);
  limitOf('claude-haiku-4.5', null);
  stack.simulator.script.setModels(models);
  await stack.app.refresh();
  await stack.app.changePreferences({ models: { rules: [{ when: {}, use: { fallback: 'claude-haiku-4.5' } }] } });
  const overloaded = { error: { message: 'busy', code: 'model_overloaded' } };
  stack.simulator.script.next({ kind: 'answer', status: 429, body: overloaded });
  const answer = await stack.send({
    method: 'POST',
    path: '/v1/messages',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-4.6', ...bodies['/v1/messages'] }),
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const [first, second] = sent().map(({ body }) => imagesOf(body)[0]);
  expect(bytes(first).length).toBeLessThanOrEqual(1_000_000);
  // Compared by itself, so that a failure prints no image.
  expect(second === large).toBe(true);
  const [row] = await stack.rows(1);
  expect(row?.fits.map(({ code }) => code)).toContain('rule-fallback');
  expect(row?.fits.map(({ code }) => code)).not.toContain('image-scaled');
});
