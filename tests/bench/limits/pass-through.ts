import { createServer } from 'node:http';
import { Agent, request } from 'node:https';

/**
 * The lower limit of every proxy here: bytes in, the same bytes out, and nothing else. `node pass-through.ts
 * UPSTREAM_PORT`
 */
const agent = new Agent({ keepAlive: true });
const upstream = { host: 'localhost', port: Number(process.argv[2]), agent };

const server = createServer((incoming, answer) => {
  const { host: _, ...headers } = incoming.headers;
  const outgoing = request({ ...upstream, method: incoming.method, path: incoming.url, headers }, (response) => {
    const { connection: _hop, 'transfer-encoding': _coding, ...kept } = response.headers;
    answer.writeHead(response.statusCode ?? 502, kept);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
