/** In CSS pixels, and of the whole view. */
export const narrowest = 360;
const widest = 0.5;
export const widthStep = 16;

export function widestChanges(view: number): number {
  return Math.max(narrowest, Math.floor(view * widest));
}

/** How wide the changes are where a person wants them so wide, in a view of this width. */
export function changesWidth(wanted: number, view: number): number {
  return Math.round(Math.min(widestChanges(view), Math.max(narrowest, wanted)));
}

/** The default: 432 px, and more where all three panes are shown. */
export function usualChangesWidth(view: number, isWide: boolean): number {
  return changesWidth(isWide ? Math.max(480, view * 0.3) : 432, view);
}
