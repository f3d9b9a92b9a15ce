export const isMac = (): boolean => navigator.platform.startsWith('Mac');

/** Whether the platform's key for commands is held, and neither the other one nor Alt. */
export function isCommand(event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean {
  return (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey;
}

/**
 * A key with those that are held with it: `Mod+Shift+M`, `Alt+N`, `j`, `Delete`. `Mod` is Ctrl, on a Mac Cmd. A capital
 * letter alone is pressed with Shift.
 */
export type Chord = string;

interface Parts {
  mod: boolean;
  shift: boolean;
  alt: boolean;
  key: string;
}

function partsOf(chord: Chord): Parts {
  const names = chord.split('+');
  const key = names.at(-1) ?? '';
  return { mod: names.includes('Mod'), shift: names.includes('Shift'), alt: names.includes('Alt'), key };
}

export interface PressedKey {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether this is what was pressed. AltGr, which writes signs, is Ctrl and Alt, and none of ours. */
export function isChord(event: PressedKey, chord: Chord): boolean {
  const { mod, shift, alt, key } = partsOf(chord);
  const [own, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (own !== mod || other || event.altKey !== alt) return false;
  // A sign alone is what it is, however a keyboard writes it.
  if (key.length === 1 && !mod && !alt && !shift) return event.key === key;
  if (event.shiftKey !== shift) return false;
  // With Shift or Alt a key writes another sign: then its place counts too.
  return event.key.toLowerCase() === key.toLowerCase() || ((shift || alt) && event.code === codeOf(key));
}

function codeOf(key: string): string {
  return key === '.' ? 'Period' : `Key${key.toUpperCase()}`;
}

const signs: Readonly<Record<string, string>> = {
  ...{ ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', Delete: 'Del' },
};

/** Keys for people: `Ctrl+Shift+M`, `⌘⇧M`. */
export function chordWords(chord: Chord): string {
  const { mod, shift, alt, key } = partsOf(chord);
  const isHeld = mod || shift || alt;
  const last = signs[key] ?? (isHeld && key.length === 1 ? key.toUpperCase() : key);
  if (isMac()) return `${mod ? '⌘' : ''}${alt ? '⌥' : ''}${shift ? '⇧' : ''}${last}`;
  return [...(mod ? ['Ctrl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : []), last].join('+');
}

/** Keys in the form of `aria-keyshortcuts`. */
export function chordShortcut(chord: Chord): string {
  const { mod, shift, alt, key } = partsOf(chord);
  const held = [...(mod ? [isMac() ? 'Meta' : 'Control'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : [])];
  return [...held, key].join('+');
}

/** What is written goes into it. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** A dialog or a menu is open over the page: keys are its own. A list beside a field that is written in is none. */
export function isOverlaid(): boolean {
  return document.querySelector('dialog[open], [role="menu"]:popover-open, [popover="auto"]:popover-open') !== null;
}
