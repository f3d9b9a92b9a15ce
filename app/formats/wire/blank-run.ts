/** Longer runs than this are a model in a loop: arguments have no reason for them. */
const blankLimit = 20;

/** Counts the line ends and tabs that streamed text ends with, over its pieces. */
export class BlankRun {
  #length = 0;

  /** True once too many stand in a row. */
  add(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 9 && code !== 10 && code !== 13) this.#length = 0;
      else if (++this.#length > blankLimit) return true;
    }
    return false;
  }
}

export const blankRunMessage = 'Copilot’s model went on writing blank lines as tool arguments.';
