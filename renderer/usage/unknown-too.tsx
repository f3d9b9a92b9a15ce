import { counted, grouped } from '../../app/words/numbers.ts';

/** Before a sum, so that sums stand below each other: there are requests whose charge is not in it. */
export function UnknownToo({ count }: { count: number }) {
  const words = `${counted(count, 'request')} with an unknown charge`;
  return (
    <span className="muted unknown-too" title={`And ${words}`}>
      <span aria-hidden="true">{grouped(count)} unknown</span>
      <span className="sr">{words}, and </span>
    </span>
  );
}
