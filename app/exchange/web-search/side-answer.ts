import type { SearchFailure, SearchOutcome } from '../../api/search.ts';
import type { AnswerFacts } from '../../formats/answer/answer.ts';
import { MessagesWriter } from '../../formats/messages/writer.ts';
import { citedText } from './cited-text.ts';
import { resultBlock } from './found-blocks.ts';

/**
 * The answer to a request that is one search: the call, what was found, and an account of it. A search that failed is
 * part of the answer, as Anthropic has it; the turn goes on.
 */
export class SideAnswer {
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

function failureText({ reason, mend }: SearchFailure): string {
  return `Jumpseat: the web search failed. ${reason} ${mend}`;
}
