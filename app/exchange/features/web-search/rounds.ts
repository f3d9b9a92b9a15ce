import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../../../api/exchange.ts';
import { type SearchOutcome, usualResults } from '../../../api/search.ts';
import type { AnswerReader } from '../../../formats/answer/answer.ts';
import { type Block, isBlock, type Message, type MessagesRequest } from '../../../formats/messages/request.ts';
import { functionResult, serverToolId } from '../../../formats/messages/search-results.ts';
import { msg } from '../../../language/messages.ts';
import type { AnswerTarget, RelayEnd } from '../../client-stream.ts';
import type { WebSearch } from '../../dependencies.ts';
import type { Leading, Led, Part } from '../../feature.ts';
import type { Said } from '../../initiator/verdict.ts';
import { causeOf } from '../../own-requests.ts';
import type { Plan } from '../../plan.ts';
import { type Emulated, emulateSearch } from './emulate.ts';
import { pagesIn, resultBlock } from './found.ts';
import { searchNote } from './port.ts';
import { type SearchCall, SearchedAnswer } from './searched-answer.ts';
import type { SearchTool } from './tool.ts';

/** Requests to Copilot for one answer, as Anthropic's own loop has it; then the turn is paused. */
const mostRounds = 10;

interface SearchRounds extends Led {
  emulated: Emulated;
  answer: SearchedAnswer;
  search: WebSearch;
  /** The answer ends with `pause_turn`, behind this search. */
  paused(row: Exchange, search: string): void;
  /** Plans a further request. Throws `Stopped`. */
  again(request: MessagesRequest): Plan;
}

const wentOn: Said = {
  code: 'tool-results',
  rule: 'search-results',
  sentence: msg('went on with what a search found'),
};

/** A request whose model may search on its way: the searches are made here. */
export function searchesHere({ search, paused }: Pick<SearchRounds, 'search' | 'paused'>): Part {
  return {
    request: (request, path) => {
      const emulated = emulateSearch(request, path);
      if (emulated === null) return null;
      const { tool, cites, note } = emulated;
      const leads = (planned: Plan, again: SearchRounds['again']): Leading => {
        const pages = pagesIn(emulated.request.messages);
        const answer = new SearchedAnswer(planned.reader, { name: tool.name, pages, cites });
        return {
          reader: answer,
          get facts() {
            return answer.round;
          },
          lead: (first, led) => relayWithSearches(first, { ...led, emulated, answer, search, paused, again }),
        };
      };
      return { request: emulated.request, note, leads };
    },
  };
}

/**
 * Leads an answer to the client whose model may search on its way. Each search is made here, what it found goes to the
 * client and, with one more request, to the model, until that is done: or it calls the client's own tools, or it has
 * searched too often, which ends the client's answer. Rejects with what a further request ended with.
 */
async function relayWithSearches(first: IncomingMessage, rounds: SearchRounds): Promise<RelayEnd> {
  const { joined, emulated, answer, reader, target } = rounds;
  const { row, call } = joined;
  const open = { ...unending(target), last: () => (answer.facts.ended ? target.last?.() : undefined) };
  let end = await rounds.relay(first, thisRound(rounds), open);
  let uses = 0;
  for (let round = 1; ; round++) {
    const said = answer.ended();
    if (said === null || call.signal.aborted) return end;
    const outcomes = await Promise.all(said.calls.map((call, at) => searchFor(call, uses + at, rounds)));
    call.signal.throwIfAborted();
    uses += said.calls.length;
    const blocks = said.calls.map(({ id }, at) => resultBlock(serverToolId(id), outcomes[at] ?? overUsed));
    answer.results(blocks);
    const isPaused = round >= mostRounds && row.api === 'messages';
    if (said.handsOver) answer.finish('tool_use');
    else if (isPaused) {
      answer.finish('pause_turn');
      rounds.paused(row, serverToolId(said.calls.at(-1)?.id ?? ''));
    }
    await write(reader.push(nothing), target, answer.facts.ended);
    if (answer.facts.ended) return end;
    const results = blocks.flatMap(
      (block, at) => functionResult(block, said.calls[at]?.id ?? '', emulated.cites) ?? [],
    );
    const turns = [
      { role: 'assistant', content: said.content.filter(isSent) },
      { role: 'user', content: results },
    ];
    const isLast = round >= mostRounds - 1 && row.api !== 'messages';
    const plan = rounds.again(goneOn(emulated, turns, isLast));
    answer.goOn(plan.reader);
    end = await rounds.further(plan, wentOn, thisRound(rounds), open);
  }
}

const nothing = Buffer.alloc(0);

/** What is read is one answer of the upstream's; what is written, the client's. */
function thisRound({ answer, reader }: SearchRounds): AnswerReader {
  return { facts: answer.round, push: (chunk) => reader.push(chunk), end: () => reader.end() };
}

function unending(target: AnswerTarget): AnswerTarget {
  return { write: (bytes) => target.write(bytes), drained: (then) => target.drained(then) };
}

/** Empty texts are refused where they come back. */
function isSent(block: Block): boolean {
  return isBlock(block) && !(block.type === 'text' && block.text === '');
}

function write(bytes: Buffer | null, target: AnswerTarget, last: boolean): Promise<void> {
  if (last) target.last?.();
  return new Promise((resolve) => {
    if (bytes === null || target.write(bytes)) resolve();
    else target.drained(resolve);
  });
}

const overUsed: SearchOutcome = {
  kind: 'failed',
  engine: null,
  code: 'max_uses_exceeded',
  reason: 'The request allows no more searches.',
  remedy: 'Answer with what was found.',
  retryAfterMs: null,
};

async function searchFor(
  { query }: SearchCall,
  used: number,
  { joined, emulated: { tool }, search }: SearchRounds,
): Promise<SearchOutcome> {
  const { allowed, blocked, location, maxUses } = tool;
  const asked = { query: query ?? '', allowed, blocked, location, count: usualResults };
  const context = { signal: joined.call.signal, cause: causeOf(joined, joined.accepted) };
  const outcome = used >= maxUses ? overUsed : query === null ? wordless : await search.search(asked, context);
  joined.row.fits = [...joined.row.fits, searchNote(outcome)];
  return outcome;
}

const wordless: SearchOutcome = { ...overUsed, code: 'invalid_tool_input', reason: 'The search has no words.' };

/** The same conversation with `turns` behind it. @param isLast no more calls */
function goneOn({ request, tool }: Emulated, turns: readonly Message[], isLast: boolean): MessagesRequest {
  return { ...withChoice(request, tool, isLast), messages: [...request.messages, ...turns] };
}

/** A search that was ordered is ordered once. */
function withChoice(request: MessagesRequest, { name }: SearchTool, last: boolean): MessagesRequest {
  const { tool_choice: choice, ...rest } = request;
  if (last) return { ...rest, tool_choice: { type: 'none' } };
  if (choice === undefined) return rest;
  const ordered = choice.type === 'any' || (choice.type === 'tool' && choice.name === name);
  if (!ordered) return request;
  const { disable_parallel_tool_use: alone } = choice;
  return alone === undefined ? rest : { ...rest, tool_choice: { type: 'auto', disable_parallel_tool_use: alone } };
}
