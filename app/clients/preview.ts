import { structuredPatch } from 'diff';
import type { ClientPlan } from '../api/clients.ts';
import { withoutKey } from './lines.ts';

/** Names whose values are nobody else's to see. */
const secret = /((?:key|token|secret|password|authorization)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}]+)/gi;

/** A line of the person's that gets or loses nothing but the comma behind it. */
function isComma(line: string, lines: readonly string[]): boolean {
  const [sign, text] = [line.slice(0, 1), line.slice(1)];
  const twin = (other: string): boolean => lines.includes(`${sign === '+' ? '-' : '+'}${other}`);
  return twin(`${text},`) || (text.endsWith(',') && twin(text.slice(0, -1)));
}

/** The lines that change, and none beside them. Secrets are dots. */
export function difference(before: string, after: string, key: string): ClientPlan['files'][number]['difference'] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  const kinds = { '+': 'added', '-': 'removed' } as const;
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [{ kind: 'skipped' as const, text: '…' }]),
    ...lines
      .filter((line) => !isComma(line, lines))
      .flatMap((line) => {
        const kind = Object.entries(kinds).find(([sign]) => line.startsWith(sign))?.[1];
        const text = withoutKey(line.slice(1), key).replace(secret, '$1••••••••');
        return kind === undefined ? [] : [{ kind, text: text.trimEnd() }];
      }),
  ]);
}
