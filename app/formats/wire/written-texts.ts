/** Texts on their way to the client, until they are taken as bytes. */
export class WrittenTexts {
  #texts: string[] = [];

  add(text: string): void {
    this.#texts.push(text);
  }

  /** Null when there is nothing. */
  take(): Buffer | null {
    if (this.#texts.length === 0) return null;
    const bytes = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    return bytes;
  }
}
