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

export type Placed<Result extends object> =
  | ({ ok: true } & Result)
  | { ok: false /** Where in the request. */; field: string; message: string };

/** A translation, or what had no place. */
export function placed<Result extends object>(translate: () => Result): Placed<Result> {
  try {
    return { ok: true, ...translate() };
  } catch (error) {
    if (error instanceof NoPlace) return { ok: false, field: error.field, message: error.message };
    throw error;
  }
}
