import type { FitNote } from '../../api.ts';
import type { Block, Message } from '../../formats/messages.ts';
import { isRecord } from './copy-on-write.ts';
import { type BlockFit, type BlockPlace, type Fit, type FitContext, note, type Refusal } from './fit.ts';

/**
 * The one walk over all blocks: system, messages, and what stands inside a tool result, a search result or a document.
 * A block goes through the fits in their order; what one changed, the next one gets.
 *
 * Answers 400 for a block that is no object, so that the steps after it may rely on the shape.
 */
export function walkBlocks(fits: readonly BlockFit[]): Fit {
  return (request, context) => {
    const walk = new Walk(fits, context);
    let next = request;
    if (Array.isArray(request.system)) {
      const system = walk.list(request.system, { in: 'system', role: null }, 'system');
      if (system === null) return walk.refusal('system');
      if (system !== request.system) next = { ...next, system };
    }
    let messages: Message[] | null = null;
    for (const [index, message] of request.messages.entries()) {
      const content: unknown = message.content;
      if (typeof content === 'string') continue;
      if (!Array.isArray(content)) return malformed(`messages.${index}.content: Input should be a string or a list`);
      const blocks = walk.list(content, { in: 'message', role: message.role }, `messages.${index}.content`);
      if (blocks === null) return walk.refusal(`messages.${index}.content`);
      if (blocks === content) continue;
      messages ??= request.messages.slice();
      messages[index] = { ...message, content: blocks };
    }
    if (messages !== null) next = { ...next, messages };
    return { ok: true, request: next, notes: walk.notes() };
  };
}

class Walk {
  readonly #fits: readonly BlockFit[];
  readonly #context: FitContext;
  readonly #counts = new Map<string, { note: FitNote; count: number }>();
  #refusal: Refusal | null = null;

  constructor(fits: readonly BlockFit[], context: FitContext) {
    this.#fits = fits;
    this.#context = context;
  }

  /** The list itself when nothing changed; null when it is refused. */
  list<B extends Block>(blocks: B[], place: BlockPlace, path: string): (B | Block)[] | null {
    let copy: (B | Block)[] | null = null;
    for (let index = 0; index < blocks.length; index += 1) {
      const block: unknown = blocks[index];
      if (!isBlock(block)) {
        this.#refusal = malformed(`${path}.${index}: Input should be an object`);
        return null;
      }
      const next = this.#block(block, place, path, index);
      if (this.#refusal !== null) return null;
      if (next !== block) copy ??= blocks.slice(0, index);
      if (copy !== null && next !== null) copy.push(next);
    }
    return copy ?? blocks;
  }

  refusal(path: string): Refusal {
    return this.#refusal ?? malformed(`${path}: Input is not valid`);
  }

  notes(): FitNote[] {
    return Array.from(this.#counts.values(), ({ note: one, count }) => note(one.code, one.text, count));
  }

  #block(given: Block, place: BlockPlace, path: string, index: number): Block | null {
    let block = this.#inside(given, place, path, index);
    if (this.#refusal !== null) return null;
    for (const fit of this.#fits) {
      const outcome = fit(block, place, this.#context);
      if (outcome === null) continue;
      if (!outcome.ok) {
        this.#refusal = outcome;
        return null;
      }
      this.#count(outcome.note);
      if (outcome.block === null) return null;
      block = outcome.block;
    }
    return block;
  }

  #inside(block: Block, place: BlockPlace, path: string, index: number): Block {
    if (!(block.type in holders)) return block;
    const inner: BlockPlace = { in: 'result', role: place.role };
    if (block.type === 'document') {
      const source = block['source'];
      if (!isRecord(source) || !Array.isArray(source['content'])) return block;
      const blocks = this.list(source['content'], inner, `${path}.${index}.source.content`);
      return blocks === null || blocks === source['content']
        ? block
        : { ...block, source: { ...source, content: blocks } };
    }
    const content = block['content'];
    if (!Array.isArray(content)) return block;
    const blocks = this.list(content, inner, `${path}.${index}.content`);
    return blocks === null || blocks === content ? block : { ...block, content: blocks };
  }

  #count(one: FitNote): void {
    const key = `${one.code} ${one.text}`;
    const seen = this.#counts.get(key);
    if (seen === undefined) this.#counts.set(key, { note: one, count: one.count });
    else seen.count += one.count;
  }
}

/** Blocks that hold blocks. */
const holders: Readonly<Record<string, true>> = Object.freeze(
  Object.assign(Object.create(null), { tool_result: true, search_result: true, document: true }),
);

function isBlock(value: unknown): value is Block {
  return isRecord(value);
}

function malformed(message: string): Refusal {
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message,
    code: 'malformed-request',
    shouldRetry: false,
  };
}
