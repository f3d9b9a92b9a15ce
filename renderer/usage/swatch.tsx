/** Solid, light with a darker edge, hatched: told apart without colour. */
export function Swatch({ kind }: { kind: 'billed' | 'free' | 'unknown' }) {
  return <i className={`swatch ${kind}`} aria-hidden="true" />;
}
