/**
 * An answer that no model gives: read on, it would fill the memory. `message` is a sentence without the name of the
 * app.
 */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}
