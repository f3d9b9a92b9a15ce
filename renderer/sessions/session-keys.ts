import type { Bridge } from '../bridge/bridge.ts';
import { type Chord, chordShortcut, chordWords, isChord, type PressedKey } from '../parts/keys.ts';
import type { KeyGroup } from '../parts/keys-dialog.tsx';
import { useServices } from '../state/services.ts';

export interface SessionKey {
  does: string;
  /** Any of them. */
  chords: readonly Chord[];
  /** Keys in a browser, which keeps the others for itself. */
  inBrowser?: readonly Chord[];
  /** A single letter or sign: it can be switched off. */
  letter?: true;
}

const key = (does: string, ...chords: Chord[]): SessionKey => ({ does, chords });
const letter = (does: string, ...chords: Chord[]): SessionKey => ({ does, chords, letter: true });

/** Every key of the view, by where it works and what it is for. Handlers, titles and the list of keys go by this. */
export const sessionKeys = {
  view: {
    newSession: { ...key('New session', 'Mod+N'), inBrowser: ['Alt+N'] },
    goTo: { ...key('Go to a session by its name', 'Mod+P'), inBrowser: ['Alt+P'] },
    beside: { ...key('This session in a further window or tab', 'Mod+Shift+N'), inBrowser: ['Alt+Shift+N'] },
    palette: key('Search sessions, commands and settings', 'Mod+K'),
    question: key('To the question, and back', 'Mod+.'),
    nextWaiting: key('To the next session that waits', 'Mod+Shift+.'),
    permissions: key('Permissions', 'Mod+Shift+M'),
    model: key('Model', 'Mod+Shift+O'),
    changes: key('Changes', 'Mod+D'),
    sideQuestions: key('Side questions', 'Mod+J'),
    list: key('List of sessions', 'Mod+B'),
    find: key('Find in the conversation', 'Mod+F'),
    findNext: key('Find the next place', 'F3'),
    findBefore: key('Find the place before', 'Shift+F3'),
    rename: key('Rename the session', 'F2'),
    search: letter('Search sessions', '/'),
    help: letter('This list', '?'),
  },
  question: {
    answers: key('Its answers', '1', '2', '3', '4'),
    leave: key('Back to the message field; answers nothing', 'Escape'),
  },
  message: {
    send: key('Send; while a turn runs, queue or steer as set', 'Enter'),
    other: key('While a turn runs, the other of the two', 'Mod+Enter'),
    line: key('A new line', 'Shift+Enter'),
    stop: key('Close the menu, else stop the turn', 'Escape'),
    earlier: key('Your earlier prompts, in an empty field', 'ArrowUp', 'ArrowDown'),
    offers: key('Commands; files of the folder', '/', '@'),
    queue: key('On a queued message: earlier, later', 'Alt+ArrowUp', 'Alt+ArrowDown'),
  },
  list: {
    down: key('Row down', 'ArrowDown'),
    up: key('Row up', 'ArrowUp'),
    downLetter: letter('Row down', 'j'),
    upLetter: letter('Row up', 'k'),
    first: key('First row', 'Home'),
    last: key('Last row', 'End'),
    open: key('Open', 'Enter'),
    openGroup: key('Open a group', 'ArrowRight'),
    closeGroup: key('Close a group', 'ArrowLeft'),
    pin: letter('Pin', 'p'),
    rename: key('Rename', 'F2'),
    remove: key('Delete', 'Delete'),
    menu: key('Menu of the row', 'Shift+F10', 'ContextMenu'),
  },
  transcript: {
    down: key('Next step', 'ArrowDown'),
    up: key('Step before', 'ArrowUp'),
    open: key('Open a step', 'Enter'),
    nextPrompt: letter('Next prompt', 'u'),
    promptBefore: letter('Prompt before', 'U'),
    nextFailure: letter('Next failure', 'e'),
    failureBefore: letter('Failure before', 'E'),
    copy: letter('Copy', 'c'),
    end: key('To the end', 'End'),
    stop: key('Stop the turn', 'Escape'),
  },
  changes: {
    down: key('Next file', 'ArrowDown'),
    up: key('File before', 'ArrowUp'),
    open: key('Its difference', 'Enter'),
    accept: letter('Accept', 'a'),
    undo: letter('Undo', 'z'),
    nextPlace: letter('Next place, also of the next file', 'n'),
    placeBefore: letter('Place before, also of the file before', 'N'),
    nextFile: letter('Next file, opened', 'j'),
    fileBefore: letter('File before, opened', 'k'),
    comment: letter('Comment on a line: ↓ and ↑ choose it', 'c'),
    moreLines: key('On a line: choose several', 'Shift+ArrowDown', 'Shift+ArrowUp'),
    saveComment: key('In a comment: save it', 'Mod+Enter'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SessionKey>>>>;

/** A browser keeps some keys for itself. */
export const isBrowserWindow = ({ chooseFolder }: Pick<Bridge, 'chooseFolder'>): boolean => chooseFolder === null;

function chordsOf({ chords, inBrowser }: SessionKey, isBrowser: boolean): readonly Chord[] {
  return isBrowser ? (inBrowser ?? chords) : chords;
}

export function isKey(event: PressedKey, key: SessionKey, isBrowser = false): boolean {
  return chordsOf(key, isBrowser).some((chord) => isChord(event, chord));
}

/** Action of the key that was pressed; null if there is none, or a letter while those are switched off. */
export function keyOf<Name extends string>(
  event: PressedKey,
  keys: Readonly<Record<Name, SessionKey>>,
  letterKeys: boolean,
  isBrowser = false,
): Name | null {
  const names = Object.keys(keys) as Name[];
  const isOn = (name: Name): boolean => letterKeys || keys[name].letter !== true;
  return names.find((name) => isOn(name) && isKey(event, keys[name], isBrowser)) ?? null;
}

/** `Ctrl+Shift+M` */
export const keyWords = (key: SessionKey, isBrowser = false): string =>
  chordsOf(key, isBrowser).map(chordWords).join(', ');

interface KeyTitles {
  /** `New session (Ctrl+N)`, with the key for assistive technology. */
  titled: (words: string, key: SessionKey) => { title: string; 'aria-keyshortcuts': string };
}

export function useKeyTitles(): KeyTitles {
  const isBrowser = isBrowserWindow(useServices().bridge);
  return {
    titled: (words, key) => ({
      title: `${words} (${keyWords(key, isBrowser)})`,
      'aria-keyshortcuts': chordsOf(key, isBrowser).map(chordShortcut).join(' '),
    }),
  };
}

/** All of them, for a person to read. */
export function keyGroups(isBrowser: boolean): KeyGroup[] {
  const headings: Readonly<Record<keyof typeof sessionKeys, string>> = {
    ...{ view: 'Anywhere in Sessions', question: 'In a question', message: 'In the message field' },
    ...{ list: 'In the list', transcript: 'In the conversation', changes: 'In the changes' },
  };
  return Object.entries(sessionKeys).map(([where, keys]: [string, Readonly<Record<string, SessionKey>>]) => ({
    heading: headings[where as keyof typeof sessionKeys],
    keys: Object.values(keys).map((one) => ({
      ...{ key: keyWords(one, isBrowser), does: one.does },
      letter: one.letter === true,
    })),
  }));
}
