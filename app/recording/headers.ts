import type { IncomingHttpHeaders } from 'node:http';
import type { RecordedHeader, RecordedHeaders } from '../api/recording.ts';

/** Headers as they came and went, secrets and all: for as long as the exchange runs. */
export interface ExchangeHeaders {
  readonly client: IncomingHttpHeaders;
  /** Headers of the last attempt. */
  sent: Readonly<Record<string, string>> | null;
  answered: IncomingHttpHeaders | null;
}

const kept = 500;

/**
 * Headers of the last requests, held whether bodies are recorded or not, and without those that are secret by their
 * names. The rest of them is looked at when it is shown, which is rare (measured: a tenth of a small request).
 */
export class KeptHeaders {
  /** Stored as JSON, which takes less than half the memory (measured: 2 instead of 5.7 MB). */
  readonly #kept = new Map<string, string>();
  readonly #running = new Map<string, ExchangeHeaders>();
  #isClosed = false;

  /** Who leads the exchange writes what it sends and gets into the object. */
  begin(id: string, client: IncomingHttpHeaders): ExchangeHeaders {
    const headers: ExchangeHeaders = { client, sent: null, answered: null };
    this.#running.set(id, headers);
    return headers;
  }

  /** Secrets are taken out after this turn of the event loop, so that no request waits for it. */
  ended(id: string): void {
    setImmediate(() => {
      const headers = this.#running.get(id);
      if (headers === undefined || this.#isClosed) return;
      this.#running.delete(id);
      this.#kept.set(id, JSON.stringify(withoutSecrets(headers)));
      if (this.#kept.size > kept) forgetOldest(this.#kept, kept);
    });
  }

  /** Null if they are not held. @param redact takes out of a text what is or looks like a secret */
  of(id: string, redact: (text: string) => string): RecordedHeaders | null {
    const running = this.#running.get(id);
    const held = this.#kept.get(id);
    if (running === undefined && held === undefined) return null;
    const { client, sent, answered }: RecordedHeaders =
      running === undefined ? JSON.parse(held ?? '') : withoutSecrets(running);
    return {
      client: redacted(client, redact),
      sent: sent === null ? null : redacted(sent, redact),
      answered: answered === null ? null : redacted(answered, redact),
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#running.clear();
    this.#kept.clear();
  }
}

function withoutSecrets({ client, sent, answered }: ExchangeHeaders): RecordedHeaders {
  return {
    client: withoutSecretValues(client),
    sent: sent === null ? null : withoutSecretValues(sent),
    answered: answered === null ? null : withoutSecretValues(answered),
  };
}

/** Headers in Node's form: names in any spelling, repeated ones as lists. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const secretName = /authorization|cookie|token|secret|key/i;
const mostNames = 1_000;
/** Nearly all names come with every request. */
const namesAsKept = new Map<string, { name: string; secret: boolean }>();

function asKept(name: string): { name: string; secret: boolean } {
  const added = { name: name.toLowerCase(), secret: secretName.test(name) };
  if (namesAsKept.size < mostNames) namesAsKept.set(name, added);
  return added;
}

/** What the others hold is looked at by `redacted`, before they are shown. */
function withoutSecretValues(headers: ReceivedHeaders): RecordedHeader[] {
  const all: RecordedHeader[] = [];
  for (const given in headers) {
    const value = headers[given];
    if (value === undefined) continue;
    const { name, secret } = namesAsKept.get(given) ?? asKept(given);
    if (typeof value === 'object') for (const one of value) all.push({ name, value: secret ? null : one });
    else all.push({ name, value: secret ? null : String(value) });
  }
  return all;
}

/** What may be shown of them: nothing that holds or looks like a secret. */
function redacted(headers: RecordedHeader[], redact: (text: string) => string): RecordedHeader[] {
  // Nearly always there is nothing to take out, and one look at all of them costs a fraction of a look at each.
  const lines = headers.map(({ name, value }) => `${name}\n${value ?? ''}`).join('\n');
  if (redact(lines) === lines) return headers;
  return headers.map(({ name, value }) => ({ name: redact(name), value: value === null ? null : redact(value) }));
}

/** A map remembers in which order its keys came. */
export function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
