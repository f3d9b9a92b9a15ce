import { createServer, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';

/**
 * The lower limit of a proxy that reads what it passes on: the request is parsed and written, and so is every event of
 * a streamed answer, with one write for what came in one read. Nothing is checked. `node parse-and-write.ts
 * UPSTREAM_PORT`
 */
const agent = new Agent({ keepAlive: true });
const upstream = { host: 'localhost', port: Number(process.argv[2]), agent };

const server = createServer((incoming, answer) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const outgoing = request({ ...upstream, method: 'POST', path: incoming.url, headers }, (response) => {
      answer.writeHead(200, { 'content-type': response.headers['content-type'] });
      if (response.headers['content-type'] === 'text/event-stream') passEvents(response, answer);
      else passWhole(response, answer);
    });
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  });
});

function passEvents(response: NodeJS.ReadableStream, answer: ServerResponse): void {
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop() ?? '';
    let text = '';
    for (const one of events) {
      const parsed = JSON.parse(one.slice(one.indexOf('data: ') + 6));
      text += `event: ${parsed.type}\ndata: ${JSON.stringify(parsed)}\n\n`;
    }
    if (text !== '') answer.write(text);
  });
  response.on('end', () => answer.end());
}

function passWhole(response: NodeJS.ReadableStream, answer: ServerResponse): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('end', () => answer.end(JSON.stringify(JSON.parse(text))));
}
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
