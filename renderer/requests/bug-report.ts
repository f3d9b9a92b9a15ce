import type { Exchange } from '../../app/api/exchange.ts';
import type { RecordedHeader, RecordedHeaders } from '../../app/api/recording.ts';
import { chargeSentence } from '../../app/words/charge.ts';
import { changes } from '../../app/words/request-changes.ts';
import { exactTime } from '../../app/words/times.ts';
import { why } from '../../app/words/why.ts';
import { phases } from './detail/phases.ts';
import { isOwnSearch, routeOf } from './export.ts';

/**
 * One request as Markdown for who has to mend it: what was decided, what it cost, when what happened. No word of its
 * content.
 */
export function bugReport(exchange: Exchange, version: string, headers: RecordedHeaders | null = null): string {
  const { failure } = exchange;
  const reason = why(exchange);
  const charge = chargeSentence(exchange);
  const facts: [string, string | null][] = [
    ['Jumpseat', version],
    ['Started', exactTime(exchange.startedAt)],
    ['Came in at', isOwnSearch(exchange) ? 'Jumpseat itself' : `POST ${routeOf(exchange)}`],
    ['Client', exchange.client],
    ['Sent to', exchange.path ?? 'nowhere'],
    ['Model', `${exchange.askedModel ?? 'none'} → ${exchange.servedModel ?? 'none'}`],
    ['Outcome', [exchange.outcome, exchange.status].filter((part) => part !== null).join(' ')],
    [
      'Initiator',
      exchange.initiator === null ? null : `${exchange.initiator} (${exchange.reason?.rule}): ${reason?.title}`,
    ],
    ['Charge', `${charge.word} ${charge.sentence}`],
    [
      'Error',
      failure === null ? null : `${failure.source} ${failure.code} ${failure.status ?? ''}: ${failure.message}`,
    ],
    ['Copilot request', exchange.upstreamRequestIds.join(', ') || null],
    ['Id', exchange.id],
  ];
  const made = changes(exchange.fits).map(
    ({ verb, field, before, after }) => `- ${verb} ${field}${before === null ? '' : `: ${before} → ${after}`}`,
  );
  const attempts = exchange.attempts.map(
    ({ at, status, retriedBecause }) =>
      `- ${Math.round(at)} ms: ${status ?? 'no answer'}${retriedBecause === null ? '' : `, ${retriedBecause}`}`,
  );
  const times = phases(exchange, 0).map(({ name, start, took }) => `| ${name} | ${Math.round(start)} ms | ${took} |`);
  return [
    '## Overview',
    '',
    ...facts.filter(([, value]) => value !== null).map(([name, value]) => `- ${name}: ${value}`),
    '',
    '## Changed to fit Copilot',
    '',
    ...(made.length === 0 ? ['Nothing.'] : made),
    '',
    '## Attempts',
    '',
    ...(attempts.length === 0 ? ['None.'] : attempts),
    '',
    '## Timing',
    '',
    '| Phase | Start | Took |',
    '|---|---|---|',
    ...times,
    '',
    ...headerLines('Sent to Copilot', headers?.sent),
    ...headerLines('From Copilot', headers?.answered),
  ].join('\n');
}

function headerLines(title: string, headers: readonly RecordedHeader[] | null | undefined): string[] {
  if (headers == null) return [];
  return [`## ${title}`, '', ...headers.map(({ name, value }) => `- ${name}: ${value ?? '(redacted)'}`), ''];
}
