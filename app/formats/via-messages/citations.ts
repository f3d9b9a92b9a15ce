import { isObject, type JsonObject } from '../wire/json.ts';

/** A page that a text rests on, as OpenAI's APIs say it; `from` and `to` are places in the whole text. */
export interface UrlCitation {
  url: string;
  title: string;
  from: number;
  to: number;
}

/**
 * The texts of an answer with searches, as one: Anthropic's API parts a text where citations begin and end, OpenAI's
 * have it in one piece, with the places in it.
 */
export class CitedText {
  /** Of what was said before this block. */
  #before = 0;
  #block = '';
  #cited: { url: string; title: string }[] = [];

  /** A new text that shares nothing with what was said before. */
  reset(): void {
    this.#before = 0;
    this.#block = '';
    this.#cited = [];
  }

  add(text: string): void {
    this.#block += text;
  }

  /** A citation of the block, where it is one of a page. */
  cite(citation: unknown): void {
    if (!isObject(citation) || citation.type !== 'web_search_result_location') return;
    const { url, title } = citation;
    if (typeof url !== 'string' || this.#cited.some((each) => each.url === url)) return;
    this.#cited.push({ url, title: typeof title === 'string' ? title : '' });
  }

  /** The block is over: its citations span it, or the address where it names that. */
  endBlock(): UrlCitation[] {
    const { length } = this.#block;
    const citations = this.#cited.map(({ url, title }): UrlCitation => {
      const at = this.#block.indexOf(url);
      const [from, to] = at === -1 ? [0, length] : [at, at + url.length];
      return { url, title, from: this.#before + from, to: this.#before + to };
    });
    this.#before += length;
    this.#block = '';
    this.#cited = [];
    return citations;
  }
}

/** The addresses of what a search found, in their order; null: it failed. */
export function addressesFound(content: unknown): string[] | null {
  if (!Array.isArray(content)) return null;
  return content.flatMap((item: unknown) => (isObject(item) && typeof item.url === 'string' ? [item.url] : []));
}

/** The fields of both APIs' `url_citation`. */
export function citationFields({ url, title, from, to }: UrlCitation): JsonObject {
  return { start_index: from, end_index: to, title, url };
}
