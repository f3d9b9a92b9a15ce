/** A place in a text that is shown in pieces. */
export interface Place {
  piece: number;
  from: number;
  to: number;
}

const pieceLength = 8_000;
/** A line longer than this is shown in parts. */
const longestLine = 64_000;

/** The text in pieces that end with a line where there is an end near enough; together they are the text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + pieceLength);
    const limit = from + longestLine;
    const to = end === -1 ? Math.min(text.length, limit) : Math.min(end + 1, limit);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

const mostPlaces = 5_000;

/** Ranges of words, ignoring case; the first 5,000. */
export function placesOf(pieces: readonly string[], words: string): Place[] {
  const places: Place[] = [];
  const wanted = words.toLowerCase();
  if (wanted === '') return places;
  for (const [piece, text] of pieces.entries()) {
    const lower = text.toLowerCase();
    // A few letters are longer in their other case; then places would not fit.
    const searched = lower.length === text.length ? lower : text;
    for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + wanted.length)) {
      places.push({ piece, from: at, to: at + wanted.length });
      if (places.length === mostPlaces) return places;
    }
  }
  return places;
}

/** Whole lines that begin like this. */
export function linesOf(pieces: readonly string[], begins: string): Place[] {
  const places: Place[] = [];
  for (const [piece, text] of pieces.entries()) {
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from);
      const to = end === -1 ? text.length : end;
      if (text.startsWith(begins, from)) places.push({ piece, from, to });
      if (places.length === mostPlaces) return places;
      from = to + 1;
    }
  }
  return places;
}
