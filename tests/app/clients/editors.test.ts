import { describe, expect, it } from 'vitest';
import { openaiLines } from '../../../app/clients/lines.ts';

const door = { baseUrl: 'http://127.0.0.1:4180', key: 'key-of-this-test', label: 'acp' };
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
