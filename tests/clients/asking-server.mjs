import { createInterface } from 'node:readline';

/** A server of MCP over stdio: `look` answers with what it was given, `ask` with what the person wrote in its form. */
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object', properties: { key: { type: 'string' } } };
const _meta = { 'anthropic/alwaysLoad': true };
const tools = [
  { name: 'look', description: 'Looks into your notes', annotations: { readOnlyHint: true }, inputSchema, _meta },
  { name: 'ask', description: 'Asks you', inputSchema, _meta },
];
const properties = { name: { type: 'string', title: 'Name' } };
const form = { message: 'Who are you?', requestedSchema: { type: 'object', properties, required: ['name'] } };
let waiting = null;

function answer({ id, method, params, result }) {
  const text = (words) => say({ id, result: { content: [{ type: 'text', text: words }] } });
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'notes', version: '1' };
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') say({ id, result: { tools } });
  else if (method === 'tools/call' && params.name === 'look') text(`You gave ${JSON.stringify(params.arguments)}.`);
  else if (method === 'tools/call') {
    waiting = text;
    say({ id: 'form', method: 'elicitation/create', params: form });
  } else if (id === 'form') waiting(`You are ${result?.content?.name}.`);
  else if (id !== undefined && method !== undefined) say({ id, result: {} });
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
