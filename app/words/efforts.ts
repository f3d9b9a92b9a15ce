/** `High` for `high`; a word that is not known is shown with a capital. */
export function effortWords(effort: string): string {
  return effort === 'xhigh' ? 'Extra high' : effort.charAt(0).toUpperCase() + effort.slice(1);
}
