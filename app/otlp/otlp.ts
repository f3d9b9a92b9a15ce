import type { Listeners } from '../api/events.ts';
import type { OtlpReport } from '../health/feature-checks.ts';
import type { Clock, Dialer, Log } from '../ports.ts';
import { allowedAddress } from '../settings/github-addresses.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Collector } from './collector.ts';

interface OtlpDependencies {
  settings: SettingsStore;
  listeners: Pick<Listeners, 'onExchange'>;
  dialer: Dialer;
  clock: Clock;
  log: Log;
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Requests as spans and metrics for the OpenTelemetry collector that the person named. Without one nothing is loaded
 * and nothing is sent.
 */
export class Otlp {
  readonly #dependencies: OtlpDependencies;
  #endpoint: string | null = null;
  #collector: Promise<Collector> | null = null;
  #stopListening = (): unknown => undefined;
  #report: OtlpReport = { endpoint: null, sentAt: null, problem: null };

  constructor(dependencies: OtlpDependencies) {
    this.#dependencies = dependencies;
    this.follow();
  }

  /** Goes over to the endpoint that the settings name now. */
  follow(): void {
    const { endpoint } = this.#dependencies.settings.current().otlp;
    if (endpoint === this.#endpoint) return;
    void this.close();
    this.#endpoint = endpoint;
    const report: OtlpReport = { endpoint, sentAt: null, problem: null };
    this.#report = report;
    if (endpoint === null) return;
    if (allowedAddress(endpoint) === null) {
      report.problem = 'its address is neither https nor http on this machine';
      return;
    }
    const { dialer, clock, log, version, environment, listeners } = this.#dependencies;
    const opened = import('./collector.ts').then(({ Collector }) => {
      const headers = headersIn(environment.JUMPSEAT_OTLP_HEADERS);
      return new Collector({ ...{ endpoint, headers, version, dialer, clock, log, report } });
    });
    this.#collector = opened;
    this.#stopListening = listeners.onExchange((exchange) => {
      if (exchange.outcome !== 'running') void opened.then((collector) => collector.add(exchange));
    });
  }

  report(): OtlpReport {
    return { ...this.#report };
  }

  /** Sends what was not sent yet, for a few seconds at most. */
  async close(): Promise<void> {
    const collector = this.#collector;
    this.#collector = null;
    this.#endpoint = null;
    this.#stopListening();
    await (await collector)?.close();
  }
}

/** `authorization=Bearer%20x,x-team=a`, as OpenTelemetry's own variable has it. What is no such pair is left out. */
function headersIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap((pair): [string, string][] => {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return [];
    try {
      return [[name, decodeURIComponent(value)]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(pairs);
}
