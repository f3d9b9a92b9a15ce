import {
  type Attributes,
  type AttributeValue,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { readBody } from '../account/read-response.ts';
import type { ClientApi, Exchange } from '../api/exchange.ts';
import type { OtlpReport } from '../health/feature-checks.ts';
import { type Clock, type Dialer, type Log, NetworkError } from '../ports.ts';

interface CollectorDependencies {
  /** `http://127.0.0.1:4318`: OTLP over HTTP adds the path of each kind. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  version: string;
  dialer: Dialer;
  clock: Clock;
  log: Log;
  /** Brought up to date after each attempt. */
  report: OtlpReport;
}

/** `0` is success, `1` failure, as the exporters of the SDK report. */
type Done = (result: { code: 0 | 1; error?: Error }) => void;

const answerWithinMs = 10_000;
const largestAnswer = 64 * 1024;
/** What may pass by itself is tried again after so long. */
const againAfterMs: readonly (number | null)[] = [1_000, 4_000, null];
const passing = new Set([429, 502, 503, 504]);
/** How long the end of Jumpseat waits for the last export. */
const lastExportMs = 2_000;
const metricsEveryMs = 30_000;
const spansAfterMs = 1_000;

/** What the spans and metrics say of an API of clients. */
const operations: Readonly<Record<ClientApi, string>> = {
  messages: 'chat',
  chat: 'chat',
  responses: 'chat',
  embeddings: 'embeddings',
  'count-tokens': 'count_tokens',
  web: 'web_search',
};

/* Names, units and buckets are those of OpenTelemetry's semantic conventions for generative AI, 1.38. */
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power);
const secondBuckets = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);

/** Spans and metrics of requests, sent to an OpenTelemetry collector. No word of a prompt or an answer is in them. */
export class Collector {
  readonly #dependencies: CollectorDependencies;
  readonly #traces: TracerProvider;
  readonly #metrics: MeterProvider;
  readonly #tracer: Tracer;
  readonly #instruments: ReturnType<typeof instruments>;
  readonly #closing = new AbortController();

  constructor(dependencies: CollectorDependencies) {
    this.#dependencies = dependencies;
    const { version } = dependencies;
    const resource = resourceFromAttributes({ 'service.name': 'jumpseat', 'service.version': version });
    const rest = { shutdown: () => Promise.resolve(), forceFlush: () => Promise.resolve() };
    const exporter = {
      ...rest,
      export: (spans: Parameters<typeof JsonTraceSerializer.serializeRequest>[0], done: Done) =>
        void this.#post('v1/traces', JsonTraceSerializer.serializeRequest(spans)).then(done),
    };
    this.#traces = new TracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: spansAfterMs })],
    });
    const reader = new PeriodicExportingMetricReader({
      exportIntervalMillis: metricsEveryMs,
      exporter: {
        ...rest,
        export: (metrics: Parameters<typeof JsonMetricsSerializer.serializeRequest>[0], done: Done) =>
          void this.#post('v1/metrics', JsonMetricsSerializer.serializeRequest(metrics)).then(done),
      },
    });
    this.#metrics = new MeterProvider({ resource, readers: [reader] });
    this.#tracer = this.#traces.getTracer('jumpseat', version);
    this.#instruments = instruments(this.#metrics.getMeter('jumpseat', version));
  }

  add(exchange: Exchange): void {
    const { startedAt, times, tokens, charge, outcome, failure, attempts } = exchange;
    const took = times.lastEvent ?? times.headers ?? times.sent ?? 0;
    const common = commonOf(exchange);
    const operation = String(common['gen_ai.operation.name']);
    const model = exchange.servedModel ?? exchange.askedModel;
    const span = this.#tracer.startSpan(
      model === null ? operation : `${operation} ${model}`,
      { kind: SpanKind.CLIENT, startTime: startedAt, attributes: { ...common, ...detailsOf(exchange) } },
      ROOT_CONTEXT,
    );
    for (const { at, status, retriedBecause, upstreamRequestId } of attempts)
      span.addEvent(
        'jumpseat.attempt',
        present({
          'http.response.status_code': status,
          'jumpseat.retried_because': retriedBecause,
          'jumpseat.upstream_request_id': upstreamRequestId,
        }),
        startedAt + at,
      );
    if (outcome === 'failed' || outcome === 'cut')
      span.setStatus({ code: SpanStatusCode.ERROR, message: failure?.code ?? outcome });
    span.end(startedAt + took);

    const { usage, duration, firstChunk, requests, credits, premium } = this.#instruments;
    const failed = present({ ...common, 'error.type': errorType(exchange) });
    const input = inputTokens(exchange);
    if (input !== null) usage.record(input, { ...common, 'gen_ai.token.type': 'input' });
    if (tokens.output !== null) usage.record(tokens.output, { ...common, 'gen_ai.token.type': 'output' });
    duration.record(took / 1000, failed);
    if (times.firstEvent !== null) firstChunk.record(times.firstEvent / 1000, common);
    requests.add(1, present({ ...common, 'jumpseat.outcome': outcome, 'jumpseat.charge': charge.kind }));
    credits.add((charge.nanoAiu ?? 0) / 1e9, common);
    premium.add(charge.premiumRequests ?? 0, common);
  }

  async close(): Promise<void> {
    const { clock } = this.#dependencies;
    const last = Promise.allSettled([this.#traces.shutdown(), this.#metrics.shutdown()]);
    const enough = new AbortController();
    await Promise.race([last, clock.sleep(lastExportMs, enough.signal).catch(() => undefined)]);
    enough.abort();
    this.#closing.abort();
    await last;
  }

  /** Never rejects. What could not be sent is lost for the collector. */
  async #post(kind: string, body: Uint8Array | undefined): Promise<Parameters<Done>[0]> {
    const { clock, log, report } = this.#dependencies;
    for (const wait of againAfterMs) {
      const problem = await this.#postOnce(kind, Buffer.from(body ?? []));
      if (problem === null) {
        report.sentAt = clock.now();
        report.problem = null;
        return { code: 0 };
      }
      report.problem = problem.text;
      if (wait !== null && problem.mayPass && (await this.#waited(wait))) continue;
      log.write('warn', 'otlp-export-failed', { kind, problem: problem.text });
      return { code: 1, error: new Error(problem.text) };
    }
    return { code: 1 };
  }

  async #postOnce(kind: string, body: Buffer): Promise<{ text: string; mayPass: boolean } | null> {
    const { dialer, endpoint, headers, version } = this.#dependencies;
    const url = new URL(kind, endpoint.endsWith('/') ? endpoint : `${endpoint}/`);
    try {
      const { response } = await dialer.dial({
        ...{ url, method: 'POST', body, signal: this.#closing.signal },
        headers: {
          ...headers,
          'User-Agent': `jumpseat/${version}`,
          'Content-Type': 'application/json',
        },
        ...{ headTimeoutMs: answerWithinMs, idleTimeoutMs: answerWithinMs },
      });
      await readBody(response, largestAnswer, answerWithinMs);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return null;
      return { text: `${url.host} answered ${status} to ${url.pathname}`, mayPass: passing.has(status) };
    } catch (error) {
      const code = error instanceof NetworkError ? error.code : 'cancelled';
      return { text: `no connection to ${url.host} (${code})`, mayPass: error instanceof NetworkError };
    }
  }

  async #waited(ms: number): Promise<boolean> {
    return await this.#dependencies.clock.sleep(ms, this.#closing.signal).then(
      () => true,
      () => false,
    );
  }
}

function instruments(meter: Meter) {
  const histogram = (name: string, unit: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } });
  return {
    usage: histogram('gen_ai.client.token.usage', '{token}', tokenBuckets),
    duration: histogram('gen_ai.client.operation.duration', 's', secondBuckets),
    firstChunk: histogram('gen_ai.client.operation.time_to_first_chunk', 's', secondBuckets),
    requests: meter.createCounter('jumpseat.requests', { unit: '{request}' }),
    credits: meter.createCounter('jumpseat.credits', { unit: '{credit}' }),
    premium: meter.createCounter('jumpseat.premium_requests', { unit: '{request}' }),
  };
}

/** What spans and metrics have in common. */
function commonOf({ api, askedModel, servedModel, initiator, client }: Exchange): Attributes {
  return present({
    'gen_ai.operation.name': operations[api],
    'gen_ai.provider.name': 'github.copilot',
    'gen_ai.request.model': askedModel,
    'gen_ai.response.model': servedModel,
    'jumpseat.initiator': initiator,
    'jumpseat.client': client,
  });
}

function detailsOf(exchange: Exchange): Attributes {
  const { tokens, times, charge, reason } = exchange;
  return present({
    'jumpseat.exchange.id': exchange.id,
    'gen_ai.conversation.id': exchange.session,
    'gen_ai.agent.name': exchange.agentType,
    'gen_ai.request.stream': exchange.streamed,
    'gen_ai.response.finish_reasons': exchange.stopReason === null ? null : [exchange.stopReason],
    'gen_ai.response.time_to_first_chunk': times.firstEvent === null ? null : times.firstEvent / 1000,
    'gen_ai.usage.input_tokens': inputTokens(exchange),
    'gen_ai.usage.output_tokens': tokens.output,
    'gen_ai.usage.cache_read.input_tokens': tokens.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': tokens.cacheWrite,
    'http.response.status_code': exchange.status,
    'error.type': errorType(exchange),
    'jumpseat.initiator.reason': reason?.code ?? null,
    'jumpseat.request_class': exchange.requestClass,
    'jumpseat.path': exchange.path,
    'jumpseat.changes': exchange.fits.length === 0 ? null : exchange.fits.map(({ code }) => code),
    'jumpseat.outcome': exchange.outcome,
    'jumpseat.charge': charge.kind,
    'jumpseat.credits': charge.nanoAiu === null ? null : charge.nanoAiu / 1e9,
    'jumpseat.premium_requests': charge.premiumRequests,
  });
}

/** Cached ones included, as the conventions count them; null if none were reported. */
function inputTokens({ tokens: { input, cacheRead, cacheWrite } }: Exchange): number | null {
  return input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

function errorType({ outcome, failure }: Exchange): string | null {
  if (outcome === 'done' || outcome === 'declined') return null;
  return failure?.code ?? outcome;
}

/** An attribute that isn’t known is left out. */
function present(attributes: Record<string, AttributeValue | null | undefined>): Attributes {
  const known = Object.entries(attributes).flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
  return Object.fromEntries(known);
}
