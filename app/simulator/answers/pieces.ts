/** A text in the small pieces it is streamed in: about three words each. Joined they are the text again. */
export function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? (text === '' ? [] : [text]);
  const groups: string[] = [];
  for (let at = 0; at < words.length; at += 3) groups.push(words.slice(at, at + 3).join(''));
  return groups;
}

/** Arguments of a tool call, cut anywhere: clients may rely on nothing but the whole. */
export function argumentPieces(json: string): string[] {
  const cuts = [0, 2, 11, ...Array.from({ length: Math.ceil(json.length / 24) }, (_, at) => 35 + at * 24)];
  return cuts.map((from, at) => json.slice(from, cuts[at + 1])).filter((piece) => piece !== '');
}
