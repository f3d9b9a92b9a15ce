import type { RecordedHeader } from '../api/recording.ts';

/** As Node has them: names in any spelling, repeated ones as lists. */
export type HeadersAsHeard = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const secretName = /authorization|cookie|token|secret|key/i;

/** What may be kept of headers: no value of one that is secret by its name, and none that holds or looks like a secret. */
export function withoutSecrets(headers: HeadersAsHeard, redact: (text: string) => string): RecordedHeader[] {
  const kept: RecordedHeader[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const secret = secretName.test(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      kept.push({ name: name.toLowerCase(), value: secret ? null : String(one) });
    }
  }
  // Nearly always there is nothing to take out, and one look at all of them costs a fraction of a look at each.
  const lines = kept.map(({ name, value }) => `${name}\n${value ?? ''}`).join('\n');
  if (redact(lines) === lines) return kept;
  return kept.map(({ name, value }) => ({ name: redact(name), value: value === null ? null : redact(value) }));
}
