/** One of a list at another place: `by` steps from where it was; null: there is no such place. */
export function moved(ids: readonly string[], id: string, by: number): string[] | null {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from === -1 || by === 0 || to < 0 || to >= ids.length) return null;
  const others = ids.filter((one) => one !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
