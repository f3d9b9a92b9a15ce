import type { FitNote } from '../../api/exchange.ts';
import type { Block } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import {
  type BlockFit,
  type BlockPlace,
  type Fit,
  type FitContext,
  fitsFor,
  malformed,
  mapKeeping,
  type Refusal,
  type Step,
  type ToolFit,
  unchanged,
} from './fit.ts';

/**
 * The one walk over all blocks: system, messages, and what stands inside a tool result, a search result or a document.
 * A block goes through the fits in their order; what one changed, the next one gets. What is inside a block goes before
 * the block.
 *
 * Answers 400 for an inner block that is no object and for a result whose content is neither text nor list, so that the
 * steps after it may rely on the shape.
 */
export function walkBlocks(steps: readonly Step<BlockFit>[]): Fit {
  return (request, context, found) => {
    const walk = new Walk(fitsFor(steps, found), context);
    let next = request;
    if (Array.isArray(request.system)) {
      const system = walk.list(request.system, { in: 'system', role: null }, 'system');
      if (system !== request.system) next = { ...next, system };
    }
    const messages = mapKeeping(request.messages, (message, index) => {
      if (typeof message.content === 'string') return message;
      const place: BlockPlace = { in: 'message', role: message.role };
      const content = walk.list(message.content, place, () => `messages.${index}.content`);
      return content === message.content ? message : { ...message, content };
    });
    if (walk.refusal !== null) return walk.refusal;
    if (messages !== request.messages) next = { ...next, messages };
    return { ok: true, request: next, notes: walk.notes };
  };
}

class Walk {
  readonly notes: FitNote[] = [];
  /** Set once; from then on nothing is changed any more. */
  refusal: Refusal | null = null;
  readonly #fits: readonly BlockFit[];
  readonly #context: FitContext;

  constructor(fits: readonly BlockFit[], context: FitContext) {
    this.#fits = fits;
    this.#context = context;
  }

  /** The list itself when nothing changed. `path` names it in a refusal. */
  list(blocks: Block[], place: BlockPlace, path: string | (() => string)): Block[] {
    let copy: Block[] | null = null;
    let index = -1;
    for (const block of blocks) {
      index += 1;
      if (this.refusal !== null) return blocks;
      if (!isObject(block)) {
        this.refusal = malformed(`${typeof path === 'string' ? path : path()}.${index}: Input should be an object`);
        return blocks;
      }
      const next = this.#block(block, place);
      if (next !== block) copy ??= blocks.slice(0, index);
      if (copy !== null && next !== null) copy.push(next);
    }
    return copy ?? blocks;
  }

  #block(given: Block, place: BlockPlace): Block | null {
    let block = this.#inside(given, place);
    for (const apply of this.#fits) {
      const outcome = apply(block, place, this.#context);
      if (outcome === null) continue;
      if (!outcome.ok) {
        this.refusal = outcome;
        return given;
      }
      this.notes.push(outcome.note);
      if (outcome.block === null) return null;
      block = outcome.block;
    }
    return block;
  }

  #inside(block: Block, place: BlockPlace): Block {
    if (block.type !== 'tool_result' && block.type !== 'search_result' && block.type !== 'document') return block;
    const holder = block.type === 'document' ? block.source : block;
    if (block.type === 'tool_result' && !isContent(block.content)) {
      this.refusal = malformed('tool_result.content: Input should be a string or a list');
      return block;
    }
    if (!isObject(holder) || !Array.isArray(holder.content)) return block;
    const inner: BlockPlace = { in: 'result', role: place.role };
    const content = this.list(holder.content, inner, `${block.type}.content`);
    if (content === holder.content) return block;
    return holder === block ? { ...block, content } : { ...block, source: { ...holder, content } };
  }
}

function isContent(content: unknown): boolean {
  return content === undefined || content === null || typeof content === 'string' || Array.isArray(content);
}

/** The one walk over all tools. */
export function walkTools(steps: readonly Step<ToolFit>[]): Fit {
  return (request, context, found) => {
    if (!Array.isArray(request.tools)) return unchanged(request);
    const fits = fitsFor(steps, found);
    const notes: FitNote[] = [];
    const tools = mapKeeping(request.tools, (given) => {
      let tool = given;
      for (const apply of fits) {
        const change = apply(tool, context);
        if (change === null) continue;
        tool = change.tool;
        notes.push(change.note);
      }
      return tool;
    });
    return tools === request.tools ? unchanged(request) : { ok: true, request: { ...request, tools }, notes };
  };
}
