/** A dialog or a menu is open over the page: keys are its own. A list beside a field that is written in is none. */
export function isOverlaid(): boolean {
  return document.querySelector('dialog[open], [role="menu"]:popover-open, [popover="auto"]:popover-open') !== null;
}
