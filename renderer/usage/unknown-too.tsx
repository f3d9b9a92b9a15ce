import { counted } from '../../app/words/numbers.ts';

/** Behind a sum: there are requests whose charge is not in it. */
export function UnknownToo({ count }: { count: number }) {
  const words = `${counted(count, 'request')} with an unknown charge`;
  return (
    <span className="muted" title={`And ${words}`}>
      {' '}
      + ?<span className="sr">, and {words}</span>
    </span>
  );
}
