import { request } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AgentName } from '../agents/agent.ts';

/** Address at which `jumpseat acp` finds the running Jumpseat, with the agent for sessions that an editor begins. */
export const editorPath = '/acp';
export const agentHeader = 'x-jumpseat-agent';

/** How a connection ended: the editor left, Jumpseat did, it was refused, or there was no answer. */
type RelayEnd = { kind: 'editor-left' | 'jumpseat-left' | 'nobody' } | { kind: 'refused'; status: number };

/** Carries an editor's frames to the running Jumpseat and back, unread. Never rejects. */
export function relayEditor(
  { baseUrl, key }: { baseUrl: string; key: string },
  agent: AgentName,
  { input, output }: { input: Readable; output: Writable },
): Promise<RelayEnd> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson', [agentHeader]: agent };
  return new Promise((resolve) => {
    const sent = request(`${baseUrl}${editorPath}`, { method: 'POST', headers, agent: false });
    sent.on('error', () => resolve({ kind: 'nobody' }));
    sent.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      if (status !== 200) {
        response.resume();
        sent.destroy();
        resolve({ kind: 'refused', status });
        return;
      }
      let hasEditorLeft = false;
      input.once('end', () => {
        hasEditorLeft = true;
      });
      // What the editor writes is taken only now: were this one refused, another could have it.
      input.pipe(sent);
      void pipeline(response, output, { end: false })
        .catch(() => undefined)
        .then(() => {
          input.unpipe(sent);
          sent.destroy();
          resolve({ kind: hasEditorLeft ? 'editor-left' : 'jumpseat-left' });
        });
    });
    sent.flushHeaders();
  });
}
