import { createServer, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { responsesModel } from '../requests.ts';

/**
 * The lower limit of a proxy that translates Messages to Chat Completions and back, or to Responses for a model that
 * has only those: text alone, every event parsed, every event written, one write for what came in one read. Nothing is
 * checked. `node minimal-translator.ts UPSTREAM_PORT`
 */
const agent = new Agent({ keepAlive: true });
const upstream = { host: 'localhost', port: Number(process.argv[2]), agent };

const server = createServer((incoming, answer) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    const { model, max_tokens, messages } = asked;
    const [path, fields] =
      model === responsesModel
        ? ['/responses', { max_output_tokens: max_tokens, input: messages }]
        : ['/chat/completions', { max_tokens, messages }];
    const body = JSON.stringify({ model, stream: true, ...fields });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request({ ...upstream, method: 'POST', path, headers }, (response) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      translate(response, answer, model);
    });
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  });
});

function translate(response: NodeJS.ReadableStream, answer: ServerResponse, model: string): void {
  let rest = '';
  let text = '';
  let begun = false;
  const event = (value: { type: string; [key: string]: unknown }): void => {
    text += `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    text = '';
    for (const one of events) {
      const data = one.slice(one.indexOf('data: ') + 6);
      const parsed = data === '[DONE]' ? { type: 'response.completed' } : JSON.parse(data);
      if (parsed.type === 'response.completed') {
        event({ type: 'content_block_stop', index: 0 });
        event({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 1 },
        });
        event({ type: 'message_stop' });
        continue;
      }
      if (!begun) {
        begun = true;
        const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage: {} };
        event({ type: 'message_start', message });
        event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
      }
      const content = parsed.type === 'response.output_text.delta' ? parsed.delta : parsed.choices?.[0]?.delta?.content;
      if (content) event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: content } });
    }
    if (text !== '') answer.write(text);
  });
  response.on('end', () => answer.end());
}
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
