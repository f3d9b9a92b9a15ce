/** A path of this machine, with the person's own folder as `~`. */
export function PlaceWords({ path }: { path: string }) {
  const short = path.replace(/^(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^\\/]+(?=[\\/]|$)/, '~');
  return (
    <span className="mono" title={path}>
      {short}
    </span>
  );
}
