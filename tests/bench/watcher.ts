import { request } from 'node:http';
import { smallRequest } from './requests.ts';

/**
 * Asks for one answer and says how late its stamped events came, in ms. In a process of its own: the benchmark sends
 * large bodies meanwhile. `node watcher.ts ORIGIN KEY MODEL`. Messages sent: `begun`, then the list.
 */
const [origin = '', key = '', model = ''] = process.argv.slice(2);
const { headers, bytes } = smallRequest(model)();
const late: number[] = [];
const stamp = /@(\d+)@/g;

const asking = request(new URL('/v1/messages', origin), {
  method: 'POST',
  headers: { ...headers, authorization: `Bearer ${key}`, 'content-length': bytes.length },
});
asking.on('response', (response) => {
  process.send?.('begun');
  response.on('data', (chunk: Buffer) => {
    const now = process.hrtime.bigint();
    for (const [, at = '0'] of chunk.toString('latin1').matchAll(stamp)) late.push(Number(now - BigInt(at)) / 1e6);
  });
  response.on('end', () => process.send?.(late, () => process.exit()));
});
asking.end(bytes);
