import type { Exchange, Shape } from '../../../app/api/exchange.ts';
import { t } from '../../../app/language/translate.ts';
import { tokenCells } from '../../../app/words/exchange-cells.ts';
import { grouped, tokenCount } from '../../../app/words/numbers.ts';
import type { KeyValue } from './key-values.tsx';

/** What is known of contents, without their text. */

const tokens = (count: number | null): string => (count === null ? '–' : tokenCount(count));

export function requestShape({ shape, streamed, tokens: used }: Exchange): (KeyValue | null)[] {
  const request = shape?.request ?? null;
  const sizes: KeyValue[] =
    request === null
      ? [{ name: t('Input'), value: t('{count} tokens', { count: tokens(used.input) }) }]
      : [
          { name: t('Size'), value: t('{count} bytes', { count: grouped(request.bytes) }) },
          { name: t('Messages'), value: messagesText(request.messages) },
          { name: t('Tools'), value: grouped(request.tools) },
          { name: t('Images'), value: grouped(request.images) },
          { name: t('Thinking'), value: request.thinking ?? t('not asked for') },
        ];
  return [...sizes, { name: t('Streamed'), value: streamed ? t('Yes') : t('No') }];
}

export function answerShape(exchange: Exchange): (KeyValue | null)[] {
  const { shape, stopReason } = exchange;
  const answer = shape?.answer ?? null;
  const stop: KeyValue = { name: t('Stop reason'), value: stopReason ?? '–', mono: stopReason !== null };
  if (answer === null)
    return [stop, { name: t('Output'), value: t('{count} tokens', { count: tokenCells(exchange).output }) }];
  return [
    stop,
    { name: t('Blocks'), value: blocksText(answer.blocks) },
    answer.events === null ? null : { name: t('Events'), value: grouped(answer.events) },
    { name: t('Size'), value: t('{count} bytes', { count: grouped(answer.bytes) }) },
  ];
}

/** `15 (8 user, 7 assistant)` */
function messagesText(messages: NonNullable<Shape['request']>['messages']): string {
  const roles = Object.entries(messages);
  const all = roles.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return '0';
  return `${grouped(all)} (${roles.map(([role, count]) => `${grouped(count)} ${role}`).join(', ')})`;
}

/** `1 thinking, 1 text, 2 tool_use (Read, Bash)` */
function blocksText(blocks: NonNullable<Shape['answer']>['blocks']): string {
  const kinds = new Map<string, { count: number; names: Set<string> }>();
  for (const { type, name } of blocks) {
    const kind = kinds.get(type) ?? { count: 0, names: new Set() };
    kind.count += 1;
    if (name !== null) kind.names.add(name);
    kinds.set(type, kind);
  }
  if (kinds.size === 0) return '–';
  return [...kinds]
    .map(
      ([type, { count, names }]) => `${grouped(count)} ${type}${names.size > 0 ? ` (${[...names].join(', ')})` : ''}`,
    )
    .join(', ');
}
