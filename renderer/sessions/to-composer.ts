/**
 * Gives the keyboard to the message field. Where there is none, nothing has the keyboard: no digit answers then either.
 */
export function toComposer(): void {
  const field = document.querySelector<HTMLElement>('textarea[data-testid="composer"]');
  if (field !== null) field.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
