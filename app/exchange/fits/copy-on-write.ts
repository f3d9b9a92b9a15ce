/** The list itself when `change` returned every item as it was, else a new one. */
export function mapKeeping<T>(list: T[], change: (item: T, index: number) => T): T[] {
  let copy: T[] | null = null;
  let index = -1;
  // Not over `entries()`, which makes two objects for each of thousands of blocks.
  for (const item of list) {
    index += 1;
    const next = change(item, index);
    if (next === item) continue;
    copy ??= list.slice();
    copy[index] = next;
  }
  return copy ?? list;
}

/**
 * A copy of `object` in which these keys are missing; the object itself when it has none of them. Order of keys is
 * kept.
 */
export function without<T extends object>(object: T, ...keys: string[]): T {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  const copy = { ...object };
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy;
}
