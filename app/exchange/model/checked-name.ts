import { refuse } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';

const modelName = /^[^\p{Cc}]{1,256}$/u;

/** A model's name as a client gave it: it is shown, kept and given back. Throws `Stopped` where it can't be. */
export function checkedName(asked: string): string {
  if (modelName.test(asked)) return asked;
  throw new Stopped(
    refuse(
      400,
      'invalid_request_error',
      'invalid_body',
      'Jumpseat: model: a name of at most 256 characters on one line is required.',
    ),
  );
}
