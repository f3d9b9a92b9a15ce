import { describe, expect, it } from 'vitest';
import { readJson, turnFor } from '../../../app/exchange/client-call.ts';

describe('reading a body of 4 MB', () => {
  const message = { role: 'user', content: [{ type: 'text', text: 'Fix the parser.\n"Quoted"\n'.repeat(100) }] };
  const request = { model: 'a', messages: Array.from({ length: 1500 }, () => message), stream: true };
  const text = JSON.stringify(request);

  it('lets others have their turns meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const read = await readJson(Buffer.from(text));
    isOver = true;
    expect(JSON.stringify(read)).toBe(text);
    expect(turns).toBeGreaterThan(1);
  });

  it('says what is wrong with it as with a small one', async () => {
    await expect(readJson(Buffer.from(text.slice(0, -1)))).rejects.toMatchObject({
      error: { failure: { code: 'invalid_body' }, message: expect.stringContaining('isn’t valid JSON') },
    });
    const twice = text.replace('"stream":true', '"stream":true,"stream":false');
    await expect(readJson(Buffer.from(twice))).rejects.toMatchObject({
      error: { message: expect.stringContaining('the key “stream” twice') },
    });
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('parser')] = 0xff;
    await expect(readJson(bytes)).rejects.toMatchObject({
      error: { message: expect.stringContaining('isn’t valid UTF-8') },
    });
  });
});

it('gives others their turn between the steps of a large request, and of no other', async () => {
  expect(turnFor(Buffer.alloc(100_000))).toBeUndefined();
  let had = false;
  setImmediate(() => {
    had = true;
  });
  await turnFor(Buffer.alloc(200_000));
  expect(had).toBe(true);
});
