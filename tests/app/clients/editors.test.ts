import { describe, expect, it } from 'vitest';
import { openaiLines } from '../../../app/clients/lines.ts';
import { autoClientModel } from '../../../app/clients/program.ts';

const door = { baseUrl: 'http://127.0.0.1:4180', key: 'key-of-this-test', label: 'acp' };
it('Zed gets its models without a key, and the key in a variable or in a form', () => {
  const model = { ...autoClientModel, id: 'gpt-5.4', name: 'GPT-5.4' };
  const given = { door: { ...door, label: 'zed' }, models: [model], shell: 'bash' as const };
  const { language_models: provider } = JSON.parse(openaiLines('zed', given));
  expect(provider.openai_compatible.Jumpseat).toMatchObject({
    api_url: 'http://127.0.0.1:4180/v1',
    available_models: [{ name: 'gpt-5.4', display_name: 'GPT-5.4 (Jumpseat)' }],
  });
  expect(openaiLines('zed', given)).not.toContain(door.key);
  expect(() => openaiLines('zed', { ...given, models: [] })).toThrow('not known now');
  expect(openaiLines('zed-key', given)).toBe('export JUMPSEAT_API_KEY=key-of-this-test.zed\n');
  expect(openaiLines('form', given)).toBe(
    'Anthropic’s API: http://127.0.0.1:4180\nOpenAI’s API: http://127.0.0.1:4180/v1\nKey: key-of-this-test.zed\n',
  );
});

const lines = (what: 'acp' | 'acp-zed' | 'acp-jetbrains') => openaiLines(what, { door, models: [], shell: 'bash' });

describe('the lines for editors that speak ACP', () => {
  it('start Jumpseat in the form of each, with no key', () => {
    expect(JSON.parse(lines('acp-zed'))).toEqual({
      agent_servers: { Jumpseat: { type: 'custom', command: 'jumpseat', args: ['acp'] } },
    });
    expect(JSON.parse(lines('acp-jetbrains'))).toEqual({
      agent_servers: { Jumpseat: { command: 'jumpseat', args: ['acp'], env: {} } },
    });
    expect(lines('acp')).toBe('jumpseat acp\n');
    const command = ['/my code/node', '/my code/jumpseat.js'];
    expect(openaiLines('acp', { door, models: [], shell: 'bash', command })).toBe(
      "'/my code/node' '/my code/jumpseat.js' acp\n",
    );
    for (const what of ['acp', 'acp-zed', 'acp-jetbrains'] as const) expect(lines(what)).not.toContain(door.key);
  });
});
