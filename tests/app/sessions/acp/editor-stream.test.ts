import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { editorStream } from '../../../../app/sessions/acp/editor-stream.ts';
import { relayEditor } from '../../../../app/sessions/acp/relay-editor.ts';
import { ReportedWords } from '../../../../app/sessions/acp/replay.ts';
import { until } from '../../../soon.ts';
import { startStack } from '../../stack.ts';

const mebibyte = 1024 * 1024;

/** An editor on the real line: `jumpseat acp` and the running Jumpseat. */
async function editor() {
  const { baseUrl, key, close } = await startStack();
  onTestFinished(close);
  const [input, output] = [new PassThrough(), new PassThrough()];
  let reported = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    reported += text;
  });
  const ended = relayEditor({ baseUrl, key: `${key}.acp` }, 'claude', { input, output });
  onTestFinished(async () => {
    input.end();
    expect(await ended).toEqual({ kind: 'editor-left' });
  });
  /** The answers to these bytes and to the request that follows them: the line lives. */
  return async (...pieces: string[]) => {
    reported = '';
    for (const piece of pieces) input.write(piece);
    input.write(`\n{"jsonrpc":"2.0","id":"after","method":"initialize","params":{"protocolVersion":1}}\n`);
    await until(() => reported.includes('"after"') && reported.endsWith('\n'));
    const answers = reported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number; message: string }; result?: object });
    expect(answers.pop()).toMatchObject({ id: 'after', result: { agentInfo: { name: 'jumpseat' } } });
    return answers;
  };
}

const large = 'x'.repeat(33 * mebibyte);
const tooLarge = expect.stringContaining('over 32 MiB');
const tooDeep = expect.stringContaining('nested over 1000 levels');
const refused = (id: unknown, message: unknown) => [{ jsonrpc: '2.0', id, error: { code: -32600, message } }];

it('of a message that was cut, only the next one is taken for its repetition', () => {
  const words = new ReportedWords();
  const told = (messageId: string, text: string, sessionUpdate = 'agent_message_chunk') =>
    words.rest({ sessionUpdate, messageId, content: { type: 'text', text } })?.content.text;
  told('cut', 'I think', 'agent_thought_chunk');
  told('cut', 'Let me');
  words.voids({ messageId: 'cut' });
  expect(told('whole', 'Let me look.')).toBe(' look.');
  expect(told('whole', 'Let me go on.')).toBe('Let me go on.');
  expect(told('later', 'I think so.', 'agent_thought_chunk')).toBe('I think so.');
});

describe('an editor’s line', () => {
  it('answers a message that is too large, by its id wherever that stands, and goes on', async () => {
    const say = await editor();
    const prompt = `"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"{\\"id\\":9 ${large}"}]}`;
    expect(await say(`{"jsonrpc":"2.0","id":7,${prompt}}`)).toEqual(refused(7, tooLarge));
    expect(await say(`{"jsonrpc":"2.0",${prompt},"id":"last"}`)).toEqual(refused('last', tooLarge));
    expect(await say(`{"jsonrpc":"2.0","id":3,"method":"\\"${large}\\\\","params":{}}`)).toEqual(refused(3, tooLarge));
    expect(await say(`{"jsonrpc":"2.0","id":"${large}","method":"x"}`)).toEqual(refused(null, tooLarge));
  });

  it('answers a message that is nested too deeply, and goes on', async () => {
    const say = await editor();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const params = `{"protocolVersion":1,"_meta":{"x":${deep}}}`;
    const request = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`;
    expect(await say(request)).toEqual(refused(1, tooDeep));
    expect(await say(request.slice(0, 99), request.slice(99, 70_000), request.slice(70_000))).toEqual(
      refused(1, tooDeep),
    );
    expect(await say(deep)).toEqual(refused(null, tooDeep));
  });

  it('answers no notification, and reads what is large and not too large', async () => {
    const say = await editor();
    expect(await say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${large}"}}`)).toEqual([]);
    const fits = `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":1,"_meta":{"x":"\\n{[${large.slice(2 * mebibyte)}"}}}`;
    expect(await say(fits)).toMatchObject([{ id: 2, result: { agentInfo: { name: 'jumpseat' } } }]);
    const broken = await say('{"jsonrpc":"2.0","id":4,');
    expect(broken).toMatchObject([{ id: null, error: { code: -32700 } }]);
  });

  it('makes an answer that is too deep an error for whoever asked', async () => {
    const [input, output] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
    const reader = editorStream(output.writable, input.readable).readable.getReader();
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    const answer = `{"jsonrpc":"2.0","id":5,"result":{"outcome":${deep}}}\n`;
    void input.writable.getWriter().write(new TextEncoder().encode(answer));
    expect((await reader.read()).value).toEqual(refused(5, tooDeep)[0]);
    await reader.cancel();
  });
});
