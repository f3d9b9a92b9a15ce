import { isBlock, type Message } from '../../formats/messages/request.ts';
import { keptIn } from '../../formats/messages/search-results.ts';
import { isObject } from '../../formats/wire/json.ts';
import { shortened } from '../../words/shortened.ts';

/** A page that a search found. */
export interface FoundPage {
  url: string;
  title: string;
  /** The beginning of what it says. */
  quote: string;
}

/** As long as Anthropic's own `cited_text`. */
const longestQuote = 150;

export function quoteOf(text: string): string {
  return shortened(text, longestQuote);
}

/** Of the content of a `web_search_tool_result`. */
export function foundPages(content: unknown): FoundPage[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((item) => {
    if (!isObject(item) || typeof item.url !== 'string') return [];
    return [{ url: item.url, title: String(item.title ?? ''), quote: quoteOf(keptIn(item)?.text ?? '') }];
  });
}

/** Of a whole conversation. */
export function pagesIn(messages: readonly Message[]): FoundPage[] {
  return messages.flatMap(({ role, content }) =>
    role !== 'assistant' || typeof content === 'string'
      ? []
      : content.flatMap((block) =>
          isBlock(block) && block.type === 'web_search_tool_result' ? foundPages(block.content) : [],
        ),
  );
}
