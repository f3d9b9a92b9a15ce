import type { Exchange } from '../api/exchange.ts';
import { frontSentence, inFrontLanguage } from '../language/front-language.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { withContext } from '../words/context.ts';
import { chargeCell, durationCell, initiatorCell, modelCell, statusCell, tokenCells } from '../words/exchange-cells.ts';
import { otherStatusWords } from '../words/failures.ts';
import { isSessionLabel } from '../words/sessions.ts';
import { clockTime } from '../words/times.ts';
import { hung, lineOf, width } from './table.ts';
import type { Terminal } from './terminal.ts';

/** For `jumpseat serve`: prints each request that has ended. @param isJson for programs */
export function exchangePrinter(terminal: Terminal, isJson: boolean): (exchange: Exchange) => void {
  return (exchange) => {
    if (exchange.outcome === 'running') return;
    if (isJson) {
      terminal.out(JSON.stringify({ event: 'exchange', ...withContext(exchange) }));
      return;
    }
    terminal.out(inFrontLanguage(() => exchangeLine(exchange, terminal)));
    const failure = failureLine(exchange, terminal);
    if (failure !== null) terminal.out(failure);
  };
}

const columns = (): Parameters<typeof lineOf>[0] => [
  { width: 8, spare: 7 },
  { width: 11, spare: 4 },
  // As wide as most, whose words other languages have longer.
  { width: atLeast(20, t('Agent'), t('Tool results')), least: 5 },
  // The longest name of Claude’s models stays whole.
  { width: 28, least: 17 },
  { width: Math.max(atLeast(6, t('Cut')), atLeast(6, t('Left')), atLeast(6, t('Failed'))), spare: 6 },
  { width: 10, align: 'right', spare: 3 },
  { width: atLeast(14, cachedWords('999,999')), align: 'right', spare: 1 },
  { width: 10, align: 'right', spare: 2 },
  { width: 8, align: 'right', spare: 5 },
  { width: 14, align: 'right' },
];

const atLeast = (columns: number, ...words: string[]): number => Math.max(columns, width(words.join(' ')));
const cachedWords = (count: string): string => t('{count} cached', { count });

/** One finished request as one line of `jumpseat serve`, in columns whose widths are known beforehand. */
export function exchangeLine(exchange: Exchange, terminal: Terminal): string {
  const { client } = exchange;
  const named = isSessionLabel(client) ? t('Session') : client;
  const { input, cached, output } = tokenCells(exchange);
  const isUser = exchange.initiator === 'user';
  const status = statusCell(exchange);
  const charge = chargeCell(exchange.charge);
  const bad = exchange.outcome === 'failed' || exchange.outcome === 'cut';
  const cells = [
    isUser ? clockTime(exchange.startedAt) : terminal.style('dim', clockTime(exchange.startedAt)),
    named,
    styledInitiator(initiatorCell(exchange), isUser, terminal),
    modelCell(exchange),
    bad ? terminal.style(['red', 'bold'], status) : status,
    input === '–' ? '' : t('{count} in', { count: input }),
    cached === '–' ? '' : terminal.style('dim', cachedWords(cached)),
    output === '–' ? '' : t('{count} out', { count: output }),
    durationCell(exchange),
    exchange.charge.kind === 'billed'
      ? `${charge} ${t('{unit, select, credits {credits} premium {premium} chat {chat messages} other {requests}}', {
          unit: exchange.charge.nanoAiu === null ? 'premium' : 'credits',
        })}`
      : charge,
  ];
  return lineOf(columns(), cells, terminal.columns);
}

/** Where lines below a request begin. */
export const belowColumn = 10;

/** Below a request that failed: why, in the message to the client below it. */
export function failureLine(exchange: Exchange, terminal: Pick<Terminal, 'style' | 'columns'>): string | null {
  if (exchange.failure === null) return null;
  const said = frontSentence(exchange.failure.clientMessage ?? exchange.failure.message);
  const text = sentences(said, otherStatusWords(exchange) ?? '');
  return terminal.style('dim', `${' '.repeat(belowColumn)}${hung(text, belowColumn, terminal.columns)}`);
}

function styledInitiator(cell: string, isUser: boolean, terminal: Terminal): string {
  if (!isUser) return cell;
  const word = t('User');
  return `${terminal.style('bold', word)}${cell.slice(word.length)}`;
}
