import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { type Chord, chordShortcut, chordWords, isChord, type PressedKey } from '../parts/shortcuts.ts';
import type { KeyGroup } from '../parts/shortcuts-dialog.tsx';
import { useServices } from '../state/services.ts';

export interface SessionShortcut {
  does: Message;
  /** Any of them. */
  chords: readonly Chord[];
  /** Keys in a browser, which keeps the others for itself. */
  inBrowser?: readonly Chord[];
  /** A single letter or sign: it can be switched off. */
  letter?: true;
}

const key = (does: Message, ...chords: Chord[]): SessionShortcut => ({ does, chords });
const letter = (does: Message, ...chords: Chord[]): SessionShortcut => ({ does, chords, letter: true });

/** Every key of the view, by where it works and what it is for. Handlers, titles and the list of keys go by this. */
export const sessionShortcuts = {
  view: {
    newSession: { ...key(msg('New session'), 'Mod+N'), inBrowser: ['Alt+N'] },
    goTo: { ...key(msg('Go to a session by its name'), 'Mod+P'), inBrowser: ['Alt+P'] },
    beside: { ...key(msg('This session in a further window or tab'), 'Mod+Shift+N'), inBrowser: ['Alt+Shift+N'] },
    palette: key(msg('Search sessions, commands and settings'), 'Mod+K'),
    question: key(msg('To the question, and back'), 'Mod+.'),
    nextWaiting: key(msg('To the next session that waits'), 'Mod+Shift+.'),
    permissions: key(msg('Permissions'), 'Mod+Shift+M'),
    model: key(msg('Model'), 'Mod+Shift+O'),
    templates: { ...key(msg('Templates'), 'Mod+Shift+E'), inBrowser: ['Alt+Shift+E'] },
    changes: key(msg('Changes'), 'Mod+D'),
    sideQuestions: key(msg('Side questions'), 'Mod+J'),
    list: key(msg('List of sessions'), 'Mod+B'),
    find: key(msg('Find in the conversation'), 'Mod+F'),
    findNext: key(msg('Find the next place'), 'F3'),
    findBefore: key(msg('Find the place before'), 'Shift+F3'),
    rename: key(msg('Rename the session'), 'F2'),
    search: letter(msg('Search sessions'), '/'),
    help: letter(msg('This list'), '?'),
  },
  question: {
    answers: key(msg('Its answers'), '1', '2', '3', '4'),
    leave: key(msg('Back to the message field; answers nothing'), 'Escape'),
  },
  message: {
    send: key(msg('Send; while a turn runs, queue or steer as set'), 'Enter'),
    other: key(msg('While a turn runs: queue instead of steer, or steer instead of queue'), 'Mod+Enter'),
    line: key(msg('A new line'), 'Shift+Enter'),
    stop: key(msg('Close the menu, else stop the turn'), 'Escape'),
    earlier: key(msg('Your earlier prompts, in an empty field'), 'ArrowUp', 'ArrowDown'),
    offers: key(msg('Commands; files of the folder'), '/', '@'),
    queue: key(msg('On a queued message: earlier, later'), 'Alt+ArrowUp', 'Alt+ArrowDown'),
  },
  list: {
    down: key(msg('Row down'), 'ArrowDown'),
    up: key(msg('Row up'), 'ArrowUp'),
    downLetter: letter(msg('Row down'), 'j'),
    upLetter: letter(msg('Row up'), 'k'),
    first: key(msg('First row'), 'Home'),
    last: key(msg('Last row'), 'End'),
    open: key(msg('Open'), 'Enter'),
    openGroup: key(msg('Open a group'), 'ArrowRight'),
    closeGroup: key(msg('Close a group'), 'ArrowLeft'),
    pin: letter(msg('Pin'), 'p'),
    rename: key(msg('Rename'), 'F2'),
    copyLine: letter(msg('Copy the line for a terminal'), 't'),
    remove: key(msg('Delete'), 'Delete'),
    menu: key(msg('Menu of the row'), 'Shift+F10', 'ContextMenu'),
  },
  transcript: {
    down: key(msg('Next step'), 'ArrowDown'),
    up: key(msg('Step before'), 'ArrowUp'),
    open: key(msg('Open a step'), 'Enter'),
    nextPrompt: letter(msg('Next prompt'), 'u'),
    promptBefore: letter(msg('Prompt before'), 'U'),
    nextFailure: letter(msg('Next failure'), 'e'),
    failureBefore: letter(msg('Failure before'), 'E'),
    copy: letter(msg('Copy'), 'c'),
    end: key(msg('To the end'), 'End'),
    stop: key(msg('Stop the turn'), 'Escape'),
  },
  changes: {
    down: key(msg('Next file'), 'ArrowDown'),
    up: key(msg('File before'), 'ArrowUp'),
    open: key(msg('Its difference'), 'Enter'),
    accept: letter(msg('Accept'), 'a'),
    undo: letter(msg('Undo'), 'z'),
    nextPlace: letter(msg('Next place, also of the next file'), 'n'),
    placeBefore: letter(msg('Place before, also of the file before'), 'N'),
    nextFile: letter(msg('Next file, opened'), 'j'),
    fileBefore: letter(msg('File before, opened'), 'k'),
    comment: letter(msg('Comment on a line: ↓ and ↑ choose it'), 'c'),
    moreLines: key(msg('On a line: choose several'), 'Shift+ArrowDown', 'Shift+ArrowUp'),
    saveComment: key(msg('In a comment: save it'), 'Mod+Enter'),
    close: key(msg('Close changes'), 'Escape'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SessionShortcut>>>>;

/** A browser keeps some keys for itself. */
export const isBrowserWindow = ({ chooseFolder }: Pick<Bridge, 'chooseFolder'>): boolean => chooseFolder === null;

function chordsOf({ chords, inBrowser }: SessionShortcut, isBrowser: boolean): readonly Chord[] {
  return isBrowser ? (inBrowser ?? chords) : chords;
}

export function isKey(event: PressedKey, key: SessionShortcut, isBrowser = false): boolean {
  return chordsOf(key, isBrowser).some((chord) => isChord(event, chord));
}

/** Action of the key that was pressed; null if there is none, or a letter while those are switched off. */
export function keyOf<Name extends string>(
  event: PressedKey,
  keys: Readonly<Record<Name, SessionShortcut>>,
  letterKeys: boolean,
  isBrowser = false,
): Name | null {
  const names = Object.keys(keys) as Name[];
  const isOn = (name: Name): boolean => letterKeys || keys[name].letter !== true;
  return names.find((name) => isOn(name) && isKey(event, keys[name], isBrowser)) ?? null;
}

/** `Ctrl+Shift+M` */
export const keyWords = (key: SessionShortcut, isBrowser = false): string =>
  chordsOf(key, isBrowser).map(chordWords).join(', ');

interface KeyTitles {
  /** `New session (Ctrl+N)`, with the key for assistive technology. */
  titled: (words: string, key: SessionShortcut) => { title: string; 'aria-keyshortcuts': string };
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
  const headings: Readonly<Record<keyof typeof sessionShortcuts, string>> = {
    ...{ view: t('Anywhere in Sessions'), question: t('In a question'), message: t('In the message field') },
    ...{ list: t('In the list'), transcript: t('In the conversation'), changes: t('In the changes') },
  };
  return Object.entries(sessionShortcuts).map(([where, keys]: [string, Readonly<Record<string, SessionShortcut>>]) => ({
    heading: headings[where as keyof typeof sessionShortcuts],
    keys: Object.values(keys).map((one) => ({
      ...{ key: keyWords(one, isBrowser), does: translated(one.does) },
      letter: one.letter === true,
    })),
  }));
}
