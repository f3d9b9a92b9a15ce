/**
 * Something in a client's request that the Messages API has no counterpart for. `field` says where it stands:
 * `messages[2].content[0].type`.
 */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
