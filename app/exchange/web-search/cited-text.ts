import type { SearchAnswer, SearchResult } from '../../api/search.ts';
import { encodeIndex } from '../../formats/messages/search-results.ts';
import type { JsonObject } from '../../formats/wire/json.ts';
import { shortened } from '../../words/shortened.ts';
import { textOf } from './found-blocks.ts';
import { quoteOf } from './found-pages.ts';

/** A part of a text, and the pages that it rests on. */
export interface CitedPart {
  text: string;
  citations: JsonObject[];
}

/** Of a page, where no engine has summed it up. */
const longestExcerpt = 600;

/** A brief account of what was found, in parts, line by line where it names its pages. */
export function citedText({ query, results, summary }: SearchAnswer): CitedPart[] {
  if (results.length === 0) return [{ text: summary ?? `Nothing was found for “${query}”.`, citations: [] }];
  if (summary === null) {
    return results.map((result, at) => ({
      text: `${at === 0 ? '' : '\n\n'}${result.title}: ${shortened(textOf(result), longestExcerpt)}`,
      citations: [citationOf(result, at)],
    }));
  }
  const parts: CitedPart[] = [];
  for (const line of summary.split(/(?<=\n)/)) {
    const citations = results.flatMap((result, at) => (restsOn(line, result) ? [citationOf(result, at)] : []));
    const last = parts.at(-1);
    if (citations.length === 0 && last?.citations.length === 0) last.text += line;
    else parts.push({ text: line, citations });
  }
  return parts;
}

function restsOn(line: string, { url, snippets }: SearchResult): boolean {
  return line.includes(url) || snippets.some((snippet) => snippet !== '' && line.includes(snippet));
}

function citationOf(result: SearchResult, at: number): JsonObject {
  return {
    type: 'web_search_result_location',
    url: result.url,
    title: result.title,
    cited_text: quoteOf(textOf(result)),
    encrypted_index: encodeIndex({ result: at, from: 0, to: 1 }),
  };
}
