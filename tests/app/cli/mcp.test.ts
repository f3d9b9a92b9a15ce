import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerByRunning } from '../../../app/cli/commands/mcp.ts';

let server: Server;
let baseUrl: string;
let keys: string[];
/** What is answered to one key; another one is not the server's. */
let served: { key: string; status: number; body: object | string };

const found = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'found' }] } };

beforeEach(async () => {
  keys = [];
  served = { key: 'new', status: 200, body: found };
  server = createServer((request, response) => {
    const [, key = ''] = (request.headers.authorization ?? '').split(' ');
    keys.push(key);
    const { status, body } = key === served.key ? served : { status: 401, body: { error: { message: 'Not mine.' } } };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${Object(server.address()).port}`;
});
afterEach(() => server.close());

function ask() {
  const answer = answerByRunning(() => Promise.resolve({ baseUrl, key: 'new' }));
  return answer('web_search', { query: 'node' }, new AbortController().signal);
}
const said = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });

it.each([
  [503, { error: { message: 'Jumpseat: too much at once. Try again.' } }, 'Jumpseat: too much at once. Try again.'],
  [429, { type: 'error', error: { type: 'x', message: 'Wait a little.' } }, 'Jumpseat: Wait a little.'],
  [413, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Too large' } }, 'Jumpseat: Too large'],
  [500, '<html>', 'Jumpseat: The running Jumpseat didn’t answer. Ask again; where that doesn’t help, restart it.'],
  [200, '{}', 'Jumpseat: The running Jumpseat didn’t answer. Ask again; where that doesn’t help, restart it.'],
])('hands on what the running Jumpseat says with %i, and doesn’t call for a restart', async (status, body, text) => {
  served = { key: 'new', status, body };
  expect(await ask()).toEqual(said(text));
  expect(keys).toEqual(['new']);
});
