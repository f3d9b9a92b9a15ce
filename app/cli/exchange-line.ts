import type { Exchange } from '../api/exchange.ts';
import { t } from '../language/translate.ts';
import { chargeCell, durationCell, initiatorCell, modelCell, statusCell, tokenCells } from '../words/exchange-cells.ts';
import { isSessionLabel } from '../words/sessions.ts';
import { clockTime } from '../words/times.ts';
import { hung, lineOf } from './table.ts';
import type { Terminal } from './terminal.ts';

const columns = [
  { width: 8, spare: 7 },
  { width: 11, spare: 4 },
  { width: 20, least: 5 },
  // The longest name of Claude’s models stays whole.
  { width: 28, least: 17 },
  { width: 6, spare: 6 },
  { width: 10, align: 'right', spare: 3 },
  { width: 14, align: 'right', spare: 1 },
  { width: 10, align: 'right', spare: 2 },
  { width: 8, align: 'right', spare: 5 },
  { width: 14, align: 'right' },
] as const;

/** One finished request as one line of `jumpseat serve`, in columns whose widths are known beforehand. */
export function exchangeLine(exchange: Exchange, terminal: Terminal): string {
  const { client } = exchange;
  const named = isSessionLabel(client) ? t('Session') : client;
  const { input, cached, output } = tokenCells(exchange);
  const isUser = exchange.initiator === 'user';
  const status = statusCell(exchange);
  const charge = chargeCell(exchange.charge);
  const bad = exchange.outcome === 'failed' || exchange.outcome === 'cut';
  const unit = exchange.charge.kind === 'billed' ? (exchange.charge.nanoAiu === null ? ' premium' : ' credits') : '';
  const cells = [
    isUser ? clockTime(exchange.startedAt) : terminal.style('dim', clockTime(exchange.startedAt)),
    named,
    styledInitiator(initiatorCell(exchange), isUser, terminal),
    modelCell(exchange),
    bad ? terminal.style(['red', 'bold'], status) : status,
    input === '–' ? '' : `${input} in`,
    cached === '–' ? '' : terminal.style('dim', `${cached} cached`),
    output === '–' ? '' : `${output} out`,
    durationCell(exchange),
    `${charge}${unit}`,
  ];
  return lineOf(columns, cells, terminal.columns);
}

/** Where lines below a request begin. */
export const belowColumn = 10;

/** Below a request that failed: why, in the message to the client below it. */
export function failureLine(exchange: Exchange, terminal: Pick<Terminal, 'style' | 'columns'>): string | null {
  if (exchange.failure === null) return null;
  const text = exchange.failure.clientMessage ?? exchange.failure.message;
  return terminal.style('dim', `${' '.repeat(belowColumn)}${hung(text, belowColumn, terminal.columns)}`);
}

function styledInitiator(cell: string, isUser: boolean, terminal: Terminal): string {
  if (!isUser) return cell;
  const word = t('User');
  return `${terminal.style('bold', word)}${cell.slice(word.length)}`;
}
