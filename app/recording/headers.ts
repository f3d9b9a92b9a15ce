import type { RecordedHeader } from '../api.ts';

/** As Node has them: names in any spelling, repeated ones as lists. */
export type HeadersAsHeard = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const secretName = /authorization|cookie|token|secret|key/i;

/** What may be kept of headers: no value of one that is secret by its name, and none that holds or looks like a secret. */
export function withoutSecrets(headers: HeadersAsHeard, redact: (text: string) => string): RecordedHeader[] {
  const kept: RecordedHeader[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      kept.push({ name: redact(name.toLowerCase()), value: secretName.test(name) ? null : redact(String(one)) });
    }
  }
  return kept;
}
