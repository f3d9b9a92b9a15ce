import { type SearchFailure, type SearchOutcome, usualResults } from '../../../api/search.ts';
import type { AnswerFacts } from '../../../formats/answer/answer.ts';
import { blocksOf, isTextBlock, type MessagesRequest, readMessagesRequest } from '../../../formats/messages/request.ts';
import { MessagesWriter } from '../../../formats/messages/writer.ts';
import type { AnswerTarget } from '../../client-stream.ts';
import type { WebSearch } from '../../dependencies.ts';
import type { Ended, Joined, Joining, Part } from '../../feature.ts';
import { sideTexts } from '../../initiator/claude-code-texts.ts';
import { LruMap } from '../../lru-map.ts';
import { causeOf } from '../../own-requests.ts';
import { citedText, resultBlock } from './found.ts';
import { searchServed } from './port.ts';
import { isSearchTool, readSearchTool, type SearchTool } from './tool.ts';

/** A request that is one search and nothing else. */
interface SideSearch {
  query: string;
  tool: SearchTool;
}

const prefix = sideTexts['web search'];

/**
 * Claude Code's WebSearch is a request of its own: one message and the search as the only tool, with the order to call
 * it (`claude-code-2.1.328-auxiliary-web-search`), but for models that it does not know. What is searched for stands
 * behind a prefix; under an order without one, all that was said is the query. Null if a model has to be asked.
 */
function readSideSearch({ messages, tools, tool_choice: choice }: MessagesRequest): SideSearch | null {
  const [tool] = Array.isArray(tools) ? tools : [];
  const [message] = messages;
  if (tools?.length !== 1 || !isSearchTool(tool) || messages.length !== 1 || message?.role !== 'user') return null;
  const said: string[] = [];
  for (const [, block] of blocksOf(message.content)) {
    if (!isTextBlock(block)) return null;
    said.push(block.text);
  }
  const marked = said.find((text) => text.trimStart().startsWith(prefix));
  const ordered = choice?.type === 'any' || (choice?.type === 'tool' && choice.name === tool.name);
  if (!ordered && marked === undefined) return null;
  const query = marked === undefined ? said.join('\n') : marked.trimStart().slice(prefix.length);
  return { query: query.trim(), tool: readSearchTool(tool) };
}

/**
 * The answer to a request that is one search: the call, what was found, and an account of it. A search that failed is
 * part of the answer, as Anthropic has it; the turn goes on.
 */
class SideAnswer {
  readonly #writer: MessagesWriter;
  readonly #facts: AnswerFacts;
  readonly #toolUseId: string;

  constructor(facts: AnswerFacts, id: string) {
    this.#facts = facts;
    this.#writer = new MessagesWriter(facts);
    this.#toolUseId = `srvtoolu_${id}`;
  }

  /** What is known before the search. */
  begin(id: string, model: string, query: string): Buffer {
    const writer = this.#writer;
    this.#facts.started = true;
    writer.start(`msg_${id}`, model, { input_tokens: 0, output_tokens: 0 });
    writer.openServerToolUse(this.#toolUseId, 'web_search');
    writer.add(JSON.stringify({ query }));
    writer.close();
    return this.#written();
  }

  end(outcome: SearchOutcome): Buffer {
    const writer = this.#writer;
    const facts = this.#facts;
    writer.whole(resultBlock(this.#toolUseId, outcome));
    const parts = outcome.kind === 'found' ? citedText(outcome) : [{ text: failureText(outcome), citations: [] }];
    for (const { text, citations } of parts) {
      writer.openText();
      writer.add(text);
      for (const citation of citations) writer.cite(citation);
      writer.close();
    }
    facts.stopReason = 'end_turn';
    facts.ended = true;
    writer.end({
      stopReason: 'end_turn',
      stopSequence: null,
      stopDetails: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
      },
      copilotUsage: null,
    });
    return this.#written();
  }

  #written(): Buffer {
    return this.#writer.takeBytes() ?? Buffer.alloc(0);
  }
}

function failureText({ reason, remedy }: SearchFailure): string {
  return `Jumpseat: the web search failed. ${reason} ${remedy}`;
}

/**
 * Answers a request that is one search, without a model of the client's: no request of this row goes to Copilot. The
 * call is told at once, so that the client's stream runs while the search does.
 */
async function answerSideSearch(
  joined: Joined,
  { query, tool }: SideSearch,
  search: WebSearch,
  target: AnswerTarget,
): Promise<void> {
  const { call, row, facts } = joined;
  const { allowed, blocked, location } = tool;
  const answer = new SideAnswer(facts, row.id.replace(/\W/g, ''));
  target.write(answer.begin(row.id, row.askedModel ?? '', query));
  row.times.firstEvent = joined.since();
  const cause = causeOf(joined, row.initiator === 'agent');
  const outcome = await search.search(
    { query, allowed, blocked, location, count: usualResults },
    { signal: call.signal, cause, original: { body: call.body, headers: call.headers } },
  );
  call.signal.throwIfAborted();
  const { note, failure } = searchServed(outcome);
  row.fits.push(note);
  // The client gets the failure within an answer of status 200.
  if (failure !== null) {
    row.outcome = 'failed';
    row.failure = failure;
  }
  const rest = answer.end(outcome);
  target.last?.();
  target.write(rest);
}

/** Claude Code's tool, which makes a request of its own for each search, without the id of its prompt. */
export const searchTool = 'WebSearch';
const sessionsKept = 1000;

/**
 * To which prompt a search of Claude Code's belongs, so that its costs stand there: that of the session's last answer
 * which called for one. For sums alone; who started a request is never read from it. In this process alone.
 */
export class SideSearches {
  readonly #search: WebSearch;
  readonly #underWay: () => Iterable<Ended>;
  readonly #last = new LruMap<string>(sessionsKept);

  constructor(search: WebSearch, underWay: () => Iterable<Ended>) {
    this.#search = search;
    this.#underWay = underWay;
  }

  join({ row, request }: Joining): Part | null {
    const read = row.api === 'messages' ? readMessagesRequest(request) : null;
    const side = read?.ok === true ? readSideSearch(read.request) : null;
    if (side === null) return null;
    return {
      here: (joined, target) => {
        row.prompt ??= this.#promptOf(row.session);
        return answerSideSearch(joined, side, this.#search, target);
      },
    };
  }

  ended({ row: { session, prompt }, facts }: Ended): void {
    if (session === null || prompt === null || !facts.blocks.some(({ name }) => name === searchTool)) return;
    this.#last.keep(session, prompt);
  }

  /** Null if none is known. Claude Code may search while the answer that calls for it still runs. */
  #promptOf(session: string | null): string | null {
    if (session === null) return null;
    for (const { row, facts } of this.#underWay()) {
      if (row.session !== session || row.prompt === null) continue;
      if (facts.blocks.some(({ name }) => name === searchTool)) return row.prompt;
    }
    const prompt = this.#last.takeOut(session);
    if (prompt !== null) this.#last.keep(session, prompt);
    return prompt;
  }
}
