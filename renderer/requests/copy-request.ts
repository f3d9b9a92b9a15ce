import type { Exchange } from '../../app/api/exchange.ts';
import type { RecordedHeader, RecordedHeaders } from '../../app/api/recording.ts';
import { inEnglish } from '../../app/language/language.ts';
import { t } from '../../app/language/translate.ts';
import { chargeSentence, isNeverSent } from '../../app/words/charge.ts';
import { type Change, changesByOrigin } from '../../app/words/request-changes.ts';
import { exactTime } from '../../app/words/times.ts';
import { why } from '../../app/words/why.ts';
import { typedCommand } from '../bridge/typed-command.ts';
import { useActions } from '../state/actions.ts';
import { copyText } from '../state/copy-text.ts';
import { toast } from '../state/notices.ts';
import { useApp, useServices } from '../state/services.ts';
import { phases } from './detail/phases.ts';
import { isOwnSearch, routeOf, toJsonLines } from './export.ts';
import { fetchExchange } from './fetch-exchanges.ts';

/** In which form a request is copied. */
export type CopyForm = 'curl' | 'json' | 'report';

export function useCopyRequest(): (id: string, form: CopyForm) => Promise<void> {
  const services = useServices();
  const app = useApp();
  const actions = useActions();
  const { bridge, store } = services;
  const copyAs = async (id: string, form: CopyForm): Promise<void> => {
    const exchange = await fetchExchange(services, id);
    if (exchange === null) return toast(store, t('The history has this request no more.'), { kind: 'failed' });
    const baseUrl = app.proxy.kind === 'on' ? app.proxy.baseUrl : 'http://127.0.0.1:4180';
    if (form === 'curl') {
      const body = await bridge.recordedBody(id, 'received', { whole: true });
      await copyText(store, toCurl(exchange, baseUrl, body?.text, typedCommand()), t('Copied as cURL'));
    } else if (form === 'json') await copyText(store, toJsonLines([exchange]).trim(), t('Copied as JSON'));
    else {
      const { headers } = await bridge.recorded(id);
      await copyText(store, bugReport(exchange, app.version, headers), t('Copied for a bug report'));
    }
  };
  return (id, form) => actions.tried(copyAs(id, form));
}

/**
 * One request as Markdown for who has to fix it: what was decided, what it cost, when what happened. No word of its
 * content.
 */
export function bugReport(exchange: Exchange, version: string, headers: RecordedHeaders | null = null): string {
  return inEnglish(() => report(exchange, version, headers));
}

function report(exchange: Exchange, version: string, headers: RecordedHeaders | null): string {
  const { failure } = exchange;
  const reason = why(exchange);
  const charge = chargeSentence(exchange);
  const facts: [string, string | null][] = [
    ['Jumpseat', version],
    ['Started', exactTime(exchange.startedAt)],
    ['Came in at', isOwnSearch(exchange) ? 'Jumpseat itself' : `POST ${routeOf(exchange)}`],
    ['Client', exchange.client],
    ['Sent to', isNeverSent(exchange) ? 'nowhere' : exchange.path],
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
  const { ofRules, toFit } = changesByOrigin(exchange.fits);
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
    ...(ofRules.length === 0 ? [] : ['## Changed by your rules', '', ...ofRules.map(changeLine), '']),
    '## Changed to fit Copilot',
    '',
    ...(toFit.length === 0 ? ['Nothing.'] : toFit.map(changeLine)),
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

function changeLine({ verb, field, before, after }: Change): string {
  return `- ${verb} ${field}${before === null ? '' : `: ${before} → ${after}`}`;
}

function headerLines(title: string, headers: readonly RecordedHeader[] | null | undefined): string[] {
  if (headers == null) return [];
  return [`## ${title}`, '', ...headers.map(({ name, value }) => `- ${name}: ${value ?? '(redacted)'}`), ''];
}

/**
 * The same request again, against the local proxy. The key is always a variable, and the first line sets it.
 *
 * @param body where it was recorded
 * @param command what a person types for `jumpseat`
 */
export function toCurl(exchange: Exchange, baseUrl: string, body: string | null = null, command = 'jumpseat'): string {
  const end = body === null ? '' : endMark(body);
  return [
    '# The next line reads the local key, with the client label "replay".',
    `JUMPSEAT_KEY=$(eval "$(${command} env --shell bash --client replay)"; echo "$ANTHROPIC_AUTH_TOKEN")`,
    ...(body === null
      ? ['# The body was not recorded: save one as request.json here. With “Record bodies” on, it is copied too.']
      : []),
    `curl ${baseUrl}${routeOf(exchange)} \\`,
    '  -H "Authorization: Bearer $JUMPSEAT_KEY" \\',
    "  -H 'content-type: application/json' \\",
    ...(exchange.api === 'messages' || exchange.api === 'count-tokens'
      ? ["  -H 'anthropic-version: 2023-06-01' \\"]
      : []),
    ...(body === null ? ['  --data-binary @request.json'] : [`  --data-binary @- <<'${end}'`, body, end]),
  ].join('\n');
}

/** A line that ends the body in a shell, and stands nowhere in it. */
function endMark(body: string): string {
  let mark = 'BODY';
  for (let count = 1; body.includes(mark); count += 1) mark = `BODY_${count}`;
  return mark;
}
