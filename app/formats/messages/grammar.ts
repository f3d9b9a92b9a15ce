/**
 * What may follow what in a stream of the Messages API, and what ends it:
 *
 *     message_start (content_block_start content_block_delta* content_block_stop)* message_delta+ message_stop
 *
 * Blocks are numbered from 0 without gaps and never overlap. `ping` and unknown events may stand anywhere before the
 * end. `error` may too, and ends the stream at once: a stream has either message_stop or an error as its last event,
 * and one that has neither was cut.
 */
export class MessagesGrammar {
  #phase: 'before' | 'between' | 'block' | 'closing' | 'ended' | 'failed' = 'before';
  #index = 0;
  #blockType: string | null = null;

  /** The number of the open block, or the one the next block will get. */
  get index(): number {
    return this.#index;
  }
  /** The type of the open block; null when none is open. */
  get open(): string | null {
    return this.#phase === 'block' ? this.#blockType : null;
  }
  get begun(): boolean {
    return this.#phase !== 'before';
  }
  /** message_stop was there, and all before it was as it should be. */
  get ended(): boolean {
    return this.#phase === 'ended';
  }
  get failed(): boolean {
    return this.#phase === 'failed';
  }

  /**
   * One event more. `index` is the block's number where the event has one; `detail` the type of the block or of the
   * delta. Null if it may stand here. Else a sentence that says why not; the state stays as it was.
   */
  take(type: string, index: number | null = null, detail: string | null = null): string | null {
    if (this.#phase === 'ended' || this.#phase === 'failed') return `${type} after the end`;
    switch (type) {
      case 'message_start':
        if (this.#phase !== 'before') return 'a second message_start';
        this.#phase = 'between';
        return null;
      case 'content_block_start':
        if (this.#phase === 'block') return `content_block_start while block ${this.#index} is open`;
        if (this.#phase !== 'between') return `content_block_start ${this.#where()}`;
        if (index !== this.#index) return `content_block_start ${index} where ${this.#index} was due`;
        this.#phase = 'block';
        this.#blockType = detail;
        return null;
      case 'content_block_delta':
        if (this.#phase !== 'block' || index !== this.#index) return `content_block_delta ${index} without its block`;
        return detail !== null && this.#blockType !== null && !fits(detail, this.#blockType)
          ? `${detail} in a ${this.#blockType} block`
          : null;
      case 'content_block_stop':
        if (this.#phase !== 'block' || index !== this.#index) return `content_block_stop ${index} without its block`;
        this.#phase = 'between';
        this.#index++;
        return null;
      case 'message_delta':
        if (this.#phase !== 'between' && this.#phase !== 'closing') return `message_delta ${this.#where()}`;
        this.#phase = 'closing';
        return null;
      case 'message_stop':
        if (this.#phase !== 'closing') return `message_stop ${this.#where()}`;
        this.#phase = 'ended';
        return null;
      case 'error':
        this.#phase = 'failed';
        return null;
      default:
        return null;
    }
  }

  #where(): string {
    switch (this.#phase) {
      case 'before':
        return 'before message_start';
      case 'block':
        return `while block ${this.#index} is open`;
      case 'between':
        return 'before message_delta';
      default:
        return 'after message_delta';
    }
  }
}

/** Deltas of tomorrow fit everywhere. */
function fits(delta: string, block: string): boolean {
  switch (delta) {
    case 'text_delta':
    case 'citations_delta':
      return block === 'text';
    case 'thinking_delta':
    case 'signature_delta':
      return block === 'thinking';
    case 'input_json_delta':
      return block.endsWith('tool_use');
    default:
      return true;
  }
}
