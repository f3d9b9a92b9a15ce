import { parseObject } from './json.ts';

const [blank, quote, backslash] = [0x20, 0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Says of a JSON object that comes in pieces whether all of it is there. Every character is looked at once, however
 * often it is asked: to parse what there is with each piece would take more and more.
 */
export class JsonEnd {
  #json = '';
  #unread = '';
  #began = false;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Found out once nothing more can belong to it. */
  #whole: boolean | null = null;

  add(json: string): void {
    if (this.#whole === null) {
      this.#json += json;
      this.#unread += json;
    }
    // What follows a value that was there in full makes it none.
    if (this.#whole !== null && json.trim() !== '') this.#whole = false;
  }

  isWhole(): boolean {
    if (this.#whole !== null) return this.#whole;
    const unread = this.#unread;
    this.#unread = '';
    for (let at = 0; at < unread.length; at++) this.#read(unread.charCodeAt(at));
    if (!this.#began || this.#depth > 0 || this.#inText) return false;
    this.#whole = parseObject(this.#json) !== null;
    return this.#whole;
  }

  #read(code: number): void {
    if (code > blank) this.#began = true;
    if (this.#escaped) this.#escaped = false;
    else if (this.#inText) {
      if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inText = false;
    } else if (code === quote) this.#inText = true;
    else if (code === openList || code === openObject) this.#depth++;
    else if (code === closeList || code === closeObject) this.#depth--;
  }
}
