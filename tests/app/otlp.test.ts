import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { soon, until } from '../soon.ts';
import { type Stack, startStack } from './stack.ts';

/* The payloads are read as OTLP/HTTP's JSON encoding describes them (opentelemetry-proto 1.x). */

interface Value {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}
interface Attributed {
  attributes: { key: string; value: Value }[];
}
interface Span extends Attributed {
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number; message?: string };
  events: (Attributed & { name: string })[];
}
interface Metric {
  name: string;
  unit: string;
  sum?: { dataPoints: (Attributed & { asDouble: number })[] };
  histogram?: { dataPoints: (Attributed & { count: number; sum: number })[] };
}

interface Payload {
  resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[];
}

/** What a collector was sent, and a way to have it refuse. */
class Receiver {
  readonly server: Server;
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly spans: Span[] = [];
  metrics: Metric[] = [];
  status = 200;

  constructor() {
    this.server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        this.bodies.push(text);
        this.headers.push(request.headers);
        if (this.status === 200) this.#take(request.url ?? '', JSON.parse(text) as Payload);
        response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  #take(path: string, body: Payload): void {
    const { resourceSpans = [], resourceMetrics = [] } = body;
    if (path === '/otel/v1/traces')
      this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    if (path === '/otel/v1/metrics')
      this.metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/otel`;
  }
}

const of = ({ attributes }: Attributed): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.arrayValue?.values.map((one) => Object.values(one)[0]) ?? Object.values(value)[0],
    ]),
  );

let receiver: Receiver;
let endpoint: string;
let stack: Stack;

beforeEach(async () => {
  receiver = new Receiver();
  endpoint = await receiver.start();
});
afterEach(async () => {
  await stack.close();
  receiver.server.close();
});

const prompt = 'A word that nobody else may read';
const asked = { model: 'claude-sonnet-4.6', max_tokens: 1000, messages: [{ role: 'user', content: prompt }] };

it('nothing is sent to a collector unless one is set', async () => {
  stack = await startStack();
  await stack.messages(asked);
  await stack.rows(1);
  expect(await stack.app.check('server.otlp')).toMatchObject({ verdict: 'skipped' });
  await stack.app.close();
  expect(receiver.bodies).toEqual([]);
});

it('a collector gets a span of each request and sums that are those of the log, without a word of them', async () => {
  stack = await startStack({ app: { environment: { JUMPSEAT_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team=a' } } });
  await stack.app.changePreferences({ otlp: { endpoint } });
  expect((await stack.messages(asked)).status).toBe(200);
  expect((await stack.messages({ ...asked, stream: true })).status).toBe(200);
  expect((await stack.messages({ ...asked, model: 'none-such' })).status).toBe(404);
  const rows = await stack.rows(3);
  await stack.app.close();

  expect(receiver.spans.map((span) => of(span)['jumpseat.exchange.id'])).toEqual(rows.map(({ id }) => id));
  const [first, , refused] = receiver.spans;
  const [row] = rows;
  expect(first).toMatchObject({ name: `chat ${row?.servedModel}`, kind: 3, events: [{ name: 'jumpseat.attempt' }] });
  expect(Number(first?.startTimeUnixNano) / 1e6).toBeCloseTo(row?.startedAt ?? 0, -1);
  expect(of(first as Span)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'claude-sonnet-4.6',
    'gen_ai.response.finish_reasons': ['end_turn'],
    'gen_ai.usage.output_tokens': row?.tokens.output,
    'jumpseat.initiator': 'user',
    'jumpseat.client': 'test',
    'http.response.status_code': 200,
  });
  expect(refused?.status).toMatchObject({ code: 2 });
  expect(of(refused as Span)).toMatchObject({ 'error.type': rows[2]?.failure?.code, 'http.response.status_code': 404 });

  const metric = (name: string) => receiver.metrics.find((one) => one.name === name);
  const sum = (name: string) => metric(name)?.sum?.dataPoints.reduce((all, { asDouble }) => all + asDouble, 0);
  const nanoAiu = rows.reduce((all, { charge }) => all + (charge.nanoAiu ?? 0), 0);
  expect(sum('jumpseat.requests')).toBe(3);
  expect(sum('jumpseat.credits')).toBeCloseTo(nanoAiu / 1e9, 9);
  const outputs = metric('gen_ai.client.token.usage')?.histogram?.dataPoints.filter(
    (point) => of(point)['gen_ai.token.type'] === 'output',
  );
  expect(outputs?.reduce((all, point) => all + point.sum, 0)).toBe(
    rows.reduce((all, { tokens }) => all + (tokens.output ?? 0), 0),
  );
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'a' });
  expect(receiver.bodies.join('\n')).not.toMatch(/nobody else|Bearer|gh[ou]_/);
});

it('a collector that refuses or is gone is said by its check, and holds up nothing', async () => {
  receiver.status = 400;
  stack = await startStack();
  await stack.app.changePreferences({ otlp: { endpoint } });
  expect((await stack.messages(asked)).status).toBe(200);
  await soon(async () =>
    expect(await stack.app.check('server.otlp')).toMatchObject({
      verdict: 'warning',
      finding: expect.stringContaining('answered 400 to /otel/v1/traces. Nothing has arrived yet.'),
    }),
  );
  receiver.status = 200;
  await stack.messages(asked);
  await until(() => receiver.spans.length > 0);
  await soon(async () => expect(await stack.app.check('server.otlp')).toMatchObject({ verdict: 'passed' }));
  await stack.app.changePreferences({ otlp: { endpoint: null } });
  expect(await stack.app.check('server.otlp')).toMatchObject({ verdict: 'skipped' });
});

it('an address that a header would not be safe at is refused', async () => {
  stack = await startStack({ idle: true });
  await expect(stack.app.changePreferences({ otlp: { endpoint: 'http://otel.example:4318' } })).rejects.toThrow(
    'The address of the collector has to be https, or http on this machine',
  );
  expect(stack.app.preferences().otlp.endpoint).toBeNull();
});
