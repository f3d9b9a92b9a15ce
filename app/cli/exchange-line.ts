import type { Exchange } from '../api/exchange.ts';
import { chargeCell, durationCell, initiatorCell, modelCell, statusCell, tokenCells } from '../words/exchange-cells.ts';
import { isSessionLabel } from '../words/sessions.ts';
import { shortened } from '../words/text.ts';
import { clockTime } from '../words/times.ts';
import { fill, width } from './table.ts';
import type { Terminal } from './terminal.ts';

const clientWidth = 11;

/**
 * One finished request as one line of `jumpseat serve`, in columns whose widths are known beforehand.
 * @param name of its client, where that has another name than its label
 */
export function exchangeLine(exchange: Exchange, terminal: Terminal, name?: string): string {
  const { client } = exchange;
  const named = isSessionLabel(client) ? shortened(name ?? 'Session', clientWidth) : client;
  const { input, cached, output } = tokenCells(exchange);
  const isUser = exchange.initiator === 'user';
  const status = statusCell(exchange);
  const charge = chargeCell(exchange.charge);
  const bad = exchange.outcome === 'failed' || exchange.outcome === 'cut';
  const unit = exchange.charge.kind === 'billed' ? (exchange.charge.nanoAiu === null ? ' premium' : ' credits') : '';
  const cells = [
    isUser ? clockTime(exchange.startedAt) : terminal.style('dim', clockTime(exchange.startedAt)),
    fill(named, clientWidth),
    styledInitiator(fill(initiatorCell(exchange), 20), isUser, terminal),
    fill(modelCell(exchange), 28),
    fill(bad ? terminal.style(['red', 'bold'], status) : status, 6),
    fill(input === '–' ? '' : `${input} in`, 10, 'right'),
    terminal.style('dim', fill(cached === '–' ? '' : `${cached} cached`, 14, 'right')),
    fill(output === '–' ? '' : `${output} out`, 10, 'right'),
    fill(durationCell(exchange), 8, 'right'),
    fill(`${charge}${unit}`, 14, 'right'),
  ];
  return cells.join('  ').trimEnd();
}

/** The log of failures: what the client was told stands below its line. */
export function failureLine(exchange: Exchange, terminal: Terminal): string | null {
  if (exchange.failure === null) return null;
  return terminal.style('dim', `          ${exchange.failure.clientMessage ?? exchange.failure.message}`);
}

function styledInitiator(cell: string, isUser: boolean, terminal: Terminal): string {
  if (!isUser) return cell;
  const word = 'User';
  return `${terminal.style('bold', word)}${cell.slice(width(word))}`;
}
