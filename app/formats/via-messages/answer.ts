import { ReaderBehind } from '../answer/answer.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';

/** A reader of what another reader writes as a Messages stream, event by event. */
export abstract class MessagesBehind extends ReaderBehind {
  /** What Copilot said that the answer cost; null if it did not. */
  protected bill: unknown = null;

  protected override event(_type: string | null, data: string): boolean {
    const event = parseObject(data);
    switch (event?.type) {
      case 'message_start':
        this.started();
        break;
      case 'content_block_start':
        if (isObject(event.content_block)) this.blockStarted(event.content_block);
        break;
      case 'content_block_delta':
        if (isObject(event.delta)) this.blockGrew(event.delta);
        break;
      case 'content_block_stop':
        this.blockStopped();
        break;
      case 'message_delta':
        this.bill = event.copilot_usage ?? this.bill;
        if (isObject(event.delta)) this.messageChanged(event.delta);
        break;
      case 'message_stop':
        this.ended();
        return false;
    }
    return true;
  }

  protected abstract started(): void;
  protected abstract blockStarted(block: JsonObject): void;
  protected abstract blockGrew(delta: JsonObject): void;
  protected abstract ended(): void;

  protected blockStopped(): void {}

  protected messageChanged(_delta: JsonObject): void {}
}

/** A page that a text rests on, as OpenAI's APIs say it; `from` and `to` are places in the whole text. */
interface UrlCitation {
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
  /** Length of what came before this block. */
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

/** The addresses of what a search found, in their order; null if it failed. */
export function addressesFound(content: unknown): string[] | null {
  if (!Array.isArray(content)) return null;
  return content.flatMap((item: unknown) => (isObject(item) && typeof item.url === 'string' ? [item.url] : []));
}

/** The fields of both APIs' `url_citation`. */
export function citationFields({ url, title, from, to }: UrlCitation): JsonObject {
  return { start_index: from, end_index: to, title, url };
}
