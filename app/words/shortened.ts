/** Where a text may be cut: there, or before the pair of surrogates that this would part. */
export function cutAt(text: string, place: number): number {
  const parts = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, place - 1), place + 1));
  return parts ? place - 1 : place;
}

/** At most so many characters; an ellipsis stands for the rest. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, cutAt(text, most - 1)).trimEnd()}…` : text;
}
