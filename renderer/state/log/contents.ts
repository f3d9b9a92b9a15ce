/** What a body can hold, as a list tells it without text of the body. */
export const contentKinds = ['tools', 'images', 'thinking'] as const;

/** `tools thinking`: those of which there is some. */
export function contentsOf(counts: { readonly [Kind in (typeof contentKinds)[number]]: unknown }): string {
  return contentKinds.filter((kind) => Boolean(counts[kind])).join(' ');
}
