import { shortened } from './shortened.ts';

/** What is not seen, or turns what follows around. Joiners of letters and the looks of emoji are part of words. */
const unseen = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]--[\u200c\u200d\ufe0e\ufe0f]]/gv;

/** A piece of one line: without what is not seen, with one space for each gap. */
export function withoutHidden(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(unseen, '');
}

/** Another's words where one line of ours names them: nothing in them breaks it, turns it around or hides in it. */
export function oneLine(text: string, most = 200): string {
  // Of megabytes only what can be shown is looked at.
  return shortened(withoutHidden(text.slice(0, 4 * most)).trim(), most);
}
