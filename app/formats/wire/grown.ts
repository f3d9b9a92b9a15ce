/**
 * A value of a collected answer with what an event adds to it: texts and lists grow, the rest is set. A list is grown
 * in place, for it belongs to the answer alone; to copy it with each event would take more and more.
 */
export function grown(before: unknown, added: unknown): unknown {
  if (typeof before === 'string' && typeof added === 'string') return before + added;
  if (!Array.isArray(before) || !Array.isArray(added)) return added;
  for (const each of added) before.push(each);
  return before;
}
