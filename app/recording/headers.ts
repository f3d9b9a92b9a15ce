import type { RecordedHeader } from '../api/recording.ts';

/** As Node has them: names in any spelling, repeated ones as lists. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const secretName = /authorization|cookie|token|secret|key/i;
const mostNames = 1_000;
/** Nearly all names come with every request. */
const namesAsKept = new Map<string, { name: string; secret: boolean }>();

function asKept(name: string): { name: string; secret: boolean } {
  const known = namesAsKept.get(name);
  if (known !== undefined) return known;
  const kept = { name: name.toLowerCase(), secret: secretName.test(name) };
  if (namesAsKept.size < mostNames) namesAsKept.set(name, kept);
  return kept;
}

/**
 * Headers without the values of those that are secret by their names. What the others hold is looked at by `redacted`,
 * before they are shown.
 */
export function withoutSecretValues(headers: ReceivedHeaders): RecordedHeader[] {
  const kept: RecordedHeader[] = [];
  for (const given in headers) {
    const value = headers[given];
    if (value === undefined) continue;
    const { name, secret } = asKept(given);
    if (typeof value === 'object') for (const one of value) kept.push({ name, value: secret ? null : one });
    else kept.push({ name, value: secret ? null : String(value) });
  }
  return kept;
}

/** What may be shown of them: nothing that holds or looks like a secret. */
export function redacted(headers: RecordedHeader[], redact: (text: string) => string): RecordedHeader[] {
  // Nearly always there is nothing to take out, and one look at all of them costs a fraction of a look at each.
  const lines = headers.map(({ name, value }) => `${name}\n${value ?? ''}`).join('\n');
  if (redact(lines) === lines) return headers;
  return headers.map(({ name, value }) => ({ name: redact(name), value: value === null ? null : redact(value) }));
}
