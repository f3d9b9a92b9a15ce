/**
 * An arrow between names: in the text’s own face, since many monospace ones have a tiny one. With a space to either
 * side, also when copied.
 */
export function Arrow({ children }: { children: string }) {
  return <span className="arrow"> {children} </span>;
}
