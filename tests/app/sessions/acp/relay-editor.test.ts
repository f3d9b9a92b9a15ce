import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { relayEditor } from '../../../../app/sessions/acp/relay-editor.ts';
import { until } from '../../../soon.ts';
import { startStack } from '../../stack.ts';

async function started() {
  const stack = await startStack();
  onTestFinished(() => stack.close());
  return stack;
}

function streams() {
  const output = new PassThrough();
  let reported = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    reported += text;
  });
  return { input: new PassThrough(), output, reported: () => reported };
}

const frame = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('the relay between an editor and the running Jumpseat', () => {
  it('carries frames both ways, cut anywhere, until the editor leaves', async () => {
    const { baseUrl, key } = await started();
    const { input, output, reported } = streams();
    const ended = relayEditor({ baseUrl, key: `${key}.acp` }, 'claude', { input, output });
    const words = frame(0, 'initialize', { protocolVersion: 1 });
    input.write(words.slice(0, 20));
    input.write(words.slice(20));
    await until(() => reported().endsWith('\n'));
    expect(JSON.parse(reported())).toMatchObject({ id: 0, result: { agentInfo: { name: 'jumpseat' } } });
    input.end();
    expect(await ended).toEqual({ kind: 'editor-left' });
  });

  it('is refused without the key, and takes nothing of what the editor said', async () => {
    const { baseUrl } = await started();
    const { input, output } = streams();
    input.write(frame(0, 'initialize', { protocolVersion: 1 }));
    expect(await relayEditor({ baseUrl, key: 'wrong.acp' }, 'claude', { input, output })).toEqual({
      ...{ kind: 'refused', status: 401 },
    });
    expect(input.readableLength).toBeGreaterThan(0);
  });

  it('says that Jumpseat has ended, and that nothing listens', async () => {
    const { app, baseUrl, key } = await started();
    const { input, output, reported } = streams();
    const door = { baseUrl, key: `${key}.acp` };
    const ended = relayEditor(door, 'claude', { input, output });
    input.write(frame(0, 'initialize', { protocolVersion: 1 }));
    await until(() => reported().endsWith('\n'));
    await app.stopProxy({ graceMs: 0 });
    expect(await ended).toEqual({ kind: 'jumpseat-left' });
    expect(await relayEditor(door, 'claude', streams())).toEqual({ kind: 'nobody' });
  });
});
