import { type Block, blocksOf, isBlock, isTextBlock, isToolReferenceBlock } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import type { ToolNames } from '../translation/tool-names.ts';
import { isObject } from '../wire/json.ts';

/** Something with meaning that an OpenAI format has no place for. */
export interface TranslationRefusal {
  ok: false;
  code: 'document-refused';
  /** Its place: `messages.2.content.0`. */
  block: string;
  message: string;
}

/**
 * Reads blocks for a format that knows only texts and images. What has no place there is noted, or refused where it
 * would be missed.
 */
export class BlockReader {
  /** The first thing that cannot be sent. */
  refusal: TranslationRefusal | null = null;
  readonly #toolNames: ToolNames;
  readonly #notes: Notes;

  constructor(toolNames: ToolNames, notes: Notes) {
    this.#toolNames = toolNames;
    this.#notes = notes;
  }

  /** A text or the URL of an image. Null if there is nothing of the block to send. */
  part(block: Block, at: string): { text: string } | { url: string } | null {
    if (block.type === 'image') {
      const url = this.#imageUrl(block);
      return url === null ? null : { url };
    }
    const text = this.text(block, at);
    return text === null ? null : { text };
  }

  /** Texts of blocks that may be nothing else. */
  texts(content: string | Block[], at: string): string[] {
    const texts: string[] = [];
    for (const [index, block] of blocksOf(content)) {
      const text = this.text(block, `${at}.${index}`);
      if (text !== null) texts.push(text);
    }
    return texts;
  }

  /** Never an empty text. */
  text(block: Block, at: string): string | null {
    return this.#text(block, at) || null;
  }

  #text(block: Block, at: string): string | null {
    if (isTextBlock(block)) return block.text;
    if (isToolReferenceBlock(block)) return `Tool loaded: ${this.#toolNames.shorten(block.tool_name)}`;
    if (block.type === 'document') return this.#document(block, at);
    if (block.type === 'search_result') return joinedText([block.title, block.source, ...textsIn(block.content)]);
    if (typeof block.text === 'string') {
      this.#notes.add('block-as-text', `${block.type} sent as text`);
      return block.text;
    }
    this.#notes.add('block-dropped', `${block.type} removed`);
    return null;
  }

  #imageUrl(block: Block): string | null {
    const source = isObject(block.source) ? block.source : {};
    if (source.type === 'base64' && typeof source.data === 'string' && typeof source.media_type === 'string')
      return `data:${source.media_type};base64,${source.data}`;
    if (source.type === 'url' && typeof source.url === 'string') return source.url;
    this.#notes.add('block-dropped', 'image without data removed');
    return null;
  }

  #document(block: Block, at: string): string | null {
    const source = isObject(block.source) ? block.source : {};
    if (source.type === 'text' && typeof source.data === 'string')
      return joinedText([block.title, block.context, source.data]);
    if (source.type === 'content') return joinedText([block.title, block.context, ...textsIn(source.content)]);
    const kind = source.media_type === 'application/pdf' ? 'PDF' : 'document';
    this.refusal ??= {
      ok: false,
      code: 'document-refused',
      block: at,
      message:
        `${at} is a ${kind}, and this model’s API supports no documents. Use a Claude model for it, or send its ` +
        'text.',
    };
    return null;
  }
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.filter(isBlock).flatMap((block) => (isTextBlock(block) ? [block.text] : []));
}

function joinedText(texts: unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');
}
